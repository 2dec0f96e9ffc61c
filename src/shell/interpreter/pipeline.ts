// Processes: programs, subshells, pipelines, background jobs, command substitution.

import type { Command, CommandNode, ParsedScript, Pipeline, Statement } from "unbash";
import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { areSharedZeros } from "#sim/process/backing.ts";
import type { Program, SpawnOptions, Sys, WaitStatus } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { ExpansionError, Interrupted } from "./control.ts";
import { formatDuration } from "./duration.ts";
import { expandWords } from "./expand.ts";
import { jobLine, signalDescription } from "./jobs.ts";
import { closeAll, openRedirections, RedirectionError } from "./redirect.ts";
import { runToEnd } from "./run-to-end.ts";
import type { Shell } from "./shell.ts";
import { handleSignals } from "./signals.ts";
import { asWord, trace } from "./words.ts";

/** Runs a program in the foreground and waits for it. */
export function* runProgram(shell: Shell, words: readonly string[], text: string): Sys<number> {
  const started = yield* startProgram(shell, words, shell.has("monitor") ? "new" : undefined);
  if (started.pid === undefined) return started.status;
  return yield* waitForeground(shell, [started.pid], started.pid, text);
}

/** `exec`: the program goes on in the shell's process. Returns only when there is none to run, with the status. */
export function* runInPlace(shell: Shell, words: readonly string[]): Sys<number> {
  const started = yield* startProgram(shell, words, "here");
  return started.pid === undefined ? started.status : 0;
}

const firstPauseMs = 1000;
const lastPauseMs = 8000;

/** Starts a process; where no more of them are allowed, bash tries again for a while before it gives the command up. */
function* fork(shell: Shell, options: SpawnOptions): Sys<number> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return shell.self.spawn(options);
    } catch (error) {
      if (!(error instanceof SysError && error.code === "EAGAIN")) throw error;
      if (!shell.bash) {
        yield* shell.complain(`can't fork: ${error.message}`);
        throw new ExpansionError("", true, 2);
      }
      if (pauseMs > lastPauseMs) {
        yield* shell.complain(`fork: ${error.message}`);
        throw new ExpansionError("", true, 126);
      }
      yield* shell.complain(`fork: retry: ${error.message}`);
      yield* pause(shell, pauseMs);
    }
  }
}

function* pause(shell: Shell, delayMs: number): Sys<void> {
  try {
    yield* shell.self.sleep(delayMs);
  } catch (error) {
    if (!(error instanceof SysError && error.code === "EINTR")) throw error;
    yield* handleSignals(shell);
  }
}

type Started = { readonly pid: number } | { readonly pid: undefined; readonly status: number };

/** `group` "here": no new process, and no return when all goes well. */
function* startProgram(shell: Shell, words: readonly string[], group: "new" | "here" | number | undefined): Sys<Started> {
  const name = words[0] as string;
  const path = name === "" ? undefined : shell.findProgram(name);
  if (path === undefined) {
    const handler = shell.functions.get("command_not_found_handle");
    if (handler !== undefined)
      return { pid: undefined, status: yield* shell.engine.callFunction(shell, handler, words, "command_not_found_handle") };
    yield* shell.complain(shell.bash && !shell.asDash ? `${name}: command not found` : `${name}: not found`);
    return { pid: undefined, status: 127 };
  }
  const environment = shell.variables.environment();
  // ash and dash keep theirs to themselves
  if (shell.bash) environment.set("_", path);
  const options = { argv: words, env: environment, fds: shell.fds };
  const start = (run: string | Program): Sys<number> =>
    group === "here"
      ? shell.self.exec({ ...options, run })
      : fork(shell, { ...options, ...(group === undefined ? {} : { group }), run });
  try {
    return { pid: yield* start(path) };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (error.code === "ENOEXEC") return { pid: yield* start(scriptProgram(shell, path)) };
    yield* shell.complain(refusal(shell, name, path, error));
    return { pid: undefined, status: error.code === "ENOENT" || error.code === "ENOTDIR" ? 127 : 126 };
  }
}

function refusal(shell: Shell, name: string, path: string, error: SysError): string {
  if (!shell.bash) return error.code === "ENOENT" ? `${name}: not found` : `${name}: ${error.message}`;
  try {
    const stat = shell.self.stat(path);
    if (stat.type === "directory") return `${name}: Is a directory`;
    if (error.code === "ENOENT") {
      const interpreter = /^#!\s*(\S+)/u.exec(shell.self.readText(path))?.[1] ?? "";
      return `${name}: cannot execute: required file not found`.replace(
        "cannot execute: required file not found",
        interpreter === "" ? error.message : `${interpreter}: bad interpreter: ${error.message}`,
      );
    }
  } catch (failure) {
    if (!(failure instanceof SysError)) throw failure;
  }
  return `${name}: ${error.message}`;
}

