// The words that a lesson explains, as its `<Term>`s say them.

export interface ExplainedWord {
  /** The English word, as content/terminology.yaml has it. */
  readonly en: string;
  /** One sentence in the lesson's language; it may hold `code`. */
  readonly means: string;
}

/** What a lesson's `<Term>`s say, in their order. */
export function explainedWords(source: string): readonly ExplainedWord[] {
  return [...source.matchAll(/<Term((?:\s+\w+="[^"]*")+)\s*>/g)].flatMap(([, attributes = ""]) => {
    const value = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    const [en, means] = [value("en"), value("means")];
    return en === undefined || means === undefined ? [] : [{ en, means }];
  });
}
