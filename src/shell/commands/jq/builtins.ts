// jq's functions by name and number of arguments.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { daysFromCivil } from "#sim/calendar.ts";
import { formatDate } from "../../text/date-text.ts";
import { exp, log, log2, log10, pow } from "../../text/mathematics.ts";
import { countStep, descend, each, evaluate, HaltSignal, type Item, pathsOf, type Scope, values } from "./evaluate.ts";
import { formatText, textOf } from "./formats.ts";
import { add, deletePaths, described, getPath, indicesOf, type Path, setPath } from "./operators.ts";
import { matches, substituted } from "./patterns.ts";
import { JsonError, JsonReader } from "./reader.ts";
import type { Filter } from "./syntax.ts";
import { compare, isArray, isObject, isTrue, JqError, type Json, propertyOf, sortedKeys, toJson, typeOf } from "./value.ts";

type Output = Item | { readonly made: Json };
/** Gives outputs: items with their paths, or values that it made. */
export type Builtin = (item: Item, args: readonly Filter[], scope: Scope) => Iterable<Output>;

const one =
  (compute: (value: Json, scope: Scope) => Json): Builtin =>
  (item, _args, scope) => [{ made: compute(item.value, scope) }];

/** With arguments that are values: every combination, the first argument changing slowest. */
const withValues = (compute: (value: Json, given: readonly Json[], scope: Scope) => Json): Builtin =>
  function* (item, args, scope) {
    for (const given of combinations(args, item.value, scope)) yield { made: compute(item.value, given, scope) };
  };

function* combinations(args: readonly Filter[], value: Json, scope: Scope): Generator<readonly Json[], void, undefined> {
  const [first, ...rest] = args;
  if (first === undefined) yield [];
  else
    for (const given of values(first, value, scope))
      for (const others of combinations(rest, value, scope)) yield [given, ...others];
}

/** Outputs of a filter with their paths. */
const through =
  (
    build: (item: Item, run: (at: number, item: Item) => Iterable<Item>, scope: Scope) => Iterable<Output>,
  ): ((item: Item, args: readonly Filter[], scope: Scope) => Iterable<Output>) =>
  (item, args, scope) =>
    build(item, (at, input) => evaluate(args[at] as Filter, input, scope), scope);

function list(value: Json, what: string): readonly Json[] {
  if (!isArray(value)) throw new JqError(`${described(value)} cannot be ${what}, as it is not an array`);
  return value;
}

function string(value: Json, message: string): string {
  if (typeof value !== "string") throw new JqError(message);
  return value;
}

function number(value: Json, message: string): number {
  if (typeof value !== "number") throw new JqError(message);
  return value;
}

/** The elements with what a filter gives for each, in order of that. */
function keyed(value: Json, filter: Filter, what: string, scope: Scope): readonly { readonly key: Json; readonly item: Json }[] {
  return list(value, what).map((item) => ({ key: [...values(filter, item, scope)], item }));
}

function sortedBy(value: Json, filter: Filter, what: string, scope: Scope): readonly { readonly key: Json; readonly item: Json }[] {
  return [...keyed(value, filter, what, scope)].sort((a, b) => compare(a.key, b.key));
}

