// A YAML file read field by field, so that every complaint names path, line and field.

import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** What is wrong in an author's file: one mistake a line of the message, each begins with path and line. */
export class FileMistake extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
  }
}

/** Reads all, one after the other, so that an author is told all mistakes at once. Throws FileMistake with those of all. */
export function readEach<T>(reads: readonly (() => T)[]): readonly T[] {
  const mistakes: string[] = [];
  const values = reads.flatMap((read) => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof FileMistake)) throw error;
      mistakes.push(...error.mistakes);
      return [];
    }
  });
  if (mistakes.length > 0) throw new FileMistake(mistakes);
  return values;
}

export class Reader {
  readonly #path: string;
  readonly #linesBefore: number;
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  /** `linesBefore`: of the file, before this text. */
  constructor(path: string, text: string, linesBefore = 0) {
    this.#path = path;
    this.#linesBefore = linesBefore;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const error = this.#document.errors[0];
    if (error !== undefined) this.#failAt(error.pos[0], error.message);
  }

  get root(): Field {
    return new Field(this, this.#document.contents, "the file");
  }

  fail(node: Node | null | undefined, message: string): never {
    return this.#failAt(node?.range?.[0] ?? 0, message);
  }

  #failAt(offset: number, message: string): never {
    throw new FileMistake([`${this.#path}:${this.#lines.linePos(offset).line + this.#linesBefore}: ${message}`]);
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
    const complain = (field: Field) => (): never => field.fail(`is not known here; expected ${keys.join(", ")}`);
    readEach([...entries].flatMap(([key, field]) => (keys.includes(key) ? [] : [complain(field)])));
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
