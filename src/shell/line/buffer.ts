// The line being edited: code points, a cursor, a kill ring of one, undo-less as small shells have it.

import { lateUnicode } from "#sim/late-unicode.ts";

/** The line that is being typed, with its cursor and what was killed last. */
export class LineBuffer {
  characters: string[] = [];
  cursor = 0;
  killed = "";

  get text(): string {
    return this.characters.join("");
  }

  set(text: string, cursor?: number): void {
    this.characters = [...text];
    this.cursor = Math.min(cursor ?? this.characters.length, this.characters.length);
  }

  insert(text: string): void {
    const added = [...text];
    this.characters.splice(this.cursor, 0, ...added);
    this.cursor += added.length;
  }

  move(to: number): void {
    this.cursor = Math.max(0, Math.min(this.characters.length, to));
  }

  /** Removes from `from` to `to` and keeps it for Ctrl-Y. */
  kill(from: number, to: number, keep = true): void {
    const removed = this.characters.splice(from, to - from).join("");
    if (keep && removed !== "") this.killed = removed;
    this.cursor = from;
  }

  /** Where the word before the cursor begins. `blank`: words end at blanks only, as for Ctrl-W. */
  wordStart(blank: boolean): number {
    const isWord = (char: string | undefined) =>
      char !== undefined && (blank ? !/\s/u.test(char) : lateUnicode.code.isOf(char, "L", "N"));
    let at = this.cursor;
    while (at > 0 && !isWord(this.characters[at - 1])) at -= 1;
    while (at > 0 && isWord(this.characters[at - 1])) at -= 1;
    return at;
  }

  wordEnd(): number {
    const isWord = (char: string | undefined) => char !== undefined && lateUnicode.code.isOf(char, "L", "N");
    let at = this.cursor;
    while (at < this.characters.length && !isWord(this.characters[at])) at += 1;
    while (at < this.characters.length && isWord(this.characters[at])) at += 1;
    return at;
  }

  transpose(): void {
    if (this.cursor === 0 || this.characters.length < 2) return;
    const at = this.cursor === this.characters.length ? this.cursor - 1 : this.cursor;
    const [before, after] = [this.characters[at - 1] as string, this.characters[at] as string];
    this.characters[at - 1] = after;
    this.characters[at] = before;
    this.move(at + 1);
  }
}
