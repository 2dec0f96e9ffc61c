// The escapes of PS1 and its relatives.

import type { Shell } from "./shell.ts";

/** By the letter behind the backslash. */
const escapes: { readonly [letter: string]: (shell: Shell) => string } = {
  u: userName,
  h: (shell) => shell.self.hostname.split(".")[0] as string,
  H: (shell) => shell.self.hostname,
  w: homeRelative,
  W: (shell) => lastSegment(homeRelative(shell)),
  $: (shell) => (shell.self.uid === 0 ? "#" : "$"),
  n: () => "\n",
  r: () => "\r",
  e: () => "\x1b",
  a: () => "\x07",
  t: (shell) => now(shell, "%T"),
  T: (shell) => now(shell, "%I:%M:%S"),
  A: (shell) => now(shell, "%R"),
  "@": (shell) => now(shell, "%I:%M %p"),
  d: (shell) => now(shell, "%a %b %d"),
  s: (shell) => lastSegment(shell.name.replace(/^-/u, "")),
  v: () => "5.2",
  V: () => "5.2.37",
  j: (shell) => String(shell.jobs.list.length),
  "!": nextNumber,
  "#": nextNumber,
  "\\": () => "\\",
  "[": () => "",
  "]": () => "",
};

/** Expands the backslash escapes (not `$…`: that is done after). \[ and \] vanish; the line editor measures escape sequences itself. */
export function expandPrompt(shell: Shell, text: string): string {
  return text.replace(
    /\\(?:([0-7]{3})|D\{([^}]*)\}|([\s\S]))/gu,
    (all, octal: string | undefined, date: string | undefined, letter: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (date !== undefined) return now(shell, date === "" ? "%X" : date);
      return escapes[letter]?.(shell) ?? all;
    },
  );
}

function now(shell: Shell, format: string): string {
  return shell.engine.formatDate(format, shell.self.nowMs);
}

function nextNumber(shell: Shell): string {
  return String(shell.history.lines.length + 1);
}

/** No `$`, backslash or backquote of this text means anything between double quotes; the blank after a prompt's `$` is usual. */
export function isPlainInQuotes(text: string): boolean {
  return !/[`\\]|\$[^ ]/u.test(text);
}

export function userName(shell: Shell): string {
  try {
    const entry = shell.self
      .readText("/etc/passwd")
      .split("\n")
      .find((line) => line.split(":")[2] === String(shell.self.uid));
    if (entry !== undefined) return entry.split(":")[0] as string;
  } catch {
    // Without /etc/passwd the name is not known, as in bash.
  }
  return shell.self.uid === 0 ? "root" : (shell.variables.get("USER") ?? "I have no name!");
}

function homeRelative(shell: Shell): string {
  const home = shell.variables.get("HOME");
  const cwd = shell.variables.get("PWD") ?? shell.self.cwd;
  if (home !== undefined && home !== "/" && (cwd === home || cwd.startsWith(`${home}/`))) return `~${cwd.slice(home.length)}`;
  return cwd;
}

function lastSegment(path: string): string {
  return path === "/" ? "/" : (path.split("/").at(-1) as string);
}
