// Cuts the first sentence off a paragraph of HTML, as the page shows it first.

/** An end of a sentence: CJK marks end one wherever they stand; a Latin mark does when a space or nothing follows. */
const endPattern = /[。！？]|[.!?…](?=\s|$)/g;

/** HTML of the first sentence, as a fragment of text, and of what follows it; `restHtml` is "" when that was all. */
export function cutFirstSentence(html: string): { readonly firstHtml: string; readonly restHtml: string } {
  const paragraph = /^<p>([\s\S]*?)<\/p>/.exec(html);
  if (paragraph === null) return { firstHtml: html, restHtml: "" };
  const [whole, text = ""] = paragraph;
  const after = html.slice(whole.length).trim();
  const end = endOfSentence(text);
  const [first, rest] = [text.slice(0, end).trim(), text.slice(end).trim()];
  return { firstHtml: first, restHtml: [rest === "" ? "" : `<p>${rest}</p>`, after].filter((part) => part !== "").join("\n") };
}

/** Where the first sentence of a paragraph ends: outside tags, code and other elements. */
function endOfSentence(text: string): number {
  const hidden = text.replace(/<(\w+)[^>]*>[\s\S]*?<\/\1>|<[^>]*>/g, (element) => "x".repeat(element.length));
  endPattern.lastIndex = 0;
  const found = endPattern.exec(hidden);
  return found === null ? text.length : found.index + found[0].length;
}
