// Pathname expansion.

import { SysError } from "#sim/errors.ts";
import { hasWildcard, matchesPattern, unescapePattern } from "../text/pattern.ts";
import type { Shell } from "./shell.ts";

const limit = 100_000;

/** The paths that match, sorted; empty when none does. */
export function expandPath(shell: Shell, pattern: string): string[] {
  const absolute = pattern.startsWith("/");
  let found: string[] = [absolute ? "/" : ""];
  const segments = pattern.split("/").filter((segment, index) => segment !== "" || index > 0);
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === "") {
      if (last) found = found.filter((path) => isDirectory(shell, path)).map((path) => (path.endsWith("/") ? path : `${path}/`));
      continue;
    }
    found = found.flatMap((base) => expandSegment(shell, base, segment, last)).slice(0, limit);
  }
  return found.sort(compareNames);
}

/** The order of the C.UTF-8 locale: by code point. */
function compareNames(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function expandSegment(shell: Shell, base: string, segment: string, last: boolean): string[] {
  const join = (name: string) => (base === "" || base.endsWith("/") ? base + name : `${base}/${name}`);
  if (!hasWildcard(segment)) {
    const path = join(unescapePattern(segment));
    return exists(shell, path) ? [path] : [];
  }
  if (segment === "**" && shell.has("globstar")) return descend(shell, base, last);
  let names: readonly string[];
  try {
    names = shell.self.readdir(base === "" ? "." : base);
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
  const dots = segment.startsWith(".") || segment.startsWith("\\.") || shell.has("dotglob");
  const candidates = segment.startsWith(".") ? [".", "..", ...names] : names;
  const matching = candidates.filter(
    (name) => (dots || !name.startsWith(".")) && matchesPattern(segment, name, shell.has("nocaseglob")),
  );
  const paths = matching.map(join);
  return last ? paths : paths.filter((path) => isDirectory(shell, path));
}

function descend(shell: Shell, base: string, last: boolean): string[] {
  const result = base === "" ? [] : [base];
  if (base === "" && !last) result.push("");
  const visit = (directory: string, depth: number): void => {
    if (depth > 64 || result.length > limit) return;
    for (const name of shell.self.readdir(directory === "" ? "." : directory)) {
      if (name.startsWith(".")) continue;
      const path = directory === "" || directory.endsWith("/") ? directory + name : `${directory}/${name}`;
      const directoryHere = isDirectory(shell, path);
      if (last || directoryHere) result.push(path);
      if (directoryHere) visit(path, depth + 1);
    }
  };
  visit(base, 0);
  return result;
}

function exists(shell: Shell, path: string): boolean {
  try {
    shell.self.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}

function isDirectory(shell: Shell, path: string): boolean {
  try {
    return shell.self.stat(path === "" ? "." : path).type === "directory";
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}
