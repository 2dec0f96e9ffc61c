// What the small programs share: options as getopt reads them, buffered output, input by lines, and errors in the
// words of GNU or busybox.

import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { HeldBytes } from "./held-bytes.ts";

export type Flavour = "gnu" | "busybox";

/** Ends a tool with a message and a status; thrown. */
export class ToolFailure extends Error {
  readonly status: number;

  constructor(message: string, status = 1) {
    super(message);
    this.status = status;
  }
}

/** A wrong call: the message, then the hint at --help (GNU) or the usage (busybox). */
export class UsageFailure extends ToolFailure {}

export interface CommandDefinition {
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
  run(tool: Tool): Sys<number>;
}

const flushAt = 16_384;

export class Tool {
  readonly self: Process;
  readonly name: string;
  readonly flavour: Flavour;
  operands: readonly string[] = [];
  /** Option occurrences in the order of the command line: [canonical name, argument]. */
  given: readonly (readonly [string, string])[] = [];
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
  *eachInput(paths: readonly string[], each: (path: string, fd: number) => Sys<void>): Sys<void> {
    const name = (path: string, error: SysError) =>
      this.gnu ? `${path}: ${error.message}` : `can't open '${path}': ${error.message}`;
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
}

/** A whole line is worked on in one turn: longer ones take more than a turn may. */
const maximumLineLength = 4_194_304;

/** Lines of a descriptor as they come; the last may lack its newline. Throws SysError ENOMEM for lines beyond 4 MiB. */
export class LineReader {
  readonly #self: Process;
  readonly #fd: number;
  readonly #decoder = new TextDecoder();
  /** Read, and not given yet. */
  #text = "";
  /** The beginning of a line whose end is not there yet. */
  #begun: string[] = [];
  #heldBytes = 0;
  #ended = false;
  /** Whether the line given last had its newline. */
  terminated = true;

  constructor(self: Process, fd: number) {
    this.#self = self;
    this.#fd = fd;
  }

  /** More lines are at hand without reading. */
  get buffered(): boolean {
    return this.#text.includes("\n");
  }

