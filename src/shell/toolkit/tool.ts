// What the small programs share: what a command declares, and what it has at hand when it runs. Messages are in the words of GNU or busybox.

import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { HeldBytes } from "./held-bytes.ts";

/**
 * Whose command it is: that of a GNU machine, or the one in busybox. One declaration serves both; where their words or deeds
 * differ, it asks `tool.gnu`.
 */
export type Flavour = "gnu" | "busybox";

/**
 * Ends a command: thrown anywhere in it, told as `name: message` on standard error, with this exit status. An empty message is not
 * told.
 */
export class ToolFailure extends Error {
  readonly status: number;

  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}

/** A wrong call: the message, then the hint at --help (GNU) or the usage (busybox). */
export class UsageFailure extends ToolFailure {}

/**
 * What a command declares. `run-tool.ts` makes programs of it, one for each flavour: reads the options, calls `run`, writes what
 * it printed, and turns what it threw into a message and a status. Without `options` all words are operands, and `--help` is one
 * of them.
 */
export interface CommandDefinition {
  /** As messages begin with it. */
  readonly name: string;
  /** Options of getopt: "a", "n,lines=", "color=?" (optional argument); separated by blanks. */
  readonly options?: string;
  /** What busybox prints behind `Usage: `; without it GNU's form serves both. */
  readonly usage?: string;
  /** Status of a wrong call. Default 1. */
  readonly usageStatus?: number;
  /** Options end at the first operand. */
  readonly inOrder?: boolean;
  /** Options that the real tool has and this one does not act on: refused, by their canonical names. */
  readonly unsupported?: string;
  /** Digits as an option: `-5` is `-n 5`. */
  readonly numberOption?: string;
  /** The command itself; returns the exit status. 0 becomes `tool.status`, so that what was warned of is not forgotten. */
  run(tool: Tool): Sys<number>;
}

const flushAt = 16_384;

/**
 * One run of a command: its process, options and operands, output that is gathered before it is written, and messages in the
 * flavour's words.
 */
export class Tool {
  readonly self: Process;
  readonly name: string;
  readonly flavour: Flavour;
  /** What is left of the command line without the options. */
  operands: readonly string[] = [];
  /** Option occurrences in the order of the command line: [canonical name, argument]. */
  given: readonly (readonly [string, string])[] = [];
  /** The exit status of a run that goes to its end: that of the last warning. */
  status = 0;
  #pending: (string | Bytes)[] = [];
  #pendingLength = 0;

  constructor(self: Process, name: string, flavour: Flavour) {
    this.self = self;
    this.name = name;
    this.flavour = flavour;
  }

  get gnu(): boolean {
    return this.flavour === "gnu";
  }

  has(option: string): boolean {
    return this.given.some(([name]) => name === option);
  }

  /** The last argument given for an option. */
  value(option: string): string | undefined {
    return this.given.findLast(([name]) => name === option)?.[1];
  }

  /** All arguments given for an option, in order: `-e A -e B`. */
  values(option: string): string[] {
    return this.given.filter(([name]) => name === option).map(([, value]) => value);
  }

  /** The last given of several options that exclude each other. */
  lastOf(...options: readonly string[]): string | undefined {
    return this.given.findLast(([name]) => options.includes(name))?.[0];
  }

  /** Queues output; it is written when there is much of it, by `flush`, and at the end. */
  *print(text: string | Bytes): Sys<void> {
    if (text.length === 0) return;
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= flushAt) yield* this.flush();
  }

  /** Writes what was printed: before the command waits, or writes past `print`. */
  *flush(): Sys<void> {
    if (this.#pending.length === 0) return;
    const parts = this.#pending.map((part) => (typeof part === "string" ? encodeUtf8(part) : part));
    this.#pending = [];
    this.#pendingLength = 0;
    yield* this.self.write(1, concatBytes(parts));
  }

  /** `name: message` on standard error; the tool goes on and ends with `status`. */
  *warn(message: string, status = 1): Sys<void> {
    yield* this.flush();
    this.status = status;
    yield* this.self.write(2, inLocale(this.self, `${this.name}: ${message}\n`));
  }

  /** Calls `each` per operand; a refused system call is reported with the operand's name and the rest goes on. */
  *eachOperand(
    operands: readonly string[],
    each: (path: string) => Sys<void>,
    explain = (path: string, error: SysError) => `${path}: ${error.message}`,
  ): Sys<void> {
    for (const path of operands) {
      try {
        yield* each(path);
      } catch (error) {
        if (!(error instanceof SysError) || error.code === "EPIPE") throw error;
        yield* this.warn(explain(path, error));
      }
    }
  }

  /** Opens a file to read; `-` is standard input. */
  openInput(path: string): number {
    if (path === "-") return 0;
    const fd = this.self.open(path, { read: true });
    if (this.self.fstat(fd).type === "directory") {
      this.self.close(fd);
      throw new SysError("EISDIR");
    }
    return fd;
  }

  closeInput(fd: number): void {
    if (fd !== 0) this.self.close(fd);
  }

  /** A whole file, or standard input for `-`. What is kept is charged to the process. */
  *readAll(path: string): Sys<Bytes> {
    const fd = this.openInput(path);
    const held = new HeldBytes(this.self);
    for (;;) {
      const bytes = yield* this.self.read(fd);
      if (bytes.length === 0) break;
      held.push(bytes);
    }
    this.closeInput(fd);
    const all = held.joined();
    held.release();
    // The bytes, and the text or list that the tool makes of them.
    this.self.holdMemory(2 * all.length);
    this.self.spend(all.length >> 10);
    yield* this.self.breathe();
    return all;
  }

  /** Reads each file (standard input when none is named) by chunks. Problems are reported and skipped. */
  *eachInput(
    paths: readonly string[],
    each: (path: string, fd: number) => Sys<void>,
    name = (path: string, error: SysError) => this.unreadable(path, error),
  ): Sys<void> {
    yield* this.eachOperand(
      paths.length === 0 ? ["-"] : paths,
      function* (this: Tool, path: string): Sys<void> {
        const fd = this.openInput(path);
        yield* each(path, fd);
        this.closeInput(fd);
      }.bind(this),
      name,
    );
  }

  /** Why an input cannot be read, in the words of most tools. */
  unreadable(path: string, { message }: SysError): string {
    return this.gnu ? `${path}: ${message}` : `can't open '${path}': ${message}`;
  }
}

/** GNU's quotation marks are those of the locale: ASCII ones in the C locale, which is what a container has that sets none. */
export function inLocale({ env }: Process, message: string): string {
  const locale = env.get("LC_ALL") || env.get("LC_CTYPE") || env.get("LANG") || "C";
  return /utf-?8$/iu.test(locale) ? message : message.replaceAll(/[‘’]/gu, "'");
}
