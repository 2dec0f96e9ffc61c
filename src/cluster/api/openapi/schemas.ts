// JSON schemas of the built-in types as OpenAPI documents carry them, with the extensions that kubectl reads: merge keys,
// list types, kinds.

import { compareBytes } from "../json-write.ts";
import { type FieldSchema, fieldsOf, type TypeSchema } from "../schema.ts";
import { isAtomicType } from "../type-tables.ts";
import type { JsonObject } from "../wire.ts";
import type { Dialect, Docs } from "./dialect.ts";
import { definitionName } from "./packages.ts";
import { Parameters } from "./parameters.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const wellKnown: { readonly [kind: string]: { readonly name: string; readonly schema: JsonObject } } = {
  time: { name: `${meta}.Time`, schema: { type: "string", format: "date-time" } },
  microTime: { name: `${meta}.MicroTime`, schema: { type: "string", format: "date-time" } },
  quantity: { name: "io.k8s.apimachinery.pkg.api.resource.Quantity", schema: { type: "string" } },
  intOrString: { name: "io.k8s.apimachinery.pkg.util.intstr.IntOrString", schema: { type: "string", format: "int-or-string" } },
};

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
const objectFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Collects the definitions that documents refer to. */
export class Definitions {
  /** Collected as definitions are. */
  readonly parameters: Parameters;
  readonly #dialect: Dialect;
  readonly #docs: Docs;
  readonly #schemas = new Map<string, JsonObject>();
  readonly #kinds: ReadonlyMap<string, readonly JsonObject[]>;

  /** `kinds`: group, version and kind by type name, for `x-kubernetes-group-version-kind`. */
  constructor(dialect: Dialect, docs: Docs, kinds: ReadonlyMap<string, readonly JsonObject[]>) {
    this.parameters = new Parameters(dialect, docs);
    this.#dialect = dialect;
    this.#docs = docs;
    this.#kinds = kinds;
  }

  /** All definitions so far, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => compareBytes(a, b)));
  }

  /** A reference to a type; the type and what it refers to are defined on the way. */
  reference(typeName: string): JsonObject {
    const name = definitionName(typeName);
    if (!this.#schemas.has(name)) this.#define(name, typeName);
    return this.#ref(name);
  }

  /** A definition that is not of the generated schema. */
  add(name: string, schema: JsonObject): JsonObject {
    this.#schemas.set(name, schema);
    return this.#ref(name);
  }

  /** What objects of every kind have, as the built-in kinds describe it; metadata as of any object (PartialObjectMetadata). */
  objectProperties(): JsonObject {
    const fields = [...fieldsOf("ConfigMap").values()].filter(({ name }) => objectFields.has(name));
    const properties = fields.map((field) => [field.name, this.#field("ConfigMap", field)]);
    return {
      ...Object.fromEntries(properties),
      metadata: this.#describedReference("ObjectMeta", `Standard object's metadata. More info: ${conventions}#metadata`),
    };
  }

  /** Of a list of custom resources (PartialObjectMetadataList). */
  listMetadata(): JsonObject {
    return this.#describedReference("ListMeta", `Standard list metadata. More info: ${conventions}#types-kinds`);
  }

  /** In version 3 nothing may stand beside a reference. */
  #describedReference(typeName: string, description: string): JsonObject {
    const reference = this.reference(typeName);
    return { description, ...(this.#dialect === "v3" ? { allOf: [reference] } : reference) };
  }

  #ref(name: string): JsonObject {
    return { $ref: this.#dialect === "v2" ? `#/definitions/${name}` : `#/components/schemas/${name}` };
  }

  #define(name: string, typeName: string): void {
    this.#schemas.set(name, {});
    const fields = [...fieldsOf(typeName).values()];
    const required = fields.filter((field) => field.required).map((field) => field.name);
    const kinds = this.#kinds.get(typeName);
    const description = this.#docs[typeName]?.[""];
    this.#schemas.set(name, {
      ...(description ? { description } : {}),
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(fields.map((field) => [field.name, this.#field(typeName, field)])),
      ...(kinds === undefined ? {} : { "x-kubernetes-group-version-kind": kinds }),
      ...(isAtomicType(typeName) ? { "x-kubernetes-map-type": "atomic" } : {}),
    });
  }

  #field(typeName: string, field: FieldSchema): JsonObject {
    const description = this.#docs[typeName]?.[field.name];
    const schema = this.#type(field.type);
    const isReference = "$ref" in schema;
    return {
      ...(description ? { description } : {}),
      ...(isReference && this.#dialect === "v3" ? { allOf: [schema] } : schema),
      ...ruleExtensions(field),
    };
  }

  #type(type: TypeSchema): JsonObject {
    switch (type.kind) {
      case "object":
        return this.reference(type.name);
      case "list":
        return { type: "array", items: this.#element(type.of) };
      case "map":
        return { type: "object", additionalProperties: this.#element(type.of) };
      case "string":
        return { type: "string" };
      case "boolean":
        return { type: "boolean" };
      case "int32":
      case "int64":
        return { type: "integer", format: type.kind };
      case "double":
        return { type: "number", format: "double" };
      case "bytes":
        return { type: "string", format: "byte" };
      case "any":
        return { type: "object" };
      default:
        return this.#wellKnown(type.kind);
    }
  }

  #wellKnown(kind: string): JsonObject {
    const known = wellKnown[kind];
    if (known === undefined) throw new RangeError(`no schema for ${kind}`);
    const isEither = this.#dialect === "v3" && (kind === "quantity" || kind === "intOrString");
    const other = kind === "quantity" ? "number" : "integer";
    return this.add(known.name, isEither ? { oneOf: [{ type: "string" }, { type: other }] } : known.schema);
  }

  #element(type: TypeSchema): JsonObject {
    const schema = this.#type(type);
    return "$ref" in schema && this.#dialect === "v3" ? { default: {}, allOf: [schema] } : schema;
  }
}

function ruleExtensions({ rule, type }: FieldSchema): JsonObject {
  if (rule === undefined) return {};
  const isList = type.kind === "list" || type.kind === "bytes";
  const strategy = [...(rule.patchMerge ? ["merge"] : []), ...(rule.patchRetainKeys ? ["retainKeys"] : [])].join(",");
  return {
    ...(rule.apply === undefined ? {} : { [isList ? "x-kubernetes-list-type" : "x-kubernetes-map-type"]: rule.apply }),
    ...(isList && rule.keys !== undefined ? { "x-kubernetes-list-map-keys": rule.keys } : {}),
    ...(rule.patchMergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": rule.patchMergeKey }),
    ...(strategy === "" ? {} : { "x-kubernetes-patch-strategy": strategy }),
  };
}
