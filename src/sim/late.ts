// Code that may come later than the worlds that use it: a browser starts its cluster while it still loads the tools. It is no part
// of any world: it is provided once for all of them.

export class Late<Code> {
  readonly #name: string;
  #code: Code | undefined;

  /** `name` says in an error what is missing: the rest of the file's name after `late-`, for every byte of it is loaded at once. */
  constructor(name: string) {
    this.#name = name;
  }

  provide(code: Code): void {
    this.#code = code;
  }

  get isThere(): boolean {
    return this.#code !== undefined;
  }

  /** To use it before it was provided is a fault of the host: it throws Error. */
  get code(): Code {
    if (this.#code === undefined) throw new Error(`${this.#name}: used before it was provided`);
    return this.#code;
  }
}

/** What is made of late code: when it is first asked for, and then kept. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