function grouped(value: Json, filter: Filter, scope: Scope): readonly (readonly Json[])[] {
  const groups: { key: Json; items: Json[] }[] = [];
  for (const { key, item } of sortedBy(value, filter, "grouped", scope)) {
    const last = groups.at(-1);
    if (last !== undefined && compare(last.key, key) === 0) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups.map(({ items }) => items);
}

function extreme(value: Json, filter: Filter, sign: 1 | -1, scope: Scope): Json {
  let best: { readonly key: Json; readonly item: Json } | undefined;
  for (const entry of keyed(value, filter, "iterated over", scope)) {
    const order = best === undefined ? 1 : compare(entry.key, best.key) * sign;
    if (order > 0 || (order === 0 && sign > 0)) best = entry;
  }
  return best?.item ?? null;
}

const identity: Filter = { kind: "identity" };

function length(value: Json): Json {
  if (value === null) return 0;
  if (typeof value === "number") return Math.abs(value);
  if (typeof value === "string") return [...value].length;
  if (typeof value === "boolean") throw new JqError(`${described(value)} has no length`);
  return isArray(value) ? value.length : Object.keys(value).length;
}

function keysOf(value: Json, sorted: boolean): readonly Json[] {
  if (isArray(value)) return value.map((_, at) => at);
  if (isObject(value)) return sorted ? sortedKeys(value) : Object.keys(value);
  throw new JqError(`${described(value)} has no keys`);
}

function has(value: Json, key: Json): boolean {
  if (isObject(value) && typeof key === "string") return propertyOf(value, key) !== undefined;
  if (isArray(value) && typeof key === "number") return key >= 0 && key < value.length;
  throw new JqError(`Cannot check whether ${typeOf(value)} has a ${typeof key === "string" ? "string" : typeOf(key)} key`);
}

function contains(a: Json, b: Json): boolean {
  if (isObject(a) && isObject(b))
    return Object.entries(b).every(([key, value]) => {
      const own = propertyOf(a, key);
      return own !== undefined && contains(own, value);
    });
  if (isArray(a) && isArray(b))
    return b.every((wanted) => a.some((item) => typeOf(item) === typeOf(wanted) && contains(item, wanted)));
  if (typeof a === "string" && typeof b === "string") return a.includes(b);
  if (typeOf(a) === typeOf(b)) return compare(a, b) === 0;
  throw new JqError(`${described(a)} and ${described(b)} cannot have their containment checked`);
}

function entriesOf(value: Json): readonly Json[] {
  return keysOf(value, false).map((key) => ({ key, value: getPath(value, [key]) }));
}

function fromEntries(value: Json): Json {
  const built: [string, Json][] = [];
  for (const { value: entry } of each({ value, path: undefined })) {
    const field = (...names: readonly string[]): Json => {
      if (!isObject(entry)) throw new JqError(`Cannot index ${typeOf(entry)} with "${names[0]}"`);
      for (const name of names) {
        const found = propertyOf(entry, name);
        if (found !== undefined && found !== null && found !== false) return found;
      }
      return names.some((name) => propertyOf(entry, name) === false) ? false : null;
    };
    const key = field("key", "k", "name", "Name", "Key", "K");
    if (typeof key === "object" && key !== null) throw new JqError(`Cannot use ${described(key)} as object key`);
    const own = ["value", "v", "Value", "V"].find((name) => isObject(entry) && propertyOf(entry, name) !== undefined);
    built.push([
      typeof key === "string" ? key : toJson(key),
      own === undefined ? null : ((entry as { readonly [key: string]: Json })[own] as Json),
    ]);
  }
  return Object.fromEntries(built);
}

function flatten(value: Json, depth: number): readonly Json[] {
  if (depth < 0) throw new JqError("flatten depth must not be negative");
  const items = isArray(value) ? value : [...each({ value, path: undefined })].map((inner) => inner.value);
  return items.flatMap((item) => {
    if (!isArray(item)) return [item];
    return depth > 0 ? flatten(item, depth - 1) : [item];
  });
}

function toNumber(value: Json): number {
  if (typeof value === "number") return value;
  if (typeof value === "string") {
    if (/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/u.test(value)) return Number(value);
    if (value === "nan") return Number.NaN;
  }
  throw new JqError(`${described(value)} cannot be parsed as a number`);
}

function parseJson(value: Json): Json {
  const text = string(value, `${described(value)} cannot be parsed as JSON`);
  try {
    const reader = new JsonReader(text);
    const parsed = reader.next();
    if (reader.next() !== undefined) throw new JsonError("Unexpected extra JSON values");
    return parsed ?? null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new JqError(`${error.message} (while parsing '${text}')`);
  }
}

function join(value: Json, separator: Json): Json {
  const parts = [...each({ value, path: undefined })].map((inner) => inner.value);
  if (parts.length === 0) return "";
  return parts.reduce<Json>((text, part, at) => {
    let own = part;
    if (part === null) own = "";
    else if (typeof part === "number" || typeof part === "boolean") own = toJson(part);
    return add(at === 0 ? "" : add(text, separator), own);
  }, "");
}

function everyPath(value: Json, path: Path = []): readonly Path[] {
  if (!isArray(value) && !isObject(value)) return [];
  return [...each({ value, path: [] })].flatMap((inner) => {
    const here = [...path, ...(inner.path as Path)];
    return [here, ...everyPath(inner.value, here)];
  });
}

const trimmed = (cut: (text: string) => string): Builtin =>
  one((value) => cut(string(value, `${described(value)} cannot be trimmed`)));

const mathematics = (compute: (value: number) => number): Builtin =>
  one((value) => compute(number(value, `${described(value)} number required`)));

function* limited(count: number, outputs: Iterable<Output>): Generator<Output, void, undefined> {
  if (count <= 0) return;
  let left = count;
  for (const output of outputs) {
    yield output;
    left -= 1;
    if (left <= 0) return;
  }
}

const kinds: { readonly [name: string]: (value: Json) => boolean } = {
  arrays: isArray,
  objects: isObject,
  iterables: (value) => isArray(value) || isObject(value),
  booleans: (value) => typeof value === "boolean",
  numbers: (value) => typeof value === "number",
  strings: (value) => typeof value === "string",
  nulls: (value) => value === null,
  values: (value) => value !== null,
  scalars: (value) => !isArray(value) && !isObject(value),
};

function seconds(value: Json, name: string): number {
  return number(value, `${name} requires a number`);
}

function isoTime(value: number): string {
  return formatDate("%Y-%m-%dT%H:%M:%SZ", Math.floor(value) * 1000);
}

function readTime(value: Json): number {
  const text = string(value, `strptime/1 requires string inputs and arguments`);
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/u.exec(text);
  if (match === null) throw new JqError(`date "${text}" does not match format "%Y-%m-%dT%H:%M:%SZ"`);
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [number, number, number, number, number, number];
  return daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
}

export const builtins: { readonly [name: string]: Builtin } = {
  "empty/0": () => [],
  "not/0": one((value) => !isTrue(value)),
  "null/0": one(() => null),
  "true/0": one(() => true),
  "false/0": one(() => false),
  "length/0": one(length),
  "utf8bytelength/0": one(
    (value) => new TextEncoder().encode(string(value, `${described(value)} only strings have UTF-8 byte length`)).length,
  ),
  "keys/0": one((value) => keysOf(value, true)),
  "keys_unsorted/0": one((value) => keysOf(value, false)),
  "has/1": withValues((value, [key]) => has(value, key as Json)),
  "in/1": withValues((value, [object]) => has(object as Json, value)),
  "contains/1": withValues((value, [other]) => contains(value, other as Json)),
  "inside/1": withValues((value, [other]) => contains(other as Json, value)),
  "add/0": one((value) => [...each({ value, path: undefined })].reduce<Json>((sum, inner) => add(sum, inner.value), null)),
  "any/0": one((value) => [...each({ value, path: undefined })].some((inner) => isTrue(inner.value))),
  "all/0": one((value) => [...each({ value, path: undefined })].every((inner) => isTrue(inner.value))),
  "any/1": (item, [filter], scope) => [
    {
      made: some(
        [...each(item)].map(({ value }) => value),
        filter as Filter,
        scope,
        true,
      ),
    },
  ],
  "all/1": (item, [filter], scope) => [
    {
      made: !some(
        [...each(item)].map(({ value }) => value),
        filter as Filter,
        scope,
        false,
      ),
    },
  ],
  "any/2": (item, [source, filter], scope) => [
    { made: some(values(source as Filter, item.value, scope), filter as Filter, scope, true) },
  ],
  "all/2": (item, [source, filter], scope) => [
    { made: !some(values(source as Filter, item.value, scope), filter as Filter, scope, false) },
  ],
  "map/1": (item, [filter], scope) => [
    {
      made: [...each({ value: item.value, path: undefined })].flatMap((inner) => [...values(filter as Filter, inner.value, scope)]),
    },
  ],
  "map_values/1": (item, [filter], scope) => [{ made: mapValues(item.value, filter as Filter, scope) }],
  "select/1": function* (item, [filter], scope) {
    for (const value of values(filter as Filter, item.value, scope)) if (isTrue(value)) yield item;
  },
  "recurse/0": (item) => descend(item),
  "recurse/1": (item, [filter], scope) => recurse(item, filter as Filter, undefined, scope),
  "recurse/2": (item, [filter, condition], scope) => recurse(item, filter as Filter, condition as Filter, scope),
  "to_entries/0": one(entriesOf),
  "from_entries/0": one(fromEntries),
  "with_entries/1": (item, [filter], scope) => [
    { made: fromEntries(entriesOf(item.value).flatMap((entry) => [...values(filter as Filter, entry, scope)])) },
  ],
  "sort/0": one((value) => [...list(value, "sorted")].sort(compare)),
  "sort_by/1": (item, [filter], scope) => [
    { made: sortedBy(item.value, filter as Filter, "sorted", scope).map((entry) => entry.item) },
  ],
  "group_by/1": (item, [filter], scope) => [{ made: grouped(item.value, filter as Filter, scope) }],
  "unique/0": (item, _args, scope) => [{ made: grouped(item.value, identity, scope).map((group) => group[0] as Json) }],
  "unique_by/1": (item, [filter], scope) => [
    { made: grouped(item.value, filter as Filter, scope).map((group) => group[0] as Json) },
  ],
  "min/0": (item, _args, scope) => [{ made: extreme(item.value, identity, -1, scope) }],
  "max/0": (item, _args, scope) => [{ made: extreme(item.value, identity, 1, scope) }],
  "min_by/1": (item, [filter], scope) => [{ made: extreme(item.value, filter as Filter, -1, scope) }],
  "max_by/1": (item, [filter], scope) => [{ made: extreme(item.value, filter as Filter, 1, scope) }],
  "reverse/0": one((value) => {
    if (typeof value === "string") return [...value].reverse().join("");
    return value === null ? [] : [...list(value, "reversed")].reverse();
  }),
  "flatten/0": one((value) => flatten(value, 1e9)),
  "flatten/1": withValues((value, [depth]) => flatten(value, number(depth as Json, "flatten depth must not be negative"))),
  "range/1": (item, [to], scope) => counted(item, [{ kind: "literal", value: 0 }, to as Filter], scope),
  "range/2": (item, args, scope) => counted(item, args, scope),
  "range/3": (item, args, scope) => counted(item, args, scope),
  "floor/0": mathematics(Math.floor),
  "ceil/0": mathematics(Math.ceil),
  "round/0": mathematics((value) => Math.sign(value) * Math.round(Math.abs(value))),
  "sqrt/0": mathematics(Math.sqrt),
  "fabs/0": mathematics(Math.abs),
  "log/0": mathematics(log),
  "log2/0": mathematics(log2),
  "log10/0": mathematics(log10),
  "exp/0": mathematics(exp),
  "pow/2": withValues((_value, [base, exponent]) =>
    pow(number(base as Json, "number required"), number(exponent as Json, "number required")),
  ),
  "infinite/0": one(() => Number.POSITIVE_INFINITY),
  "nan/0": one(() => Number.NaN),
  "isnan/0": one((value) => Number.isNaN(number(value, `${described(value)} number required`))),
  "isinfinite/0": one((value) => Math.abs(number(value, `${described(value)} number required`)) === Number.POSITIVE_INFINITY),
  "tostring/0": one(textOf),
  "tonumber/0": one(toNumber),
  "tojson/0": one(toJson),
  "fromjson/0": one(parseJson),
  "type/0": one(typeOf),
  ...Object.fromEntries(
    Object.entries(kinds).map(([name, is]): [string, Builtin] => [`${name}/0`, (item) => (is(item.value) ? [item] : [])]),
  ),
  "ascii_downcase/0": one((value) =>
    string(value, "ascii_downcase input must be a string").replace(/[A-Z]/gu, (char) => asciiLowerCase(char)),
  ),
  "ascii_upcase/0": one((value) =>
    string(value, "ascii_upcase input must be a string").replace(/[a-z]/gu, (char) => asciiUpperCase(char)),
  ),
  "explode/0": one((value) =>
    [...string(value, `${described(value)} cannot be exploded`)].map((char) => char.codePointAt(0) as number),
  ),
  "implode/0": one((value) =>
    list(value, "imploded")
      .map((code) => String.fromCodePoint(number(code, "Unicode codepoint must be numeric")))
      .join(""),
  ),
  "ltrimstr/1": withValues((value, [start]) =>
    typeof value === "string" && typeof start === "string" && value.startsWith(start) ? value.slice(start.length) : value,
  ),
  "rtrimstr/1": withValues((value, [end]) =>
    typeof value === "string" && typeof end === "string" && end !== "" && value.endsWith(end) ? value.slice(0, -end.length) : value,
  ),
  "startswith/1": withValues((value, [start]) => {
    if (typeof value !== "string" || typeof start !== "string") throw new JqError("startswith() requires string inputs");
    return value.startsWith(start);
  }),
  "endswith/1": withValues((value, [end]) => {
    if (typeof value !== "string" || typeof end !== "string") throw new JqError("endswith() requires string inputs");
    return value.endsWith(end);
  }),
  "trim/0": trimmed((text) => text.trim()),
  "ltrim/0": trimmed((text) => text.trimStart()),
  "rtrim/0": trimmed((text) => text.trimEnd()),
  "split/1": withValues((value, [separator]) => {
    if (typeof value !== "string" || typeof separator !== "string") throw new JqError("split input and separator must be strings");
    if (value === "") return [];
    return separator === "" ? [...value] : value.split(separator);
  }),
  "split/2": withValues((value, [pattern, flags]) => split(value, pattern as Json, flags as Json)),
  "splits/1": (item, args, scope) => spread(item, args, scope, (value, [pattern]) => split(value, pattern as Json, null)),
  "splits/2": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern, flags]) => split(value, pattern as Json, flags as Json)),
  "join/1": withValues((value, [separator]) => join(value, separator as Json)),
  "ascii/0": one((value) => String.fromCharCode(number(value, "number required"))),
  "test/1": withValues((value, [pattern]) => matches(value, pattern as Json, null).length > 0),
  "test/2": withValues((value, [pattern, flags]) => matches(value, pattern as Json, flags as Json).length > 0),
  "match/1": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern]) => matches(value, pattern as Json, null).map(({ json }) => json)),
  "match/2": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern, flags]) => matches(value, pattern as Json, flags as Json).map(({ json }) => json)),
  "capture/1": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern]) => matches(value, pattern as Json, null).map(({ captured }) => captured)),
  "capture/2": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern, flags]) =>
      matches(value, pattern as Json, flags as Json).map(({ captured }) => captured),
    ),
  "scan/1": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern]) => matches(value, pattern as Json, "g").map(({ scanned }) => scanned)),
  "scan/2": (item, args, scope) =>
    spread(item, args, scope, (value, [pattern, flags]) =>
      matches(value, pattern as Json, `g${typeof flags === "string" ? flags : ""}`).map(({ scanned }) => scanned),
    ),
  "sub/2": (item, args, scope) => substituted(item.value, args, "", scope),
  "sub/3": (item, args, scope) => substituted(item.value, args, "", scope),
  "gsub/2": (item, args, scope) => substituted(item.value, args, "g", scope),
  "gsub/3": (item, args, scope) => substituted(item.value, args, "g", scope),
  "indices/1": withValues((value, [wanted]) => indices(value, wanted as Json)),
  "index/1": withValues((value, [wanted]) => first(indices(value, wanted as Json))),
  "rindex/1": withValues((value, [wanted]) => {
    const found = indices(value, wanted as Json);
    return isArray(found) ? (found.at(-1) ?? null) : null;
  }),
  "first/0": (item) => [at(item, 0)],
  "last/0": (item) => [at(item, -1)],
  "nth/1": (item, [place], scope) => [...values(place as Filter, item.value, scope)].map((index) => at(item, index)),
  "first/1": through((item, run) => limited(1, run(0, item))),
  "last/1": through(function* (item, run) {
    let last: Item | undefined;
    for (const output of run(0, item)) last = output;
    if (last !== undefined) yield last;
  }),
  "limit/2": function* (item, [count, filter], scope) {
    for (const value of values(count as Filter, item.value, scope))
      yield* limited(number(value, "Invalid arguments"), evaluate(filter as Filter, item, scope));
  },
  "nth/2": function* (item, [place, filter], scope) {
    for (const value of values(place as Filter, item.value, scope)) {
      const wanted = number(value, "Invalid arguments");
      if (wanted < 0) throw new JqError("Out of bounds negative array index");
      let left = wanted;
      for (const output of evaluate(filter as Filter, item, scope)) {
        if (left <= 0) {
          yield output;
          break;
        }
        left -= 1;
      }
    }
  },
  "isempty/1": (item, [filter], scope) => [{ made: values(filter as Filter, item.value, scope).next().done === true }],
  "until/2": (item, args, scope) => loop(item, args, scope, "until"),
  "while/2": (item, args, scope) => loop(item, args, scope, "while"),
  "repeat/1": (item, args, scope) => loop(item, [{ kind: "literal", value: true }, ...args], scope, "while"),
  "error/0": (item) => {
    throw new JqError(item.value);
  },
  "error/1": (item, [filter], scope) => {
    for (const value of values(filter as Filter, item.value, scope)) throw new JqError(value);
    return [];
  },
  "path/1": function* (item, [filter], scope) {
    for (const path of pathsOf(filter as Filter, item.value, scope)) yield { made: path };
  },
  "paths/0": (item) => everyPath(item.value).map((path) => ({ made: path })),
  "paths/1": (item, [filter], scope) =>
    everyPath(item.value)
      .filter((path) => [...values(filter as Filter, getPath(item.value, path), scope)].some(isTrue))
      .map((path) => ({ made: path })),
  "leaf_paths/0": (item) =>
    everyPath(item.value)
      .filter((path) => kinds["scalars"]?.(getPath(item.value, path)) === true)
      .map((path) => ({ made: path })),
  "getpath/1": function* (item, [filter], scope) {
    for (const path of values(filter as Filter, item.value, scope)) {
      if (!isArray(path)) throw new JqError("Path must be specified as an array");
      yield { value: getPath(item.value, path), path: item.path === undefined ? undefined : [...item.path, ...path] };
    }
  },
  "setpath/2": withValues((value, [path, changed]) => {
    if (!isArray(path as Json)) throw new JqError("Path must be specified as an array");
    return setPath(value, path as Path, changed as Json);
  }),
  "delpaths/1": withValues((value, [paths]) => {
    if (!isArray(paths as Json)) throw new JqError("Paths must be specified as an array");
    return deletePaths(value, paths as readonly Path[]);
  }),
  "del/1": (item, [filter], scope) => [{ made: deletePaths(item.value, [...pathsOf(filter as Filter, item.value, scope)]) }],
  "pick/1": (item, [filter], scope) => [
    {
      made: [...pathsOf(filter as Filter, item.value, scope)].reduce<Json>(
        (built, path) => setPath(built, path, getPath(item.value, path)),
        null,
      ),
    },
  ],
  "walk/1": (item, [filter], scope) => [...walk(item.value, filter as Filter, scope)].map((value) => ({ made: value })),
  "transpose/0": one((value) => {
    const rows = list(value, "transposed").map((row) => list(row, "transposed"));
    const width = Math.max(0, ...rows.map((row) => row.length));
    return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
  }),
  "combinations/0": (item) =>
    product(list(item.value, "iterated over").map((part) => list(part, "iterated over"))).map((made) => ({ made })),
  "input/0": (_item, _args, scope) => {
    const value = scope.world.input();
    if (value === undefined) throw new JqError("No more inputs");
    return [{ made: value }];
  },
  "inputs/0": function* (_item, _args, scope) {
    for (let value = scope.world.input(); value !== undefined; value = scope.world.input()) yield { made: value };
  },
  "debug/0": (item, _args, scope) => {
    scope.world.message(toJson(["DEBUG:", item.value]));
    return [item];
  },
  "debug/1": (item, [filter], scope) => {
    for (const value of values(filter as Filter, item.value, scope)) scope.world.message(toJson(["DEBUG:", value]));
    return [item];
  },
  "stderr/0": (item, _args, scope) => {
    scope.world.message(toJson(item.value));
    return [item];
  },
  "input_filename/0": one((_value, { world }) => world.inputName ?? null),
  "halt/0": () => {
    throw new HaltSignal(0, undefined);
  },
  "halt_error/0": (item) => {
    throw new HaltSignal(5, item.value);
  },
  "halt_error/1": (item, [filter], scope) => {
    for (const value of values(filter as Filter, item.value, scope))
      throw new HaltSignal(number(value, "halt_error/1: number required"), item.value);
    return [];
  },
  "env/0": one((_value, { world }) => world.environment),
  "now/0": one((_value, { world }) => world.nowMs / 1000),
  "todate/0": one((value) => isoTime(seconds(value, "strftime/1"))),
  "todateiso8601/0": one((value) => isoTime(seconds(value, "strftime/1"))),
  "fromdate/0": one(readTime),
  "fromdateiso8601/0": one(readTime),
  "builtins/0": one(() => Object.keys(builtins)),
  "format/1": withValues((value, [name]) => formatText(`@${textOf(name as Json)}`, value)),
};

