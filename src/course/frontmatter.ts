// What the head of a lesson file says, and what a writer is told when it says something else.

import { isMap, isPair, isScalar, LineCounter, parseDocument } from "yaml";

/** The head of content/lessons/<locale>/<part>/<lesson>.mdx. */
export interface LessonHead {
  /** The lesson's own title in its language; sentence case, no full stop. */
  readonly title: string;
  /** One or two sentences for lists and search engines. */
  readonly summary: string;
  /** Folder in labs/; absent for a lesson without a lab. */
  readonly lab: string | undefined;
  /** Reading and lab together. */
  readonly minutes: number;
}

export interface HeadProblem {
  /** From 1, in the file. */
  readonly line: number;
  readonly message: string;
}

interface Field {
  readonly required: boolean;
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const fields: Readonly<Record<keyof LessonHead, Field>> = {
  title: {
    required: true,
    expected: "a text of 1 to 80 characters",
    accepts: (value) => typeof value === "string" && value.length > 0 && value.length <= 80,
  },
  summary: {
    required: true,
    expected: "a text of 1 to 240 characters",
    accepts: (value) => typeof value === "string" && value.length > 0 && value.length <= 240,
  },
  lab: {
    required: false,
    expected: "the name of a folder in labs/ (lower case letters, digits and hyphens)",
    accepts: (value) => typeof value === "string" && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(value),
  },
  minutes: {
    required: true,
    expected: "a whole number from 1 to 90",
    accepts: (value) => typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= 90,
  },
};

/** Everything wrong with the head of one file, in the order of its lines; empty when it is right. */
export function headProblems(source: string): readonly HeadProblem[] {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(\r?\n|$)/.exec(source);
  if (match === null) return [{ line: 1, message: 'the file begins with a head between two lines "---"' }];
  const lines = new LineCounter();
  const document = parseDocument(match[1] ?? "", { lineCounter: lines });
  const lineAt = (offset: number): number => lines.linePos(offset).line + 1;
  const syntax = document.errors.map((error) => ({
    line: lineAt(error.pos[0]),
    message: `not YAML: ${error.message.split("\n")[0]}`,
  }));
  if (syntax.length > 0) return syntax;
  const problems: HeadProblem[] = [];
  const seen = new Set<string>();
  if (isMap(document.contents)) {
    for (const pair of document.contents.items) {
      if (!isPair(pair) || !isScalar(pair.key)) continue;
      const name = String(pair.key.value);
      const line = lineAt(pair.key.range?.[0] ?? 0);
      seen.add(name);
      const field = Object.entries(fields).find(([known]) => known === name)?.[1];
      if (field === undefined)
        problems.push({ line, message: `"${name}" is not a field of a lesson; known: ${Object.keys(fields).join(", ")}` });
      else if (!field.accepts(isScalar(pair.value) ? pair.value.value : undefined))
        problems.push({ line, message: `"${name}" is ${field.expected}` });
    }
  }
  const missing = Object.entries(fields).filter(([name, field]) => field.required && !seen.has(name));
  return [...problems, ...missing.map(([name, field]) => ({ line: 1, message: `"${name}" is missing: ${field.expected}` }))];
}
