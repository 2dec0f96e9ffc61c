// How an API server passes requests on to its peers: only servers that are told the peers' authority do, which a learner has to ask for.

import { Late } from "#sim/late.ts";
import type * as code from "./peer-code.ts";

export const latePeers = new Late<typeof code>("peers");
