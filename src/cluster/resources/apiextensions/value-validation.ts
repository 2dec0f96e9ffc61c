// Whether a value is what its schema says, in the words of kube-openapi's validator, which also decides in what order faults are
// found and which of several alternatives (anyOf, oneOf) is told of: the one with the most checks passed.
// (kube-openapi, pkg/validation/validate; apiextensions-apiserver, pkg/apiserver/validation)

import { deepEqual } from "#cluster/api/equality.ts";
import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { type Int64, isList, isObject, type JsonObject } from "#cluster/api/wire.ts";
import { hasFormat, isKnownFormat } from "#cluster/cel/named-formats.ts";
import { type FieldErrors, Path } from "../field-errors.ts";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./structural-schema.ts";

/** What an error is told as. */
type Fault =
  | { readonly kind: "required" | "composite"; readonly path: string; readonly message: string }
  | {
      readonly kind: "enum";
      readonly path: string;
      readonly value: JsonValue;
      readonly allowed: readonly string[];
      readonly message: string;
    }
  | { readonly kind: "tooLong"; readonly path: string; readonly limit: Int64; readonly message: string }
  | { readonly kind: "tooMany"; readonly path: string; readonly count: number; readonly limit: Int64; readonly message: string }
  | { readonly kind: "type" | "invalid"; readonly path: string; readonly value: JsonValue; readonly message: string };

/** What was there before an update at the place of a value: unchanged parts may stay as wrong as they were. */
export interface Before {
  readonly value: JsonValue;
}

class Outcome {
  readonly faults: Fault[] = [];
  /** Checks made. */
  checks = 0;

  add(fault: Fault): void {
    if (!this.faults.some((known) => known.message === fault.message)) this.faults.push(fault);
  }

  merge(other: Outcome): void {
    for (const fault of other.faults) this.add(fault);
    this.checks += other.checks;
  }
}

/**
 * Collects the faults of a value at `prefix` ("" for a whole resource). `before`: the value that an update replaces.
 */
export function validateValue(
  value: JsonValue,
  schema: Schema,
  prefix: string,
  before: Before | undefined,
  errors: FieldErrors,
): void {
  for (const fault of check(value, schema, "", before, true).faults) report(fault, prefix, errors);
}

function report(fault: Fault, prefix: string, errors: FieldErrors): void {
  const relative = fault.path.startsWith(".") ? fault.path.slice(1) : fault.path;
  const text = [prefix, relative].filter((part) => part !== "").join(".");
  const path = new Path(text === "" ? "<nil>" : text);
  switch (fault.kind) {
    case "required":
      errors.required(path);
      return;
    case "enum":
      errors.notSupported(path, fault.value, fault.allowed);
      return;
    case "tooLong":
      errors.tooLong(path, fault.limit);
      return;
    case "tooMany":
      errors.tooMany(path, fault.count, fault.limit);
      return;
    case "type":
      errors.typeInvalid(path, fault.value, fault.message);
      return;
    case "invalid":
      errors.invalid(path, fault.value, fault.message);
      return;
    case "composite":
      // Alternatives are told of at the root, whatever they are alternatives of.
      errors.invalid(new Path(prefix === "" ? "<nil>" : prefix), "", fault.message);
  }
}

function check(value: JsonValue, schema: Schema, path: string, before: Before | undefined, isRoot = false): Outcome {
  const outcome = checked(value, schema, path, before, isRoot);
  if (before === undefined || outcome.faults.length === 0 || !deepEqual(value, before.value)) return outcome;
  const forgiven = new Outcome();
  forgiven.checks = outcome.checks;
  return forgiven;
}

function checked(value: JsonValue, schema: Schema, path: string, before: Before | undefined, isRoot: boolean): Outcome {
  const outcome = new Outcome();
  if (value === null) {
    checkType(value, schema, path, outcome);
    checkEnum(value, schema, path, outcome);
    return outcome;
  }
  checkType(value, schema, path, outcome);
  checkAlternatives(value, schema, path, outcome);
  if (typeof value === "string") checkString(value, schema, path, outcome);
  if (typeof value === "number" || typeof value === "bigint") checkNumber(value, schema, path, outcome);
  if (isList(value)) checkList(value, schema, path, before, outcome);
  checkEnum(value, schema, path, outcome);
  if (isObject(value)) outcome.merge(checkObject(value, schema, path, before, isRoot));
  outcome.checks += 1;
  return outcome;
}

function typesOf(schema: Schema): readonly string[] {
  if (schema["x-kubernetes-int-or-string"] === true) return ["integer", "string"];
  return schema.type ? [schema.type] : [];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "integer";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return isList(value) ? "array" : typeof value;
}

