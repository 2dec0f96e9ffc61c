// How an API server's requests to kubelets are served: nobody makes them before clients' programs are there.

import { Late } from "#sim/late.ts";
import type * as code from "./gateway-code.ts";

export const lateGateway = new Late<typeof code>("gateway");