/** A text file without `#!` is run by a shell of the same kind. */
function scriptProgram(shell: Shell, path: string): Program {
  const forked = shell.fork();
  return function* (self) {
    const child = forked(self);
    child.subshell = false;
    child.name = path;
    child.errorName = path;
    child.showLines = true;
    child.positional = self.argv.slice(1);
    child.functions = new Map();
    return yield* runToEnd(child, () => child.engine.runText(child, self.readText(path), ""));
  };
}

function subshellProgram(shell: Shell, body: (child: Shell) => Sys<number>): Program {
  const forked = shell.fork();
  return function* (self) {
    const child = forked(self);
    for (const signal of ["INT", "QUIT", "TERM", "TSTP", "TTIN", "TTOU"] as const) {
      if (child.traps.get(signal) !== "") self.setSignal(signal, "default");
    }
    return yield* runToEnd(child, () => body(child));
  };
}

function* startSubshell(shell: Shell, group: "new" | number | undefined, body: (child: Shell) => Sys<number>): Sys<number> {
  return yield* fork(shell, {
    run: subshellProgram(shell, body),
    argv: shell.self.argv,
    env: shell.variables.environment(),
    fds: shell.fds,
    ...(group === undefined ? {} : { group }),
  });
}

export function* runInSubshell(shell: Shell, body: (child: Shell) => Sys<number>): Sys<number> {
  const pid = yield* startSubshell(shell, shell.has("monitor") ? "new" : undefined, body);
  return yield* waitForeground(shell, [pid], pid, "");
}

/** True when the command is plainly a program: it can be started without a shell process around it. */
function isPlainProgram(shell: Shell, node: CommandNode): node is Command {
  if (node.type !== "Command" || node.name === undefined || node.name.parts !== undefined) return false;
  const name = node.name.value;
  if (node.prefix.some((part) => part.type === "Assignment")) return false;
  if (shell.engine.isBuiltin(name) || shell.functions.has(name) || shell.aliases.has(name)) return false;
  return name.includes("/") || shell.findProgram(name) !== undefined;
}

/** Starts a command without waiting: a process of its own. */
function* launch(shell: Shell, node: CommandNode, group: "new" | number | undefined): Sys<number> {
  if (!isPlainProgram(shell, node)) return yield* startSubshell(shell, group, (child) => runAlone(child, node));
  shell.position = node.pos;
  const words = [(node.name as NonNullable<Command["name"]>).value, ...(yield* expandWords(shell, node.args.map(asWord)))];
  yield* trace(shell, words);
  const saved = shell.fds;
  let opened: readonly number[] = [];
  try {
    const redirected = yield* openRedirections(shell, node.redirects, false);
    opened = redirected.opened;
    shell.fds = redirected.fds;
    const started = yield* startProgram(shell, words, group);
    if (started.pid !== undefined) return started.pid;
    return yield* startSubshell(shell, group, function* () {
      return started.status;
    });
  } catch (error) {
    if (!(error instanceof RedirectionError)) throw error;
    yield* shell.complain(error.message);
    return yield* startSubshell(shell, group, function* () {
      return 1;
    });
  } finally {
    shell.fds = saved;
    closeAll(shell, opened);
  }
}

function* runAlone(child: Shell, node: CommandNode): Sys<number> {
  if (node.type === "Subshell") return yield* child.engine.runStatements(child, node.body.commands);
  return yield* child.engine.runNode(child, node);
}

/** Failures inside do not end a `set -e` shell. */
export function* asCondition(shell: Shell, run: () => Sys<number>): Sys<number> {
  shell.conditionDepth += 1;
  try {
    return yield* run();
  } finally {
    shell.conditionDepth -= 1;
  }
}

/** Runs a pipeline and returns its status, negated or timed as its prefixes say. */
export function* runPipeline(shell: Shell, node: Pipeline): Sys<number> {
  const negated = node.prefixes.filter((prefix) => prefix.type === "Negation").length % 2 === 1;
  const timing = node.prefixes.find((prefix) => prefix.type === "Time");
  const start = shell.self.nowMs;
  const run = () => runStages(shell, node);
  let status = negated ? yield* asCondition(shell, run) : yield* run();
  if (timing?.type === "Time") {
    const elapsed = shell.self.nowMs - start;
    const posix = timing.posix !== undefined;
    const row = (name: string, ms: number) => (posix ? `${name} ${(ms / 1000).toFixed(2)}\n` : `${name}\t${formatDuration(ms)}\n`);
    yield* shell.writeError(`${posix ? "" : "\n"}${row("real", elapsed)}${row("user", 0)}${row("sys", 0)}`);
  }
  if (negated) status = status === 0 ? 1 : 0;
  return status;
}

