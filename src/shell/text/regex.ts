// POSIX regular expressions (basic and extended, with GNU's additions) as JavaScript ones.

import { BoundedRegExp } from "./bounded-regex.ts";
import { bracketClass, bracketEnd } from "./pattern.ts";

/** What is wrong with a pattern, in the C library's words. */
export class RegexError extends Error {}

/** An extended regular expression in JavaScript's syntax; `basic` swaps the roles of \( and (, and so on. */
export function regexSource(pattern: string, basic: boolean): string {
  let result = "";
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i] as string;
    if (char === "[") {
      const end = bracketEnd(pattern, i);
      if (end < 0) throw new RegexError("Unmatched [, [^, [:, [., or [=");
      const body = pattern.slice(i + 1, end);
      const negated = body.startsWith("^");
      result += `[${negated ? "^" : ""}${bracketBody(negated ? body.slice(1) : body)}]`;
      i = end;
    } else if (char === "\\") {
      i += 1;
      const next = pattern[i];
      if (next === undefined) throw new RegexError("Trailing backslash");
      if (next === "<") result += "\\b(?=\\w)";
      else if (next === ">") result += "\\b(?<=\\w)";
      else if (next === "`") result += "^";
      else if (next === "'") result += "$";
      else if (basic && "(){}+?|".includes(next)) result += next;
      else if (/[1-9wWsSbBnt]/u.test(next)) result += `\\${next}`;
      else result += /[a-zA-Z0-9"#%&,:;<=>@_~`' -]/u.test(next) ? next : `\\${next}`;
    } else if (basic && "(){}+?|".includes(char)) result += `\\${char}`;
    else if (basic && char === "*" && (result === "" || /(?:^|[^\\])(?:\(|\||\^)$/u.test(result))) result += "\\*";
    else if (basic && char === "^" && i > 0 && !/(?:\\\(|\\\||\n)$/u.test(pattern.slice(0, i))) result += "\\^";
    else if (basic && char === "$" && i < pattern.length - 1 && !/^(?:\\\)|\\\||\n)/u.test(pattern.slice(i + 1))) result += "\\$";
    else if (!basic && char === "{") {
      const interval = /^\{\d*,?\d*\}/u.exec(pattern.slice(i))?.[0];
      result += interval ?? "\\{";
      i += (interval?.length ?? 1) - 1;
    } else if (char === "]" || (!basic && char === "}")) result += `\\${char}`;
    else result += char;
  }
  return result;
}

function bracketBody(body: string): string {
  return bracketClass(body.replace(/\\/gu, "\\\\").replace(/\[=(.)=\]|\[\.(.)\.\]/gu, "$1$2"));
}

/** Compiles a POSIX pattern. Throws for a wrong one, and not always in words of ours. */
export function posixRegex(
  pattern: string,
  options: { readonly basic: boolean; readonly ignoreCase?: boolean; readonly global?: boolean },
): RegExp {
  return new BoundedRegExp(
    regexSource(pattern, options.basic),
    `${options.ignoreCase === true ? "i" : ""}${options.global === true ? "g" : ""}u`,
  );
}

/** An extended expression for bash's =~. */
export function posixClasses(pattern: string): string {
  return regexSource(pattern, false);
}
