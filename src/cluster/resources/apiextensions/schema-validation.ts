// The rules for a schema of a CustomResourceDefinition, node by node: what OpenAPI may say here, list and map types, CEL rules
// (apiextensions-apiserver, pkg/apis/apiextensions/validation: ValidateCustomResourceDefinitionOpenAPISchema).

import { isList } from "#cluster/api/wire.ts";
import { FieldErrors, type Path } from "../field-errors.ts";
import { RuleCosts } from "./rule-costs.ts";
import { innerCount } from "./rule-sizes.ts";
import { compiledRules } from "./rules.ts";
import { normalizedFieldPath } from "./simple-path.ts";
import { additionalOf, itemsOf, resourceFields, type Schema } from "./structural-schema.ts";

const types = ["array", "boolean", "integer", "number", "object", "string"];
const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** What the place of a schema says of it. */
interface Place {
  readonly isRoot: boolean;
  /** Type and metadata of a resource. */
  readonly insideMetadata: boolean;
  /** Why there may be no default; undefined where there may. */
  readonly forbidsDefault: string | undefined;
  /** Below a list whose items cannot be told apart, oldSelf has no meaning. */
  readonly uncorrelatable: Path | undefined;
  /** Rules are compiled: the schema is structural and this is no alternative. */
  readonly compiles: boolean;
  /** How often it may stand in an object; undefined where nothing bounds that. */
  readonly count: number | undefined;
  readonly costs: RuleCosts;
}

/** Faults of schemas come before faults of rules. */
interface Found {
  readonly schema: FieldErrors;
  readonly rules: FieldErrors;
}

export function validateSchema(root: Schema, path: Path, compiles: boolean, errors: FieldErrors): void {
  const found: Found = { schema: new FieldErrors(), rules: new FieldErrors() };
  const costs = new RuleCosts();
  const beginning = { isRoot: true, insideMetadata: false, forbidsDefault: undefined, uncorrelatable: undefined };
  visit(root, path, { ...beginning, compiles, count: 1, costs }, found);
  costs.whole(path, found.rules);
  errors.causes.push(...found.schema.causes, ...found.rules.causes);
}

function visit(schema: Schema, path: Path, place: Place, into: Found): void {
  const found: Found = { schema: new FieldErrors(), rules: new FieldErrors() };
  keywords(schema, path, place, found.schema);
  if (schema.uniqueItems === true) {
    found.schema.forbidden(
      path.child("uniqueItems"),
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    );
  }
  visitInner(schema, path, place, found);
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    found.schema.invalid(path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
  }
  mapType(schema, path, found.schema);
  listType(schema, path, found.schema);
  rules(schema, path, place, found);
  into.schema.causes.push(...found.schema.causes);
  into.rules.causes.push(...found.rules.causes);
}