function* runStages(shell: Shell, node: Pipeline): Sys<number> {
  const first = node.commands[0];
  if (first === undefined) return 0;
  if (node.commands.length === 1) {
    const status = yield* shell.engine.runCommand(shell, first);
    shell.pipeStatus = [status];
    return status;
  }
  const { pids, pgid } = yield* startStages(shell, node);
  return yield* waitForeground(shell, pids, pgid, shell.source.slice(node.pos, node.end));
}

function* startStages(shell: Shell, node: Pipeline): Sys<{ readonly pids: number[]; readonly pgid: number }> {
  const base = shell.fds;
  const pids: number[] = [];
  let pgid: number | undefined;
  let input: number | undefined;
  try {
    for (const [index, command] of node.commands.entries()) {
      const fds = new Map(base);
      if (input !== undefined) fds.set(0, input);
      const pipe = index < node.commands.length - 1 ? shell.self.pipe() : undefined;
      if (pipe !== undefined) {
        fds.set(1, pipe[1]);
        if (node.operators[index] === "|&") fds.set(2, pipe[1]);
      }
      shell.fds = fds;
      try {
        const pid = yield* launch(shell, command, shell.has("monitor") ? (pgid ?? "new") : undefined);
        pgid ??= pid;
        pids.push(pid);
      } finally {
        shell.fds = base;
        closeAll(shell, [...(pipe === undefined ? [] : [pipe[1]]), ...(input === undefined ? [] : [input])]);
        input = pipe?.[0];
      }
    }
  } catch (error) {
    if (input !== undefined) closeAll(shell, [input]);
    throw error;
  }
  return { pids, pgid: pgid as number };
}

/** Waits for the processes of a foreground pipeline; a stopped one becomes a job. */
function* waitForeground(shell: Shell, pids: readonly number[], pgid: number, text: string): Sys<number> {
  const terminal = shell.has("monitor") ? shell.terminal : undefined;
  const modes = terminal?.modes;
  terminal?.setForegroundGroup(pgid);
  const statuses: WaitStatus[] = [];
  // What a program did to the terminal stays when it ended by itself.
  let keepsModes = false;
  try {
    for (const pid of pids) {
      const status = yield* waitFor(shell, pid, terminal !== undefined);
      if (status.stopped) {
        const job = shell.jobs.add(pgid, pids, text);
        for (const done of statuses) job.ended.set(done.pid, done.code);
        job.state = "stopped";
        yield* shell.writeError(`\n${jobLine(shell.jobs, job)}`);
        return 148;
      }
      statuses.push(status);
    }
    keepsModes = statuses.every(({ signal }) => signal === undefined);
  } finally {
    terminal?.setForegroundGroup(shell.self.pgid);
    if (modes !== undefined && !keepsModes) terminal?.setModes(modes);
  }
  return yield* concludeForeground(shell, statuses, text);
}

function* concludeForeground(shell: Shell, statuses: readonly WaitStatus[], text: string): Sys<number> {
  const last = statuses.at(-1) as WaitStatus;
  if (statuses.length > 1 || shell.pipeStatus.length > 0) shell.pipeStatus = statuses.map((status) => status.code);
  if (last.signal === "INT" && (shell.interactive || shell.has("monitor"))) {
    yield* shell.writeError("\n");
    shell.status = 130;
    throw new Interrupted();
  }
  if (last.signal !== undefined && last.signal !== "PIPE" && last.signal !== "INT") {
    const words = signalDescription(signalNumbers[last.signal]);
    if (words !== undefined && shell.interactive) yield* shell.writeError(`${words}\n`);
    else if (words !== undefined && shell.bash)
      yield* shell.complain(`${String(last.pid).padStart(5)} ${words.padEnd(24)}${text}`.trimEnd());
  }
  if (shell.has("pipefail")) return statuses.findLast((status) => status.code !== 0)?.code ?? 0;
  return last.code;
}

/** Waits for one child. Caught signals are left for after the command, as bash leaves them. */
function* waitFor(shell: Shell, pid: number, untraced: boolean): Sys<WaitStatus> {
  for (;;) {
    try {
      const status = yield* shell.self.wait(pid, { untraced });
      if (status !== undefined) return status;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      if (error.code === "ECHILD") return { pid, code: 127, signal: undefined, stopped: false };
      if (error.code !== "EINTR") throw error;
    }
  }
}

/** Continues a job in the foreground. */
export function* resumeForeground(shell: Shell, pgid: number, pids: readonly number[], text: string): Sys<number> {
  shell.terminal?.setForegroundGroup(pgid);
  shell.self.kill(-pgid, "CONT");
  return yield* waitForeground(shell, pids, pgid, text);
}