function some(items: Iterable<Json>, filter: Filter, scope: Scope, wanted: boolean): boolean {
  for (const item of items) for (const value of values(filter, item, scope)) if (isTrue(value) === wanted) return true;
  return false;
}

function mapValues(value: Json, filter: Filter, scope: Scope): Json {
  const changed = (inner: Json): readonly Json[] => {
    const outputs = values(filter, inner, scope);
    const next = outputs.next();
    outputs.return(undefined);
    return next.done === true ? [] : [next.value];
  };
  if (isArray(value)) return value.flatMap(changed);
  if (!isObject(value)) throw new JqError(`Cannot iterate over ${typeOf(value)} (${toJson(value)})`);
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => changed(inner).map((output) => [key, output])));
}

function* recurse(item: Item, filter: Filter, condition: Filter | undefined, scope: Scope): Generator<Item, void, undefined> {
  yield item;
  for (const inner of evaluate(filter, item, scope)) {
    if (condition !== undefined && ![...values(condition, inner.value, scope)].some(isTrue)) continue;
    yield* recurse(inner, filter, condition, scope);
  }
}

function* counted(item: Item, args: readonly Filter[], scope: Scope): Generator<Output, void, undefined> {
  for (const [from, to, by = 1] of combinations(args, item.value, scope)) {
    if (typeof from !== "number" || typeof to !== "number" || typeof by !== "number")
      throw new JqError("Range bounds must be numeric");
    if (by === 0) return;
    for (let at = from; by > 0 ? at < to : at > to; at += by) {
      countStep(scope.world);
      yield { made: at };
    }
  }
}

