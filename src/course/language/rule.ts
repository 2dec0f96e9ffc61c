// What a rule of language looks like, and what it finds in a passage.

import { boundaryMark, codeMark, type Passage, valueMark } from "./passage.ts";

export interface Rule {
  /** Finds what is wrong; looks around may not matter to the message. */
  readonly pattern: RegExp;
  /** What is wrong, as a short phrase. */
  readonly problem: string;
  /** What stands there instead, for the message. */
  readonly better: (found: RegExpExecArray) => string;
  /** Holds only where code font can be shown, or only where it cannot; everywhere unless given. */
  readonly where?: "code font" | "plain type";
}

export interface Finding {
  readonly line: number;
  readonly message: string;
}

/** All places of a passage that break one of the rules. */
export function findings(passage: Passage, rules: readonly Rule[]): readonly Finding[] {
  const here = passage.showsCode ? "code font" : "plain type";
  const asked = rules.filter(({ where = here }) => where === here);
  return asked.flatMap((rule) => {
    const flags = rule.pattern.flags.includes("g") ? rule.pattern.flags : `${rule.pattern.flags}g`;
    const pattern = new RegExp(rule.pattern.source, flags);
    const found: Finding[] = [];
    for (let match = pattern.exec(passage.text); match !== null; match = pattern.exec(passage.text)) {
      if (match[0] === "") pattern.lastIndex += 1;
      const around = passage.text.slice(Math.max(0, match.index - 12), match.index + match[0].length + 12);
      found.push({
        line: passage.lineAt(match.index),
        message: `${rule.problem}: "${shown(match[0])}" in "${shown(around)}"; better: "${shown(rule.better(match))}"`,
      });
    }
    return found;
  });
}

/** Makes special spaces and marks visible. */
function shown(text: string): string {
  return text
    .replaceAll(codeMark, "`…`")
    .replaceAll(valueMark, "{…}")
    .replaceAll(boundaryMark, " | ")
    .replaceAll("\n", "⏎")
    .replaceAll("\u202f", "<U+202F>")
    .replaceAll("\u00a0", "<U+00A0>")
    .replaceAll("\u3000", "<U+3000>");
}
