// bash and sh as programs: `-c`, scripts, standard input, and the prompt.

import { SysError } from "#sim/errors.ts";
import type { Program, Sys } from "#sim/program.ts";
import { readLine } from "./interpreter/read-line.ts";
import { runToEnd } from "./interpreter/run-to-end.ts";
import { type Personality, Shell } from "./interpreter/shell.ts";
import { type OnLine, runInteractive } from "./line/interactive.ts";
import { type KnownStart, startUp } from "./start-up.ts";

interface Invocation {
  readonly command: string | undefined;
  readonly interactive: boolean;
  readonly login: boolean;
  readonly readInput: boolean;
  readonly noProfile: boolean;
  readonly noRc: boolean;
  readonly on: readonly string[];
  readonly operands: readonly string[];
  readonly refused: string | undefined;
}

const optionNames: { readonly [letter: string]: string } = {
  a: "allexport",
  e: "errexit",
  f: "noglob",
  n: "noexec",
  u: "nounset",
  v: "verbose",
  x: "xtrace",
  C: "noclobber",
};

function readInvocation(argv: readonly string[]): Invocation {
  const args = argv.slice(1);
  const on: string[] = [];
  let interactive = false;
  let login = argv[0]?.startsWith("-") === true;
  let readInput = false;
  let wantsCommand = false;
  let noProfile = false;
  let noRc = false;
  let refused: string | undefined;
  let i = 0;
  for (; i < args.length; i += 1) {
    const word = args[i] as string;
    if (word === "--" || word === "-") {
      i += 1;
      break;
    }
    if (!/^[-+]./u.test(word)) break;
    if (word.startsWith("--")) {
      if (word === "--login") login = true;
      else if (word === "--norc") noRc = true;
      else if (word === "--noprofile") noProfile = true;
      else if (word !== "--posix" && word !== "--noediting") refused = word;
      continue;
    }
    for (const letter of word.slice(1)) {
      if (letter === "c") wantsCommand = true;
      else if (letter === "i") interactive = true;
      else if (letter === "l") login = true;
      else if (letter === "s") readInput = true;
      else if (letter === "o") on.push(args[++i] ?? "");
      else if (optionNames[letter] !== undefined) on.push(optionNames[letter]);
      else refused = `-${letter}`;
    }
  }
  const rest = args.slice(i);
  const command = wantsCommand ? rest[0] : undefined;
  return { command, interactive, login, readInput, noProfile, noRc, on, operands: wantsCommand ? rest.slice(1) : rest, refused };
}

export interface ShellProgramOptions {
  readonly onLine?: OnLine;
  readonly knownStart?: KnownStart;
}

/** A shell program. Several may run at once: all state is in the process. */
export function shellProgram(personality: Personality, { onLine, knownStart }: ShellProgramOptions = {}): Program {
  return function* (self) {
    const name = self.argv[0] ?? (personality === "bash" ? "bash" : "sh");
    const invocation = readInvocation(self.argv);
    const shell = new Shell(self, personality, name);
    prepareVariables(shell);
    for (const option of invocation.on) shell.options.add(option);
    shell.login = invocation.login;
    if (invocation.refused !== undefined) {
      yield* shell.writeError(`${name}: ${invocation.refused}: invalid option\n`);
      return 2;
    }
    if (invocation.command !== undefined) {
      const command = invocation.command;
      shell.name = invocation.operands[0] ?? name;
      shell.errorName = shell.name;
      shell.positional = invocation.operands.slice(1);
      shell.showLines = personality === "bash";
      return yield* runToEnd(shell, function* () {
        if (invocation.login) yield* startUp(shell, invocation);
        return yield* shell.engine.runText(shell, command, "-c");
      });
    }
    const script = invocation.readInput ? undefined : invocation.operands[0];
    if (script !== undefined) return yield* runScript(shell, script, invocation.operands.slice(1));
    shell.positional = invocation.operands;
    if (invocation.interactive || (self.isTty(0) && self.isTty(2))) {
      shell.interactive = true;
      shell.showLines = false;
      shell.asDash = shell.bash && /(?:^|\/)sh$/u.test(name);
      return yield* runToEnd(shell, function* () {
        yield* startUp(shell, invocation, knownStart);
        return yield* runInteractive(shell, onLine);
      });
    }
    return yield* runToEnd(shell, () => runInput(shell));
  };
}

function prepareVariables(shell: Shell): void {
  const { variables, self } = shell;
  const setDefault = (name: string, value: string) => {
    if (variables.get(name) === undefined) variables.set(name, value);
  };
  setDefault("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  variables.set("PWD", self.cwd);
  variables.ensure("PWD").exported = true;
  variables.set("IFS", " \t\n");
  variables.set("OPTIND", "1");
  variables.set("PPID", String(self.ppid));
  const level = String(Number(variables.get("SHLVL") ?? 0) + 1);
  variables.set("SHLVL", level);
  variables.ensure("SHLVL").exported = true;
  if (!shell.bash) {
    variables.set("PS2", "> ");
    return;
  }
  setDefault("BASH", "/bin/bash");
  variables.set("BASH_VERSION", "5.2.37(1)-release");
  variables.setArray("BASH_VERSINFO", ["5", "2", "37", "1", "release", "x86_64-pc-linux-gnu"]);
  variables.set("UID", String(self.uid));
  variables.set("EUID", String(self.uid));
  variables.set("HOSTNAME", self.hostname);
  variables.set("HOSTTYPE", "x86_64");
  variables.set("OSTYPE", "linux-gnu");
  variables.set("MACHTYPE", "x86_64-pc-linux-gnu");
}

function* runScript(shell: Shell, path: string, args: readonly string[]): Sys<number> {
  let text: string;
  try {
    text = shell.self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const why = error.code === "EISDIR" ? "Is a directory" : error.message;
    const inBash = error.code === "EISDIR" ? `${path}: ${path}: ${why}\n` : `${shell.name}: ${path}: ${why}\n`;
    yield* shell.writeError(shell.bash ? inBash : `${shell.name}: can't open '${path}': ${why}\n`);
    if (!shell.bash) return 2;
    return error.code === "ENOENT" ? 127 : 126;
  }
  shell.name = path;
  shell.errorName = path;
  shell.positional = args;
  return yield* runToEnd(shell, () => shell.engine.runText(shell, text, ""));
}

/** Runs standard input, a complete command at a time, so that commands can read what follows them. */
function* runInput(shell: Shell): Sys<number> {
  let held = "";
  for (;;) {
    const line = yield* readLine(shell, shell.descriptor(0), {});
    if (line !== undefined) held += `${line.text}\n`;
    if (line !== undefined && shell.engine.problemOf(held)?.incomplete === true) continue;
    if (held !== "") yield* shell.engine.runText(shell, held, "");
    held = "";
    if (line === undefined) return shell.status;
  }
}

/** GNU bash. */
export const bash: Program = shellProgram("bash");

/** The shell of busybox. */
export const sh: Program = shellProgram("busybox");
