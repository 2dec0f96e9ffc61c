// What a run leaves behind: the table by sig, JUnit, and of each test that did not pass its reason with all that it logged.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { junitOf } from "./junit.ts";
import type { SigCount } from "./known-failures.ts";
import type { Result } from "./suite-report.ts";

const columns = ["sig", "passed", "failed", "known", "skipped", "not run"] as const;

/** In Markdown; the last line is the sum. */
export function countsTable(counts: readonly SigCount[]): string {
  const rows = counts.map(({ sig, passed, failed, known, skipped, notRun }) =>
    [sig, passed, failed, known, skipped, notRun].map(String),
  );
  const widths = columns.map((title, place) => Math.max(title.length, ...rows.map((row) => row[place]?.length ?? 0)));
  function line(cells: readonly string[]): string {
    const padded = cells.map((cell, place) => (place === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[place] ?? 0)));
    return `| ${padded.join(" | ")} |\n`;
  }
  const rule = `| ${widths.map((width, place) => (place === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |\n`;
  return line(columns) + rule + rows.map(line).join("");
}

export interface Findings {
  /** What was to be played. */
  readonly names: readonly string[];
  readonly results: readonly Result[];
  readonly table: string;
  readonly faults: readonly string[];
}

export function writeResults(folder: string, { names, results, table, faults }: Findings): void {
  const played = new Set(results.map(({ name }) => name));
  const missing = names.filter((name) => !played.has(name));
  writeFileSync(join(folder, "table.md"), table);
  writeFileSync(join(folder, "junit.xml"), junitOf(results, missing));
  if (faults.length > 0) writeFileSync(join(folder, "faults.txt"), `${faults.join("\n\n")}\n`);
}

/** Of a test that did not pass, why, and all that it logged. It is written as soon as it is known: a run takes long. */
export function writeLog(folder: string, { name, state, reason, log }: Result): void {
  if (state === "passed") return;
  const logs = join(folder, "not-passed");
  mkdirSync(logs, { recursive: true });
  writeFileSync(join(logs, fileNameOf(name)), `${name}\n${state}: ${reason}\n\n${log}\n`);
}

function fileNameOf(name: string): string {
  return `${name
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 180)}.log`;
}
