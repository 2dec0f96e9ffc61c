// Wrapping of help texts at a terminal's width.

/**
 * Breaks lines longer than `limit` at spaces; spaces at a break are dropped, words longer than the limit stay whole.
 */
export function wrapText(text: string, limit: number): string {
  let result = "";
  let column = 0;
  let space = "";
  let word = "";
  const flush = () => {
    result += space + word;
    column += space.length + word.length;
    space = "";
    word = "";
  };
  for (const char of text) {
    if (char === "\n") {
      if (word === "") {
        if (column + space.length > limit) space = "";
        result += space;
      } else result += space + word;
      space = "";
      word = "";
      result += char;
      column = 0;
    } else if (char === " " || char === "\t") {
      if (space === "" || word !== "") flush();
      space += char;
    } else {
      word += char;
      if (column + space.length + word.length > limit && word.length < limit) {
        result += "\n";
        column = 0;
        space = "";
      }
    }
  }
  if (word === "") return column + space.length <= limit ? result + space : result;
  return result + space + word;
}

/** The width that kubectl wraps at on a terminal of `columns`; undefined: it does not wrap. */
export function wrapWidth(columns: number): number | undefined {
  if (columns >= 120) return 120;
  if (columns >= 100) return 100;
  return columns >= 80 ? 80 : undefined;
}
