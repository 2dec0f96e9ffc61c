// What is used only where there is a NetworkPolicy.

import { Late } from "#sim/late.ts";
import type * as code from "./policy-agent.ts";

export const latePolicies = new Late<typeof code>("policies");
