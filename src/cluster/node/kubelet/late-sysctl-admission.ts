// Few Pods set kernel parameters.

import { Late } from "#sim/late.ts";
import type * as code from "./sysctl-admission.ts";

export const lateSysctlAdmission = new Late<typeof code>("sysctl-admission");
