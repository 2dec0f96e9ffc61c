// No log of a fresh cluster is full: what compresses those that were rotated comes with the programs that fill them.

import { Late } from "#sim/late.ts";
import type * as code from "./gzip.ts";

export const lateGzip = new Late<typeof code>("gzip");
