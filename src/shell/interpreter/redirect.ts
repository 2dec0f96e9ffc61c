// Redirections: a new view of the descriptors for one command.

import type { Redirection } from "unbash";
import { SysError } from "#sim/errors.ts";
import type { OpenMode } from "#sim/files.ts";
import type { Sys } from "#sim/program.ts";
import { expandQuoted, expandSingle, expandWords } from "./expand.ts";
import { FieldBuilder } from "./fields.ts";
import { connectionOf, openConnection } from "./network-path.ts";
import { assign } from "./parameter.ts";
import type { Shell } from "./shell.ts";

/** What redirections made of the shell's descriptors, and what must be closed behind the command. */
export interface Redirected {
  readonly fds: ReadonlyMap<number, number>;
  /** Descriptors of the process opened for it: close them after. */
  readonly opened: readonly number[];
}

/** A redirection that cannot be made, in the words behind the message prefix. */
export class RedirectionError extends Error {}

/**
 * Opens what the redirections name on top of the shell's descriptors. Throws RedirectionError with nothing left open. `waits`: for the other
 * side of a named pipe; without it whoever reads or writes first does.
 */
export function* openRedirections(shell: Shell, redirections: readonly Redirection[], waits = true): Sys<Redirected> {
  const fds = new Map(shell.fds);
  const opened: number[] = [];
  try {
    for (const redirection of redirections) yield* openOne(shell, redirection, fds, opened, waits);
  } catch (error) {
    closeAll(shell, opened);
    throw error;
  }
  return { fds, opened };
}

export function closeAll(shell: Shell, descriptors: readonly number[]): void {
  for (const fd of descriptors) {
    try {
      shell.self.close(fd);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
}

function* openOne(shell: Shell, redirection: Redirection, fds: Map<number, number>, opened: number[], waits: boolean): Sys<void> {
  const defaultFd = redirection.operator.startsWith("<") ? 0 : 1;
  let fd = defaultFd;
  if (redirection.descriptor?.type === "FileDescriptor") fd = redirection.descriptor.value;
  else if (redirection.descriptor !== undefined) {
    for (fd = 10; fds.has(fd); ) fd += 1;
    assign(shell, redirection.descriptor.name, undefined, String(fd));
  }
  if (redirection.type === "HereDoc" || redirection.type === "HereString") {
    const text =
      redirection.type === "HereDoc" ? yield* hereDocument(shell, redirection) : `${yield* hereString(shell, redirection)}\n`;
    const [readEnd, writeEnd] = shell.self.pipe();
    opened.push(readEnd);
    fds.set(fd, readEnd);
    feed(shell, writeEnd, text);
    return;
  }
  if (redirection.target === undefined) throw new RedirectionError("syntax error near unexpected token `newline'");
  const expanded = yield* expandWords(shell, [redirection.target]);
  if (expanded.length !== 1) throw new RedirectionError(`${redirection.target.text}: ambiguous redirect`);
  const target = expanded[0] as string;
  const operator = redirection.operator;
  if (operator === ">&" || operator === "<&") {
    if (duplicate(shell, target, fd, fds)) return;
    if (operator === "<&" || redirection.descriptor !== undefined) throw new RedirectionError(`${target}: ambiguous redirect`);
  }
  const both = operator === "&>" || operator === "&>>" || operator === ">&";
  const connection = connectionOf(shell, target);
  let real: number;
  try {
    real =
      connection === undefined
        ? openFile(shell, target, modeOf(shell, operator, target))
        : yield* openConnection(shell, connection);
    opened.push(real);
    if (waits && connection === undefined) yield* shell.self.awaitOtherSide(real);
  } catch (error) {
    if (error instanceof SysError) throw new RedirectionError(`${target}: ${error.message}`);
    throw error;
  }
  fds.set(both ? 1 : fd, real);
  if (both) fds.set(2, real);
}

/** `2>&1`, `2>&-`, `3>&1-`; false when the target is not a descriptor. */
function duplicate(shell: Shell, target: string, fd: number, fds: Map<number, number>): boolean {
  if (target === "-") {
    fds.delete(fd);
    return true;
  }
  const match = /^(\d+)(-?)$/u.exec(target);
  if (match === null) return false;
  const real = fds.get(Number(match[1]));
  if (real === undefined) {
    throw new RedirectionError(shell.bash ? `${target}: Bad file descriptor` : `dup2(${target},${fd}): Bad file descriptor`);
  }
  fds.set(fd, real);
  if (match[2] === "-") fds.delete(Number(match[1]));
  return true;
}

function modeOf(shell: Shell, operator: string, target: string): OpenMode {
  switch (operator) {
    case "<":
      return { read: true };
    case "<>":
      return { read: true, write: true, create: true };
    case ">>":
    case "&>>":
      return { write: true, append: true, create: true };
    default:
      if (operator === ">" && shell.has("noclobber") && isRegularFile(shell, target)) {
        throw new RedirectionError(`${target}: cannot overwrite existing file`);
      }
      return { write: true, create: true, truncate: true };
  }
}

function isRegularFile(shell: Shell, path: string): boolean {
  try {
    return shell.self.stat(path).type === "file";
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}

function openFile(shell: Shell, path: string, mode: OpenMode): number {
  try {
    return shell.self.open(path, mode, 0o666);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (shell.bash) throw new RedirectionError(`${path}: ${error.message}`);
    let short = error.message;
    if (error.code === "ENOENT") short = mode.write === true ? "nonexistent directory" : "no such file";
    throw new RedirectionError(`can't ${mode.write === true ? "create" : "open"} ${path}: ${short}`);
  }
}

/** Writes text into a pipe without waiting for its reader. */
function feed(shell: Shell, writeEnd: number, text: string): void {
  const self = shell.self;
  self.startThread(function* () {
    try {
      yield* self.write(writeEnd, text);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    self.close(writeEnd);
  });
}

function* hereString(shell: Shell, redirection: Extract<Redirection, { type: "HereString" }>): Sys<string> {
  return redirection.target === undefined ? "" : yield* expandSingle(shell, redirection.target);
}

function* hereDocument(shell: Shell, redirection: Extract<Redirection, { type: "HereDoc" }>): Sys<string> {
  const { body, delimiter } = redirection;
  const strip = (text: string) => (redirection.operator === "<<-" ? text.replace(/^\t+/gmu, "") : text);
  if (delimiter?.quoted === true) return strip(body.text);
  if (body.parts === undefined)
    return strip(body.text.replace(/\\(\n|[\\$`])/gu, (_all, char: string) => (char === "\n" ? "" : char)));
  const builder = new FieldBuilder("", false);
  yield* expandQuoted(shell, body.parts, builder);
  return strip(
    builder
      .finish()
      .map((field) => field.text)
      .join(" "),
  );
}

/** Runs with other descriptors; a redirection that fails is reported with status 1. */
export function* withRedirections(shell: Shell, redirections: readonly Redirection[], run: () => Sys<number>): Sys<number> {
  if (redirections.length === 0) return yield* run();
  const saved = shell.fds;
  let opened: readonly number[];
  try {
    const redirected = yield* openRedirections(shell, redirections);
    shell.fds = redirected.fds;
    opened = redirected.opened;
  } catch (error) {
    if (!(error instanceof RedirectionError)) throw error;
    yield* shell.complain(error.message);
    return 1;
  }
  try {
    return yield* run();
  } finally {
    shell.fds = saved;
    closeAll(shell, opened);
  }
}
