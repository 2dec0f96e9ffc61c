// What a plain YAML scalar stands for, as go-yaml v2 resolves it (YAML 1.1 words, no sexagesimals, dates are strings).

import { daysIn } from "./time.ts";
import { type Int64, int64, type JsonValue } from "./wire.ts";

/** A resolved plain scalar; dates are strings, but must be quoted when written. */
export type PlainScalar =
  | { readonly kind: "null" | "merge" | "timestamp" | "string" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly value: Int64 };

const words: ReadonlyMap<string, PlainScalar> = new Map<string, PlainScalar>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word): [string, PlainScalar] => [
    word,
    { kind: "boolean", value: true },
  ]),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word): [string, PlainScalar] => [
    word,
    { kind: "boolean", value: false },
  ]),
  ...["", "~", "null", "Null", "NULL"].map((word): [string, PlainScalar] => [word, { kind: "null" }]),
  ...[".nan", ".NaN", ".NAN"].map((word): [string, PlainScalar] => [word, { kind: "number", value: Number.NaN }]),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word): [string, PlainScalar] => [
    word,
    { kind: "number", value: Number.POSITIVE_INFINITY },
  ]),
  ...["-.inf", "-.Inf", "-.INF"].map((word): [string, PlainScalar] => [word, { kind: "number", value: Number.NEGATIVE_INFINITY }]),
  ["<<", { kind: "merge" }],
]);

const text: PlainScalar = { kind: "string" };
const timestamp: PlainScalar = { kind: "timestamp" };

const decimal = /^[-+]?(?:0|[1-9][0-9]*)$/;
const octal = /^([-+]?)0o?([0-7]+)$/i;
const hexadecimal = /^([-+]?)0x([0-9a-f]+)$/i;
const binary = /^([-+]?)0b([01]+)$/i;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const date =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?)?$/;

function isTimestamp(scalar: string): boolean {
  const match = date.exec(scalar);
  if (match === null) return false;
  const part = (index: number) => Number(match[index] ?? match[index + 3] ?? 0);
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  return part(4) < 24 && part(5) < 60 && part(6) < 60;
}

export function resolvePlain(scalar: string): PlainScalar {
  const word = words.get(scalar);
  if (word !== undefined) return word;
  const first = scalar.charCodeAt(0);
  if (first === 0x2e) return float.test(scalar) ? { kind: "number", value: Number(scalar) } : text;
  const isDigit = first >= 0x30 && first <= 0x39;
  if (!isDigit && first !== 0x2b && first !== 0x2d) return text;
  if (isDigit && isTimestamp(scalar)) return timestamp;
  const value = numberOf(scalar.replace(/_/g, ""));
  return value === undefined ? text : { kind: "number", value };
}

function numberOf(plain: string): Int64 | undefined {
  if (decimal.test(plain)) return whole(plain, 10);
  for (const [form, base] of [
    [octal, 8],
    [hexadecimal, 16],
    [binary, 2],
  ] as const) {
    const match = form.exec(plain);
    if (match !== null) return whole(`${match[1]}${match[2]}`, base);
  }
  return float.test(plain) ? Number(plain) : undefined;
}

/** Exact as far as 64 bits go; larger ones are floats. */
function whole(digits: string, base: number): Int64 {
  const near = Number.parseInt(digits, base);
  if (Number.isSafeInteger(near)) return near;
  const prefix = { 2: "0b", 8: "0o", 16: "0x" }[base] ?? "";
  const exact = BigInt(prefix + digits.replace(/^[+-]/, "")) * (near < 0 ? -1n : 1n);
  return BigInt.asIntN(64, exact) === exact ? int64(exact) : near;
}

const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a string can be written without quotes as far as its meaning goes. */
export function staysString(scalar: string): boolean {
  const { kind } = resolvePlain(scalar);
  return (kind === "string" || kind === "merge") && !base60.test(scalar);
}

/** The JSON value that a plain scalar stands for. */
export function plainValue(text: string): JsonValue {
  const plain = resolvePlain(text);
  switch (plain.kind) {
    case "null":
      return null;
    case "boolean":
    case "number":
      return plain.value;
    default:
      return text;
  }
}
