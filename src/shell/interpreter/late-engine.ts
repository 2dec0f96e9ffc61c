// Nothing is parsed or run before a line is typed: the interpreter comes with the commands, a shell and its first prompt are there before.

import { Late } from "#sim/late.ts";
import type { Engine } from "./shell.ts";

export const lateEngine = new Late<Engine>("engine");
