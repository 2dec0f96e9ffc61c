// Sentences that were left in English. Program output stands in code, names of products have no such words.

import type { Rule } from "./rule.ts";

/** Words of English sentences that neither French nor Spanish has. */
const words =
  "the|of|is|are|with|this|that|your|you|which|will|from|when|been|and|it|have|was|were|does|they|their|into|should|must|for|not|can|be|an|to|by";

/** Two of them within a few words of each other. */
export const leftoverEnglish: Rule = {
  pattern: new RegExp(`(?<![\\p{L}’'-])(?:${words})(?: [A-Za-z'’-]+){0,3} (?:${words})(?![\\p{L}’'-])`, "u"),
  problem: "English in the text",
  better: () => "the reader's language; what a program prints stands in `code`",
};
