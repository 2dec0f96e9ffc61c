// Why a submission was refused, for teachers.

import type { StringKey } from "../../../i18n/translator.ts";
import { reasonOf } from "../refusal-reasons.ts";

export function refusalKey(refusal: string): StringKey {
  return `classroom.teacher.learner.refusals.${reasonOf(refusal)}`;
}
