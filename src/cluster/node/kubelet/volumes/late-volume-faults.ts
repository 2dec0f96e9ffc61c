// What is said of volumes that cannot be mounted: those of a fresh cluster can.

import { Late } from "#sim/late.ts";
import type * as code from "./volume-faults.ts";

export const lateVolumeFaults = new Late<typeof code>("why volumes cannot be mounted");
