// What is asked only by programs that show interfaces and routes.

import { Late } from "#sim/late.ts";
import type * as code from "./places.ts";

export const latePlaces = new Late<typeof code>("places");
