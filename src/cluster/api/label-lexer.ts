// Splits a label selector's text into tokens, as apimachinery's labels.Lexer does.

type Symbol = ")" | "," | "!" | "==" | "=" | ">" | "<" | "!=" | "(";

export interface LabelToken {
  readonly kind: Symbol | "in" | "notin" | "word" | "end" | "error";
  readonly text: string;
}

const symbols: ReadonlySet<string> = new Set<Symbol>([")", ",", "!", "==", "=", ">", "<", "!=", "("]);
const symbolCharacters = "=!(),><";
const blanks = " \t\r\n";

function isSymbol(text: string): text is Symbol {
  return symbols.has(text);
}

export class LabelLexer {
  readonly #text: string;
  #position = 0;
  #next: LabelToken | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  peek(): LabelToken {
    this.#next ??= this.#read();
    return this.#next;
  }

  take(): LabelToken {
    const token = this.peek();
    if (token.kind !== "end") this.#next = undefined;
    return token;
  }

  #read(): LabelToken {
    while (this.#position < this.#text.length && blanks.includes(this.#text.charAt(this.#position))) this.#position += 1;
    if (this.#position >= this.#text.length) return { kind: "end", text: "" };
    return symbolCharacters.includes(this.#text.charAt(this.#position)) ? this.#symbol() : this.#word();
  }

  #word(): LabelToken {
    const start = this.#position;
    while (this.#position < this.#text.length) {
      const character = this.#text.charAt(this.#position);
      if (blanks.includes(character) || symbolCharacters.includes(character)) break;
      this.#position += 1;
    }
    const text = this.#text.slice(start, this.#position);
    return { kind: text === "in" || text === "notin" ? text : "word", text };
  }

  /** The longest symbol; every symbol character is one or begins one. */
  #symbol(): LabelToken {
    const pair = this.#text.slice(this.#position, this.#position + 2);
    const text = isSymbol(pair) ? pair : this.#text.charAt(this.#position);
    this.#position += text.length;
    return isSymbol(text) ? { kind: text, text } : { kind: "error", text };
  }
}
