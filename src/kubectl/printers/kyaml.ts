// KYAML: YAML in flow style with quoted strings, `-o kyaml`.

import { sortedKeys } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject } from "../documents.ts";

const safeKey = /^[A-Za-z_][A-Za-z0-9_./-]*$/;
const ambiguous = /^(y|yes|n|no|on|off|true|false|null|~|nan|inf|\.nan|\.inf)$/i;

function keyText(key: string): string {
  return safeKey.test(key) && !ambiguous.test(key) ? key : JSON.stringify(key);
}

/** In `inline` mode the brackets of an item stand on the line of those of its list. */
function write(value: JsonValue, indent: string): string {
  if (isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every((item) => isObject(item) && Object.keys(item).length > 0)) {
      return `[${value.map((item) => write(item, indent)).join(", ")}]`;
    }
    const inner = `${indent}  `;
    return `[\n${value.map((item) => `${inner}${write(item, inner)},\n`).join("")}${indent}]`;
  }
  if (isObject(value)) {
    const keys = sortedKeys(value);
    if (keys.length === 0) return "{}";
    const inner = `${indent}  `;
    return `{\n${keys.map((key) => `${inner}${keyText(key)}: ${write(value[key] as JsonValue, inner)},\n`).join("")}${indent}}`;
  }
  return JSON.stringify(value);
}

export function writeKyaml(value: JsonValue): string {
  return `---\n${write(value, "")}\n`;
}
