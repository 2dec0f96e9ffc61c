// @csv and its like.

import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { described } from "./operators.ts";
import { isArray, JqError, type Json, numberText, toJson } from "./value.ts";

/** What `tostring` gives. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : toJson(value);
}

const htmlNames: { readonly [char: string]: string } = { "<": "&lt;", ">": "&gt;", "&": "&amp;", "'": "&#39;", '"': "&quot;" };

function tabText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

const formats: ReadonlyMap<string, (value: Json) => string> = new Map([
  ["@text", textOf],
  ["@json", (value: Json) => toJson(value)],
  ["@csv", (value: Json) => row(value, "csv", ",", (text) => `"${text.replaceAll('"', '""')}"`)],
  ["@tsv", (value: Json) => row(value, "tsv", "\t", tabText)],
  ["@html", (value: Json) => textOf(value).replace(/[<>&'"]/gu, (char) => htmlNames[char] as string)],
  [
    "@uri",
    (value: Json) =>
      encodeURIComponent(textOf(value)).replace(/[!'()*]/gu, (char) => `%${asciiUpperCase(char.charCodeAt(0).toString(16))}`),
  ],
  ["@sh", (value: Json) => (isArray(value) ? value : [value]).map(shellWord).join(" ")],
  ["@base64", (value: Json) => encodeBase64(textOf(value))],
  ["@base64d", (value: Json) => decoded(textOf(value))],
]);

/** Whether there is a format of this name, with its `@`. */
export function isFormat(name: string): boolean {
  return formats.has(name);
}

/** A value in a format. Throws JqError. */
export function formatText(name: string, value: Json): string {
  const format = formats.get(name);
  if (format === undefined) throw new JqError(`${name.slice(1)} is not a valid format`);
  return format(value);
}

function row(value: Json, name: string, separator: string, quote: (text: string) => string): string {
  if (!isArray(value)) throw new JqError(`${described(value)} cannot be ${name}-formatted, only an array can be`);
  return value
    .map((cell) => {
      if (cell === null) return "";
      if (typeof cell === "number") return numberText(cell);
      if (typeof cell === "boolean") return String(cell);
      if (typeof cell === "string") return quote(cell);
      throw new JqError(`${described(cell)} is not valid in a csv row`);
    })
    .join(separator);
}

function shellWord(value: Json): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "'\\''")}'`;
  if (typeof value === "object" && value !== null) throw new JqError(`${described(value)} can not be escaped for shell`);
  return textOf(value);
}

function decoded(text: string): string {
  const clean = text.replace(/=+$/u, "");
  if (/[^A-Za-z0-9+/]/u.test(clean) || clean.length % 4 === 1) throw new JqError(`${described(text)} is not valid base64 data`);
  return decodeUtf8(decodeBase64(clean).bytes);
}
