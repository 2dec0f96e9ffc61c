// Users of their own for Pods: few ask for them, and none of those that a cluster starts with.

import { Late } from "#sim/late.ts";
import type * as code from "./user-namespace-code.ts";

export const lateUserNamespaces = new Late<typeof code>("user-namespaces");
