// Semantic versions in expressions (apiserver, pkg/cel/library/semverlib.go).

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { compareTexts } from "#sim/compare-texts.ts";

const form =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** Whether a text is one as semver.org writes it. */
export function isSemver(text: string): boolean {
  return form.test(text);
}

class SemverValue {
  readonly numbers: readonly bigint[];
  readonly preRelease: readonly string[];

  constructor(match: RegExpExecArray) {
    this.numbers = [1, 2, 3].map((group) => BigInt(match[group] as string));
    this.preRelease = match[4] === undefined ? [] : match[4].split(".");
  }
}

/** With `v` in front, or of fewer numbers, where that is asked for. */
function normalized(text: string): string {
  const [core = "", ...rest] = text.replace(/^v/, "").split(/(?=[-+])/);
  const numbers = core.split(".").map((number) => number.replace(/^0+(?=\d)/, ""));
  while (numbers.length < 3) numbers.push("0");
  return numbers.join(".") + rest.join("");
}

function parse(text: string, normalize: boolean): SemverValue | undefined {
  const match = form.exec(normalize ? normalized(text) : text);
  return match === null ? undefined : new SemverValue(match);
}

function compareParts(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return Number(a) - Number(b);
  if (left !== right) return left ? -1 : 1;
  return compareTexts(a, b);
}

function compare(a: SemverValue, b: SemverValue): number {
  for (let index = 0; index < 3; index += 1) {
    const [left, right] = [a.numbers[index] as bigint, b.numbers[index] as bigint];
    if (left !== right) return left < right ? -1 : 1;
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return b.preRelease.length - a.preRelease.length;
  for (let index = 0; index < Math.max(a.preRelease.length, b.preRelease.length); index += 1) {
    const [left, right] = [a.preRelease[index], b.preRelease[index]];
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const order = compareParts(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

export function addSemverFunctions(environment: Environment): void {
  const type = "kubernetes.Semver";
  const semver = (text: string, normalize = false): SemverValue => {
    const value = parse(text, normalize);
    if (value === undefined) throw new EvaluationError(`invalid semantic version ${JSON.stringify(text)}`);
    return value;
  };
  environment
    .registerType(type, SemverValue)
    .registerFunction(`semver(string): ${type}`, (text: string) => semver(text))
    .registerFunction(`semver(string, bool): ${type}`, semver)
    .registerFunction("isSemver(string): bool", (text: string) => parse(text, false) !== undefined)
    .registerFunction("isSemver(string, bool): bool", (text: string, normalize: boolean) => parse(text, normalize) !== undefined)
    .registerFunction(`${type}.major(): int`, ({ numbers }: SemverValue) => numbers[0])
    .registerFunction(`${type}.minor(): int`, ({ numbers }: SemverValue) => numbers[1])
    .registerFunction(`${type}.patch(): int`, ({ numbers }: SemverValue) => numbers[2])
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: SemverValue, b: SemverValue) => compare(a, b) < 0)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: SemverValue, b: SemverValue) => compare(a, b) > 0)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: SemverValue, b: SemverValue) => BigInt(Math.sign(compare(a, b))))
    .registerOperator(`${type} == ${type}`, (a: SemverValue, b: SemverValue) => compare(a, b) === 0);
}
