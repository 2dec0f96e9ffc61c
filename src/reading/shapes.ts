// What a place in an author's file may hold. One description reads and checks the file (`read`, with path and line in every
// complaint) and becomes the JSON Schema by which editors help (`schema`).

import { type Field, Reader, readEach } from "./yaml-fields.ts";

/** The part of JSON Schema (draft 7, which editors know best) that shapes need. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly type?: "string" | "number" | "integer" | "boolean" | "object" | "array";
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

export interface Shape<T> {
  readonly schema: JsonSchema;
  /** @throws {FileMistake} */
  read(field: Field): T;
}

/** What a file says. `linesBefore`: of the file, before `source`. Throws FileMistake. */
export function readAs<T>(shape: Shape<T>, path: string, source: string, linesBefore = 0): T {
  return shape.read(new Reader(path, source, linesBefore).root);
}

/** A key of a map: what it holds, what it is for, and what counts when it is left out. */
export interface Key<T> {
  readonly shape: Shape<T>;
  readonly about: string;
  readonly absent: { readonly value: T } | undefined;
}

export function required<T>(shape: Shape<T>, about: string): Key<T> {
  return { shape, about, absent: undefined };
}

export function optional<T, A>(shape: Shape<T>, about: string, absent: A): Key<T | A> {
  return { shape, about, absent: { value: absent } };
}

/** A text that is not empty. */
export const text: Shape<string> = { schema: { type: "string", minLength: 1 }, read: (field) => field.text() };

export function textUpTo(most: number): Shape<string> {
  return {
    schema: { type: "string", minLength: 1, maxLength: most },
    read: (field) => {
      const value = field.text();
      return value.length <= most ? value : field.fail(`must be a text of at most ${most} characters`);
    },
  };
}

/** How a text is written; `expected` ends the sentence "… must be". */
export interface Form {
  readonly pattern: RegExp;
  readonly expected: string;
}

/** Ids of labs and steps, names of nodes. */
export const lowerCaseWords: Form = { pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, expected: "lower-case words joined by hyphens" };

export function textLike({ pattern, expected }: Form): Shape<string> {
  return {
    schema: { type: "string", pattern: pattern.source, description: `Must be ${expected}.` },
    read: (field) => {
      const value = field.text();
      return pattern.test(value) ? value : field.fail(`must be ${expected}, not "${value}"`);
    },
  };
}

/** One of a few words. */
export function oneOf<const W extends string>(words: readonly W[]): Shape<W> {
  return {
    schema: { type: "string", enum: words },
    read: (field) => {
      const value = field.text();
      const listed = words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join("");
      return words.find((word) => word === value) ?? field.fail(`must be ${listed}, not "${value}"`);
    },
  };
}

/** Only `true` can be written; what is not so is left out. */
export const yes: Shape<true> = { schema: { const: true }, read: (field) => field.yes() };

export const yesOrNo: Shape<boolean> = { schema: { type: "boolean" }, read: (field) => field.boolean() };

export function number(least: number, most: number): Shape<number> {
  return { schema: { type: "number", minimum: least, maximum: most }, read: (field) => field.number(least, most) };
}

export function wholeNumber(least: number, most: number): Shape<number> {
  return { schema: { type: "integer", minimum: least, maximum: most }, read: (field) => field.wholeNumber(least, most) };
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: "array", items: shape.schema },
    read: (field) => readEach(field.list().map((item) => () => shape.read(item))),
  };
}

/** Free names with values of one shape. */
export function mapOf<T>(shape: Shape<T>, names?: Form): Shape<{ readonly [name: string]: T }> {
  const propertyNames = names === undefined ? {} : { propertyNames: { pattern: names.pattern.source } };
  return {
    schema: { type: "object", additionalProperties: shape.schema, ...propertyNames },
    read: (field) =>
      Object.fromEntries(
        readEach(
          [...field.entries()].map(([name, value]) => () => {
            if (names?.pattern.test(name) === false) value.fail(`has a name that must be ${names.expected}`);
            return [name, shape.read(value)] as const;
          }),
        ),
      ),
  };
}

/** A map with these keys and no others. */
export function fields<T extends object>(keys: { readonly [K in keyof T]-?: Key<T[K]> }): Shape<T> {
  const entries = Object.entries(keys) as readonly (readonly [string, Key<unknown>])[];
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(entries.map(([name, key]) => [name, schemaOf(key)])),
      required: entries.filter(([, { absent }]) => absent === undefined).map(([name]) => name),
      additionalProperties: false,
    },
    read: (field) => {
      // A strange key is told alone: the one that was meant would be told as missing, too.
      const found = field.map(entries.map(([name]) => name));
      const reads = entries.map(([name, { shape, absent }]) => () => {
        const value = found.get(name) as Field;
        return [name, value.present || absent === undefined ? shape.read(value) : absent.value] as const;
      });
      return Object.fromEntries(readEach(reads)) as T;
    },
  };
}

function schemaOf({ shape, about, absent }: Key<unknown>): JsonSchema {
  const value = absent?.value;
  const isPlain = typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value !== "");
  return { ...shape.schema, description: about, ...(isPlain ? { default: value } : {}) };
}

/** `parse` makes of what was read what is meant, or complains through `field`; `more` is what a schema can say of that. */
export function meaning<T, M>(shape: Shape<T>, parse: (value: T, field: Field) => M, more: JsonSchema = {}): Shape<M> {
  return { schema: { ...shape.schema, ...more }, read: (field) => parse(shape.read(field), field) };
}

/** One shape for scalars, another for lists or maps. */
export function scalarOr<S, C>(scalar: Shape<S>, collection: Shape<C>): Shape<S | C> {
  return {
    schema: { anyOf: [scalar.schema, collection.schema] },
    read: (field) => (field.isCollection ? collection.read(field) : scalar.read(field)),
  };
}
