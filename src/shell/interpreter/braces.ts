// Brace expansion: a{b,c} and {1..9..2}, on the source text of a word before anything else.

/** Positions to skip: quotes, backslashes and `$…` groups hide braces. Returns the index after the hidden part, or `at`. */
function skipHidden(text: string, at: number): number {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "'") return closing(text, at + 1, "'");
  if (char === "`") return closing(text, at + 1, "`");
  if (char === '"') {
    let i = at + 1;
    while (i < text.length && text[i] !== '"')
      i = text[i] === "\\" || text[i] === "$" ? Math.max(skipHidden(text, i), i + 1) : i + 1;
    return i + 1;
  }
  if (char === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) {
    const open = text[at + 1] as string;
    const close = open === "{" ? "}" : ")";
    let depth = 0;
    for (let i = at + 1; i < text.length; ) {
      if (text[i] === open) depth += 1;
      else if (text[i] === close) {
        depth -= 1;
        if (depth === 0) return i + 1;
      }
      const next = i === at + 1 ? i + 1 : skipHidden(text, i);
      i = next === i ? i + 1 : next;
    }
    return text.length;
  }
  return at;
}

function closing(text: string, from: number, quote: string): number {
  const end = text.indexOf(quote, from);
  return end < 0 ? text.length : end + 1;
}

const limit = 1_000_000;

/** A sequence, or a product of groups, has more words than there is memory for. */
export class TooManyWords extends Error {
  constructor(count: number) {
    super(`brace expansion: cannot allocate memory for ${count} elements`);
  }
}

/** The words that a word's source text stands for; a single one, itself, when it has no braces to expand. Throws TooManyWords. */
export function expandBraces(text: string): string[] {
  for (let i = 0; i < text.length; ) {
    const next = skipHidden(text, i);
    if (next !== i) {
      i = next;
      continue;
    }
    if (text[i] === "{") {
      const group = readGroup(text, i);
      if (group !== undefined) {
        const prefix = text.slice(0, i);
        const suffixes = expandBraces(text.slice(group.end));
        const middles = group.items;
        const count = middles.length * suffixes.length;
        if (count > limit) throw new TooManyWords(count);
        const result: string[] = [];
        for (const middle of middles) {
          for (const suffix of suffixes) {
            result.push(prefix + middle + suffix);
          }
        }
        return result;
      }
    }
    i += 1;
  }
  return [text];
}

function readGroup(text: string, open: number): { readonly items: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let i = open + 1; i < text.length; ) {
    const next = skipHidden(text, i);
    if (next !== i) {
      i = next;
      continue;
    }
    const char = text[i];
    if (char === "{") depth += 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    } else if (char === "}") {
      if (depth === 0) {
        parts.push(text.slice(start, i));
        if (parts.length > 1) return { items: parts.flatMap(expandBraces), end: i + 1 };
        const sequence = expandSequence(parts[0] as string);
        return sequence === undefined ? undefined : { items: sequence, end: i + 1 };
      }
      depth -= 1;
    }
    i += 1;
  }
  return undefined;
}

function expandSequence(body: string): string[] | undefined {
  const numbers = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/u.exec(body);
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/u.exec(body);
  const match = numbers ?? letters;
  if (match === null) return undefined;
  const [, first, last, by] = match as unknown[] as [string, string, string, string | undefined];
  const from = numbers === null ? first.charCodeAt(0) : Number(first);
  const to = numbers === null ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const padded =
    numbers !== null && /^-?0\d/u.test(first.length >= last.length ? first : last) ? Math.max(first.length, last.length) : 0;
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > limit) throw new TooManyWords(count);
  const result: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? step : -step) {
    if (numbers === null) result.push(String.fromCharCode(value));
    else result.push((value < 0 ? "-" : "") + String(Math.abs(value)).padStart(padded - (value < 0 ? 1 : 0), "0"));
  }
  return result;
}