function keywords(schema: Schema, path: Path, place: Place, errors: FieldErrors): void {
  const { type } = schema;
  if (type && !types.includes(type)) errors.notSupported(path.child("type"), type, types);
  if (schema.default !== undefined && schema.default !== null && place.forbidsDefault !== undefined) {
    errors.forbidden(path.child("default"), `must not be set ${place.forbidsDefault}`);
  }
  if (schema.id) errors.forbidden(path.child("id"), "id is not supported");
  if (schema.additionalItems !== undefined) errors.forbidden(path.child("additionalItems"), "additionalItems is not supported");
  for (const name of ["patternProperties", "definitions"] as const) {
    if (Object.keys(schema[name] ?? {}).length > 0) errors.forbidden(path.child(name), `${name} is not supported`);
  }
  if (schema.dependencies !== undefined) errors.forbidden(path.child("dependencies"), "dependencies is not supported");
  if (schema.$ref !== undefined) errors.forbidden(path.child("$ref"), "$ref is not supported");
  if (type === "null") errors.forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative");
  if (isList(schema.items) && schema.items.length > 0)
    errors.forbidden(path.child("items"), "items must be a schema object and not an array");
  if (place.insideMetadata && schema["x-kubernetes-embedded-resource"] === true) {
    errors.forbidden(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
  }
}

function visitInner(schema: Schema, path: Path, around: Place, found: Found): void {
  const { properties = {}, additionalProperties, not, allOf = [], oneOf = [], anyOf = [] } = schema;
  const each = innerCount(schema);
  const place = { ...around, count: around.count === undefined || each === undefined ? undefined : around.count * each };
  const inner: Place = { ...place, isRoot: false };
  if (additionalProperties !== undefined) {
    if (Object.keys(properties).length > 0 && additionalProperties !== true) {
      found.schema.forbidden(path.child("additionalProperties"), "additionalProperties and properties are mutual exclusive");
    }
    const additional = additionalOf(schema);
    const reason = "inside additionalProperties applying to object metadata";
    const there = place.insideMetadata ? { ...inner, forbidsDefault: reason } : inner;
    if (additional !== undefined) visit(additional, path.child("additionalProperties"), there, found);
  }
  for (const [name, property] of Object.entries(properties)) {
    visit(property, path.child("properties").key(name), placeOfProperty(schema, name, place), found);
  }
  const alternative: Place = { ...inner, compiles: false };
  if (not !== undefined) visit(not, path.child("not"), alternative, found);
  for (const [name, list] of [
    ["allOf", allOf],
    ["oneOf", oneOf],
    ["anyOf", anyOf],
  ] as const) {
    list.forEach((one, index) => {
      visit(one, path.child(name).index(index), alternative, found);
    });
  }
  const items = itemsOf(schema);
  if (items === undefined) return;
  const isMap = schema["x-kubernetes-list-type"] === "map";
  visit(items, path.child("items"), isMap ? inner : { ...inner, uncorrelatable: place.uncorrelatable ?? path }, found);
}

function placeOfProperty(schema: Schema, name: string, place: Place): Place {
  const inner: Place = { ...place, isRoot: false };
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (!isResource || !resourceFields.has(name)) return inner;
  return { ...inner, insideMetadata: true, ...(place.isRoot ? { forbidsDefault: `in top-level ${name}` } : {}) };
}

function mapType(schema: Schema, path: Path, errors: FieldErrors): void {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return;
  requireType(schema, "object", "x-kubernetes-map-type", path, errors);
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.notSupported(path.child("x-kubernetes-map-type"), mapType, ["atomic", "granular"]);
  }
}

function requireType(schema: Schema, wanted: string, extension: string, path: Path, errors: FieldErrors): void {
  if (schema.type === wanted) return;
  const detail = `must be ${wanted} if ${extension} is specified`;
  if (!schema.type) errors.required(path.child("type"), detail);
  else errors.invalid(path.child("type"), schema.type, detail);
}

function listType(schema: Schema, path: Path, errors: FieldErrors): void {
  const listType = schema["x-kubernetes-list-type"];
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const at = path.child("x-kubernetes-list-type");
  if (listType !== undefined) {
    if (schema.type !== "array") requireType(schema, "array", "x-kubernetes-list-type", path, errors);
    else if (listType === "set") atomicItems(itemsOf(schema), path.child("items"), errors);
    if (!["atomic", "set", "map"].includes(listType)) errors.notSupported(at, listType, ["atomic", "set", "map"]);
  }
  if (keys.length > 0) {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    if (listType === undefined) errors.required(at, detail);
    else if (listType !== "map") errors.invalid(at, listType, detail);
  }
  if (listType === "map") mapKeys(schema, keys, path, errors);
  if (listType === "map" || listType === "set") itemRules(schema, listType, keys, path, errors);
}

function atomicItems(items: Schema | undefined, path: Path, errors: FieldErrors): void {
  if (items === undefined) return;
  const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
  const listType = items["x-kubernetes-list-type"];
  if (items.type === "array" && listType !== undefined && listType !== "atomic") {
    errors.invalid(path.child("x-kubernetes-list-type"), listType, detail);
  }
  if (items.type === "object" && items["x-kubernetes-map-type"] !== "atomic") {
    errors.invalid(path.child("x-kubernetes-map-type"), listType, detail);
  }
}

