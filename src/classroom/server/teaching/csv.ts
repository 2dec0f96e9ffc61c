// Tables to take away, for a spreadsheet (RFC 4180).

/** A line each; a cell that begins like a formula is quoted. */
export function csvOf(lines: readonly (readonly (string | number)[])[]): string {
  // The mark tells Excel that it is UTF-8.
  return `\uFEFF${lines.map((cells) => cells.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** A spreadsheet must not take a learner's name for a formula. */
function cell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
