// What is known to differ between both control planes, each under a reason. A line is a pattern, in which `*` stands for anything, of
// a comparison's name and the place in the answer that differs first. A line that nothing matches any more has to be struck, unless
// chance decides (a reason behind `=?`).

import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = join(import.meta.dirname, "known-differences.txt");

interface Entry {
  readonly text: string;
  readonly reason: string;
  /** It is there in some runs only. */
  readonly isChance: boolean;
}

export class KnownDifferences {
  readonly #patterns: readonly (Entry & { readonly expression: RegExp })[];
  readonly #used = new Set<string>();

  private constructor(entries: readonly Entry[]) {
    this.#patterns = entries.map((entry) => ({ ...entry, expression: expressionOf(entry.text) }));
  }

  static read(): KnownDifferences {
    return KnownDifferences.of(readFileSync(file, "utf8"));
  }

  static of(text: string): KnownDifferences {
    const entries: Entry[] = [];
    let reason: string | undefined;
    let isChance = false;
    for (const line of text.split("\n")) {
      if (line.startsWith("== ") || line.startsWith("=? ")) {
        reason = line.slice(3);
        isChance = line.startsWith("=?");
      } else if (line !== "" && !line.startsWith("#")) {
        if (reason === undefined) throw new Error(`${file}: no reason stands above: ${line}`);
        entries.push({ text: line, reason, isChance });
      }
    }
    return new KnownDifferences(entries);
  }

  /** Why it differs; undefined where nobody knows. */
  reasonOf(key: string, place: string): string | undefined {
    const name = `${key} | ${place}`;
    const all = this.#patterns.filter(({ expression }) => expression.test(name));
    for (const { text } of all) this.#used.add(text);
    return all[0]?.reason;
  }

  /** Lines that no difference matched, though one should. */
  get unused(): readonly string[] {
    return this.#patterns.filter(({ text, isChance }) => !isChance && !this.#used.has(text)).map(({ text }) => text);
  }
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
