// UDP: what most clusters begin without.

import { Late } from "../late.ts";
import type * as code from "./datagrams.ts";

export const lateDatagrams = new Late<typeof code>("datagrams");
