// Commands as they wrap on a narrow page: between words only, never inside one.

const piece = /<[^>]+>|[^<]+/g;

/** @param html highlighted code: lines of coloured pieces, nothing nested deeper.
 * @returns the same, each word held together by `<span class="whole">`; what colours a piece is closed and opened again around it. */
export function wrapBetweenWords(html: string): string {
  return html.split("\n").map(wrapLine).join("\n");
}

function wrapLine(line: string): string {
  const out: string[] = [];
  /** The open tags that colour what comes; the line's own tag stands outside the words. */
  let colour = "";
  let word = "";
  const closeWord = (): void => {
    if (word !== "") out.push(`<span class="whole">${word}</span>`);
    word = "";
  };
  for (const [found] of line.matchAll(piece)) {
    if (/^<span style=/.test(found)) colour = found;
    else if (found === "</span>" && colour !== "") colour = "";
    else if (found.startsWith("<")) {
      closeWord();
      out.push(found);
    } else
      for (const part of found.split(/(\s+)/).filter((text) => text !== "")) {
        if (/^\s/.test(part)) {
          closeWord();
          out.push(part);
        } else word += colour === "" ? part : `${colour}${part}</span>`;
      }
  }
  closeWord();
  return out.join("");
}
