// What of Go's own the simulator holds: tables (characters, time zones) must be those of the Go that is here, and regular expressions
// must find and refuse the same, tried on many that are put together at random.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GoRegExpError, goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { Random } from "#sim/random.ts";
import { hasGo } from "./facts-program.ts";

const tables = ["src/sim/unicode-tables.ts", "src/cluster/cron/zone-tables.ts"];
const expressions = 20_000;

/** False where something differs, which it prints. Without Go nothing is checked. */
export function checkGoFacts(): boolean {
  if (!hasGo()) {
    console.log("oracle: no Go here: its tables and regular expressions were not compared");
    return true;
  }
  return [sameTables(), sameExpressions()].every((same) => same);
}

function sameTables(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-tables-"));
  try {
    const written = tables.map((_, index) => join(folder, `${index}.ts`));
    execFileSync("go", ["run", "tests/oracle/tables/main.go", ...written], { stdio: "inherit" });
    const other = tables.filter((path, index) => readFileSync(path, "utf8") !== readFileSync(written[index] as string, "utf8"));
    for (const path of other)
      console.log(`oracle: ${path} is not what this Go writes: go run tests/oracle/tables/main.go ${tables.join(" ")}`);
    return other.length === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const pieces =
  String.raw`a b ab k S ſ é 漢 - . . ^ $ \b \B \A \z \d \D \s \w \W \pL \PL \pC \p{Greek} \p{^Lu} \P{Ll} \p{Zz} \p{Nd ( ) ( ) ( ) | |
  (?: (?i: (?i) (?s) (?m) (?U) (?-i) (?P<n> (?<n> (?P<1> (?= (?<=a) (?i- [ ] [^ [a- [[:alpha:] [:^digit:]] [[:foo:]] [a-c] [^a] [\d-z] [\pL]
  [^\w] [z-a] [-a] []a] * + ? *? +? ?? * + {2} {2,} {0,3} {2,3}? {1001} {,3} {3,2} {01} { } \ \1 \12 \07 \x41 \x{6F22} \x{110000} \x{g} \x4
  \Q.* \E \Qab\E \a \n \_ \- \é \8 \C \y B`.split(/\s+/);
const texts = [
  "",
  "a",
  "aab",
  "AbK",
  "kKſs\u212a",
  "é漢a-b",
  "a\nb",
  "12 ab_3",
  "ΩΣσ",
  "\u0378x",
  "{01}",
  "aaaaabbb",
  "-]a",
  "a.b*c",
];

function sameExpressions(): boolean {
  const random = new Random(1);
  const patterns = Array.from({ length: expressions }, () =>
    Array.from({ length: 1 + (random.uint32() % 8) }, () => pieces[random.uint32() % pieces.length]).join(""),
  );
  const answers = execFileSync("go", ["run", "tests/oracle/regexps/main.go"], {
    input: patterns.map((pattern) => JSON.stringify({ pattern, texts })).join("\n"),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const upstream = answers.trim().split("\n");
  const other = patterns.filter(
    (pattern, index) => JSON.stringify(ours(pattern)) !== JSON.stringify(JSON.parse(upstream[index] as string)),
  );
  for (const pattern of other) console.log(`oracle: Go reads the expression ${JSON.stringify(pattern)} otherwise`);
  console.log(`oracle: ${patterns.length} regular expressions compared with Go's, ${other.length} differ`);
  return other.length === 0;
}

function ours(pattern: string): object {
  try {
    const expression = goRegExp(pattern);
    return { found: texts.map((text) => expression.findAll(text)) };
  } catch (error) {
    if (error instanceof GoRegExpError) return { refusal: error.message };
    throw error;
  }
}
