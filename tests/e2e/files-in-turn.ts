// Files of browser tests that a usual run takes: those that every change may break, those whose subject changed lately, and a share of the
// others, another one at another commit. `npm test -- --all` takes all, and so does Playwright run by itself.

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type History, history, inTurn, takesAll } from "../turns.ts";

interface Family {
  readonly names: readonly string[];
  /** Where their subject lies. */
  readonly subject: readonly string[];
  /** Of those whose subject did not change. */
  readonly taken: number;
}

const families: readonly Family[] = [
  {
    names: words("classroom-exam classroom-learner classroom-lti classroom-records classroom-scene classroom-teacher"),
    subject: ["src/classroom"],
    taken: 2,
  },
  {
    names: words(
      "blocks editor engines failures offline palette panels picture reading review run search slow-line terminal workbench",
    ),
    subject: words("components history layouts offline pages reading styles terminal workbench").map((room) => `src/${room}`),
    taken: 7,
  },
];

function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Names of files in this folder. Throws for a name without a file. */
export function filesLeftOut({ changedLately }: Pick<History, "changedLately"> = history): readonly string[] {
  const files = readdirSync(import.meta.dirname);
  const unknown = families.flatMap(({ names }) => names).find((name) => !files.includes(`${name}.spec.ts`));
  if (unknown !== undefined) throw new Error(`tests/e2e/files-in-turn.ts: there is no ${unknown}.spec.ts`);
  if (takesAll()) return [];
  const changed = changedLately("--", "tests/e2e");
  return families.flatMap(({ names, subject, taken }) => {
    if (changedLately("--", ...subject).length > 0) return [];
    const others = names.map((name) => `${name}.spec.ts`).filter((file) => !changed.includes(`tests/e2e/${file}`));
    return inTurn(others).slice(taken);
  });
}

if (import.meta.main) {
  const leftOut = filesLeftOut();
  if (leftOut.length > 0) console.log(`files of browser tests left out in their turn: ${leftOut.join(", ")}`);
  mkdirSync("test-results", { recursive: true });
  writeFileSync(join("test-results", "browser-files.json"), JSON.stringify({ leftOut: leftOut.length }));
}