function checkType(value: JsonValue, schema: Schema, path: string, outcome: Outcome): void {
  const types = typesOf(schema);
  const format = schema.format && isKnownFormat(schema.type, schema.format) ? schema.format : "";
  if (value !== null && types.length === 0 && format === "") return;
  outcome.checks += value === null ? 1 : 2;
  const actual = typeOf(value);
  if (value === null ? types.length === 0 || schema.nullable === true : types.includes(actual)) return;
  if (actual === "integer" && types.includes("number")) return;
  const hasText = typeof value === "string" || isList(value);
  if (types.length === 0 && hasText) return;
  if (!types.includes("number") && !types.includes("integer") && format !== "" && hasText) return;
  const wanted = format !== "" && !hasText && value !== null ? format : types.join(",");
  const shown = format !== "" && !hasText && value !== null ? formatOf(value) : actual;
  const message = `${path} in body must be of type ${wanted}: ${JSON.stringify(shown)}`;
  outcome.add({ kind: "type", path, value: shown, message });
}

/** What the validator calls the format of a value that has none of its own. */
function formatOf(value: JsonValue): string {
  if (typeof value === "bigint") return "int64";
  if (typeof value !== "number") return "";
  return Number.isInteger(value) ? "int64" : "double";
}

function checkAlternatives(value: JsonValue, schema: Schema, path: string, outcome: Outcome): void {
  const { anyOf = [], oneOf = [], allOf = [], not } = schema;
  if (anyOf.length > 0) checkAnyOf(value, anyOf, path, outcome);
  if (oneOf.length > 0) checkOneOf(value, oneOf, path, outcome);
  let valid = 0;
  for (const inner of allOf) {
    const result = check(value, inner, path, undefined);
    if (result.faults.length === 0) valid += 1;
    outcome.merge(result);
  }
  if (valid !== allOf.length)
    composite(outcome, path, `must validate all the schemas (allOf)${valid === 0 ? ". None validated" : ""}`);
  if (not !== undefined && check(value, not, path, undefined).faults.length === 0) {
    composite(outcome, path, "must not validate the schema (not)");
  }
  outcome.checks += 2;
}

function composite(outcome: Outcome, path: string, text: string): void {
  outcome.add({ kind: "composite", path, message: `${JSON.stringify(path)} ${text}` });
}

function checkAnyOf(value: JsonValue, alternatives: readonly Schema[], path: string, outcome: Outcome): void {
  let best: Outcome | undefined;
  for (const inner of alternatives) {
    const result = check(value, inner, path, undefined);
    if (result.faults.length === 0) {
      outcome.merge(result);
      return;
    }
    if (best === undefined || result.checks > best.checks) best = result;
  }
  composite(outcome, path, "must validate at least one schema (anyOf)");
  if (best !== undefined) outcome.merge(best);
}

function checkOneOf(value: JsonValue, alternatives: readonly Schema[], path: string, outcome: Outcome): void {
  let best: Outcome | undefined;
  let first: Outcome | undefined;
  let valid = 0;
  for (const inner of alternatives) {
    const result = check(value, inner, path, undefined);
    if (result.faults.length === 0) {
      valid += 1;
      best = undefined;
      first ??= result;
    } else if (valid === 0 && (best === undefined || result.checks > best.checks)) best = result;
  }
  if (valid === 1) {
    outcome.merge(first as Outcome);
    return;
  }
  const found = valid === 0 ? "Found none valid" : `Found ${valid} valid alternatives`;
  composite(outcome, path, `must validate one and only one schema (oneOf). ${found}`);
  if (best !== undefined) outcome.merge(best);
}

function checkString(value: string, schema: Schema, path: string, outcome: Outcome): void {
  const { maxLength, minLength, pattern, format } = schema;
  const length = maxLength === undefined && minLength === undefined ? 0 : [...value].length;
  const fault = (text: string): void => outcome.add({ kind: "invalid", path, value, message: `${path} in body ${text}` });
  if (maxLength !== undefined && length > maxLength) {
    outcome.add({ kind: "tooLong", path, limit: maxLength, message: `${path} in body should be at most ${maxLength} chars long` });
  } else if (minLength !== undefined && length < minLength) fault(`should be at least ${minLength} chars long`);
  else if (pattern && !goRegExp(pattern).test(value)) fault(`should match '${pattern}'`);
  outcome.checks += 1;
  if (!format || !isKnownFormat(schema.type, format) || schema["x-kubernetes-int-or-string"] === true) return;
  outcome.checks += 1;
  if (hasFormat(value, format)) return;
  outcome.add({ kind: "type", path, value, message: `${path} in body must be of type ${format}: ${JSON.stringify(value)}` });
}

const int32Limit = 2 ** 31;

