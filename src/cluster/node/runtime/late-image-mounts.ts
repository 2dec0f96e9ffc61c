// Mounts of images: few containers have one.

import { Late } from "#sim/late.ts";
import type * as code from "./image-mounts.ts";

export const lateImageMounts = new Late<typeof code>("image-mounts");