  *next(): Sys<string | undefined> {
    this.#hold(0);
    this.#self.spend(1);
    yield* this.#self.breathe();
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#whole(this.#text.slice(0, end));
        this.#text = this.#text.slice(end + 1);
        this.terminated = true;
        return line;
      }
      if (this.#text !== "") this.#begun.push(this.#text);
      this.#text = "";
      if (this.#ended) {
        if (this.#begun.length === 0) return undefined;
        this.terminated = false;
        return this.#whole("");
      }
      const bytes = yield* this.#self.read(this.#fd);
      if (bytes.length === 0) this.#ended = true;
      if (this.#begun.length > 0) this.#hold(this.#heldBytes + bytes.length);
      this.#text = this.#decoder.decode(bytes, { stream: bytes.length > 0 });
    }
  }

  #whole(end: string): string {
    if (this.#begun.length === 0) return end;
    const length = this.#begun.reduce((sum, piece) => sum + piece.length, end.length);
    const begun = this.#begun;
    this.#begun = [];
    if (length > maximumLineLength) throw new SysError("ENOMEM");
    const line = begun.join("") + end;
    // The line, and what is made of it.
    this.#hold(2 * this.#heldBytes);
    this.#self.spend(line.length >> 6);
    return line;
  }

  /** Long lines count as memory. */
  #hold(bytes: number): void {
    if (bytes === this.#heldBytes) return;
    this.#self.holdMemory(bytes - this.#heldBytes);
    this.#heldBytes = bytes;
  }
}

/** Calls `each` per line, and writes what was printed whenever the input makes it wait. */
export function* eachLine(
  tool: Tool,
  fd: number,
  each: (line: string, terminated: boolean) => Sys<boolean | undefined>,
): Sys<void> {
  const reader = new LineReader(tool.self, fd);
  for (;;) {
    if (!reader.buffered) yield* tool.flush();
    const line = yield* reader.next();
    if (line === undefined) return;
    if ((yield* each(line, reader.terminated)) === true) return;
  }
}

/** Lines of a text, without a last empty one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

interface OptionForm {
  readonly name: string;
  readonly argument: "none" | "required" | "optional";
}

function readForms(spec: string): Map<string, OptionForm> {
  const forms = new Map<string, OptionForm>();
  for (const entry of spec.split(" ")) {
    if (entry === "") continue;
    const argument = entry.endsWith("=?") ? "optional" : entry.endsWith("=") ? "required" : "none";
    const names = entry.replace(/=\??$/u, "").split(",");
    for (const name of names) forms.set(name, { name: names[0] as string, argument });
  }
  return forms;
}

function parseOptions(tool: Tool, definition: CommandDefinition, args: readonly string[]): void {
  const forms = readForms(definition.options ?? "");
  const given: [string, string][] = [];
  const operands: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] as string;
    if (word === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (word.startsWith("--")) {
      const at = word.indexOf("=");
      const wanted = word.slice(2, at < 0 ? undefined : at);
      const exact = forms.get(wanted);
      const matches =
        exact !== undefined && wanted.length > 1
          ? [wanted]
          : [...forms.keys()].filter((name) => name.length > 1 && name.startsWith(wanted));
      const form = matches.length === 1 ? forms.get(matches[0] as string) : undefined;
      if (form === undefined)
        throw new UsageFailure(matches.length > 1 ? `option '${word}' is ambiguous` : `unrecognized option '${word}'`);
      if (form.argument === "none" && at >= 0) throw new UsageFailure(`option '--${matches[0]}' doesn't allow an argument`);
      if (form.argument === "required" && at < 0 && i + 1 >= args.length)
        throw new UsageFailure(`option '--${matches[0]}' requires an argument`);
      given.push([form.name, at >= 0 ? word.slice(at + 1) : form.argument === "required" ? (args[++i] as string) : ""]);
      continue;
    }
    if (definition.numberOption !== undefined && /^-\d+$/u.test(word)) {
      given.push([definition.numberOption, word.slice(1)]);
      continue;
    }
    if (!word.startsWith("-") || word === "-") {
      if (definition.inOrder === true) {
        operands.push(...args.slice(i));
        break;
      }
      operands.push(word);
      continue;
    }
    for (let j = 1; j < word.length; j += 1) {
      const letter = word[j] as string;
      const form = forms.get(letter);
      if (form === undefined) throw new UsageFailure(`invalid option -- '${letter}'`);
      if (form.argument === "none") {
        given.push([form.name, ""]);
        continue;
      }
      const rest = word.slice(j + 1);
      if (rest === "" && form.argument === "required" && i + 1 >= args.length)
        throw new UsageFailure(`option requires an argument -- '${letter}'`);
      given.push([form.name, rest !== "" || form.argument === "optional" ? rest : (args[++i] as string)]);
      break;
    }
  }
  const refused = given.find(([name]) => definition.unsupported?.split(" ").includes(name));
  if (refused !== undefined) throw new ToolFailure(`option -${refused[0]} is not supported here`, definition.usageStatus ?? 1);
  tool.given = given;
  tool.operands = operands;
}

/** The program of a command in a flavour. */
export function toolProgram(definition: CommandDefinition, flavour: Flavour): Program {
  return (self) => runTool(self, definition, flavour, self.argv);
}

/** GNU's quotation marks are those of the locale: ASCII ones in the C locale, which is what a container has that sets none. */
function inLocale({ env }: Process, message: string): string {
  const locale = env.get("LC_ALL") || env.get("LC_CTYPE") || env.get("LANG") || "C";
  return /utf-?8$/iu.test(locale) ? message : message.replaceAll(/[‘’]/gu, "'");
}

export function* runTool(self: Process, definition: CommandDefinition, flavour: Flavour, argv: readonly string[]): Sys<number> {
  const tool = new Tool(self, definition.name, flavour);
  try {
    if (definition.options !== undefined) {
      if (argv[1] === "--help" && argv.length === 2) {
        yield* self.write(1, flavour === "busybox" ? usageText(definition) : `Usage: ${definition.usage ?? definition.name}\n`);
        return 0;
      }
      parseOptions(tool, definition, argv.slice(1));
    } else tool.operands = argv.slice(1);
    const status = yield* definition.run(tool);
    yield* tool.flush();
    return status === 0 ? tool.status : status;
  } catch (error) {
    if (error instanceof UsageFailure) {
      yield* tool.flush();
      const hint = flavour === "busybox" ? usageText(definition) : `Try '${definition.name} --help' for more information.\n`;
      yield* self.write(2, inLocale(self, `${error.message === "" ? "" : `${definition.name}: ${error.message}\n`}${hint}`));
      return definition.usageStatus ?? error.status;
    }
    if (error instanceof ToolFailure) {
      yield* tool.flush();
      if (error.message !== "") yield* self.write(2, inLocale(self, `${definition.name}: ${error.message}\n`));
      return error.status;
    }
    if (error instanceof SysError && error.code !== "EPIPE") {
      yield* self.write(2, `${definition.name}: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

export const busyboxVersion = "BusyBox v1.37.0 (2024-09-26 21:31:42 UTC) multi-call binary.";

function usageText(definition: CommandDefinition): string {
  return `${busyboxVersion}\n\nUsage: ${definition.usage ?? `${definition.name} [OPTIONS]`}\n`;
}

/** A count such as of `head -n`. Throws ToolFailure in the tool's words. */
export function readCount(text: string, what: string): number {
  const match = /^([-+]?\d+)([bkKmMG]?)B?$/u.exec(text);
  if (match === null) throw new ToolFailure(`invalid ${what}: ‘${text}’`);
  const factors: { readonly [unit: string]: number } = {
    "": 1,
    b: 512,
    k: 1024,
    K: 1024,
    m: 1_048_576,
    M: 1_048_576,
    G: 1_073_741_824,
  };
  return Number(match[1]) * (factors[match[2] as string] as number);
}

/** Runs a command by PATH and waits for it; 127 and a message when it is not there. */
export function* runCommandLine(tool: Tool, words: readonly string[], env?: ReadonlyMap<string, string>): Sys<number> {
  const name = words[0] as string;
  try {
    const pid = tool.self.spawn({
      run: findProgram(tool.self, name, (env ?? tool.self.env).get("PATH")),
      argv: words,
      ...(env === undefined ? {} : { env }),
    });
    return (yield* tool.self.wait(pid))?.code ?? 0;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    yield* tool.warn(
      tool.gnu
        ? `${tool.name === "find" ? `‘${name}’` : tool.name === "env" || tool.name === "xargs" ? (tool.name === "env" ? `‘${name}’` : name) : `'${name}'`}: ${error.message}`
        : `${tool.name === "env" ? `can't execute '${name}'` : name}: ${error.message}`,
    );
    return error.code === "ENOENT" ? 127 : 126;
  }
}

/** The path of a program as execvp finds it. Throws SysError ENOENT. */
export function findProgram(self: Process, name: string, path: string | undefined): string {
  if (name.includes("/")) return name;
  for (const directory of (path ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin").split(":")) {
    const candidate = `${directory === "" ? "." : directory}/${name}`;
    try {
      const stat = self.stat(candidate);
      if (stat.type === "file" && (stat.permissions & 0o111) !== 0) return candidate;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  throw new SysError("ENOENT");
}
