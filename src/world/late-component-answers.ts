// What only people and their programs ask of the controller manager and of schedulers: it comes with those.

import { Late } from "#sim/late.ts";
import type * as code from "./component-answers.ts";

export const lateComponentAnswers = new Late<typeof code>("component-answers");
