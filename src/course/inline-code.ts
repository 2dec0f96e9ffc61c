// Texts given as attributes may hold `code`; everything else in them is plain text.

/** @returns HTML: the text escaped, backticked spans as <code>. */
export function withInlineCode(text: string): string {
  return breakCodeWell(escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>"));
}

/** Spans of code in HTML that hold nothing but text, prepared for narrow lines: no option is torn from its dashes, and a long name may
 * break behind a slash, a comma or an equals sign; in the cells of tables also between the words that it is made of. */
export function breakCodeWell(html: string): string {
  return breakBeforeSigns(
    html.replace(/(<code[^>]*>)([^<]+)(?=<\/code>)/g, (_, tag: string, text: string) => tag + codeText(text)),
  );
}

/** Code that begins with a sign (`--flag`, `/path`) may begin a line after a Chinese or Japanese comma, colon or full stop. Unicode's rules for
 * lines (UAX #14, LB13 and LB21) allow no break before a hyphen or a slash, and where a list of options has none at all, a browser
 * breaks before the comma. Code that begins with a letter needs no help. */
export function breakBeforeSigns(html: string): string {
  return html.replace(/([、，：；。？！）」”](?:<\/?(?:strong|em|a)\b[^>]*>)*)(?=<code[^>]*>[^\p{L}\p{N}])/gu, "$1<wbr>");
}

/** Code, highlighted or not, as it wraps: no option is torn from its dashes, no word in angle brackets from these. */
export function keepWhole(html: string): string {
  return html.replace(/(^|>)([^<]+)/g, (_, before: string, text: string) => before + wholeWords(text));
}

const longName = /[^\s&;]{20,}/g;

function codeText(escaped: string): string {
  const breakable = (name: string): string =>
    name.replace(/[/,=](?=\w)/g, "$&<wbr>").replace(/[a-z](?=[A-Z])/g, '$&<wbr class="hump">');
  return keepWhole(escaped.replace(longName, breakable));
}

/** A phone's line has room for this many characters of code. */
const widestOption = 34;

/** Options, and what stands in angle brackets for a word of the reader's. An option wider than a phone breaks behind its inner dashes. */
function wholeWords(escaped: string): string {
  return escaped
    .replace(/(^|[\s[(|])(-{1,2}[A-Za-z]\w*)([\w-]*)/g, (_, before: string, start: string, rest: string) => {
      const whole = start.length + rest.length > widestOption ? start : start + rest;
      return `${before}<span class="whole">${whole}</span>${(start + rest).slice(whole.length)}`;
    })
    .replace(/&lt;[^&\s][^&]{0,24}&gt;/g, '<span class="whole">$&</span>');
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
