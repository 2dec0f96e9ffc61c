// Regular expressions in jq's functions.

import { BoundedRegExp } from "../../text/bounded-regex.ts";
import { type Scope, values } from "./evaluate.ts";
import { described } from "./operators.ts";
import type { Filter } from "./syntax.ts";
import { isArray, JqError, type Json, typeOf } from "./value.ts";

interface Match {
  readonly at: number;
  readonly text: string;
  /** What `match` gives. */
  readonly json: Json;
  /** Named groups: what `capture` gives. */
  readonly captured: Json;
  /** What `scan` gives. */
  readonly scanned: Json;
}

/** All matches with the flag g, else the first. The pattern may be a list of pattern and flags. */
export function matches(value: Json, pattern: Json, flags: Json): readonly Match[] {
  if (isArray(pattern)) return matches(value, pattern[0] ?? null, pattern[1] ?? flags);
  if (typeof value !== "string") throw new JqError(`${described(value)} cannot be matched, as it is not a string`);
  if (typeof pattern !== "string") throw new JqError(`${described(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== "string") throw new JqError(`${described(flags)} is not a string`);
  const given = flags ?? "";
  if (/[^gimnpslx]/u.test(given)) throw new JqError(`${given} is not a valid modifier string`);
  const expression = compile(pattern, given);
  const found = given.includes("g") ? [...value.matchAll(expression)] : [...value.matchAll(expression)].slice(0, 1);
  return found.filter((match) => !given.includes("n") || match[0] !== "").map((match) => describe(value, match));
}

function compile(pattern: string, flags: string): RegExp {
  const source = flags.includes("x") ? pattern.replace(/\\.|#.*|\s+/gu, (piece) => (piece.startsWith("\\") ? piece : "")) : pattern;
  const converted = source
    .replace(/\(\?i\)/u, "")
    .replaceAll("[[:alpha:]]", "[A-Za-z]")
    .replaceAll("[[:digit:]]", "\\d")
    .replaceAll("[[:space:]]", "\\s")
    .replaceAll("\\h", "[0-9a-fA-F]");
  const insensitive = flags.includes("i") || /^\(\?i\)/u.test(source);
  try {
    return new BoundedRegExp(converted, `gd${insensitive ? "i" : ""}${/[sp]/u.test(flags) ? "s" : ""}`);
  } catch {
    throw new JqError(`${pattern} (at offset 0) is not a valid regex: invalid pattern`);
  }
}

function describe(value: string, match: RegExpExecArray): Match {
  const places = match.indices as RegExpIndicesArray;
  const names = Object.keys(match.groups ?? {});
  const namesByGroup = new Map<number, string>();
  for (const name of names) {
    const place = places.groups?.[name];
    const group = places.findIndex(
      (other, at) => at > 0 && !namesByGroup.has(at) && samePlace(other, place) && match[at] === match.groups?.[name],
    );
    if (group > 0) namesByGroup.set(group, name);
  }
  const characters = (to: number): number => [...value.slice(0, to)].length;
  const captures = match.slice(1).map((text, at): Json => {
    const place = places[at + 1];
    const name = namesByGroup.get(at + 1) ?? null;
    if (text === undefined || place === undefined) return { offset: -1, length: 0, string: null, name };
    return { offset: characters(place[0]), length: [...text].length, string: text, name };
  });
  const captured = Object.fromEntries(names.map((name) => [name, match.groups?.[name] ?? null]));
  return {
    at: match.index,
    text: match[0],
    json: { offset: characters(match.index), length: [...match[0]].length, string: match[0], captures },
    captured,
    scanned: match.length > 1 ? match.slice(1).map((text) => text ?? null) : match[0],
  };
}

function samePlace(a: readonly [number, number] | undefined, b: readonly [number, number] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a[0] === b[0] && a[1] === b[1]);
}

/** `sub` and `gsub`: the replacement sees the named groups. */
export function* substituted(
  value: Json,
  args: readonly Filter[],
  more: string,
  scope: Scope,
): Generator<{ readonly made: Json }, void, undefined> {
  if (typeof value !== "string") throw new JqError(`${described(value)} cannot be matched, as it is not a string`);
  for (const pattern of values(args[0] as Filter, value, scope))
    for (const flags of args[2] === undefined ? [""] : values(args[2], value, scope)) {
      const found = matches(value, pattern, `${typeof flags === "string" ? flags : ""}${more}`);
      let results: string[] = [""];
      let from = 0;
      for (const match of found) {
        const lead = value.slice(from, match.at);
        const replacements = [...values(args[1] as Filter, match.captured, scope)].map((text) => {
          if (typeof text !== "string")
            throw new JqError(`${typeOf(match.captured)} (${JSON.stringify(match.captured)}) cannot be added to a string`);
          return text;
        });
        results = results.flatMap((start) => replacements.map((text) => start + lead + text));
        from = match.at + match.text.length;
      }
      for (const result of results) yield { made: result + value.slice(from) };
    }
}
