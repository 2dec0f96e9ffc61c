// Writes YAML as kubectl -o yaml does: sorted keys, two blanks, dashes not indented, go-yaml v2's quotes and line breaks.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { JsonObject, JsonValue } from "./wire.ts";
import { sortedYamlKeys } from "./yaml-keys.ts";
import { staysString } from "./yaml-scalars.ts";

/** Lines longer than this are broken at the next blank. */
const bestWidth = 80;
const indentWidth = 2;

/** One document; ends with a line feed. */
export function writeYaml(value: JsonValue): string {
  const writer = new Writer();
  writer.root(value);
  return writer.text;
}

class Writer {
  text = "";
  #column = 0;

  root(value: JsonValue): void {
    if (isFilledObject(value)) this.#object(value, 0, true);
    else if (isFilledList(value)) this.#list(value, 0, true);
    else {
      this.#leaf(value, indentWidth);
      this.#newline();
    }
  }

  #put(text: string): void {
    this.text += text;
    this.#column += text.length;
  }

  #newline(): void {
    this.text += "\n";
    this.#column = 0;
  }

  #indent(indent: number): void {
    this.#newline();
    this.#put(" ".repeat(indent));
  }

  /** `atStart`: the first key stands where the cursor is (after a dash, or at the beginning). */
  #object(object: JsonObject, indent: number, atStart: boolean): void {
    let isFirst = atStart;
    for (const key of sortedYamlKeys(object)) {
      if (!isFirst) this.#put(" ".repeat(indent));
      isFirst = false;
      this.#key(key, indent);
      const value = object[key] as JsonValue;
      if (isFilledObject(value)) {
        this.#newline();
        this.#object(value, indent + indentWidth, false);
      } else if (isFilledList(value)) {
        this.#newline();
        this.#list(value, indent, false);
      } else {
        this.#put(" ");
        this.#leaf(value, indent + indentWidth);
        this.#newline();
      }
    }
  }

  #list(list: readonly JsonValue[], indent: number, atStart: boolean): void {
    let isFirst = atStart;
    for (const item of list) {
      if (!isFirst) this.#put(" ".repeat(indent));
      isFirst = false;
      this.#put("- ");
      if (isFilledObject(item)) this.#object(item, indent + indentWidth, true);
      else if (isFilledList(item)) this.#list(item, indent + indentWidth, true);
      else {
        this.#leaf(item, indent + indentWidth);
        this.#newline();
      }
    }
  }

  /** A key longer than 128 bytes or with line breaks cannot stand before a colon alone. */
  #key(key: string, indent: number): void {
    const isSimple = (key.length <= 42 || new TextEncoder().encode(key).length <= 128) && !key.includes("\n");
    if (isSimple) {
      this.#string(key, indent, false, true);
      this.#put(":");
      return;
    }
    this.#put("? ");
    this.#string(key, indent + indentWidth, true, false);
    this.#newline();
    this.#put(`${" ".repeat(indent)}:`);
  }

  #leaf(value: JsonValue, indent: number): void {
    if (typeof value === "string") this.#string(value, indent, true, false);
    else if (value === null) this.#put("null");
    else if (typeof value === "object") this.#put(Array.isArray(value) ? "[]" : "{}");
    else this.#put(typeof value === "number" ? yamlNumber(value) : String(value));
  }

  #string(value: string, indent: number, allowBreaks: boolean, isKey: boolean): void {
    switch (styleOf(value, isKey)) {
      case "plain":
        this.#folded(value, indent, allowBreaks, false);
        break;
      case "single":
        this.#put("'");
        this.#folded(value.replace(/'/g, "''"), indent, allowBreaks, true);
        this.#put("'");
        break;
      case "double":
        this.#doubleQuoted(value, indent, allowBreaks);
        break;
      case "literal":
        this.#literal(value, indent);
    }
  }

  /** Breaks the line at single blanks once it is too long. */
  #folded(value: string, indent: number, allowBreaks: boolean, isQuoted: boolean): void {
    if (!allowBreaks || this.#column + value.length <= bestWidth) {
      this.#put(value);
      return;
    }
    const characters = [...value];
    let afterSpace = false;
    characters.forEach((character, index) => {
      if (character !== " ") {
        this.#putCharacter(character);
        afterSpace = false;
        return;
      }
      const inside = !isQuoted || (index > 0 && index < characters.length - 1);
      if (!afterSpace && inside && this.#column > bestWidth && characters[index + 1] !== " ") this.#indent(indent);
      else this.#putCharacter(character);
      afterSpace = true;
    });
  }

  #putCharacter(character: string): void {
    this.text += character;
    this.#column += 1;
  }

  #doubleQuoted(value: string, indent: number, allowBreaks: boolean): void {
    this.#put('"');
    const characters = [...value];
    let afterSpace = false;
    characters.forEach((character, index) => {
      const escaped = escapeDouble(character);
      if (escaped !== undefined) this.#put(escaped);
      else if (character !== " ") this.#putCharacter(character);
      else if (allowBreaks && !afterSpace && this.#column > bestWidth && index > 0 && index < characters.length - 1) {
        this.#indent(indent);
        if (characters[index + 1] === " ") this.#put("\\");
      } else this.#putCharacter(character);
      afterSpace = character === " ";
    });
    this.#put('"');
  }

  #literal(value: string, indent: number): void {
    const hint = value.startsWith(" ") || value.startsWith("\n") ? String(indentWidth) : "";
    const chomp = chomping(value);
    const lines = (value.endsWith("\n") ? value.slice(0, -1) : value).split("\n");
    const body = lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n");
    this.text += `|${hint}${chomp}\n${body}`;
  }
}

