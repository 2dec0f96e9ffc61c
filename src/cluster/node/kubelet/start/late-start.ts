// What a kubelet that is started again reads of its machine's files. It comes late: a cluster's kubelets start by what they are made with.

import { Late } from "#sim/late.ts";
import type * as code from "./start-code.ts";

export const lateStart = new Late<typeof code>("start");
