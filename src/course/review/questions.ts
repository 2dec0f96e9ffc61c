// A lesson's questions as data, read from its source at build time.

import { withInlineCode } from "../inline-code.ts";

/** A question as review shows it; texts are HTML that holds nothing but <code>. */
export interface QuestionText {
  readonly question: string;
  readonly answers: readonly { readonly text: string; readonly right: boolean; readonly why: string }[];
}

/** The questions of a part's lessons, by lesson. */
export type PartQuestions = Readonly<Record<string, readonly QuestionText[]>>;

const quiz = /<Quiz>([\s\S]*?)<\/Quiz>/g;
const questionTag = /<Question>([\s\S]*?)<\/Question>/;
const answerTag = /<Answer((?:\s+\w+(?:="[^"]*")?)*)\s*>([\s\S]*?)<\/Answer>/g;

/** The questions of a lesson, in its order.
 * @param path names the file in errors.
 * @throws Error for a question or an answer whose words are more than text and `code`. */
export function lessonQuestions(source: string, path: string): readonly QuestionText[] {
  return [...source.matchAll(quiz)].map(([, inside = ""]) => ({
    question: html(questionTag.exec(inside)?.[1] ?? "", path),
    answers: [...inside.matchAll(answerTag)].map(([, attributes = "", text = ""]) => ({
      text: html(text, path),
      right: /\scorrect(?![=\w])/.test(attributes),
      why: html(/\bwhy="([^"]*)"/.exec(attributes)?.[1] ?? "", path),
    })),
  }));
}

function html(words: string, path: string): string {
  const bare = words.replace(/`[^`]*`/g, "");
  if (/\*\*|[<{]|\]\(|\n\s*\n/.test(bare)) throw new Error(`${path}: a question holds text and \`code\` only, not: ${bare.trim()}`);
  return withInlineCode(words.trim());
}
