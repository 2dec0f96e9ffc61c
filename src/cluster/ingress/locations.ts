// Paths of Ingresses as nginx's locations, and which of them a request meets. A path of the type Prefix is cut at slashes: nginx has no such
// locations, so it becomes one that ends in a slash and exact ones.

import { BoundedRegExp } from "#shell/text/bounded-regex.ts";
import { compareBytes } from "../api/json-write.ts";
import { wildcardOf } from "./certificates.ts";
import { type Configuration, catchAll, type Location, type Server } from "./configuration.ts";

/** A path that nginx takes for a regular expression and cannot read. */
export class WrongPattern extends Error {}

/** Regular expressions meet first whom they fit, in this order: the longest first. */
function byLength(one: Location, other: Location): number {
  return other.ingressPath.length - one.ingressPath.length || compareBytes(other.ingressPath, one.ingressPath);
}

/** Throws WrongPattern. */
export function nginxLocations(locations: readonly Location[]): Pick<Server, "locations" | "usesRegex"> {
  const usesRegex = locations.some(isRegex);
  const sorted = [...locations].sort(byLength);
  const split = splitPrefixes(sorted);
  return {
    usesRegex,
    locations: usesRegex ? split.map((location) => ({ ...location, pattern: patternOf(location.path) })) : split,
  };
}

function splitPrefixes(sorted: readonly Location[]): readonly Location[] {
  const exact = new Set(sorted.filter(({ isExact }) => isExact).map(({ path }) => path));
  const written = new Set(sorted.map(({ path }) => path));
  return sorted.flatMap((location) => {
    const { path, isExact } = location;
    if (path === "/" || isExact || isRegex(location)) return [location];
    const isOpen = path.endsWith("/");
    const below: Location = { ...location, path: isOpen ? path : `${path}/` };
    const itself: Location = { ...location, isExact: true };
    // As the specification wants it; a location that only ends in a slash sends who comes without it there.
    const bare: Location = { ...itself, path: path.slice(0, -1) };
    const others = [itself, ...(isOpen && !written.has(bare.path) ? [bare] : [])];
    return [below, ...others.filter((each) => !exact.has(each.path))];
  });
}

function isRegex({ settings: { useRegex, rewriteTarget }, path }: Location): boolean {
  return useRegex || (rewriteTarget !== "" && rewriteTarget !== path);
}

/** `~* "^PATH"` */
function patternOf(path: string): RegExp {
  try {
    return new BoundedRegExp(`^${path}`, "i");
  } catch {
    throw new WrongPattern(`nginx: [emerg] pcre2_compile() failed in "^${path}"`);
  }
}

/** By its whole name, by a wildcard, or the one for everybody. `host`: in lower case, without a port. */
export function pickServer({ servers }: Configuration, host: string): Server {
  const found = servers.get(host) ?? servers.get(wildcardOf(host)) ?? servers.get(catchAll);
  if (found === undefined) throw new Error("a configuration has a server for everybody");
  return found;
}

/** `path`: decoded. Undefined: nothing matches, which only happens among regular expressions. */
export function pickLocation({ locations, usesRegex }: Server, path: string): Location | undefined {
  if (usesRegex) return locations.find(({ pattern }) => pattern?.test(path));
  const exact = locations.find((location) => location.isExact && location.path === path);
  if (exact !== undefined) return exact;
  let best: Location | undefined;
  for (const location of locations)
    if (!location.isExact && path.startsWith(location.path) && location.path.length > (best?.path.length ?? 0)) best = location;
  return best;
}

/** Where a location sends the request: groups of its path stand for `$1`, `$2` … of the target. */
export function rewritten({ path, settings: { rewriteTarget } }: Location, uri: string): string {
  if (rewriteTarget === "" || rewriteTarget === path) return uri;
  const match = patternOf(path).exec(uri);
  return match === null
    ? uri
    : rewriteTarget.replace(/\$(\d)|\$\{(\d)\}/g, (_all, bare, braced) => match[Number(bare ?? braced)] ?? "");
}
