// Types and values of a structural schema as CEL rules see them (apiserver, pkg/cel/common/schemas.go and values.go).

import { type Environment, Optional } from "@marcbachmann/cel-js";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isList, isObject } from "#cluster/api/wire.ts";
import { kubernetesEnvironment } from "#cluster/cel/environment.ts";
import { celValue } from "#cluster/cel/values.ts";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./structural-schema.ts";

let running: Environment | undefined;

/** Where rules run: values bring their types. */
export function runningEnvironment(): Environment {
  running ??= kubernetesEnvironment().registerVariable("self", "dyn").registerVariable("oldSelf", "dyn");
  return running;
}

/** Where rules are checked: `self` and `oldSelf` have the schema's type. */
export function checkingEnvironment(schema: Schema, isResource: boolean, optionalOldSelf: boolean): Environment {
  const environment = kubernetesEnvironment();
  const type = new Types(environment).of(isResource ? withTypeAndMetadata(schema) : schema, "selfType") ?? "dyn";
  return environment.registerVariable("self", type).registerVariable("oldSelf", optionalOldSelf ? `optional<${type}>` : type);
}

const text: Schema = { type: "string" };

/** Every resource may be asked for its type and its name. */
export function withTypeAndMetadata(schema: Schema): Schema {
  const metadata: Schema = { type: "object", properties: { name: text, generateName: text } };
  return { ...schema, type: "object", properties: { ...schema.properties, apiVersion: text, kind: text, metadata } };
}

/** Registers a type for each object schema. */
class Types {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The name of the schema's type; undefined for what rules cannot see. */
  of(schema: Schema, name: string): string | undefined {
    if (schema["x-kubernetes-int-or-string"] === true) return "dyn";
    switch (schema.type) {
      case "array": {
        const items = itemsOf(schema);
        const item = items === undefined ? undefined : this.of(items, `${name}.@items`);
        return item === undefined ? undefined : `list<${item}>`;
      }
      case "object":
        return this.#object(schema, name);
      case "boolean":
        return "bool";
      case "number":
        return "double";
      case "integer":
        return "int";
      case "string":
        return stringType(schema.format);
      default:
        return undefined;
    }
  }

  #object(schema: Schema, name: string): string | undefined {
    const additional = additionalOf(schema);
    if (additional !== undefined) {
      const value = this.of(additional, `${name}.@values`);
      return value === undefined ? undefined : `map<string, ${value}>`;
    }
    const isResource = schema["x-kubernetes-embedded-resource"] === true;
    const { properties = {} } = isResource ? withTypeAndMetadata(schema) : schema;
    const fields: { [field: string]: string } = {};
    for (const [property, inner] of Object.entries(properties)) {
      const type = this.of(inner, `${name}.${property.replace(/\W/g, "_")}`);
      if (type !== undefined) fields[escapedName(property)] = type;
    }
    const typeName = name.replace(/@/g, "_");
    this.#environment.registerType(typeName, { fields });
    return typeName;
  }
}

/** Whether rules see values of a schema at all. */
export function hasRuleType(schema: Schema): boolean {
  if (schema["x-kubernetes-int-or-string"] === true) return true;
  switch (schema.type) {
    case "array": {
      const items = itemsOf(schema);
      return items !== undefined && hasRuleType(items);
    }
    case "object": {
      const additional = additionalOf(schema);
      return additional === undefined || hasRuleType(additional);
    }
    default:
      return ["boolean", "number", "integer", "string"].includes(schema.type ?? "");
  }
}

function stringType(format: string | undefined): string {
  switch (format) {
    case "byte":
      return "bytes";
    case "duration":
      return "google.protobuf.Duration";
    case "date":
    case "date-time":
      return "google.protobuf.Timestamp";
    default:
      return "string";
  }
}

const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);
const escapes: readonly (readonly [RegExp, string])[] = [
  [/__/g, "__underscores__"],
  [/\./g, "__dot__"],
  [/-/g, "__dash__"],
  [/\//g, "__slash__"],
];

/** The name of a property in expressions. */
export function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  if (/^[A-Za-z_]\w*$/.test(name) && !name.includes("__")) return name;
  return escapes.reduce((escaped, [pattern, replacement]) => escaped.replace(pattern, replacement), name);
}

/** A value in CEL's types, by its schema. */
export function celOf(value: JsonValue, schema: Schema | undefined, isResource = false): unknown {
  if (schema === undefined || value === null) return celValue(value);
  if (isList(value)) return value.map((item) => celOf(item, itemsOf(schema), false));
  if (isObject(value)) return celObject(value, isResource ? withTypeAndMetadata(schema) : schema);
  if (typeof value === "bigint") return schema.type === "number" ? Number(value) : value;
  if (typeof value === "number") return schema.type === "number" || !Number.isInteger(value) ? value : BigInt(value);
  if (typeof value === "string" && schema.type === "string") return celString(value, schema.format);
  return value;
}

function celObject(value: { readonly [name: string]: JsonValue }, schema: Schema): unknown {
  const additional = additionalOf(schema);
  const result: { [name: string]: unknown } = {};
  for (const [name, field] of Object.entries(value)) {
    if (additional !== undefined) result[name] = celOf(field, additional);
    else {
      const property = propertyOf(schema, name);
      result[escapedName(name)] = celOf(field, property, property?.["x-kubernetes-embedded-resource"] === true);
    }
  }
  return result;
}

function celString(value: string, format: string | undefined): unknown {
  try {
    switch (format) {
      case "byte":
        return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
      case "duration":
        return runningEnvironment().evaluate("duration(self)", { self: value });
      case "date":
        return runningEnvironment().evaluate("timestamp(self)", { self: `${value}T00:00:00Z` });
      case "date-time":
        return runningEnvironment().evaluate("timestamp(self)", { self: value });
      default:
        return value;
    }
  } catch {
    // Not of its format: the schema's own validation says so.
    return value;
  }
}

/** An optional of CEL. */
export function optionalOf(value: unknown): unknown {
  return value === undefined ? Optional.none() : Optional.of(value);
}
