// Volumes that are images: few Pods have one.

import { Late } from "#sim/late.ts";
import type * as code from "./image-volumes.ts";

export const lateImageVolumes = new Late<typeof code>("image-volumes");
