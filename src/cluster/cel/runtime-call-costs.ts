// What calls of functions cost while an expression runs, by the values that they were given.

import { encodeUtf8 } from "#sim/bytes.ts";
import { addressSizeOf } from "./network.ts";
import { namedFormats } from "./strings.ts";

const traversal = 0.1;
const regexFactor = 0.25;
/** What an authorization check costs: two fill an expression. */
const authorizationCheck = 350_000;
const requirementCost = 50;

/** Lengths of the expressions that formats are tested by. */
const formatSizes: { readonly [name: string]: number } = {
  dns1123Label: 30,
  dns1123Subdomain: 60,
  dns1035Label: 30,
  qualifiedName: 60,
  dns1123LabelPrefix: 30,
  dns1123SubdomainPrefix: 60,
  dns1035LabelPrefix: 30,
  labelValue: 40,
  uri: 1103,
  uuid: 70,
  byte: 84,
  date: 71,
  datetime: 71,
};

/** Functions that read their first value, and how often. */
const perCharacter: { readonly [name: string]: number } = {
  startsWith: 1,
  endsWith: 1,
  url: 1,
  lowerAscii: 1,
  upperAscii: 1,
  substring: 1,
  trim: 1,
  format: 1,
  "jsonpatch.escapeKey": 1,
  "strings.quote": 1,
  cidr: 1,
  isIP: 1,
  isCIDR: 1,
  quantity: 1,
  isQuantity: 1,
  semver: 1,
  isSemver: 1,
  replace: 2,
  split: 2,
  "ip.isCanonical": 2,
};

/** Characters of a text, items of a list, entries of a map; one for everything else. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") {
    let size = 0;
    for (const _ of value) size += 1;
    return size;
  }
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Map || value instanceof Set) return value.size;
  return isPlain(value) ? Object.keys(value).length : (addressSizeOf(value) ?? 1);
}

/** `kind`: of the last argument, as it was checked. */
export function callCost(name: string, values: readonly unknown[], result: unknown, kind: string): number {
  const [first, second] = values;
  const size = sizeOf(first);
  const argument = sizeOf(second);
  const linear = perCharacter[name];
  if (linear !== undefined) return Math.ceil(size * linear * traversal);
  switch (name) {
    case "check":
      return authorizationCheck;
    case "fieldSelector":
    case "labelSelector":
      return 10 + Math.ceil(argument * traversal) + Math.ceil(Math.ceil(argument / 2) * requirementCost);
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return traversalCost(first);
    case "ip":
      return typeof first === "string" ? Math.ceil(size * traversal) : 1;
    case "join":
      return Math.ceil(sizeOf(result) * 2 * traversal);
    case "find":
    case "findAll":
    case "matches":
      return matchCost(size, argument);
    case "contains":
      return Math.ceil(size * traversal) * Math.ceil(argument * traversal);
    case "containsIP":
    case "containsCIDR":
      return addressCost(name, first, second);
    case "validate":
      return matchCost(argument, formatSizes[Object.keys(namedFormats).find((known) => namedFormats[known] === first) ?? ""] ?? 0);
    case "string":
      return kind === "bytes" ? Math.ceil(size * traversal) : 1;
    case "bytes":
      return kind === "string" ? Math.ceil(size * traversal) : 1;
    case "sets.contains":
    case "sets.intersects":
      return 1 + size * argument;
    case "sets.equivalent":
      return 1 + size * argument * 2;
    default:
      return 1;
  }
}

/** The text counts one more, so that an empty one is not free. */
function matchCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * traversal) * Math.ceil(pattern * regexFactor);
}

function addressCost(name: string, network: unknown, other: unknown): number {
  const size = sizeOf(network);
  const masked = name === "containsCIDR" ? Math.ceil(size * traversal) + 1 : 0;
  const read = typeof other === "string" ? Math.ceil(sizeOf(other) * traversal) : 0;
  return Math.ceil(2 * size * traversal) + masked + read;
}

/** Of everything that a value holds; texts by their bytes, and rounded down. */
function traversalCost(value: unknown): number {
  if (typeof value === "string") return Math.floor(encodeUtf8(value).length * traversal);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversal);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + traversalCost(item), 0);
  if (!(value instanceof Map) && !isPlain(value)) return 1;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.reduce((sum, [key, item]) => sum + traversalCost(key) + traversalCost(item), 0);
}

function isPlain(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
