// Why a submission was refused, for teachers.

import type { StringKey } from "../../../i18n/translator.ts";

const refusals = [
  "unreadable",
  "otherLab",
  "outdated",
  "unordered",
  "tooLong",
  "tooMany",
  "tookTooLong",
  "tooMuchMemory",
  "failed",
  "busy",
] as const;

/** What the page does not know counts as a failure. */
export function refusalKey(refusal: string): StringKey {
  return `classroom.teacher.learner.refusals.${refusals.find((one) => one === refusal) ?? "failed"}`;
}
