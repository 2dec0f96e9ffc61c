// Makes and removes volumes; it comes with clients' programs, which bring the first claims.

import { Late } from "#sim/late.ts";
import type * as code from "./volume-work.ts";

export const lateVolumeWork = new Late<typeof code>("volume-work");
