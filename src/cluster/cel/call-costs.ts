// What a call is estimated to cost at most: Kubernetes' functions (apiserver, pkg/cel/library/cost.go) and those of the language
// (cel-go, checker/cost.go).

import { fixed, nothing, plus, type Range, times, timesFactor } from "./cost-ranges.ts";

/** An operand as estimates see it. */
export interface Operand {
  readonly kind: string;
  /** The type of a list's items. */
  readonly itemKind: string | undefined;
  readonly size: Range;
  /** Of a list's items. */
  readonly itemSize: Range;
  /** Its value where it is a whole number written out. */
  readonly literal: number | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  /** Of what is answered, where that has a size. */
  readonly size?: Range;
}

const traversal = 0.1;
const regexFactor = 0.25;
const nameFormatLength = 128;
const one = fixed(1);

const nominal: ReadonlySet<string> = new Set(
  "masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch getScheme getHostname getHost getPort getEscapedPath getQuery".split(
    " ",
  ),
);

/** Without its operands' own costs. */
export function estimateCall(name: string, target: Operand | undefined, args: readonly Operand[]): CallEstimate {
  if (nominal.has(name)) return { cost: one };
  const found = target === undefined ? freeCall(name, args) : memberCall(name, target, args);
  return found ?? { cost: one };
}

function freeCall(name: string, args: readonly Operand[]): CallEstimate | undefined {
  const size = args[0]?.size ?? nothing;
  switch (name) {
    case "url":
    case "jsonpatch.escapeKey":
      return { cost: timesFactor(size, traversal), size };
    case "cidr":
    case "isIP":
    case "isCIDR":
    case "ip":
    case "quantity":
    case "isQuantity":
    case "semver":
    case "isSemver":
      return { cost: timesFactor(size, traversal) };
    case "ip.isCanonical":
      return { cost: timesFactor(size, 2 * traversal) };
    case "bytes":
      return args[0]?.kind === "string"
        ? { cost: timesFactor(size, traversal), size: { min: size.min, max: size.max * 4 } }
        : undefined;
    case "string":
      return args[0]?.kind === "bytes"
        ? { cost: timesFactor(size, traversal), size: { min: Math.floor(size.min / 4), max: size.max } }
        : undefined;
    case "strings.quote":
      return { cost: timesFactor(size, traversal), size: { min: size.min + 2, max: size.max * 2 + 2 } };
    case "sets.contains":
    case "sets.intersects":
      return { cost: plus(times(size, args[1]?.size ?? nothing), one) };
    case "sets.equivalent":
      return { cost: plus(timesFactor(times(size, args[1]?.size ?? nothing), 2), one) };
    default:
      return undefined;
  }
}

function memberCall(name: string, target: Operand, args: readonly Operand[]): CallEstimate | undefined {
  const { size } = target;
  const argument = args[0]?.size ?? nothing;
  switch (name) {
    case "isSorted":
    case "sum":
    case "max":
    case "min":
    case "indexOf":
    case "lastIndexOf":
      return { cost: perItem(target) };
    case "lowerAscii":
    case "upperAscii":
    case "substring":
    case "trim":
      return { cost: timesFactor(size, traversal), size };
    case "replace":
      return { cost: timesFactor(size, 2 * traversal), size: replacedSize(size, argument, args[1]?.size ?? nothing) };
    case "split":
      return { cost: timesFactor(size, 2 * traversal), size: { min: 0, max: args[1]?.literal ?? size.max } };
    case "join": {
      const joined = joinedSize(target, args[0]?.size);
      return { cost: timesFactor(joined, traversal), size: joined };
    }
    case "find":
    case "findAll":
      return { cost: matchCost(size, argument), size: { min: 0, max: size.max } };
    case "matches":
      return { cost: matchCost(size, argument) };
    case "contains":
      return { cost: times(timesFactor(size, traversal), timesFactor(argument, traversal)) };
    case "startsWith":
    case "endsWith":
      return { cost: timesFactor(argument, traversal) };
    case "format":
      return { cost: timesFactor(size, traversal) };
    case "containsIP":
    case "containsCIDR":
      return { cost: addressCost(name, args[0]) };
    case "validate":
      return { cost: timesFactor(timesFactor(argument, traversal), nameFormatLength * regexFactor) };
    default:
      return undefined;
  }
}

function perItem(target: Operand): Range {
  if (target.itemKind === undefined) return timesFactor(target.size, traversal);
  const hasLength = target.itemKind === "string" || target.itemKind === "bytes";
  return times(target.size, hasLength ? plus(one, timesFactor(target.itemSize, traversal)) : one);
}

function matchCost(text: Range, pattern: Range): Range {
  return times(timesFactor(plus(text, one), traversal), timesFactor(pattern, regexFactor));
}

function addressCost(name: string, argument: Operand | undefined): Range {
  const bytes = { min: 4, max: 16 };
  const compared = timesFactor(plus(bytes, bytes), traversal);
  const masked = name === "containsCIDR" ? plus(timesFactor(bytes, traversal), one) : nothing;
  const read = argument?.kind === "string" ? timesFactor(argument.size, traversal) : nothing;
  return plus(compared, masked, read);
}

function joinedSize(list: Operand, separator: Range | undefined): Range {
  const items = list.itemKind === undefined ? nothing : times(list.size, list.itemSize);
  if (separator === undefined) return items;
  const between = { min: Math.max(0, list.size.min - 1), max: Math.max(0, list.size.max - 1) };
  return plus(items, times(separator, between));
}

function replacedSize(text: Range, from: Range, to: Range): Range {
  const count = { min: 0, max: 0 };
  const kept = { min: 0, max: 0 };
  if (from.min === 0) {
    count.max = text.max + 1;
    kept.max = text.max;
  } else if (to.max <= from.min) kept.max = text.max;
  else count.max = Math.ceil(text.max / from.min);
  if (from.max === 0) {
    count.min = text.min + 1;
    kept.min = text.min;
  } else if (from.max <= to.min) kept.min = text.min;
  else count.min = Math.ceil(text.min / from.max);
  return plus(times(count, to), kept);
}

/** Of equality, and of the order of texts. */
export function comparisonCost(left: Range, right: Range): Range {
  const max = Math.min(left.max, right.max);
  return timesFactor({ min: max > 0 ? 1 : 0, max }, traversal);
}

/** Of `+` on texts and lists. */
export function concatenation(kind: string, left: Range, right: Range): CallEstimate {
  const size = plus(left, right);
  return { cost: kind === "list" ? one : timesFactor(size, traversal), size };
}
