// Commands in containers, attachments, and what is said of a container that cannot start: none of it happens while a cluster starts.

import { Late } from "#sim/late.ts";
import type * as code from "./exec-stream.ts";

export const lateExecStreams = new Late<typeof code>("exec-streams");
