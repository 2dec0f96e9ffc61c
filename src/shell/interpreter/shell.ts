// The state of one shell process: variables, functions, options, descriptors, jobs, traps.

import type { AndOr, CommandNode, Function as FunctionNode, ParsedScript, PipelineNode, Statement } from "unbash";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Signal } from "#sim/signals.ts";
import type { Terminal } from "#sim/tty.ts";
import { Jobs } from "./jobs.ts";
import { lateEngine } from "./late-engine.ts";
import { lineOf } from "./line-of.ts";
import { ShellMemory } from "./memory.ts";
import type { SyntaxProblem } from "./parse.ts";
import { newVariable, Variables } from "./variables.ts";

/** bash, or the shell of busybox: the same language with its own messages and without bash's extensions. */
export type Personality = "bash" | "busybox";

/** A function as it was defined; its body is run from the parsed text. */
export interface ShellFunction {
  readonly node: FunctionNode;
  /** The text that the node's positions index. */
  readonly source: string;
}

/** What a shell and its commands need of the interpreter without importing it. */
export interface Engine {
  /** What is wrong with the text, or missing at its end. */
  problemOf(text: string): SyntaxProblem | undefined;
  /** The function of this name that the text defines. */
  functionIn(text: string, name: string): FunctionNode;
  /** Text as if between double quotes: PS1, arithmetic, ${…@P}. */
  expandAsQuoted(shell: Shell, text: string): Sys<string>;
  /** A time as strftime writes it: in prompts. */
  formatDate(format: string, epochMs: number): string;
  /** Parses and runs text in this shell; syntax errors are reported with status 2. */
  runText(shell: Shell, text: string, origin: string): Sys<number>;
  runStatements(shell: Shell, statements: readonly Statement[]): Sys<number>;
  runNode(shell: Shell, node: PipelineNode | AndOr): Sys<number>;
  /** One command that is not a pipeline, without the effects of its failure. */
  runCommand(shell: Shell, node: CommandNode): Sys<number>;
  isBuiltin(name: string): boolean;
  /** The output of a script run in a subshell, to the last byte; its status becomes `shell.status`. */
  capture(shell: Shell, script: ParsedScript | undefined): Sys<string>;
  /** The same without trailing newlines. */
  substitute(shell: Shell, script: ParsedScript | undefined): Sys<string>;
  callFunction(shell: Shell, called: ShellFunction, args: readonly string[], name: string): Sys<number>;
  /** Runs words as a command: functions unless `skipFunctions`, builtins, programs. */
  runWords(shell: Shell, words: readonly string[], skipFunctions?: boolean): Sys<number>;
  /** `exec`: runs a program in the place of the shell; its status. */
  replaceBy(shell: Shell, words: readonly string[]): Sys<number>;
}

/** What was typed, the oldest first. */
export interface HistoryList {
  readonly lines: string[];
}

/**
 * All that one shell process knows. A subshell is another process with a copy of it (`fork`), so that nothing it changes is seen
 * here.
 */
export class Shell {
  readonly self: Process;
  readonly personality: Personality;
  /** `$0`. */
  name: string;
  /** What messages begin with. */
  errorName: string;
  variables = new Variables();
  functions = new Map<string, ShellFunction>();
  aliases = new Map<string, string>();
  /** Commands with a completion: the specification as `complete -p` prints it. */
  completions = new Map<string, string>();
  positional: readonly string[] = [];
  /** Long names of the options of `set -o` and `shopt` that are on. */
  options = new Set<string>(["braceexpand", "hashall"]);
  status = 0;
  pipeStatus: readonly number[] = [0];
  lastBackgroundPid: number | undefined;
  /** Status of the last command substitution of the command being expanded. */
  substitutionStatus: number | undefined;
  /** The shell's descriptor numbers → the process's. */
  fds: ReadonlyMap<number, number>;
  jobs = new Jobs();
  /** Signal name or EXIT, ERR, DEBUG → command text; "" ignores. */
  traps = new Map<string, string>();
  interactive = false;
  /** Messages name the line: in scripts and command strings. */
  showLines = true;
  /** Debian's sh is dash: how it greets and complains at a prompt. What it runs is bash's language here. */
  asDash = false;
  /** Lines read at a prompt. */
  linesRead = 0;
  /** The controlling terminal of a shell with a prompt. */
  terminal: Terminal | undefined;
  login = false;
  /** `$$`: the pid of the shell that the subshells came from. */
  mainPid: number;
  /** The text that positions of the running command index. */
  source = "";
  /** "-c" for a command string: part of syntax messages. */
  origin = "";
  position = 0;
  loopDepth = 0;
  functionNames: string[] = [];
  /** Above 0 in conditions, where a failure does not end a `set -e` shell. */
  conditionDepth = 0;
  sourceDepth = 0;
  subshell = false;
  startedMs: number;
  history: HistoryList = { lines: [] };
  directories: string[] = [];
  runningTrap = false;
  readonly memory: ShellMemory;
  #temporaryFiles = 0;

