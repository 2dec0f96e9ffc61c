// Pods that a cluster begins with are not refused for what these hints are about: their code comes late.

import { Late } from "#sim/late.ts";
import type * as code from "./hint-code.ts";

export const lateHints = new Late<typeof code>("hints");
