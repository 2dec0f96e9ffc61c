// A YAML file read field by field, so that every complaint names path, line and field.

import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** A mistake in a lab's file; the message begins with path and line. */
export class LabFileError extends Error {}

export class Reader {
  readonly #path: string;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(path: string, text: string) {
    this.#path = path;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = this.#document.errors[0];
    if (error !== undefined) throw new LabFileError(`${path}:${this.#lines.linePos(error.pos[0]).line}: ${error.message}`);
  }

  get root(): Field {
    return new Field(this, this.#document.contents, "the file");
  }

  fail(node: Node | null | undefined, message: string): never {
    const line = node?.range ? this.#lines.linePos(node.range[0]).line : 1;
    throw new LabFileError(`${this.#path}:${line}: ${message}`);
  }
}

/** One place in the file, with the name that messages use. */
export class Field {
  readonly #reader: Reader;
  readonly #node: Node | null | undefined;
  readonly #name: string;
  /** Of a key that is absent: the map that lacks it, at whose line complaints are made. */
  readonly #lackingMap: Field | undefined;

  constructor(reader: Reader, node: Node | null | undefined, name: string, lackingMap?: Field) {
    this.#reader = reader;
    this.#node = node;
    this.#name = name;
    this.#lackingMap = lackingMap;
  }

  get present(): boolean {
    return this.#node !== null && this.#node !== undefined;
  }

  fail(message: string): never {
    if (this.#lackingMap !== undefined) return this.#lackingMap.fail(`needs "${this.#name}": ${this.#name} ${message}`);
    return this.#reader.fail(this.#node, `${this.#name} ${message}`);
  }

  /** The fields of a map; any other key is a mistake. */
  map(keys: readonly string[]): ReadonlyMap<string, Field> {
    const entries = this.entries();
    for (const [key, field] of entries) {
      if (!keys.includes(key)) field.fail(`is not known here; expected ${keys.join(", ")}`);
    }
    return new Map(keys.map((key) => [key, entries.get(key) ?? new Field(this.#reader, undefined, key, this)]));
  }

  /** What lies under a key, present or not. */
  at(key: string): Field {
    return this.entries().get(key) ?? new Field(this.#reader, undefined, key, this);
  }

  entries(): ReadonlyMap<string, Field> {
    if (!this.present) return new Map();
    if (!isMap(this.#node)) return this.fail("must be a map of names to values");
    return new Map(
      this.#node.items.map((pair) => {
        const key = isScalar(pair.key) ? String(pair.key.value) : "";
        return [key, new Field(this.#reader, pair.value as Node | null, this.#child(key))];
      }),
    );
  }

  /** A list or a map. */
  get isCollection(): boolean {
    return isMap(this.#node) || isSeq(this.#node);
  }

  list(): readonly Field[] {
    if (!this.present) return [];
    if (!isSeq(this.#node)) return this.fail("must be a list");
    const items = this.#node.items as readonly Node[];
    return items.map((item, index) => new Field(this.#reader, item, `${this.#name}[${index}]`));
  }

  /** A text, also an empty one. */
  anyText(): string {
    return isScalar(this.#node) && this.#node.value === "" ? "" : this.text();
  }

  text(): string {
    if (!this.present) return this.fail("is missing");
    if (!isScalar(this.#node) || typeof this.#node.value !== "string" || this.#node.value === "")
      return this.fail("must be a text");
    return this.#node.value;
  }

  /** Only `true` can be written; what is not so is left out. */
  yes(): true {
    if (!isScalar(this.#node) || this.#node.value !== true) return this.fail("must be true, or left out");
    return true;
  }

  boolean(): boolean {
    if (!isScalar(this.#node) || typeof this.#node.value !== "boolean") return this.fail("must be true or false");
    return this.#node.value;
  }

  wholeNumber(least: number, most: number): number {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    return Number.isInteger(value) ? this.number(least, most) : this.fail(`must be a whole number from ${least} to ${most}`);
  }

  number(least: number, most: number): number {
    if (!isScalar(this.#node) || typeof this.#node.value !== "number" || this.#node.value < least || this.#node.value > most) {
      return this.fail(`must be a number from ${least} to ${most}`);
    }
    return this.#node.value;
  }

  #child(key: string): string {
    return this.#name === "the file" ? key : `${this.#name}.${key}`;
  }
}
