// KYAML: YAML in flow style with quoted strings, `-o kyaml`.

import { jsonText, sortedKeys } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isOf } from "#sim/unicode.ts";
import { isArray, isObject, type JsonObject } from "../documents.ts";

const safeKey = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const ambiguous = /^(y|yes|n|no|on|off|true|false|null|~|nan|inf|\.nan|\.inf)$/i;

function keyText(key: string): string {
  return safeKey.test(key) && !ambiguous.test(key) ? key : `"${escapedAll(key)}"`;
}

const escapes = new Map([
  ["\n", "\\n"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\v", "\\v"],
  ["\0", "\\0"],
  ["\u001b", "\\e"],
  ["\u0085", "\\N"],
  ["\u00a0", "\\_"],
  ["\u2028", "\\L"],
  ["\u2029", "\\P"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

/** A tab stays as it is, what cannot be printed is written by its number. */
function escaped(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  if (!isOf(character, "C", "Z") || character === " " || character === "\t") return character;
  const code = character.codePointAt(0) as number;
  const digits = code.toString(16);
  if (code < 0x20 || code === 0x7f) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

const escapedAll = (text: string): string => Array.from(text, escaped).join("");

/** Text of several lines is folded: one to a line, each moved in by a blank that stands for nothing or by its own first one, escaped. */
function writeString(text: string, indent: string): string {
  if (!text.includes("\n")) return `"${escapedAll(text)}"`;
  const lines = text.split("\n").map((line, index, all) => {
    const isLast = index === all.length - 1;
    if (isLast && line === "") return "";
    return `${indent}${/^\s/.test(line) ? "\\" : " "}${escapedAll(line)}${isLast ? "" : "\\n"}\\\n`;
  });
  return `"\\\n${lines.join("")}${indent}"`;
}

type KeysOf = (object: JsonObject) => readonly string[];

/** In `inline` mode the brackets of an item stand on the line of those of its list. */
function write(value: JsonValue, keysOf: KeysOf, indent: string): string {
  if (isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every((item) => isObject(item) && Object.keys(item).length > 0)) {
      return `[${value.map((item) => write(item, keysOf, indent)).join(", ")}]`;
    }
    const inner = `${indent}  `;
    return `[\n${value.map((item) => `${inner}${write(item, keysOf, inner)},\n`).join("")}${indent}]`;
  }
  if (isObject(value)) {
    const keys = keysOf(value);
    if (keys.length === 0) return "{}";
    const inner = `${indent}  `;
    return `{\n${keys.map((key) => `${inner}${keyText(key)}: ${write(value[key] as JsonValue, keysOf, inner)},\n`).join("")}${indent}}`;
  }
  return typeof value === "string" ? writeString(value, `${indent}  `) : jsonText(value);
}

export function writeKyaml(value: JsonValue, keysOf: KeysOf = sortedKeys): string {
  return `---\n${write(value, keysOf, "")}\n`;
}
