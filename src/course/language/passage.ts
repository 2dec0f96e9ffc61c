// A stretch of prose as the rules see it: without markup, code spans as one character, and with the line of every character.

/** Stands for a code span or an address: something Latin that is no word. */
export const codeMark = "\uE000";

/** Stands for a value that is filled in later, `{image}` or `{{count}}`. */
export const valueMark = "\uE002";

/** Stands between things that do not belong to one sentence: cells of a table, parts of a list. */
export const boundaryMark = "\uE001";

export interface Passage {
  readonly text: string;
  /** Whether code font can be shown here: titles and the words of a drawing have none. */
  readonly showsCode: boolean;
  /** Line in the file, from 1, of the character at an index of the text. */
  lineAt(index: number): number;
}

/** Collects prose piece by piece; a piece's line breaks count on from its first line. */
export class PassageBuilder {
  #text = "";
  readonly #lines: number[] = [];

  add(text: string, firstLine: number): void {
    let line = firstLine;
    for (const unit of text.split("")) {
      this.#text += unit;
      this.#lines.push(line);
      if (unit === "\n") line += 1;
    }
  }

  /** The passage so far, or undefined when it holds no word; the builder begins anew. */
  take(showsCode = true): Passage | undefined {
    const text = this.#text;
    const lines = [...this.#lines];
    this.#text = "";
    this.#lines.length = 0;
    if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
    return { text, showsCode, lineAt: (index) => lines[Math.min(index, lines.length - 1)] ?? 1 };
  }
}

/** A passage of inline text: code spans, addresses and `{values}` become marks, emphasis and links lose their signs. */
export function inlinePassage(text: string, firstLine: number, showsCode = true): Passage | undefined {
  const builder = new PassageBuilder();
  addInline(builder, text, firstLine);
  return builder.take(showsCode);
}

const inline =
  /(?<code>(?<ticks>`+)[\s\S]*?\k<ticks>)|(?<value>\{\{?\w+\}?\})|(?<link>\]\([^)\s]*\))|(?<url>https?:\/\/[^\s)\uFF09>]+)|(?<sign>\*\*|\*|\[|\\)/g;

export function addInline(builder: PassageBuilder, text: string, firstLine: number): void {
  let line = firstLine;
  let from = 0;
  const add = (piece: string): void => {
    builder.add(piece, line);
    line += piece.split("\n").length - 1;
  };
  for (const match of text.matchAll(inline)) {
    add(text.slice(from, match.index));
    const groups = match.groups ?? {};
    if (groups["code"] !== undefined || groups["url"] !== undefined) builder.add(codeMark, line);
    if (groups["value"] !== undefined) builder.add(valueMark, line);
    line += match[0].split("\n").length - 1;
    from = match.index + match[0].length;
  }
  add(text.slice(from));
}
