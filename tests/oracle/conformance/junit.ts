// The results as JUnit, one suite for each sig, as continuous integration reads it.

import { hasFailed } from "./known-failures.ts";
import { type Result, sigOf } from "./suite-report.ts";

const bytesOfLog = 20_000;

/** `notRun` are names without a result. */
export function junitOf(results: readonly Result[], notRun: readonly string[]): string {
  const missing = notRun.map((name): Result => ({ name, state: "skipped", seconds: 0, reason: "not run", log: "" }));
  const groups = Map.groupBy([...results, ...missing], ({ name }) => sigOf(name));
  const suites = [...groups].sort(([one], [other]) => Number(one > other) - Number(one < other)).map(suiteOf);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function suiteOf([sig, results]: [string, readonly Result[]]): string {
  const failures = results.filter(hasFailed).length;
  const skipped = results.filter(({ state }) => state === "skipped").length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const head = `<testsuite name="${sig}" tests="${results.length}" failures="${failures}" skipped="${skipped}" time="${seconds.toFixed(3)}">`;
  const byName = results.toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name));
  return `  ${head}\n${byName.map(caseOf).join("")}  </testsuite>\n`;
}

function caseOf(result: Result): string {
  const { name, state, seconds, reason, log } = result;
  const head = `    <testcase classname="conformance" name="${escaped(name)}" time="${seconds.toFixed(3)}"`;
  if (state === "passed") return `${head}/>\n`;
  const message = escaped(reason.split("\n", 1)[0] ?? "");
  if (state === "skipped") return `${head}><skipped message="${message}"/></testcase>\n`;
  const output = `<system-out>${escaped(log.slice(-bytesOfLog))}</system-out>`;
  return `${head}><failure message="${message}">${escaped(reason)}</failure>${output}</testcase>\n`;
}

/** XML has no words for most control characters. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (letter) => entities[letter] as string).replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, "");
}
