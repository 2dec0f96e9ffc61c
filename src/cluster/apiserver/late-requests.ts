// What serves requests that only clients' programs send, or that follow from these: resources over HTTP and the documents about them,
// patches and evictions that no controller asks for, deletions (a cluster that nobody touched deletes nothing). Its own parts call in
// process, and of paths they read health only; so it comes with those programs.

import { Late } from "#sim/late.ts";
import type * as code from "./request-code.ts";

export const lateRequests = new Late<typeof code>("requests");
