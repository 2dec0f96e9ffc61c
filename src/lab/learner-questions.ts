// What the page asks about the learner's own work: files, lines that were typed, what a manifest may say.

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import type { TypedLine } from "#shell/line/interactive.ts";
import type { Workstation } from "#world/workstation.ts";
import {
  type FieldHelp,
  type FieldPath,
  fieldHelp,
  type KindName,
  type ManifestProblem,
  manifestKinds,
  manifestProblems,
} from "./manifest-help.ts";

/** What may be asked of a running lab. Nothing in the world changes by it. */
export interface LearnerQuestions {
  /** The learner's files, by path below the home directory. */
  readonly files: { readonly asked: Record<string, never>; readonly answer: readonly string[] };
  /** A file's text; undefined when it cannot be read. */
  readonly file: { readonly asked: { readonly path: string }; readonly answer: string | undefined };
  /** Lines that ran something and have ended, in the order of their ends. */
  readonly lines: { readonly asked: Record<string, never>; readonly answer: readonly TypedLine[] };
  readonly kinds: { readonly asked: Record<string, never>; readonly answer: readonly KindName[] };
  readonly fields: { readonly asked: { readonly of: KindName; readonly path: FieldPath }; readonly answer: readonly FieldHelp[] };
  readonly problems: {
    readonly asked: { readonly of: KindName; readonly value: unknown };
    readonly answer: readonly ManifestProblem[];
  };
}

export type LearnerAnswerers = {
  readonly [Name in keyof LearnerQuestions]: (asked: LearnerQuestions[Name]["asked"]) => LearnerQuestions[Name]["answer"];
};

export function learnerAnswerers(workstation: Workstation, docs: () => Docs): LearnerAnswerers {
  return {
    files: () => workstation.listFiles(),
    file: ({ path }) => workstation.readFile(path),
    lines: () => workstation.typedLines(),
    kinds: manifestKinds,
    fields: ({ of, path }) => fieldHelp(of, path, docs()),
    problems: ({ of, value }) => manifestProblems(of, value),
  };
}