  constructor(self: Process, personality: Personality, name: string, inheritedBytes = 0) {
    this.memory = new ShellMemory(self, () => this.variables, inheritedBytes);
    this.self = self;
    this.personality = personality;
    this.name = name;
    this.errorName = name;
    this.mainPid = self.pid;
    this.startedMs = self.nowMs;
    this.fds = new Map(self.descriptors().map((fd) => [fd, fd]));
    for (const [key, value] of self.env) {
      const variable = newVariable("scalar", value);
      variable.exported = true;
      Object.assign(this.variables.ensure(key), variable);
    }
  }

  /**
   * The state of now, for a subshell: another process whose descriptors carry this shell's numbers takes it when it begins, which is
   * later than this shell's next command where that does not wait (`&`).
   */
  fork(): (self: Process) => Shell {
    const { errorName, positional, status, pipeStatus, lastBackgroundPid, mainPid, source, origin, position } = this;
    const { loopDepth, conditionDepth, sourceDepth, startedMs, showLines, asDash, linesRead } = this;
    const state = { errorName, positional, status, pipeStatus, lastBackgroundPid, mainPid, source, origin, position };
    const inherited = {
      ...state,
      ...{ loopDepth, conditionDepth, sourceDepth, startedMs, showLines, asDash, linesRead, subshell: true },
      variables: this.variables.copy(),
      functions: new Map(this.functions),
      aliases: new Map(this.aliases),
      options: new Set(this.options),
      functionNames: [...this.functionNames],
      traps: new Map([...this.traps].filter(([, command]) => command === "")),
    };
    inherited.options.delete("monitor");
    const { variableBytes } = this.memory;
    return (self) => Object.assign(new Shell(self, this.personality, this.name, variableBytes), inherited);
  }

  get engine(): Engine {
    return lateEngine.code;
  }

  get bash(): boolean {
    return this.personality === "bash";
  }

  has(option: string): boolean {
    return this.options.has(option);
  }

  /** 1-based line of the running command. */
  get line(): number {
    return lineOf(this.source, this.position);
  }

  /** What stands before a message: `bash: `, or `bash: line 3: ` where there is no prompt; dash names its lines there too, `sh: 3: `. */
  get messagePrefix(): string {
    if (!this.showLines) return this.asDash ? `${this.errorName}: ${this.linesRead}: ` : `${this.errorName}: `;
    return `${this.errorName}: line ${this.line}: `;
  }

  /** The process's descriptor behind one of the shell's; throws EBADF. */
  descriptor(fd: number): number {
    const real = this.fds.get(fd);
    if (real === undefined) throw new SysError("EBADF");
    return real;
  }

  *print(text: string | Bytes): Sys<void> {
    if (text.length > 0) yield* this.self.write(this.descriptor(1), text);
  }

  /** One line on standard error behind the message prefix. */
  *complain(message: string): Sys<void> {
    yield* this.writeError(`${this.messagePrefix}${message}\n`);
  }

  *writeError(text: string): Sys<void> {
    const real = this.fds.get(2);
    if (real === undefined) return;
    try {
      yield* this.self.write(real, text);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }

  /** What a command of the shell's own takes, even one that calls nothing: 100 a millisecond. */
  *breathe(): Sys<void> {
    this.self.spend(9);
    yield* this.self.breathe();
  }

  temporaryPath(): string {
    this.#temporaryFiles += 1;
    return `/tmp/.sh-${this.self.pid}-${this.#temporaryFiles}`;
  }

  ifs(): string {
    return this.variables.get("IFS") ?? " \t\n";
  }

  /** Finds a program as execvp does; undefined when none of PATH's directories has it. */
  findProgram(name: string): string | undefined {
    if (name.includes("/")) return name;
    let denied: string | undefined;
    for (const directory of (this.variables.get("PATH") ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin").split(
      ":",
    )) {
      const path = `${directory === "" ? "." : directory}/${name}`;
      const stat = this.self.statIfThere(path);
      if (stat === undefined || stat.type === "directory") continue;
      if ((stat.permissions & 0o111) !== 0) return path;
      denied ??= path;
    }
    return denied;
  }

  setSignalDisposition(signal: Signal): void {
    const command = this.traps.get(signal);
    const promptSignals: readonly Signal[] = ["INT", "TERM", "QUIT", "TSTP", "TTIN", "TTOU"];
    if (command === "") this.self.setSignal(signal, "ignore");
    else if (command !== undefined) this.self.setSignal(signal, "catch");
    else if (this.interactive && promptSignals.includes(signal)) this.self.setSignal(signal, "catch");
    else this.self.setSignal(signal, "default");
  }
}