type Style = "plain" | "single" | "double" | "literal";

/** The style that go-yaml wants, changed where the text does not allow it. */
function styleOf(value: string, isKey: boolean): Style {
  if (value === "") return "double";
  const isMultiline = value.includes("\n");
  if (unprintable.test(value)) return "double";
  if (isMultiline) {
    const allowed = !isKey && !/ \n/.test(value) && !value.endsWith(" ");
    return allowed ? "literal" : "double";
  }
  if (!staysString(value)) return "double";
  if (value.startsWith(" ") || value.endsWith(" ") || hasIndicators(value)) return "single";
  return "plain";
}

/** What go-yaml does not write as it is; a tab is among it. */
const unprintable = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]/u;

/** Characters that would make a plain scalar in block context something else. */
function hasIndicators(value: string): boolean {
  if (value.startsWith("---") || value.startsWith("...")) return true;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(value)) return true;
  if (/^[?:-](?:[ \t]|$)/.test(value)) return true;
  return /:(?:[ \t]|$)| #/.test(value);
}

const namedEscapes: { readonly [character: string]: string } = {
  "\0": "\\0",
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\x1b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\x85": "\\N",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function escapeDouble(character: string): string | undefined {
  const named = namedEscapes[character];
  if (named !== undefined) return named;
  if (!unprintable.test(character)) return undefined;
  const code = character.codePointAt(0) ?? 0;
  const hex = asciiUpperCase(code.toString(16));
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** Whole numbers as they are, others as Go's shortest form: with an exponent from a million on. */
function yamlNumber(value: number): string {
  if (Number.isNaN(value)) return ".nan";
  if (!Number.isFinite(value)) return value > 0 ? ".inf" : "-.inf";
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && magnitude < 2 ** 63) return BigInt(value).toString();
  if (magnitude >= 1e6 || magnitude < 1e-4) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  return String(value);
}

function isFilledObject(value: JsonValue): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).some((inner) => inner !== undefined)
  );
}

/** What a block says of the newlines at its end. */
function chomping(value: string): string {
  if (!value.endsWith("\n")) return "-";
  return value === "\n" || value.endsWith("\n\n") ? "+" : "";
}

function isFilledList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value) && value.length > 0;
}
