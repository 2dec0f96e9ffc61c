// A fresh cluster writes objects of a few kinds. The tables of all other types come with the programs that ask for them.

import { Late } from "#sim/late.ts";
import type * as tables from "./generated/late-tables.ts";

export const lateTables = new Late<typeof tables>("tables");
