// Texts given as attributes may hold `code`; everything else in them is plain text.

/** @returns HTML: the text escaped, backticked spans as <code>. */
export function withInlineCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