function* spread(
  item: Item,
  args: readonly Filter[],
  scope: Scope,
  compute: (value: Json, given: readonly Json[]) => readonly Json[],
): Generator<Output, void, undefined> {
  for (const given of combinations(args, item.value, scope)) for (const made of compute(item.value, given)) yield { made };
}

function split(value: Json, pattern: Json, flags: Json): readonly Json[] {
  const text = string(value, `${described(value)} cannot be matched, as it is not a string`);
  const parts: string[] = [];
  let from = 0;
  for (const match of matches(value, pattern, `g${typeof flags === "string" ? flags : ""}`)) {
    parts.push(text.slice(from, match.at));
    from = match.at + match.text.length;
  }
  return [...parts, text.slice(from)];
}

function indices(value: Json, wanted: Json): Json {
  if (value === null) return null;
  if (typeof value === "string" && typeof wanted === "string") {
    if (wanted === "") return null;
    const found: number[] = [];
    for (let at = value.indexOf(wanted); at >= 0; at = value.indexOf(wanted, at + 1)) found.push([...value.slice(0, at)].length);
    return found;
  }
  if (isArray(value)) return indicesOf(value, isArray(wanted) ? wanted : [wanted]);
  throw new JqError(`Cannot determine indices of ${typeOf(wanted)} in ${typeOf(value)}`);
}

