// What a shell holds, for the account of its process: variables, and what the commands that run now are working on.

import type { Process } from "#sim/program.ts";
import type { Variables } from "./variables.ts";

/** Smaller amounts are in what every shell takes. */
const smallBytes = 1024;

export class ShellMemory {
  readonly #self: Process;
  readonly #variables: () => Variables;
  /** Of the shell that this one was forked from: both have it once. */
  readonly #inheritedBytes: number;
  #variableBytes = 0;
  #borrowedBytes = 0;
  /** Commands until the variables are measured again: measuring must not cost more than running. */
  #commandsLeft = 0;

  constructor(self: Process, variables: () => Variables, inheritedBytes: number) {
    this.#self = self;
    this.#variables = variables;
    this.#inheritedBytes = inheritedBytes;
  }

  /** Bytes of the variables, as last measured. */
  get variableBytes(): number {
    return Math.max(this.#variableBytes, this.#inheritedBytes);
  }

  get borrowedBytes(): number {
    return this.#borrowedBytes;
  }

  /** The command that runs now works on so much more; the shell may be killed for it. */
  borrow(bytes: number): void {
    if (bytes < smallBytes) return;
    this.#borrowedBytes += bytes;
    this.#self.spend(bytes >> 10);
    this.#self.holdMemory(bytes);
  }

  /** A command has ended that began with so much borrowed. */
  giveBack(borrowedBefore: number): void {
    const bytes = this.#borrowedBytes - borrowedBefore;
    if (bytes === 0 && this.#commandsLeft > 0) {
      this.#commandsLeft -= 1;
      return;
    }
    this.#borrowedBytes = borrowedBefore;
    if (bytes > 0) this.#self.holdMemory(-bytes);
    if (this.#commandsLeft > 0 && bytes < this.#variableBytes / 16) {
      this.#commandsLeft -= 1;
      return;
    }
    this.#measure();
  }

  #measure(): void {
    const { bytes, count } = this.#variables().size();
    this.#commandsLeft = 16 + count;
    const before = Math.max(0, this.#variableBytes - this.#inheritedBytes);
    const now = Math.max(0, bytes - this.#inheritedBytes);
    this.#variableBytes = bytes;
    if (Math.abs(now - before) >= smallBytes) this.#self.holdMemory(now - before);
    else this.#variableBytes = before + this.#inheritedBytes;
  }
}
