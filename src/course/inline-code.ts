// Texts given as attributes may hold `code`; everything else in them is plain text.

/** @returns HTML: the text escaped, backticked spans as <code>. */
export function withInlineCode(text: string): string {
  return breakCodeWell(escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

/** Spans of code in HTML that hold nothing but text, prepared for narrow lines: no option is torn from its dashes, and a long name with a
 * slash may break behind it. */
export function breakCodeWell(html: string): string {
  return html.replace(/(<code[^>]*>)([^<]+)(?=<\/code>)/g, (_, tag: string, text: string) => tag + codeText(text));
}

/** Highlighted code, or code that is text alone, as it wraps: no option is torn from its dashes. */
export function keepOptions(html: string): string {
  return html.replace(/(^|>)([^<]+)/g, (_, before: string, text: string) => before + wholeOptions(text));
}

const longName = /[^\s&;]{20,}/g;

function codeText(escaped: string): string {
  return keepOptions(escaped.replace(longName, (name) => name.replace(/\/(?=\w)/g, "/<wbr>")));
}

function wholeOptions(escaped: string): string {
  return escaped.replace(/(^|[\s[(|])(-{1,2}[A-Za-z][\w-]*)/g, '$1<span class="option">$2</span>');
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
