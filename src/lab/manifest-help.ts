// What an editor of manifests may ask: which fields a kind has at a place, and which parts of an object do not fit its
// kind. Built-in kinds only; of custom resources nothing is said. The server's own word stays the last one.

import { builtInTypes } from "#cluster/api/kinds.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import type { Docs } from "#cluster/api/openapi/dialect.ts";
import { type FieldSchema, fieldsOf, type ScalarKind, type TypeSchema } from "#cluster/api/schema.ts";

/** Field names and list indexes from the object's root. */
export type FieldPath = readonly (string | number)[];

export interface FieldHelp {
  readonly name: string;
  /** As `kubectl explain` writes it: `<string>`, `<[]Container>`. */
  readonly type: string;
  readonly required: boolean;
  /** English, as the API documents it; "" while the documentation is not loaded. */
  readonly description: string;
}

export interface ManifestProblem {
  readonly path: FieldPath;
  /** The field does not exist; its value has another type; a field that must be there is not. */
  readonly problem: "unknown" | "type" | "missing";
  /** `type`: the type that is expected; `missing`: the name of the field. */
  readonly expected: string;
}

export interface KindName {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Kinds that a manifest can be written of. */
export function manifestKinds(): readonly KindName[] {
  return builtInTypes
    .filter(({ plural }) => !notWritten.test(plural))
    .map((type) => ({ apiVersion: groupVersionOf(type), kind: type.kind }));
}

/** Asked or reported, never kept as a file. */
const notWritten = /reviews$|^(events|bindings|componentstatuses|leases)$/;

/** The fields of an object of a kind at a place; none for a place that has no fields of its own. */
export function fieldHelp(of: KindName, path: FieldPath, docs: Docs): readonly FieldHelp[] {
  let type: TypeSchema | undefined = typeOf(of);
  for (const step of path) type = type === undefined ? undefined : within(type, step);
  if (type?.kind !== "object") return [];
  const { name } = type;
  return [...fieldsOf(name).values()].map((field) => ({
    name: field.name,
    type: `<${typeText(field.type)}>`,
    required: isRequired(name, field),
    description: docs[name]?.[field.name] ?? "",
  }));
}

/** The parts of an object that do not fit its kind, in the order of the text; none for a kind that is not known. */
export function manifestProblems(of: KindName, value: unknown): readonly ManifestProblem[] {
  const type = typeOf(of);
  return type === undefined ? [] : [...problemsOf(type, value, [])];
}

function typeOf({ apiVersion, kind }: KindName): TypeSchema | undefined {
  const type = builtInTypes.find((each) => each.kind === kind && groupVersionOf(each) === apiVersion);
  return type === undefined ? undefined : { kind: "object", name: type.typeName };
}

function within(type: TypeSchema, step: string | number): TypeSchema | undefined {
  if (type.kind === "list") return typeof step === "number" ? type.of : undefined;
  if (type.kind === "map") return type.of;
  return type.kind === "object" && typeof step === "string" ? fieldsOf(type.name).get(step)?.type : undefined;
}

function typeText(type: TypeSchema): string {
  if (type.kind === "list") return `[]${typeText(type.of)}`;
  if (type.kind === "map") return `map[string]${typeText(type.of)}`;
  if (type.kind === "object") return type.name;
  return scalarTexts[type.kind] ?? type.kind;
}

const scalarTexts: { readonly [kind in ScalarKind]?: string } = {
  int32: "integer",
  int64: "integer",
  double: "number",
  bytes: "string",
  time: "string",
  microTime: "string",
  intOrString: "IntOrString",
  quantity: "Quantity",
  any: "Object",
};

/** The server writes a status and a selector's like itself; only what an author must write is asked for. */
function isRequired(typeName: string, { name, required }: FieldSchema): boolean {
  return required && !(typeName.endsWith("Status") || (typeName === "PodTemplateSpec" && name === "metadata"));
}

function* problemsOf(type: TypeSchema, value: unknown, path: FieldPath): Generator<ManifestProblem> {
  if (value === null || value === undefined) return;
  if (!fits(type, value)) {
    yield { path, problem: "type", expected: typeText(type) };
    return;
  }
  if (type.kind === "list") {
    for (const [index, item] of (value as readonly unknown[]).entries()) yield* problemsOf(type.of, item, [...path, index]);
  }
  if (type.kind === "map") {
    for (const [key, item] of Object.entries(value)) yield* problemsOf(type.of, item, [...path, key]);
  }
  if (type.kind === "object") yield* objectProblems(type.name, value as { readonly [field: string]: unknown }, path);
}

function* objectProblems(
  typeName: string,
  value: { readonly [field: string]: unknown },
  path: FieldPath,
): Generator<ManifestProblem> {
  const fields = fieldsOf(typeName);
  for (const [name, item] of Object.entries(value)) {
    const field = fields.get(name);
    if (field === undefined) yield { path: [...path, name], problem: "unknown", expected: "" };
    else yield* problemsOf(field.type, item, [...path, name]);
  }
  for (const field of fields.values()) {
    if (isRequired(typeName, field) && value[field.name] === undefined) yield { path, problem: "missing", expected: field.name };
  }
}

function fits(type: TypeSchema, value: unknown): boolean {
  switch (type.kind) {
    case "list":
      return Array.isArray(value);
    case "map":
    case "object":
      return typeof value === "object" && !Array.isArray(value);
    case "boolean":
      return typeof value === "boolean";
    case "int32":
    case "int64":
      return Number.isInteger(value);
    case "double":
      return typeof value === "number";
    case "intOrString":
      return typeof value === "string" || Number.isInteger(value);
    case "quantity":
      return typeof value === "string" || typeof value === "number";
    case "any":
      return true;
    default:
      return typeof value === "string";
  }
}
