// Volumes behind claims, and what is said of volumes that cannot be mounted: a fresh cluster has neither.

import { Late } from "#sim/late.ts";
import type * as code from "./volume-code.ts";

export const lateVolumes = new Late<typeof code>("volumes");
