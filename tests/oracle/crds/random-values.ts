// Objects for a schema, put together at random: most fields as the schema wants them, some not, with the texts that its rules and
// enumerations name.

import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { additionalOf, itemsOf, type Schema, someSchema } from "#cluster/resources/apiextensions/structural-schema.ts";
import type { Random } from "#sim/random.ts";

const texts = [
  "",
  "a",
  "web",
  "1",
  "10m",
  "1h30m",
  "a.example.com",
  "*.example.com",
  "10.0.0.1",
  "10.0.0.0/8",
  "https://a.example/x",
  "/a/b",
  "a/b",
];
const formatted: { readonly [format: string]: readonly string[] } = {
  "date-time": ["2026-01-02T03:04:05Z"],
  date: ["2026-01-02"],
  duration: ["1h", "30s"],
  byte: ["YQ=="],
  ipv4: ["10.0.0.1"],
  ipv6: ["fd00::1"],
  cidr: ["10.0.0.0/8"],
  uri: ["https://a.example/x"],
};
const maximumDepth = 14;

export class RandomValues {
  readonly #random: Random;
  readonly #texts: readonly string[];

  constructor(random: Random, root: Schema) {
    this.#random = random;
    this.#texts = [...texts, ...textsOfRules(root)];
  }

  /** A resource without type and name. */
  resource(root: Schema): JsonObject {
    const { apiVersion: _, kind: __, metadata: ___, ...properties } = root.properties ?? {};
    return this.#object({ ...root, properties }, 0);
  }

  /** The value with some of it made anew. */
  changed(value: JsonValue, schema: Schema, depth = 0): JsonValue {
    if (this.#chance(0.1)) return this.value(schema, depth);
    if (Array.isArray(value)) {
      const items = itemsOf(schema);
      return items === undefined ? value : value.map((item) => this.changed(item, items, depth + 1));
    }
    if (!isObject(value)) return value;
    const result: { [name: string]: JsonValue } = {};
    for (const [name, inner] of Object.entries(value)) {
      const known = schema.properties?.[name] ?? additionalOf(schema);
      if (this.#chance(0.05)) continue;
      result[name] = known === undefined || inner === undefined ? (inner as JsonValue) : this.changed(inner, known, depth + 1);
    }
    return result;
  }

  value(schema: Schema, depth: number): JsonValue {
    if (schema.enum !== undefined && schema.enum.length > 0 && this.#chance(0.95)) return this.#one(schema.enum as JsonValue[]);
    if (schema.default !== undefined && this.#chance(0.2)) return schema.default as JsonValue;
    if (schema["x-kubernetes-int-or-string"] === true) return this.#chance(0.5) ? this.#integer(schema) : this.#text(schema);
    switch (schema.type) {
      case "object":
        return this.#object(schema, depth);
      case "array": {
        const items = itemsOf(schema);
        const least = Number(schema.minItems ?? 0);
        const most = Math.min(Number(schema.maxItems ?? 3), least + 3);
        const count = depth > maximumDepth ? least : least + (this.#random.uint32() % (most - least + 1));
        return items === undefined ? [] : Array.from({ length: count }, () => this.value(items, depth + 1));
      }
      case "integer":
        return this.#integer(schema);
      case "number":
        return this.#integer(schema) + (this.#chance(0.5) ? 0.5 : 0);
      case "boolean":
        return this.#chance(0.5);
      case "string":
        return this.#text(schema);
      default:
        return this.#one<JsonValue>(["a", 1, { a: 1 }]);
    }
  }

  #object(schema: Schema, depth: number): JsonObject {
    const result: { [name: string]: JsonValue } = {};
    const additional = additionalOf(schema);
    if (additional !== undefined) {
      for (let count = this.#random.uint32() % 3; count > 0; count -= 1)
        result[this.#one(this.#texts) || "k"] = this.value(additional, depth + 1);
    }
    let share = depth < 2 ? 0.7 : 0.3;
    if (depth > maximumDepth) share = 0;
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(name) !== true && !this.#chance(share)) continue;
      result[name] = this.value(property, depth + 1);
    }
    return result;
  }

  #integer(schema: Schema): number {
    const least = Number(schema.minimum ?? 0);
    const most = Math.min(Number(schema.maximum ?? least + 3), least + 70_000);
    return this.#chance(0.5)
      ? least + (this.#random.uint32() % 3)
      : least + (this.#random.uint32() % Math.max(1, Math.trunc(most - least) + 1));
  }

  #text(schema: Schema): string {
    const ready = formatted[schema.format ?? ""];
    if (ready !== undefined) return this.#one(ready);
    const fitting = this.#texts.filter(
      (text) =>
        text.length >= Number(schema.minLength ?? 0) &&
        text.length <= Number(schema.maxLength ?? 10_000) &&
        fits(text, schema.pattern),
    );
    return fitting.length > 0 && this.#chance(0.97) ? this.#one(fitting) : this.#one(this.#texts);
  }

  #chance(share: number): boolean {
    return this.#random.uint32() < share * 2 ** 32;
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#random.uint32() % list.length] as T;
  }
}

/** Only to choose by: what JavaScript does not read, fits. */
function fits(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return true;
  }
}

/** The literals of all rules. */
function textsOfRules(root: Schema): readonly string[] {
  const found = new Set<string>();
  someSchema(root, (schema) => {
    for (const { rule } of schema["x-kubernetes-validations"] ?? [])
      for (const [, double, single] of rule.matchAll(/"([^"\\]{1,40})"|'([^'\\]{1,40})'/g)) found.add((double ?? single) as string);
    return false;
  });
  return [...found].slice(0, 60);
}
