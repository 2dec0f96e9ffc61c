// kube-proxy's words, which nobody reads before somebody types, and configurations other than kubeadm's.

import { Late } from "#sim/late.ts";
import type * as code from "./proxy-code.ts";

export const lateProxy = new Late<typeof code>("what kube-proxy logs and reads");
