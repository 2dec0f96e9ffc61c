// How large what a schema describes can become in a request, by which the costs of its rules are estimated (apiserver,
// pkg/cel/common/schemas.go).

import type { Int64 } from "#cluster/api/wire.ts";
import type { Range } from "#cluster/cel/cost-ranges.ts";
import { byteLength } from "#sim/bytes.ts";
import { escapedName, hasRuleType, withTypeAndMetadata } from "./rule-values.ts";
import { additionalOf, itemsOf, propertyOf, type Schema } from "./structural-schema.ts";

const maximumRequestBytes = 3 * 1024 * 1024;
const durationLength = 32;
const dateLength = 12;
const timeLength = 32;

/** The size of what stands at a path below a value of the schema; undefined where rules see nothing. */
export function sizeAt(schema: Schema, isResource: boolean, path: readonly string[]): Range | undefined {
  let current: Schema | undefined = isResource ? withTypeAndMetadata(schema) : schema;
  for (const name of path) {
    current = current === undefined ? undefined : within(current, name);
    if (current?.["x-kubernetes-embedded-resource"] === true) current = withTypeAndMetadata(current);
  }
  return current === undefined || !hasRuleType(current) ? undefined : { min: 0, max: largestSize(current) };
}

const key: Schema = { type: "string", maxLength: 0 };

function within(schema: Schema, name: string): Schema | undefined {
  if (name === "@items") return schema.type === "array" ? itemsOf(schema) : undefined;
  const additional = schema.type === "object" ? additionalOf(schema) : undefined;
  if (name === "@values") return additional ?? (schema.type === "array" ? itemsOf(schema) : undefined);
  if (name === "@keys") return additional === undefined ? undefined : key;
  if (additional !== undefined) return undefined;
  const property = Object.keys(schema.properties ?? {}).find((one) => escapedName(one) === name);
  return property === undefined ? undefined : propertyOf(schema, property);
}

/** Of items, properties or bytes; objects and scalars have none. */
function largestSize(schema: Schema): number {
  if (schema["x-kubernetes-int-or-string"] === true) return lengthOr(schema, maximumRequestBytes - 2);
  switch (schema.type) {
    case "array":
      return count(schema.maxItems) ?? Math.floor((maximumRequestBytes - 2) / (smallestSize(itemsOf(schema)) + 1));
    case "object": {
      const additional = additionalOf(schema);
      if (additional === undefined) return 0;
      return count(schema.maxProperties) ?? Math.floor((maximumRequestBytes - 2) / (smallestSize(additional) + 6));
    }
    case "string":
      return largestText(schema);
    default:
      return 0;
  }
}

function largestText(schema: Schema): number {
  switch (schema.format) {
    case "byte":
      return count(schema.maxLength) ?? maximumRequestBytes - 2;
    case "duration":
      return durationLength;
    case "date":
      return dateLength;
    case "date-time":
      return timeLength;
    default: {
      const longest = Math.max(0, ...(schema.enum ?? []).map((one) => (typeof one === "string" ? byteLength(one) : 0)));
      return lengthOr(schema, (schema.enum ?? []).length > 0 ? longest : maximumRequestBytes - 2);
    }
  }
}

/** A character may take four bytes. */
function lengthOr({ maxLength }: Schema, otherwise: number): number {
  const characters = count(maxLength);
  return characters === undefined ? otherwise : characters * 4;
}

function count(limit: Int64 | undefined): number | undefined {
  return limit === undefined || limit === null ? undefined : Math.max(0, Number(limit));
}

/** The fewest bytes that a value takes as JSON. */
export function smallestSize(schema: Schema | undefined, isResource = schema?.["x-kubernetes-embedded-resource"] === true): number {
  if (schema === undefined) return 2;
  if (schema["x-kubernetes-int-or-string"] === true) return 1;
  switch (schema.type) {
    case "boolean":
      return 4;
    case "integer":
    case "number":
      return 1;
    case "string":
      return smallestText(schema.format);
    case "object":
      return additionalOf(schema) === undefined ? smallestObject(isResource ? withTypeAndMetadata(schema) : schema) : 2;
    default:
      return 2;
  }
}

function smallestText(format: string | undefined): number {
  switch (format) {
    case "duration":
      return 3;
    case "date":
      return dateLength;
    case "date-time":
      return 21;
    default:
      return 2;
  }
}

function smallestObject({ properties = {}, required = [] }: Schema): number {
  let size = 2;
  for (const [name, property] of Object.entries(properties)) {
    const isFilled = property.default !== undefined && property.default !== null;
    if (required.includes(name) && !isFilled && hasRuleType(property)) size += byteLength(name) + smallestSize(property) + 4;
  }
  return size;
}

/** How often a value can stand in a request that nothing else bounds. */
export function unboundedCount(schema: Schema, isResource: boolean): number {
  return Math.floor(maximumRequestBytes / (smallestSize(schema, isResource) + 1));
}

/** How often values of inner schemas stand in one of this; undefined where nothing bounds it. */
export function innerCount(schema: Schema): number | undefined {
  if (schema.type === "array") return count(schema.maxItems);
  if (schema.type === "object" && schema.additionalProperties !== undefined) return count(schema.maxProperties);
  return 1;
}
