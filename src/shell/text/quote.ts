// Quoting text so that the shell reads it back as one word.

/** Quoted as `printf %q`, `set` and `declare -p` quote. */
export function quoteWord(text: string): string {
  if (text === "") return "''";
  if (/[\x00-\x1f\x7f]/u.test(text)) return ansiQuote(text);
  return text.replace(/[^\w@%+=:,./\u0080-\u{10ffff}-]/gu, "\\$&").replace(/^([#~])/u, "\\$1");
}

/** Quoted with single quotes when it needs quotes at all, as `alias`, `export -p` in sh and `set -x` do. */
export function singleQuote(text: string): string {
  return `'${text.replace(/'/gu, "'\\''")}'`;
}

/** The form that xtrace prints. */
export function traceQuote(text: string): string {
  if (/[\x00-\x1f\x7f]/u.test(text)) return ansiQuote(text);
  return text !== "" && /^[\w@%+=:,./\u0080-\u{10ffff}-]+$/u.test(text) ? text : singleQuote(text);
}

/** The form of `declare -p`: always in double quotes. */
export function doubleQuote(text: string): string {
  return `"${text.replace(/["\\$`]/gu, "\\$&")}"`;
}

function ansiQuote(text: string): string {
  const body = text.replace(/[\\']/gu, "\\$&").replace(/[\x00-\x1f\x7f]/gu, (char) => {
    const index = "\n\t\r\x07\b\f\v\x1b".indexOf(char);
    return index >= 0 ? `\\${"ntrabfvE"[index]}` : `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `$'${body}'`;
}
