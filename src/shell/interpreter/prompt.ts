// The escapes of PS1 and its relatives.

import type { Shell } from "./shell.ts";

/** Expands the backslash escapes (not `$…`: that is done after). \[ and \] vanish; the line editor measures escape sequences itself. */
export function expandPrompt(shell: Shell, text: string): string {
  const host = shell.self.hostname;
  const now = (format: string) => shell.engine.formatDate(format, shell.self.nowMs);
  return text.replace(
    /\\(?:([0-7]{3})|D\{([^}]*)\}|([\s\S]))/gu,
    (all, octal: string | undefined, date: string | undefined, one: string | undefined) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (date !== undefined) return now(date === "" ? "%X" : date);
      switch (one) {
        case "u":
          return userName(shell);
        case "h":
          return host.split(".")[0] as string;
        case "H":
          return host;
        case "w":
          return homeRelative(shell);
        case "W":
          return lastSegment(homeRelative(shell));
        case "$":
          return shell.self.uid === 0 ? "#" : "$";
        case "n":
          return "\n";
        case "r":
          return "\r";
        case "e":
          return "\x1b";
        case "a":
          return "\x07";
        case "t":
          return now("%T");
        case "T":
          return now("%I:%M:%S");
        case "A":
          return now("%R");
        case "@":
          return now("%I:%M %p");
        case "d":
          return now("%a %b %d");
        case "s":
          return lastSegment(shell.name.replace(/^-/u, ""));
        case "v":
          return "5.2";
        case "V":
          return "5.2.37";
        case "j":
          return String(shell.jobs.list.length);
        case "!":
          return String(shell.history.lines.length + 1);
        case "#":
          return String(shell.history.lines.length + 1);
        case "\\":
          return "\\";
        case "[":
        case "]":
          return "";
        default:
          return all;
      }
    },
  );
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
