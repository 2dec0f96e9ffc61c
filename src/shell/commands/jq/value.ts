// JSON values as jq orders, names and prints them.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An error that `try`, `?` and `//` can catch; its value is usually a text. */
export class JqError extends Error {
  readonly value: Json;

  constructor(value: Json) {
    super(typeof value === "string" ? value : `${toJson(value)} (not a string)`);
    this.value = value;
  }
}

export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

export function typeOf(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as "boolean" | "number" | "string" | "object";
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

const order: readonly string[] = ["null", "false", "true", "number", "string", "array", "object"];

/** jq's order over all values: null, false, true, numbers, strings, arrays, objects. */
export function compare(a: Json, b: Json): number {
  const rank = (value: Json): number => order.indexOf(typeof value === "boolean" ? String(value) : typeOf(value));
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  if (typeof a === "number" && typeof b === "number") {
    if (a < b) return -1;
    return a === b ? 0 : 1;
  }
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (isArray(a) && isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
      const byElement = compare(a[i] as Json, b[i] as Json);
      if (byElement !== 0) return byElement;
    }
    return a.length - b.length;
  }
  if (!isObject(a) || !isObject(b)) return 0;
  const [keysOfA, keysOfB] = [sortedKeys(a), sortedKeys(b)];
  const byKeys = compare(keysOfA, keysOfB);
  if (byKeys !== 0) return byKeys;
  for (const key of keysOfA) {
    const byValue = compare(a[key] as Json, b[key] as Json);
    if (byValue !== 0) return byValue;
  }
  return 0;
}

/** By code points. */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = ((left[i] as string).codePointAt(0) as number) - ((right[i] as string).codePointAt(0) as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

export function sortedKeys(value: JsonObject): readonly string[] {
  return Object.keys(value).sort(compareText);
}

/** A property that the object itself has; `__proto__` is a name like others. */
export function propertyOf(value: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** On one line, as `-c` and `tostring` give it. */
export function toJson(value: Json): string {
  return format(value, { indent: 0, sortKeys: false, colour: false });
}

export interface FormatOptions {
  /** Blanks per level, a tab, or 0 for one line. */
  readonly indent: number | "tab";
  readonly sortKeys: boolean;
  readonly colour: boolean;
}

const colours: { readonly [type: string]: string } = {
  null: "1;30",
  false: "0;39",
  true: "0;39",
  number: "0;39",
  string: "0;32",
  array: "1;39",
  object: "1;39",
};
const keyColour = "34;1";

export function format(value: Json, options: FormatOptions, level = 0): string {
  const { indent, colour } = options;
  const name = typeof value === "boolean" ? String(value) : typeOf(value);
  const start = colour ? `\x1b[${colours[name]}m` : "";
  const stop = colour ? "\x1b[0m" : "";
  if (!isArray(value) && !isObject(value)) return `${start}${scalar(value)}${stop}`;
  const [open, close] = isArray(value) ? ["[", "]"] : ["{", "}"];
  const keysOf = options.sortKeys ? sortedKeys : Object.keys;
  const keys = isArray(value) ? undefined : keysOf(value);
  const count = isArray(value) ? value.length : (keys as readonly string[]).length;
  if (count === 0) return `${start}${open}${close}${stop}`;
  const pad = (depth: number): string =>
    indent === 0 ? "" : `\n${indent === "tab" ? "\t".repeat(depth) : " ".repeat(indent * depth)}`;
  const items = isArray(value)
    ? value.map((item) => `${pad(level + 1)}${stop}${format(item, options, level + 1)}`)
    : (keys as readonly string[]).map((key) => {
        const written = colour ? `${stop}\x1b[${keyColour}m${scalar(key)}${stop}${start}:` : `${scalar(key)}:`;
        return `${pad(level + 1)}${written}${indent === 0 ? "" : " "}${stop}${format((value as JsonObject)[key] as Json, options, level + 1)}`;
      });
  return `${start}${open}${items.join(`${start},`)}${start}${pad(level)}${start}${close}${stop}`;
}

function scalar(value: Json): string {
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  return String(value);
}

/** Seventeen digits, as jq prints doubles: 1e1000 is the greatest one, not a number is null. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return "null";
  if (!Number.isFinite(value)) return `${value < 0 ? "-" : ""}1.7976931348623157e+308`;
  if (Object.is(value, -0)) return "-0";
  const text = String(value);
  const [, sign = "", digits = "", exponent = "0"] = /^(-?)([\d.]+)e([+-]\d+)$/u.exec(value.toExponential()) ?? [];
  const power = Number(exponent);
  if (power >= -5 && power < 18) return text.includes("e") ? value.toFixed(0) : text;
  return `${sign}${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
