// break, continue, return, exit, eval, source, exec, trap, shift, :, true, false, let.

import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { type Signal, signalNumbers } from "#sim/signals.ts";
import { singleQuote } from "../../text/quote.ts";
import { evaluateArithmetic } from "../arithmetic.ts";
import { ExpansionError, FunctionReturn, LoopJump, ShellExit } from "../control.ts";
import { arithmeticScope } from "../parameter.ts";
import type { Shell } from "../shell.ts";
import { signalByName } from "../signals.ts";
import type { Builtin } from "./builtin.ts";

function* jump(shell: Shell, args: readonly string[], kind: "break" | "continue"): Sys<number> {
  if (shell.loopDepth === 0) {
    if (shell.bash) yield* shell.complain(`${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
    return 0;
  }
  const levels = args[0] === undefined ? 1 : Number(args[0]);
  if (!Number.isInteger(levels)) {
    yield* shell.complain(`${kind}: ${args[0]}: numeric argument required`);
    throw new ShellExit(128);
  }
  if (levels < 1) {
    yield* shell.complain(`${kind}: ${args[0]}: loop count out of range`);
    return 1;
  }
  throw new LoopJump(kind, Math.min(levels, shell.loopDepth));
}

function* statusArgument(shell: Shell, args: readonly string[], name: string): Sys<number> {
  const argument = args[0];
  if (argument === undefined) return shell.status;
  if (/^[-+]?\d+$/u.test(argument)) return Number(argument) & 255;
  yield* shell.complain(shell.bash ? `${name}: ${argument}: numeric argument required` : `${name}: Illegal number: ${argument}`);
  return 2;
}

const exit: Builtin = function* (shell, args) {
  if (shell.interactive && shell.bash && !shell.asDash) yield* shell.writeError(shell.login ? "logout\n" : "exit\n");
  throw new ShellExit(yield* statusArgument(shell, args, "exit"));
};

const source: Builtin = function* (shell, args, name) {
  const file = args[0];
  if (file === undefined) {
    yield* shell.complain(`${name}: filename argument required`);
    yield* shell.writeError(`${name}: usage: ${name} filename [arguments]\n`);
    return 2;
  }
  const path = file.includes("/") ? file : findSource(shell, file);
  let text: string;
  try {
    text = shell.self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const inBash = error.code === "EISDIR" ? `${name}: ${file}: is a directory` : `${file}: ${error.message}`;
    yield* shell.complain(shell.bash ? inBash : `${name}: can't open '${file}': ${error.message}`);
    if (!shell.bash) throw new ShellExit(2);
    return 1;
  }
  const saved = shell.positional;
  if (args.length > 1) shell.positional = args.slice(1);
  shell.sourceDepth += 1;
  try {
    return yield* shell.engine.runText(shell, text, file);
  } catch (error) {
    if (error instanceof FunctionReturn) return error.status;
    throw error;
  } finally {
    shell.sourceDepth -= 1;
    if (args.length > 1) shell.positional = saved;
  }
};

function findSource(shell: Shell, file: string): string {
  for (const directory of (shell.variables.get("PATH") ?? "").split(":")) {
    const path = `${directory}/${file}`;
    try {
      if (shell.self.stat(path).type === "file") return path;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  return file;
}

const trap: Builtin = function* (shell, args) {
  let rest = args[0] === "--" ? args.slice(1) : args;
  const label = (name: string) => (name in signalNumbers && shell.bash ? `SIG${name}` : name);
  if (rest.length === 0 || rest[0] === "-p") {
    const wanted = rest.slice(1).map((name) => asciiUpperCase(name).replace(/^SIG/u, ""));
    for (const [name, command] of shell.traps) {
      if (wanted.length === 0 || wanted.includes(name)) yield* shell.print(`trap -- ${singleQuote(command)} ${label(name)}\n`);
    }
    return 0;
  }
  if (rest[0] === "-l") {
    const names = Object.entries(signalNumbers).map(([name, number]) => `${String(number).padStart(2)}) SIG${name}`);
    yield* shell.print(`${names.join("\n")}\n`);
    return 0;
  }
  let command: string | undefined = rest[0];
  if (rest.length === 1 || /^\d+$/u.test(command as string)) command = "-";
  else rest = rest.slice(1);
  let status = 0;
  for (const name of rest) {
    const special = name === "0" ? "EXIT" : ["EXIT", "ERR", "DEBUG", "RETURN"].find((word) => word === asciiUpperCase(name));
    const signal = special ?? signalByName(name);
    if (signal === undefined) {
      yield* shell.complain(`trap: ${name}: invalid signal specification`);
      status = 1;
      continue;
    }
    if (command === "-" || command === undefined) shell.traps.delete(signal);
    else shell.traps.set(signal, command);
    if (special === undefined && signal !== "KILL" && signal !== "STOP") shell.setSignalDisposition(signal as Signal);
  }
  return status;
};

export const controlBuiltins: { readonly [name: string]: Builtin } = {
  *":"() {
    return 0;
  },
  *true() {
    return 0;
  },
  *false() {
    return 1;
  },
  *break(shell, args) {
    return yield* jump(shell, args, "break");
  },
  *continue(shell, args) {
    return yield* jump(shell, args, "continue");
  },
  *return(shell, args) {
    if (shell.functionNames.length === 0 && shell.sourceDepth === 0) {
      if (!shell.bash) throw new ShellExit(yield* statusArgument(shell, args, "return"));
      yield* shell.complain("return: can only `return' from a function or sourced script");
      return 2;
    }
    throw new FunctionReturn(yield* statusArgument(shell, args, "return"));
  },
  exit,
  logout: exit,
  *eval(shell, args) {
    const text = args.join(" ");
    return text.trim() === "" ? 0 : yield* shell.engine.runText(shell, text, "eval");
  },
  source,
  ".": source,
  *exec(shell, args) {
    let words = args;
    if (args[0] === "-a") words = args.slice(2);
    else if (args[0] === "--") words = args.slice(1);
    if (words.length === 0) return 0;
    throw new ShellExit(yield* shell.engine.replaceBy(shell, words));
  },
  trap,
  *shift(shell, args) {
    const count = args[0] === undefined ? 1 : Number(args[0]);
    if (!Number.isInteger(count)) {
      yield* shell.complain(`shift: ${args[0]}: numeric argument required`);
      return 1;
    }
    if (count < 0 || count > shell.positional.length) return 1;
    shell.positional = shell.positional.slice(count);
    return 0;
  },
  *let(shell, args) {
    if (args.length === 0) {
      yield* shell.complain("let: expression expected");
      return 1;
    }
    let value = 0n;
    try {
      for (const expression of args) value = evaluateArithmetic(expression, arithmeticScope(shell));
    } catch (error) {
      if (!(error instanceof ExpansionError)) throw error;
      yield* shell.complain(`let: ${error.message}`);
      return 1;
    }
    return value === 0n ? 1 : 0;
  },
};
