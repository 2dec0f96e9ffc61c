// Collects the fields that a word expands to, remembering what was quoted.

import { SysError } from "#sim/errors.ts";
import { escapePattern, hasWildcard } from "../text/pattern.ts";

/** Longer texts are not made, whatever memory there is. */
const maximumTextLength = 128 * 1024 ** 2;

export interface Field {
  text: string;
  /** The same with quoted special characters escaped, for globbing and matching. */
  pattern: string;
  /** Something stands here even when the text is empty. */
  present: boolean;
}

export class FieldBuilder {
  readonly fields: Field[] = [];
  #current: Field = { text: "", pattern: "", present: false };
  readonly #ifs: string;
  /** False where no word splitting happens: assignments, redirections, patterns. */
  readonly splitting: boolean;
  readonly #quote: (text: string) => string;

  constructor(ifs: string, splitting: boolean, quote: (text: string) => string = escapePattern) {
    this.#ifs = ifs;
    this.splitting = splitting;
    this.#quote = quote;
  }

  quoted(text: string): void {
    this.#append(text);
    this.#current.pattern += this.#quote(text);
    this.#current.present = true;
  }

  #append(text: string): void {
    if (this.#current.text.length + text.length > maximumTextLength) throw new SysError("ENOMEM");
    this.#current.text += text;
  }

  /** Text of the word itself: not split, but active as a pattern. */
  literal(text: string): void {
    if (text === "") return;
    this.#append(text);
    this.#current.pattern += text;
    this.#current.present = true;
  }

  /** Marks the field as there: an empty pair of quotes. */
  markPresent(): void {
    this.#current.present = true;
  }

  /** The result of an expansion outside of quotes. */
  expanded(text: string): void {
    if (!this.splitting || this.#ifs === "") {
      this.literal(text);
      return;
    }
    let piece = "";
    let afterBlank = false;
    for (const char of text) {
      if (!this.#ifs.includes(char)) {
        piece += char;
        afterBlank = false;
        continue;
      }
      this.literal(piece);
      piece = "";
      if (char === " " || char === "\t" || char === "\n") {
        if (this.#current.present) {
          this.breakField();
          afterBlank = true;
        }
      } else {
        if (!afterBlank) {
          this.#current.present = true;
          this.breakField();
        }
        afterBlank = false;
      }
    }
    this.literal(piece);
  }

  /** Ends the current field when there is one. */
  breakField(): void {
    if (this.#current.present) this.fields.push(this.#current);
    this.#current = { text: "", pattern: "", present: false };
  }

  finish(): Field[] {
    this.breakField();
    return this.fields;
  }
}

export function fieldHasWildcard(field: Field): boolean {
  return hasWildcard(field.pattern);
}
