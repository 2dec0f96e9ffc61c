// No Pod that a cluster begins with is asked but over HTTP, and answers where it was asked: the other ways to ask come with programs.

import { Late } from "#sim/late.ts";
import type * as code from "./handler-code.ts";

export const lateHandlers = new Late<typeof code>("handlers");