function checkNumber(value: Int64, schema: Schema, path: string, outcome: Outcome): void {
  const { multipleOf, maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false, format, type } = schema;
  const fault = (text: string): void => outcome.add({ kind: "invalid", path, value, message: text });
  if (type === "integer" && format === "int32" && (value >= int32Limit || value < -int32Limit)) {
    fault(`Checked value must be of type integer with format int32 in ${path}`);
  }
  if (multipleOf !== undefined) {
    if (multipleOf <= 0) fault(`factor MultipleOf declared for ${path} must be positive: ${multipleOf}`);
    else if (!Number.isInteger(multipleOf < 1 ? (1 / multipleOf) * Number(value) : Number(value) / multipleOf)) {
      fault(`${path} in body should be a multiple of ${multipleOf}`);
    }
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    fault(`${path} in body should be less than ${exclusiveMaximum ? "" : "or equal to "}${maximum}`);
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    fault(`${path} in body should be greater than ${exclusiveMinimum ? "" : "or equal to "}${minimum}`);
  }
  outcome.checks += 2;
}

function checkList(list: readonly JsonValue[], schema: Schema, path: string, before: Before | undefined, outcome: Outcome): void {
  const items = itemsOf(schema);
  if (items !== undefined) {
    list.forEach((item, index) => {
      outcome.merge(check(item, items, `${path}[${index}]`, itemBefore(schema, item, before)));
    });
  }
  const { length } = list;
  const { minItems, maxItems, uniqueItems } = schema;
  if (minItems !== undefined && length < minItems) {
    const message = `${path} in body should have at least ${minItems} items`;
    outcome.add({ kind: "invalid", path, value: length, message });
  }
  if (maxItems !== undefined && length > maxItems) {
    const message = `${path} in body should have at most ${maxItems} items`;
    outcome.add({ kind: "tooMany", path, count: length, limit: maxItems, message });
  }
  if (uniqueItems === true && list.some((item, index) => list.slice(0, index).some((other) => deepEqual(item, other)))) {
    outcome.add({ kind: "invalid", path, value: "", message: `${path} in body shouldn't contain duplicates` });
  }
  outcome.checks += 2;
}

/** Items of lists that are maps by keys are the same item as before when their keys are; others are not compared. */
export function itemBefore(schema: Schema, item: JsonValue, before: Before | undefined): Before | undefined {
  if (before === undefined || schema["x-kubernetes-list-type"] !== "map" || !isList(before.value) || !isObject(item))
    return undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const found = before.value.find((old) => isObject(old) && keys.every((key) => deepEqual(old[key], item[key])));
  return found === undefined ? undefined : { value: found };
}

export function fieldBefore(before: Before | undefined, name: string): Before | undefined {
  if (before === undefined || !isObject(before.value) || !Object.hasOwn(before.value, name)) return undefined;
  return { value: before.value[name] as JsonValue };
}

function checkEnum(value: JsonValue, schema: Schema, path: string, outcome: Outcome): void {
  if (value !== null) outcome.checks += 1;
  const { enum: allowed = [] } = schema;
  if (allowed.length === 0 || allowed.some((one) => one !== null && deepEqual(one, value))) return;
  const texts = allowed.map((one) => (typeof one === "string" ? one : jsonText(one)));
  outcome.add({ kind: "enum", path, value, allowed: texts, message: `${path} in body should be one of [${texts.join(" ")}]` });
}

function checkObject(object: JsonObject, schema: Schema, path: string, before: Before | undefined, isRoot: boolean): Outcome {
  const outcome = new Outcome();
  const { minProperties, maxProperties, properties = {}, required = [] } = schema;
  const names = Object.keys(object);
  if (minProperties !== undefined && names.length < minProperties) {
    const message = `${path} in body should have at least ${minProperties} properties`;
    outcome.add({ kind: "invalid", path, value: names.length, message });
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    const message = `${path} in body should have at most ${maxProperties} properties`;
    outcome.add({ kind: "tooMany", path, count: names.length, limit: maxProperties, message });
  }
  const additional = additionalOf(schema);
  for (const name of names) {
    if (propertyOf(schema, name) !== undefined) continue;
    const field = object[name] as JsonValue;
    if (additional !== undefined) outcome.merge(check(field, additional, `${path}.${name}`, fieldBefore(before, name)));
    else if (schema.additionalProperties === false) {
      outcome.add({ kind: "invalid", path, value: name, message: `${path}.${name} in body is a forbidden property` });
    }
  }
  for (const [name, property] of Object.entries(properties)) {
    if (!Object.hasOwn(object, name)) continue;
    // The type of the whole is the version's own, not the client's: what it was before does not count.
    const old = isRoot && (name === "apiVersion" || name === "kind") ? undefined : fieldBefore(before, name);
    outcome.merge(check(object[name] as JsonValue, property, path === "" ? name : `${path}.${name}`, old));
  }
  for (const name of required) {
    if (Object.hasOwn(object, name)) continue;
    outcome.add({ kind: "required", path: `${path}.${name}`, message: `${path}.${name} in body is required` });
  }
  outcome.checks += 1;
  return outcome;
}
