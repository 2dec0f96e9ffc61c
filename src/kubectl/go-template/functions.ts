// The functions of Go templates, and how values print.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { isArray, isObject } from "../documents.ts";
import { TemplateError } from "./parse.ts";

/** An int of the template; numbers of the data are float64. */
export class GoInt {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Undefined is Go's missing value. */
export type GoValue = JsonValue | GoInt | undefined;

/** A float64 as %v prints it. */
export function floatText(value: number): string {
  if (value === 0) return "0";
  const exponent = Number((value.toExponential().split("e")[1] as string) ?? 0);
  const text = exponent < -4 || exponent >= 6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

export function printValue(value: GoValue): string {
  if (value === undefined || value === null) return "<no value>";
  if (value instanceof GoInt) return String(value.value);
  return nested(value);
}

function nested(value: JsonValue): string {
  if (value === null) return "<nil>";
  // Templates see what encoding/json makes of numbers: floats.
  if (typeof value === "number" || typeof value === "bigint") return floatText(Number(value));
  if (isArray(value)) return `[${value.map(nested).join(" ")}]`;
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    return `map[${keys.map((key) => `${key}:${nested(value[key] as JsonValue)}`).join(" ")}]`;
  }
  return String(value);
}

export function isTrue(value: GoValue): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") return false;
  if (value instanceof GoInt) return value.value !== 0;
  if (isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

function kindOf(value: GoValue): string {
  if (value instanceof GoInt) return "int";
  if (typeof value === "number" || typeof value === "bigint") return "float";
  if (typeof value === "string" || typeof value === "boolean") return typeof value;
  return "other";
}

function bare(value: GoValue): JsonValue {
  return value instanceof GoInt ? value.value : (value ?? null);
}

function equal(left: GoValue, right: GoValue): boolean {
  if (left === undefined || left === null || right === undefined || right === null) return (left ?? null) === (right ?? null);
  const kind = kindOf(left);
  if (kind === "other" || kindOf(right) === "other") throw new TemplateError("non-comparable type");
  if (kind !== kindOf(right)) throw new TemplateError("incompatible types for comparison");
  return bare(left) === bare(right);
}

function less(left: GoValue, right: GoValue): boolean {
  const kind = kindOf(left);
  if (kind === "other" || kind === "boolean") throw new TemplateError("invalid type for comparison");
  if (kind !== kindOf(right)) throw new TemplateError("incompatible types for comparison");
  return (bare(left) as number | string) < (bare(right) as number | string);
}

function index(target: GoValue, keys: readonly GoValue[]): GoValue {
  let value = target;
  for (const key of keys) {
    if (value === undefined || value === null) throw new TemplateError("index of untyped nil");
    if (isArray(value)) {
      const at = key instanceof GoInt ? key.value : key;
      if (typeof at !== "number") throw new TemplateError(`cannot index slice/array with type ${kindOf(key)}`);
      // Go's check lets the length itself pass, for slices; the access then fails.
      if (at === value.length) throw new TemplateError("reflect: slice index out of range");
      if (at < 0 || at > value.length) throw new TemplateError(`index out of range: ${at}`);
      value = value[at];
    } else if (isObject(value)) {
      if (typeof key !== "string") throw new TemplateError(`value has type ${kindOf(key)}; should be string`);
      value = Object.hasOwn(value, key) ? value[key] : undefined;
    } else throw new TemplateError(`can't index item of type ${kindOf(value)}`);
  }
  return value;
}

function exists(target: GoValue, keys: readonly GoValue[]): boolean {
  try {
    const found = index(target, keys);
    return found !== undefined && found !== null;
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

function lengthOf(value: GoValue): GoInt {
  if (typeof value === "string") return new GoInt(new TextEncoder().encode(value).length);
  if (isArray(value as JsonValue)) return new GoInt((value as readonly JsonValue[]).length);
  if (isObject(value)) return new GoInt(Object.keys(value).length);
  if (value === undefined || value === null) throw new TemplateError("len of nil pointer");
  throw new TemplateError(`len of type ${kindOf(value) === "float" ? "float64" : kindOf(value)}`);
}

function pad(text: string, flags: string, width: string): string {
  const size = Number(width || 0);
  if (flags.includes("-")) return text.padEnd(size);
  return flags.includes("0") ? text.padStart(size, "0") : text.padStart(size);
}

function goType(value: GoValue): string {
  const kind = kindOf(value);
  if (kind === "float") return "float64";
  if (kind === "boolean") return "bool";
  return kind === "other" ? "map[string]interface {}" : kind;
}

function formatOne(verb: string, precision: string | undefined, value: GoValue): string {
  const wrong = () => `%!${verb}(${goType(value)}=${value === undefined ? "<nil>" : printValue(value)})`;
  switch (verb) {
    case "v":
      return value === undefined || value === null ? "<nil>" : printValue(value);
    case "s": {
      if (typeof value !== "string") return isArray(value as JsonValue) || isObject(value) ? printValue(value) : wrong();
      return precision === undefined ? value : value.slice(0, Number(precision));
    }
    case "q":
      return typeof value === "string" ? JSON.stringify(value) : wrong();
    case "d":
      return value instanceof GoInt ? String(value.value) : wrong();
    case "x":
      return value instanceof GoInt ? value.value.toString(16) : wrong();
    case "t":
      return typeof value === "boolean" ? String(value) : wrong();
    case "f":
    case "e":
    case "g": {
      if (typeof value !== "number" && typeof value !== "bigint") return wrong();
      const float = Number(value);
      if (verb === "g") return floatText(float);
      const digits = precision === undefined ? 6 : Number(precision);
      return verb === "f" ? float.toFixed(digits) : float.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2");
    }
    case "T":
      return goType(value);
    default:
      return wrong();
  }
}

function printf(args: readonly GoValue[]): string {
  const [format, ...values] = args;
  if (typeof format !== "string") throw new TemplateError("wrong type for value; expected string");
  let next = 0;
  const text = format.replace(
    /%([-+# 0]*)(\d*)(?:\.(\d*))?([a-zA-Z%])/g,
    (_, flags: string, width: string, precision: string | undefined, verb: string) => {
      if (verb === "%") return "%";
      if (next >= values.length) return `%!${verb}(MISSING)`;
      const value = values[next];
      next += 1;
      return pad(formatOne(verb, precision, value), flags, width);
    },
  );
  const extra = values.slice(next);
  if (extra.length === 0) return text;
  return `${text}%!(EXTRA ${extra.map((value) => `${goType(value)}=${printValue(value)}`).join(", ")})`;
}

/** Blanks between operands when neither is a string, as fmt.Sprint does. */
function sprint(args: readonly GoValue[]): string {
  return args
    .map((value, at) => {
      const blank = at > 0 && typeof value !== "string" && typeof args[at - 1] !== "string";
      return (blank ? " " : "") + (value === undefined || value === null ? "<nil>" : printValue(value));
    })
    .join("");
}

function escapeHtml(text: string): string {
  const codes: { readonly [char: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (char) => codes[char] as string);
}

function textOf(value: GoValue): string {
  return typeof value === "string" ? value : printValue(value);
}

function decode(value: GoValue): string {
  const text = textOf(value);
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text))
    throw new TemplateError("base64 decode failed: illegal base64 data at input byte 0");
  return decodeUtf8(decodeBase64(text.replace(/\s/g, "")).bytes);
}

function slice(args: readonly GoValue[]): GoValue {
  const [value, ...bounds] = args;
  const [from, to] = bounds.map((bound) => (bound instanceof GoInt ? bound.value : undefined));
  if (typeof value === "string") return value.slice(from, to);
  if (isArray(value as JsonValue)) return (value as readonly JsonValue[]).slice(from, to);
  throw new TemplateError(`can't slice item of type ${goType(value)}`);
}

/** Throws TemplateError. */
export function callFunction(name: string, args: readonly GoValue[]): GoValue {
  const [first, ...rest] = args;
  const needs = (count: number) => {
    if (args.length < count) throw new TemplateError(`wrong number of args for ${name}: want ${count} got ${args.length}`);
  };
  switch (name) {
    case "and":
    case "or":
      needs(1);
      return args.find((value) => isTrue(value) === (name === "or")) ?? args.at(-1);
    case "not":
      needs(1);
      return !isTrue(first);
    case "len":
      needs(1);
      return lengthOf(first);
    case "index":
      needs(1);
      return index(first, rest);
    case "exists":
      return exists(first, rest);
    case "slice":
      return slice(args);
    case "print":
      return sprint(args);
    case "println":
      return `${args.map((value) => (value === undefined || value === null ? "<nil>" : printValue(value))).join(" ")}\n`;
    case "printf":
      return printf(args);
    case "html":
      return escapeHtml(args.map(textOf).join(""));
    case "urlquery":
      return encodeURIComponent(args.map(textOf).join("")).replaceAll("%20", "+");
    case "js":
      return args
        .map(textOf)
        .join("")
        .replace(/[\\'"<>&=]/g, (char) =>
          /[\\'"]/.test(char) ? `\\${char}` : `\\u00${asciiUpperCase(char.charCodeAt(0).toString(16))}`,
        );
    case "base64decode":
      return decode(first);
    case "eq":
      needs(2);
      return rest.some((value) => equal(first, value));
    case "ne":
      needs(2);
      return !equal(first, rest[0]);
    case "lt":
      needs(2);
      return less(first, rest[0]);
    case "le":
      needs(2);
      return less(first, rest[0]) || equal(first, rest[0]);
    case "gt":
      needs(2);
      return !less(first, rest[0]) && !equal(first, rest[0]);
    case "ge":
      needs(2);
      return !less(first, rest[0]);
    default:
      throw new TemplateError(`function ${JSON.stringify(name)} not defined`);
  }
}
