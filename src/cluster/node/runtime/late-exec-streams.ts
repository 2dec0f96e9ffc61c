// Commands in containers, and attachments: nobody asks for them while a cluster starts.

import { Late } from "#sim/late.ts";
import type * as code from "./exec-stream.ts";

export const lateExecStreams = new Late<typeof code>("commands in containers");
