// Strings: the extended library of cel-go (ext.Strings), Kubernetes' regular expressions and named formats.

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import {
  dns1035LabelReasons,
  dns1123LabelReasons,
  dns1123SubdomainReasons,
  labelValueReasons,
  qualifiedNameReasons,
  type Reasons,
} from "#cluster/api/names.ts";
import { base64Fault } from "#cluster/api/scalar-faults.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { hasFormat } from "./named-formats.ts";
import { celText } from "./values.ts";

/** What a named format finds wrong with a text. */
class NamedFormat {
  readonly faults: (text: string) => Reasons;

  constructor(faults: (text: string) => Reasons) {
    this.faults = faults;
  }
}

const known =
  (format: string) =>
  (text: string): Reasons =>
    hasFormat(text, format) ? [] : [`invalid ${format}`];

export const namedFormats: { readonly [name: string]: NamedFormat } = {
  dns1123Label: new NamedFormat(dns1123LabelReasons),
  dns1123Subdomain: new NamedFormat(dns1123SubdomainReasons),
  dns1035Label: new NamedFormat(dns1035LabelReasons),
  qualifiedName: new NamedFormat(qualifiedNameReasons),
  labelValue: new NamedFormat(labelValueReasons),
  dns1123LabelPrefix: new NamedFormat((text) => dns1123LabelReasons(text.replace(/-$/, "a"))),
  dns1123SubdomainPrefix: new NamedFormat((text) => dns1123SubdomainReasons(text.replace(/-$/, "a"))),
  dns1035LabelPrefix: new NamedFormat((text) => dns1035LabelReasons(text.replace(/-$/, "a"))),
  uri: new NamedFormat(known("uri")),
  uuid: new NamedFormat(known("uuid")),
  byte: new NamedFormat((text) => (base64Fault(text) === undefined ? [] : ["invalid base64"])),
  date: new NamedFormat(known("date")),
  datetime: new NamedFormat(known("datetime")),
};

class FormatNamespace {}
class StringsNamespace {}
class Base64Namespace {}

export function addStringFunctions(environment: Environment): void {
  environment
    .registerType("kubernetes.NamedFormat", NamedFormat)
    .registerType("FormatNamespace", FormatNamespace)
    .registerType("StringsNamespace", StringsNamespace)
    .registerType("Base64Namespace", Base64Namespace)
    .registerConstant("format", "FormatNamespace", new FormatNamespace())
    .registerConstant("strings", "StringsNamespace", new StringsNamespace())
    .registerConstant("base64", "Base64Namespace", new Base64Namespace());
  for (const [name, format] of Object.entries(namedFormats)) {
    environment.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format);
  }
  environment
    .registerFunction("kubernetes.NamedFormat.validate(string): optional<list<string>>", (format: NamedFormat, text: string) =>
      optionalReasons(environment, format.faults(text)),
    )
    .registerFunction("string.charAt(int): string", charAt)
    .registerFunction("string.replace(string, string): string", (text: string, from: string, to: string) =>
      text.replaceAll(from, to),
    )
    .registerFunction("string.replace(string, string, int): string", replaceSome)
    .registerFunction("string.reverse(): string", (text: string) => [...text].reverse().join(""))
    .registerFunction("string.format(list): string", formatted)
    .registerFunction("StringsNamespace.quote(string): string", (_: unknown, text: string) => JSON.stringify(text))
    .registerFunction("string.find(string): string", (text: string, pattern: string) => goRegExp(pattern).find(text) ?? "")
    .registerFunction("string.findAll(string): list<string>", (text: string, pattern: string) => findAll(text, pattern, -1n))
    .registerFunction("string.findAll(string, int): list<string>", findAll)
    .registerFunction("Base64Namespace.encode(bytes): string", (_: unknown, bytes: Uint8Array) =>
      btoa(String.fromCharCode(...bytes)),
    )
    .registerFunction("Base64Namespace.decode(string): bytes", (_: unknown, text: string) => decodeBase64(text));
}

/** Nothing wrong is no value. */
function optionalReasons(environment: Environment, reasons: Reasons): unknown {
  return reasons.length === 0
    ? environment.evaluate("optional.none()")
    : environment.evaluate(`optional.of(${JSON.stringify(reasons)})`);
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) throw new EvaluationError(`index out of range: ${index}`);
  return characters[Number(index)] ?? "";
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, to);
  let left = Number(limit);
  return text.replaceAll(from, (found) => {
    left -= 1;
    return left >= 0 ? to : found;
  });
}

function findAll(text: string, pattern: string, limit: bigint): readonly string[] {
  return goRegExp(pattern).findAll(text, limit < 0n ? undefined : Number(limit));
}

function decodeBase64(text: string): Uint8Array {
  if (base64Fault(text) !== undefined) throw new EvaluationError("illegal base64 data");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** `%s %d %f %e %b %o %x %X %%`, as cel-go's strings.format. */
function formatted(text: string, args: readonly unknown[]): string {
  let next = 0;
  return text.replace(/%(?:\.(\d+))?([a-zA-Z%])/g, (whole, precision: string | undefined, verb: string) => {
    if (verb === "%") return "%";
    if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
    const value = args[next];
    next += 1;
    return formatOne(value, verb, precision === undefined ? 6 : Number(precision), whole);
  });
}

function formatOne(value: unknown, verb: string, precision: number, whole: string): string {
  switch (verb) {
    case "s":
      return celText(value);
    case "d":
      if (typeof value === "bigint" || typeof value === "number") return String(value);
      throw new EvaluationError("error during formatting: decimal clause can only be used on integers");
    case "f":
      return Number(value).toFixed(precision);
    case "e":
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, "e$10$2");
    case "b":
      return BigInt(value as bigint | boolean).toString(2);
    case "o":
      return BigInt(value as bigint).toString(8);
    case "x":
    case "X": {
      const digits = typeof value === "string" ? hexOf(new TextEncoder().encode(value)) : BigInt(value as bigint).toString(16);
      return verb === "X" ? asciiUpperCase(digits) : digits;
    }
    default:
      throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${whole.slice(1)}"`);
  }
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
