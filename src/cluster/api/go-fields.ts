// Decodes a document by the Go types it is for, as a strict JSON decoder does: unknown fields are collected, the first wrong type ends it
// (sigs.k8s.io/json). Null is as if nothing had been said.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { isList, isObject, type JsonObject, type JsonValue, jsonKind } from "#cluster/api/wire.ts";

export type GoType =
  | { readonly kind: "string" | "bool" | "int32" | "int64" | "float32" | "duration" | "bytes" | "any"; readonly named?: string }
  | { readonly kind: "list"; readonly of: GoType }
  | { readonly kind: "texts" }
  | Struct;

export interface Struct {
  readonly kind: "struct";
  /** With its package: `v1.Plugins`. */
  readonly name: string;
  readonly fields: { readonly [name: string]: GoType };
  /** Embedded structs that fields belong to, from the outermost in; a wrong type is told with them. */
  readonly embedded?: { readonly [field: string]: readonly string[] };
}

export function struct(name: string, fields: Struct["fields"], embedded: Struct["embedded"] = {}): Struct {
  return { kind: "struct", name, fields, embedded };
}

export function list(of: GoType): GoType {
  return { kind: "list", of };
}

export const text: GoType = { kind: "string" };
export const flag: GoType = { kind: "bool" };
export const int32: GoType = { kind: "int32" };
export const int64: GoType = { kind: "int64" };

/** What is not as its type says: the decoder's words. */
export class DecodingError extends Error {}

export interface Decoded {
  /** Without nulls and unknown fields; durations are milliseconds. */
  readonly value: JsonObject;
  /** `unknown field "profiles[0].plugin"` */
  readonly unknown: readonly string[];
}

/** Throws DecodingError. */
export function decode(type: Struct, document: JsonValue): Decoded {
  const decoder = new Decoder();
  if (document !== null && !isObject(document))
    throw new DecodingError(`json: cannot unmarshal ${jsonKind(document)} into Go value of type ${type.name}`);
  const value = decoder.struct(type, document ?? {}, { names: [], path: "" });
  if (decoder.fault !== undefined) throw new DecodingError(decoder.fault);
  return { value, unknown: decoder.unknown };
}

interface Place {
  /** Of fields alone, as a wrong type is told. */
  readonly names: readonly string[];
  /** With indices, as an unknown field is told. */
  readonly path: string;
  readonly owner?: string;
}

class Decoder {
  readonly unknown: string[] = [];
  /** Decoding goes on after the first wrong type, which is the one that is told. */
  fault: string | undefined;

  struct(type: Struct, object: JsonObject, place: Place): JsonObject {
    const result: { [name: string]: JsonValue } = {};
    const owner = type.name.slice(type.name.indexOf(".") + 1);
    // YAML becomes JSON with its keys in order.
    for (const name of Object.keys(object).sort()) {
      const path = place.path === "" ? name : `${place.path}.${name}`;
      const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
      const given = object[name] as JsonValue;
      if (field === undefined) this.unknown.push(`unknown field ${JSON.stringify(path)}`);
      else if (given !== null) {
        const names = [...place.names, ...(type.embedded?.[name] ?? []), name];
        const value = this.#value(field, given, { names, path, owner });
        if (value !== undefined) result[name] = value;
      }
    }
    return result;
  }

  #value(type: GoType, given: JsonValue, place: Place): JsonValue | undefined {
    switch (type.kind) {
      case "any":
        return given;
      case "struct":
        return isObject(given) ? this.struct(type, given, place) : this.#mismatch(jsonKind(given), type.name, place);
      case "list":
        return this.#list(type.of, given, place);
      case "texts":
        return this.#texts(given, place);
      case "duration":
        return this.#duration(given, place);
      default:
        return this.#scalar(type.kind, type.named, given, place);
    }
  }

  #list(of: GoType, given: JsonValue, place: Place): JsonValue | undefined {
    if (!isList(given)) return this.#mismatch(jsonKind(given), `[]${goName(of)}`, place);
    return given.map((each, index) => {
      const at = { ...place, path: `${place.path}[${index}]` };
      return this.#value(of, each ?? emptyOf(of), at) ?? null;
    });
  }

  #texts(given: JsonValue, place: Place): JsonValue | undefined {
    if (!isObject(given)) return this.#mismatch(jsonKind(given), "map[string]string", place);
    for (const value of Object.values(given))
      if (typeof value !== "string") return this.#mismatch(jsonKind(value), "string", place);
    return given;
  }

  #duration(given: JsonValue, place: Place): JsonValue | undefined {
    if (typeof given !== "string") return this.#mismatch(jsonKind(given), "string", place);
    const parsed = parseGoDuration(given);
    if ("ms" in parsed) return parsed.ms;
    this.fault ??= parsed.error;
    return undefined;
  }

  #scalar(kind: string, named: string | undefined, given: JsonValue, place: Place): JsonValue | undefined {
    const type = named ?? kind;
    if (kind === "string" || kind === "bytes")
      return typeof given === "string" ? given : this.#mismatch(jsonKind(given), kind === "bytes" ? "[]uint8" : type, place);
    if (kind === "bool") return typeof given === "boolean" ? given : this.#mismatch(jsonKind(given), type, place);
    if (typeof given !== "number") return this.#mismatch(jsonKind(given), type, place);
    const limit = kind === "int32" ? 2 ** 31 : 2 ** 63;
    if (kind === "float32" || (Number.isInteger(given) && given >= -limit && given < limit)) return given;
    return this.#mismatch(`number ${JSON.stringify(given)}`, type, place);
  }

  #mismatch(actual: string, wanted: string, { names, owner = "" }: Place): undefined {
    this.fault ??= `json: cannot unmarshal ${actual} into Go struct field ${owner}.${names.join(".")} of type ${wanted}`;
    return undefined;
  }
}

function goName(type: GoType): string {
  if (type.kind === "struct") return type.name;
  if (type.kind === "list") return `[]${goName(type.of)}`;
  return "named" in type && type.named !== undefined ? type.named : type.kind;
}

function emptyOf(type: GoType): JsonValue {
  if (type.kind === "struct") return {};
  if (type.kind === "list") return [];
  return type.kind === "string" ? "" : 0;
}
