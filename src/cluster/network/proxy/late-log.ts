// kube-proxy's words: nobody reads its log before somebody types.

import { Late } from "#sim/late.ts";
import type * as code from "./log.ts";

export const lateProxyLog = new Late<typeof code>("what kube-proxy logs");
