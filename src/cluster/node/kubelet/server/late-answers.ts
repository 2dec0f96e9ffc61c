// What only people and their programs ask a kubelet for: it comes with those.

import { Late } from "#sim/late.ts";
import type * as code from "./answer-code.ts";

export const lateAnswers = new Late<typeof code>("answers");
