// What the expressions of a MutatingAdmissionPolicy make of an object (apiserver, pkg/admission/plugin/policy/mutating/patch).

import { mergeValues } from "#cluster/api/apply/merge-values.ts";
import type { Shape } from "#cluster/api/apply/shape.ts";
import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { internalError } from "#cluster/api/errors.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { isObject } from "#cluster/api/wire.ts";
import { CelFault } from "#cluster/cel/expression.ts";
import { checkTypeNames, ObjectLiteral } from "#cluster/cel/object-literals.ts";
import { jsonOf } from "#cluster/cel/values.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { decodeTyped } from "../../decoding.ts";
import { wireObject } from "../../encoding.ts";
import { shapeOfKind } from "../../field-management.ts";

/** The object with an `Object{…}` merged into it. Throws CelFault. */
export function withApplyConfiguration(definition: ResourceDefinition, object: KubeObject, value: unknown): KubeObject {
  checkTypeNames(value);
  const fields = jsonOf(value);
  if (!isObject(fields)) throw new CelFault("invalid return type");
  const config = { ...fields, apiVersion: groupVersionOf(definition), kind: definition.kind };
  const fail = (cause: string): CelFault => new CelFault(`error applying patch: ${cause}`);
  const mistyped = typeFaults(definition, config);
  if (mistyped !== "") throw fail(`failed to convert patch object to typed object: ${mistyped}`);
  const shape = shapeOfKind(definition);
  const atomics = atomicsOf(shape, config, "");
  if (atomics.length > 0) {
    throw fail(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(", ")}`);
  }
  return complete(definition, mergeValues(shape, wireObject(definition, object, "request") as JsonValue, config), fail).object;
}

/** What keeps a configuration from being one of the kind. */
function typeFaults({ schemaType }: ResourceDefinition, config: JsonValue): string {
  if (schemaType === undefined) return "";
  try {
    const { strictErrors } = decodeObject(schemaType, config, { fill: "nothing" });
    return strictErrors.length === 0 ? "" : fieldFaults(strictErrors);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
}

/** `unknown field "spec.x"` as structured merge diff says it. */
function fieldFaults(strictErrors: readonly string[]): string {
  const texts = strictErrors.map((text) => {
    const path = /^unknown field "(.*)"$/.exec(text)?.[1];
    return path === undefined ? text : `.${path}: field not declared in schema`;
  });
  return texts.length === 1 ? (texts[0] as string) : `errors:\n${texts.map((text) => `  ${text}`).join("\n")}`;
}

/** Paths of lists, maps and structs in `value` that only change as a whole. */
function atomicsOf(shape: Shape, value: JsonValue, path: string): readonly string[] {
  if (Array.isArray(value)) {
    if (shape.kind === "keyed") return value.flatMap((item, index) => atomicsOf(shape.of, item, `${path}[${index}]`));
    return shape.kind === "set" ? [] : [path];
  }
  if (!isObject(value)) return [];
  if (shape.kind === "leaf") return [path];
  const fieldOf = (name: string): Shape | undefined => {
    if (shape.kind === "struct") return shape.field(name);
    return shape.kind === "map" ? shape.of : shape;
  };
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = fieldOf(name);
    return field === undefined ? [] : atomicsOf(field, inner, `${path}.${name}`);
  });
}

/** The object with a list of `JSONPatch{…}` carried out; unchanged when a test fails. Throws CelFault. */
export function withJsonPatch(definition: ResourceDefinition, object: KubeObject, value: unknown): KubeObject {
  if (!Array.isArray(value)) throw new CelFault("type mismatch: JSONPatchType.expression should evaluate to array");
  const operations = value.map(operationOf);
  try {
    const patched = applyJsonPatch(wireObject(definition, object, "request") as JsonValue, operations);
    const result = complete(definition, patched, internalError);
    if (result.strictErrors.length > 0) throw internalError(`strict decoding error: ${result.strictErrors.join(", ")}`);
    return result.object;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.message.endsWith(": test failed")) return object;
    throw new CelFault(`JSON Patch: ${error.message}`);
  }
}

function operationOf(item: unknown): JsonValue {
  if (!(item instanceof ObjectLiteral) || item.typeName !== "JSONPatch") {
    throw new CelFault("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
  }
  const { op, path, from, value } = item.fields;
  if (value instanceof ObjectLiteral) checkTypeNames(value, [...value.typeName.split(".")]);
  return {
    op: String(op ?? ""),
    path: String(path ?? ""),
    ...(from === undefined ? {} : { from: String(from) }),
    ...(value === undefined ? {} : { value: jsonOf(value) }),
  };
}

function complete(
  definition: ResourceDefinition,
  value: JsonValue,
  refuse: (cause: string) => Error,
): { readonly object: KubeObject; readonly strictErrors: readonly string[] } {
  const { object, strictErrors } = decodeTyped(definition, value, refuse);
  return { object: definition.defaults?.(object) ?? object, strictErrors };
}
