// What a shell reads before its first command: which files, and running them.

import { SysError } from "#sim/errors.ts";
import { once } from "#sim/late.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Shell } from "./interpreter/shell.ts";

/**
 * Start-up files of which one knows how they leave a login shell: while they hold these texts, it need not read them, and its prompt is
 * there before the interpreter is.
 */
export interface KnownStart {
  /** Path → text: the files that bash begins with, and those that they read. */
  readonly files: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly completions: ReadonlyMap<string, string>;
  /** Name → the file that defines it. */
  readonly functions: ReadonlyMap<string, string>;
}

/** What the command line says about start-up files. */
export interface StartUpWishes {
  readonly login: boolean;
  readonly noProfile: boolean;
  readonly noRc: boolean;
  /** Options that are on from the start: they may show in what the files do. */
  readonly on: readonly string[];
}

export function* startUp(shell: Shell, wishes: StartUpWishes, known?: KnownStart): Sys<void> {
  const files = startUpFiles(shell, wishes);
  if (known !== undefined && isAsKnown(shell, wishes, files, known)) begin(shell, known);
  else for (const file of files) yield* runFile(shell, file);
}

function startUpFiles(shell: Shell, { login, noProfile, noRc }: StartUpWishes): readonly string[] {
  const home = shell.variables.get("HOME") ?? "/";
  if (login) {
    if (noProfile) return [];
    const personal = (shell.bash ? [".bash_profile", ".bash_login", ".profile"] : [".profile"]).map((name) => `${home}/${name}`);
    return ["/etc/profile", ...personal.filter((path) => isThere(shell.self, path)).slice(0, 1)];
  }
  if (!shell.interactive) return [];
  if (shell.bash && !shell.asDash) return noRc ? [] : ["/etc/bash.bashrc", `${home}/.bashrc`];
  const file = shell.variables.get("ENV");
  return file === undefined ? [] : [file];
}

function isThere(self: Process, path: string): boolean {
  try {
    self.stat(path);
    return true;
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}

/** A file that is not there is none; bash says why it cannot read another, ash says nothing. */
function* runFile(shell: Shell, file: string): Sys<void> {
  let text: string;
  try {
    text = shell.self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const why = error.code === "EISDIR" ? "is a directory" : error.message;
    if (shell.bash && error.code !== "ENOENT") yield* shell.complain(`${file}: ${why}`);
    return;
  }
  yield* shell.engine.runText(shell, text, file);
}

function isAsKnown(shell: Shell, { login, on }: StartUpWishes, begun: readonly string[], { files }: KnownStart): boolean {
  if (!login || on.length > 0 || begun.length < 2 || !begun.every((path) => files.has(path))) return false;
  return [...files].every(([path, text]) => holds(shell.self, path, text));
}

function begin(shell: Shell, { files, variables, aliases, completions, functions }: KnownStart): void {
  for (const [name, value] of variables) shell.variables.set(name, value);
  for (const [name, value] of aliases) shell.aliases.set(name, value);
  for (const [name, specification] of completions) shell.completions.set(name, specification);
  for (const [name, file] of functions) {
    const source = files.get(file) ?? "";
    const node = once(() => shell.engine.functionIn(source, name));
    shell.functions.set(name, {
      source,
      get node() {
        return node();
      },
    });
  }
}

function holds(self: Process, path: string, text: string): boolean {
  try {
    return self.readText(path) === text;
  } catch (error) {
    if (error instanceof SysError) return false;
    throw error;
  }
}
