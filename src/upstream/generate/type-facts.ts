// Reads `types.json`: the fields of all types as Go declares them, under the names that our schema has for the types.

import { compareBytes } from "../../cluster/api/json-write.ts";
import { asciiUpperCase } from "../../sim/ascii.ts";
import type { FieldType, Model } from "./models.ts";

/** One field as it travels in JSON; see fieldFact in tests/oracle/facts/types.go. */
interface WrittenFact {
  readonly go: string;
  readonly in?: string;
  readonly number?: string;
  readonly wrapped?: boolean;
  readonly empty?: unknown;
  readonly keepsZero?: boolean;
  readonly patch?: string;
  readonly apply?: string;
}

export interface FieldFact extends WrittenFact {
  readonly name: string;
  readonly type: FieldType;
}

export interface TypeFact {
  readonly model: Model;
  /** `io.k8s.api.core.v1.Pod` */
  readonly definition: string;
  /** Server-side apply treats it as one value. */
  readonly atomic: boolean;
  /** In the order of Go's declaration. */
  readonly fields: readonly FieldFact[];
}

/**
 * The models of the client package that Go has a type for, sorted by our names; the package also carries types of older releases
 * and of versions that no server has on by default. `text` is that of types.json. Throws when the two do not fit together.
 */
export function readTypeFacts(text: string, models: readonly Model[]): readonly TypeFact[] {
  const known = new Map(models.map((model) => [model.name, model]));
  const found: TypeFact[] = [];
  for (const [definition, entries] of Object.entries(JSON.parse(text) as Record<string, Record<string, WrittenFact | string>>)) {
    const model = namesOf(definition).flatMap((name) => known.get(name) ?? [])[0];
    if (model !== undefined) found.push(joined(model, definition, entries));
  }
  const names = new Set(found.map(({ model }) => model.name));
  for (const { model } of found) {
    for (const { name, type } of model.fields) {
      const wanted = referred(type);
      if (wanted !== undefined && !names.has(wanted)) throw new Error(`generate: ${model.name}.${name}: no facts about ${wanted}`);
    }
  }
  return found.sort((a, b) => compareBytes(a.model.name, b.model.name));
}

function joined(model: Model, definition: string, entries: Record<string, WrittenFact | string>): TypeFact {
  const types = new Map(model.fields.map(({ name, type }) => [name, type]));
  const fields = Object.entries(entries).flatMap(([name, fact]) => {
    if (typeof fact === "string") return [];
    const type = types.get(name);
    if (type === undefined) throw new Error(`generate: the client package lacks ${model.name}.${name}`);
    types.delete(name);
    return [{ ...fact, name, type }];
  });
  if (types.size > 0) throw new Error(`generate: types.json has nothing about ${model.name}.${[...types.keys()].join(", ")}`);
  return { model, definition, atomic: entries[""] === "atomic", fields };
}

/** What the client package may call a definition: with its group where the name alone is another group's too. */
function namesOf(definition: string): readonly string[] {
  const [group = "", version = "", name = ""] = definition.split(".").slice(-3);
  const prefix = version.replace("v", "V");
  return [`${asciiUpperCase(group.charAt(0))}${group.slice(1)}${prefix}${name}`, prefix === "V1" ? name : `${prefix}${name}`];
}

export function referred(type: FieldType): string | undefined {
  if (type.kind === "object") return type.name;
  return type.kind === "array" || type.kind === "map" ? referred(type.of) : undefined;
}