function first(value: Json): Json {
  return isArray(value) ? (value[0] ?? null) : null;
}

function at(item: Item, key: Json): Item {
  return { value: getPath(item.value, [key]), path: item.path === undefined ? undefined : [...item.path, key] };
}

function* loop(item: Item, args: readonly Filter[], scope: Scope, kind: "until" | "while"): Generator<Output, void, undefined> {
  const [condition, filter] = args as [Filter, Filter];
  const holds = [...values(condition, item.value, scope)].some(isTrue);
  if (kind === "until" && holds) yield { made: item.value };
  if (kind === "while" && holds) yield { made: item.value };
  if (holds === (kind === "until")) return;
  // The usual single output goes on in this loop; several branch.
  let current: readonly Json[] = [...values(filter, item.value, scope)];
  while (current.length === 1) {
    const value = current[0] as Json;
    const goesOn = [...values(condition, value, scope)].some(isTrue);
    if (goesOn) yield { made: value };
    if (goesOn === (kind === "until")) return;
    current = [...values(filter, value, scope)];
  }
  for (const value of current) yield* loop({ value, path: undefined }, args, scope, kind);
}

function* walk(value: Json, filter: Filter, scope: Scope): Generator<Json, void, undefined> {
  let inner: Json = value;
  if (isArray(value)) inner = value.flatMap((item) => [...walk(item, filter, scope)]);
  else if (isObject(value))
    inner = Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => [...walk(item, filter, scope)].slice(0, 1).map((changed) => [key, changed])),
    );
  yield* values(filter, inner, scope);
}

function product(parts: readonly (readonly Json[])[]): readonly (readonly Json[])[] {
  return parts.reduce<readonly (readonly Json[])[]>(
    (built, part) => built.flatMap((start) => part.map((item) => [...start, item])),
    [[]],
  );
}

/** Every name, for the check before a program runs. */
export function isBuiltin(name: string): boolean {
  return Object.hasOwn(builtins, name);
}
