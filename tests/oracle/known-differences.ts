// Lines at which our kubectl is known to differ from the real one, each under a reason. The list only shrinks: a line that has become
// identical has to be struck.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./play.ts";

const file = join(import.meta.dirname, "known-differences.txt");
const preface = `# Lines at which our kubectl or API server differs from upstream, by reason (== reason); each as command | scenario | line.
# A line that becomes identical must be struck; new entries need a reason that says whose work is missing.
`;

export type KnownDifferences = ReadonlyMap<string, string>;

/** The name under which a line stands in the file. Line breaks are written as blanks. */
export function keyOf({ command, title, line }: Pick<Outcome, "command" | "title" | "line">): string {
  return `${command} | ${title} | ${line.replace(/\s*\n\s*/g, " ")}`;
}

/** Key → reason. */
export function readKnownDifferences(): KnownDifferences {
  const known = new Map<string, string>();
  let reason: string | undefined;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("== ")) reason = line.slice(3);
    else if (line !== "" && !line.startsWith("#")) {
      if (reason === undefined) throw new Error(`${file}: no reason stands above: ${line}`);
      known.set(line, reason);
    }
  }
  return known;
}

export function writeKnownDifferences(known: KnownDifferences): void {
  const reasons = Map.groupBy(known.keys(), (key) => known.get(key) as string);
  const blocks = [...reasons].map(([reason, keys]) => `\n== ${reason}\n${keys.map((key) => `${key}\n`).join("")}`);
  writeFileSync(file, preface + blocks.join(""));
}