function mapKeys(schema: Schema, keys: readonly string[], path: Path, errors: FieldErrors): void {
  const at = path.child("x-kubernetes-list-map-keys");
  if (keys.length === 0) errors.required(at, "must not be empty if x-kubernetes-list-type is map");
  const items = itemsOf(schema);
  if (schema.items === undefined) errors.required(path.child("items"), "must have a schema if x-kubernetes-list-type is map");
  else if (items === undefined) {
    errors.invalid(path.child("items"), schema.items, "must only have a single schema if x-kubernetes-list-type is map");
  }
  if (items === undefined) return;
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.invalid(path.child("items").child("type"), items.type ?? "", detail);
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined) errors.invalid(at, keys, "entries must all be names of item properties");
    else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.invalid(path.child("items").child("properties").key(key).child("type"), items.type, detail);
    }
    if (seen.has(key)) errors.invalid(at, keys, "must not contain duplicate entries");
    seen.add(key);
  }
}

function itemRules(schema: Schema, listType: string, keys: readonly string[], path: Path, errors: FieldErrors): void {
  const items = itemsOf(schema);
  if (items === undefined) return;
  const at = path.child("items");
  if (items.nullable === true)
    errors.forbidden(at.child("nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  if (listType !== "map") return;
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const own = at.child("properties").key(key);
    if (items.required?.includes(key) !== true && (property.default === undefined || property.default === null)) {
      errors.required(
        own.child("default"),
        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
      );
    }
    if (property.nullable === true) {
      errors.forbidden(own.child("nullable"), "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
    }
  }
}

function rules(schema: Schema, path: Path, place: Place, found: Found): void {
  const list = schema["x-kubernetes-validations"] ?? [];
  if (list.length === 0) return;
  const at = path.child("x-kubernetes-validations");
  list.forEach((rule, index) => {
    ruleFields(rule, schema, at.index(index), found.schema);
  });
  // Rules over a schema that is wrong have faults that nobody could act on.
  if (!found.schema.isEmpty || !place.compiles) return;
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  compiledRules(schema, isResource).forEach((compiled, index) => {
    const own = at.index(index);
    const { rule, fault, message, messageFault, usesOldSelf } = compiled;
    place.costs.rule(compiled.maximumCost, { schema, isResource, count: place.count }, own.child("rule"), found.rules);
    if (fault !== undefined) found.rules.invalid(own.child("rule"), internalRule(rule), fault);
    if (messageFault !== undefined) found.rules.invalid(own.child("messageExpression"), internalRule(rule), messageFault);
    else if (message !== undefined) place.costs.message(compiled.maximumMessageCost, own.child("messageExpression"), found.rules);
    if (usesOldSelf && place.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`;
      found.rules.invalid(own.child("rule"), rule.rule, detail);
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      found.rules.invalid(own.child("optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule");
    }
  });
}

type Rule = NonNullable<Schema["x-kubernetes-validations"]>[number];

/** A rule as upstream's internal type prints it. */
function internalRule(rule: Rule): unknown {
  return {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);

function ruleFields(
  { rule, message = "", messageExpression = "", reason, fieldPath = "" }: Rule,
  schema: Schema,
  path: Path,
  errors: FieldErrors,
): void {
  if (rule.trim() === "") errors.required(path.child("rule"), "rule is not specified");
  else if (message !== "" && message.trim() === "")
    errors.invalid(path.child("message"), message, "must be non-empty if specified");
  else if (hasLineBreak(message.trim())) errors.invalid(path.child("message"), message, "must not contain line breaks");
  else if (hasLineBreak(rule.trim()) && message.trim() === "") {
    errors.required(path.child("message"), "message must be specified if rule contains line breaks");
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.required(path.child("messageExpression"), "messageExpression must be non-empty if specified");
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(path.child("reason"), reason, reasons);
  const at = path.child("fieldPath");
  if (fieldPath !== "" && fieldPath.trim() === "") errors.invalid(at, fieldPath, "must be non-empty if specified");
  if (hasLineBreak(fieldPath)) errors.invalid(at, fieldPath, "must not contain line breaks");
  if (fieldPath !== "" && normalizedFieldPath(fieldPath, schema) === undefined) {
    errors.invalid(at, fieldPath, "must be a valid path");
  }
}
