// What the head of a lesson file says, and what a writer is told when it says something else.

import { fields, lowerCaseWords, optional, readAs, required, textLike, textUpTo, wholeNumber } from "#reading/shapes.ts";
import { FileMistake } from "#reading/yaml-fields.ts";

/** The head of content/lessons/<locale>/<part>/<lesson>.mdx. */
interface LessonHead {
  readonly title: string;
  readonly summary: string;
  readonly lab: string | undefined;
  readonly minutes: number;
}

const head = fields<LessonHead>({
  title: required(textUpTo(80), "The lesson's own title in its language; sentence case, no full stop."),
  summary: required(textUpTo(240), "One or two sentences for lists and search engines."),
  lab: optional(textLike(lowerCaseWords), "Folder in labs/; left out for a lesson without a lab.", undefined),
  minutes: required(wholeNumber(1, 90), "Reading and lab together."),
});

/** Everything wrong with the head of one file, as lines `path:line: message`; empty when it is right. */
export function headProblems(path: string, source: string): readonly string[] {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(\r?\n|$)/.exec(source);
  if (match === null) return [`${path}:1: the file begins with a head between two lines "---"`];
  try {
    readAs(head, path, match[1] ?? "", 1);
    return [];
  } catch (error) {
    if (error instanceof FileMistake) return error.mistakes;
    throw error;
  }
}
