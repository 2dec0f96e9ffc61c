// What of kube-proxy comes late: its words, what its configuration says beside what kubeadm writes, and its other modes.

import { Late } from "#sim/late.ts";
import type * as code from "./proxy-code.ts";

export const lateProxy = new Late<typeof code>("proxy");