/** `command &`. */
export function* startBackground(shell: Shell, statement: Statement): Sys<number> {
  const node = statement.command;
  const text = shell.source.slice(node.pos, node.end);
  const base = shell.fds;
  let nothing: number | undefined;
  if (!shell.has("monitor")) {
    try {
      nothing = shell.self.open("/dev/null", { read: true });
      shell.fds = new Map([...base, [0, nothing]]);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  const group = shell.has("monitor") ? ("new" as const) : undefined;
  try {
    if (node.type === "Pipeline" && node.prefixes.length === 0) {
      const { pids, pgid } = yield* startStages(shell, node);
      yield* noteBackground(shell, pgid, pids, text);
    } else {
      const pid =
        node.type === "AndOr" || node.type === "Pipeline"
          ? yield* startSubshell(shell, group, (child) => shell.engine.runNode(child, node))
          : yield* launch(shell, node, group);
      yield* noteBackground(shell, pid, [pid], text);
    }
  } finally {
    shell.fds = base;
    if (nothing !== undefined) closeAll(shell, [nothing]);
  }
  return 0;
}

function* noteBackground(shell: Shell, pgid: number, pids: readonly number[], text: string): Sys<void> {
  const job = shell.jobs.add(pgid, pids, text);
  shell.lastBackgroundPid = pids.at(-1);
  if (shell.interactive) yield* shell.writeError(`[${job.number}] ${String(pids.at(-1))}\n`);
}

/** `$(…)`: the output without trailing newlines. */
export function* substitute(shell: Shell, script: ParsedScript | undefined): Sys<string> {
  return (yield* capture(shell, script)).replace(/\n+$/u, "");
}

/** All that a script writes to its standard output, to the last byte. */
export function* capture(shell: Shell, script: ParsedScript | undefined): Sys<string> {
  if (script === undefined) return "";
  const file = onlyInput(script);
  if (file !== undefined) return yield* readRedirected(shell, file);
  const [readEnd, writeEnd] = shell.self.pipe();
  const base = shell.fds;
  shell.fds = new Map([...base, [1, writeEnd]]);
  let pid: number;
  const only = script.commands.length === 1 ? script.commands[0] : undefined;
  try {
    const node = only?.command;
    if (
      node !== undefined &&
      only?.background !== true &&
      node.type !== "AndOr" &&
      node.type !== "Pipeline" &&
      script.source === undefined
    ) {
      pid = yield* launch(shell, node, undefined);
    } else {
      pid = yield* startSubshell(shell, undefined, function* (child) {
        if (script.source !== undefined) child.source = script.source;
        const error = script.errors?.[0];
        if (error !== undefined) {
          yield* child.complain(`command substitution: ${error.message}`);
          return 2;
        }
        return yield* shell.engine.runStatements(child, script.commands);
      });
    }
  } finally {
    shell.fds = base;
    shell.self.close(writeEnd);
  }
  const text = yield* readAll(shell, readEnd);
  shell.self.close(readEnd);
  const status = yield* waitFor(shell, pid, false);
  shell.status = status.code;
  shell.substitutionStatus = status.code;
  if (status.signal === "INT" && shell.interactive) throw new Interrupted();
  return text;
}

function onlyInput(script: ParsedScript): Command | undefined {
  const node = script.commands.length === 1 ? script.commands[0]?.command : undefined;
  if (node?.type !== "Command" || node.name !== undefined || node.prefix.length !== 1) return undefined;
  const redirect = node.prefix[0];
  return redirect?.type === "Redirect" && redirect.operator === "<" ? node : undefined;
}

function* readRedirected(shell: Shell, node: Command): Sys<string> {
  try {
    const { fds, opened } = yield* openRedirections(shell, node.redirects);
    const text = yield* readAll(shell, fds.get(0) ?? 0);
    closeAll(shell, opened);
    shell.substitutionStatus = 0;
    return text;
  } catch (error) {
    if (!(error instanceof RedirectionError)) throw error;
    yield* shell.complain(error.message);
    shell.substitutionStatus = 1;
    return "";
  }
}

/** Output is counted when there is so much of it. */
const freshBytes = 16_384;

function* readAll(shell: Shell, fd: number): Sys<string> {
  const parts: Bytes[] = [];
  let length = 0;
  let fresh = 0;
  for (;;) {
    try {
      const bytes = yield* shell.self.read(fd);
      if (bytes.length === 0) {
        shell.memory.borrow(2 * length);
        return decodeUtf8(concatBytes(parts)).replace(/\0/gu, "");
      }
      // NUL bytes are dropped, and take nothing.
      if (areSharedZeros(bytes)) continue;
      length += bytes.length;
      fresh += bytes.length;
      parts.push(bytes);
      if (fresh < freshBytes) continue;
      shell.memory.borrow(fresh);
      fresh = 0;
    } catch (error) {
      if (!(error instanceof SysError && error.code === "EINTR")) throw error;
    }
  }
}
