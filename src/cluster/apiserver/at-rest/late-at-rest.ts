// Values as they lie in etcd: their keys, their bytes, their encryption. Nothing of it is needed by a server that is told of no encryption
// and that nobody looks behind.

import { Late } from "#sim/late.ts";
import type * as code from "./at-rest-code.ts";

export const lateAtRest = new Late<typeof code>("at-rest");
