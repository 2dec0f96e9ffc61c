// Shell patterns (glob(7) with extglob): compiled to regular expressions.

import { BoundedRegExp } from "./bounded-regex.ts";

const classes: { readonly [name: string]: string } = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`\\{-~",
  xdigit: "0-9a-fA-F",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e",
  graph: "\\x21-\\x7e",
  word: "\\w",
};

/** The inside of a bracket expression (with `[:class:]` names and backslashes) as the inside of a JavaScript character class. */
export function bracketClass(body: string): string {
  return body.replace(/\[:(\w+):\]|\\(.)|[[\]&~^]/gsu, (all, name: string | undefined, escaped: string | undefined) => {
    if (name !== undefined) return classes[name] ?? "";
    const char = escaped ?? all;
    return /[\^$\\.*+?()[\]{}|/-]/u.test(char) ? `\\${char}` : char;
  });
}

/** Finds the `]` that ends a bracket expression opened at `start`, or -1. */
export function bracketEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === "!" || pattern[i] === "^") i += 1;
  if (pattern[i] === "]") i += 1;
  for (; i < pattern.length; i += 1) {
    if (pattern[i] === "\\") i += 1;
    else if (pattern[i] === "[" && pattern[i + 1] === ":") {
      const end = pattern.indexOf(":]", i + 2);
      if (end > 0) i = end + 1;
    } else if (pattern[i] === "]") return i;
  }
  return -1;
}

function groupEnd(pattern: string, open: number): number {
  let depth = 0;
  for (let i = open; i < pattern.length; i += 1) {
    if (pattern[i] === "\\") i += 1;
    else if (pattern[i] === "(") depth += 1;
    else if (pattern[i] === ")") {
      depth -= 1;
      if (depth === 0) return i;
    }
  }
  return -1;
}

function alternatives(body: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (let i = 0; i < body.length; i += 1) {
    const char = body[i] as string;
    if (char === "|" && depth === 0) {
      parts.push("");
      continue;
    }
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    parts[parts.length - 1] += char === "\\" ? char + (body[++i] ?? "") : char;
  }
  return parts;
}

function quoteRegex(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(char) ? `\\${char}` : char;
}

/** The source of a regular expression that matches what the pattern matches (not anchored). */
export function patternSource(pattern: string, pathSegment = false): string {
  const any = pathSegment ? "[^/]" : "[\\s\\S]";
  let source = "";
  for (let i = 0; i < pattern.length; ) {
    const char = String.fromCodePoint(pattern.codePointAt(i) ?? 0);
    if ("?*+@!".includes(char) && pattern[i + 1] === "(") {
      const end = groupEnd(pattern, i + 1);
      if (end > 0) {
        const body = alternatives(pattern.slice(i + 2, end))
          .map((part) => patternSource(part, pathSegment))
          .join("|");
        const rest = patternSource(pattern.slice(end + 1), pathSegment);
        if (char === "!") return `${source}(?!(?:${body})${rest}$)${any}*${rest}`;
        source += `(?:${body})${char === "@" ? "" : char}`;
        i = end + 1;
        continue;
      }
    }
    if (char === "*") source += `${any}*`;
    else if (char === "?") source += any;
    else if (char === "\\") {
      i += 1;
      source += quoteRegex(pattern[i] ?? "\\");
    } else if (char === "[") {
      const end = bracketEnd(pattern, i);
      if (end < 0) source += "\\[";
      else {
        const body = pattern.slice(i + 1, end);
        const negated = body[0] === "!" || body[0] === "^";
        source += `[${negated ? "^" : ""}${bracketClass(negated ? body.slice(1) : body)}]`;
        i = end;
      }
    } else source += quoteRegex(char);
    i += char.length;
  }
  return source;
}

const compiled = new Map<string, RegExp>();

/** The pattern as a regular expression that must match the whole text. */
export function patternRegex(pattern: string, ignoreCase = false): RegExp {
  const key = (ignoreCase ? "i" : "c") + pattern;
  let regex = compiled.get(key);
  if (regex === undefined) {
    if (compiled.size > 500) compiled.clear();
    try {
      regex = new BoundedRegExp(`^(?:${patternSource(pattern)})$`, ignoreCase ? "ui" : "u");
    } catch {
      regex = /(?!)/u;
    }
    compiled.set(key, regex);
  }
  return regex;
}

/** True when the whole text matches. */
export function matchesPattern(pattern: string, text: string, ignoreCase = false): boolean {
  return patternRegex(pattern, ignoreCase).test(text);
}

/** True when the pattern has an active special character, so that it may name other paths than itself. */
export function hasWildcard(pattern: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*(?:[*?]|\[.*\]|[+@!]\()/su.test(pattern);
}

/** Escapes everything special, so that the pattern matches the text itself. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]()|!+@^-]/gu, "\\$&");
}

/** Takes the backslashes of a pattern away. */
export function unescapePattern(pattern: string): string {
  return pattern.replace(/\\(.)/gsu, "$1");
}
