// Why the server has not counted a run, as replays name it: each has its words for learners and for teachers.

const reasons = [
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
export type RefusalReason = (typeof reasons)[number];

/** What the page does not know counts as a failure. */
export function reasonOf(refusal: string): RefusalReason {
  return reasons.find((reason) => reason === refusal) ?? "failed";
}
