// Auditing: its flags, the policy, events and their file. Without a flag that asks for it a server needs none of it.

import { Late } from "#sim/late.ts";
import type * as code from "./audit-code.ts";

export const lateAudit = new Late<typeof code>("audit");
