// Regular expressions as Go's regexp package reads them (RE2), in JavaScript's: what Go alone knows is rewritten, what Go refuses
// is refused in its words.

/** An expression that Go's regexp does not take; the message is Go's. */
export class GoRegExpError extends Error {}

const classes: { readonly [name: string]: string } = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

const compiled = new Map<string, RegExp>();
const cacheLimit = 500;

/** Throws GoRegExpError. */
export function goRegExp(pattern: string): RegExp {
  let known = compiled.get(pattern);
  if (known === undefined) {
    known = compile(pattern);
    if (compiled.size >= cacheLimit) compiled.clear();
    compiled.set(pattern, known);
  }
  return known;
}

function compile(pattern: string): RegExp {
  const perl = /\(\?(?:[=!]|<[=!])|\\[1-9]/.exec(pattern.replace(/\\\\/g, "  "));
  if (perl !== null) {
    const what = perl[0].startsWith("\\") ? "invalid escape sequence" : "invalid or unsupported Perl syntax";
    throw new GoRegExpError(`error parsing regexp: ${what}: \`${perl[0]}\``);
  }
  const flags = /^\(\?([imsU]+)\)/.exec(pattern);
  const body = (flags === null ? pattern : pattern.slice(flags[0].length))
    .replace(/\[:(\^?)(\w+):\]/g, (whole, not: string, name: string) => (not === "" ? (classes[name] ?? whole) : whole))
    .replace(/\(\?P</g, "(?<")
    .replace(/\\A/g, "^")
    .replace(/\\z/g, "$");
  const given = (flags?.[1] ?? "").replace("U", "");
  try {
    return new RegExp(body, /\\[pP]/.test(body) ? `${given}u` : given);
  } catch (error) {
    throw new GoRegExpError(`error parsing regexp: ${reasonOf(error as Error)}: \`${pattern}\``);
  }
}

function reasonOf({ message }: Error): string {
  if (message.includes("Unterminated character class")) return "missing closing ]";
  if (message.includes("Unterminated group")) return "missing closing )";
  if (message.includes("Unmatched ')'")) return "unexpected )";
  if (message.includes("Nothing to repeat")) return "missing argument to repetition operator";
  if (message.includes("\\ at end")) return "trailing backslash at end of expression";
  return message.includes("out of order") ? "invalid character class range" : "invalid syntax";
}
