// Source text put between double quotes: arithmetic, PS1.

const closers: { readonly [opener: string]: string } = { "(": ")", "{": "}" };

/** With its quotes as letters; those inside `$(…)`, `${…}` and backquotes are of that command or parameter, and stay. */
export function betweenQuotes(text: string): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const end = substitutionEnd(text, at);
    if (end === undefined) {
      result += text[at] === '"' ? '\\"' : text[at];
      at += 1;
    } else {
      result += text.slice(at, end);
      at = end;
    }
  }
  return `"${result}"`;
}

/** Behind the substitution that begins here; undefined when none does, or it has no end. */
function substitutionEnd(text: string, from: number): number | undefined {
  if (text[from] === "`") return quoteEnd(text, from);
  const opener = text[from] === "$" ? text[from + 1] : undefined;
  const closer = opener === undefined ? undefined : closers[opener];
  if (closer === undefined) return undefined;
  let depth = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === "\\") at += 1;
    else if (char === "'" || char === '"' || char === "`") {
      const end = quoteEnd(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (char === opener) depth += 1;
    else if (char === closer) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Behind the quote of the same kind that ends what begins here; in double quotes, substitutions have quotes of their own. */
function quoteEnd(text: string, from: number): number | undefined {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === quote) return at + 1;
    if (quote === "'") continue;
    if (text[at] === "\\") at += 1;
    else if (quote === '"') at = (substitutionEnd(text, at) ?? at + 1) - 1;
  }
  return undefined;
}
