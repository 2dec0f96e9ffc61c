// cd, pwd, pushd, popd, dirs.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Shell } from "../shell.ts";
import { type Builtin, readBuiltinOptions } from "./builtin.ts";

/** Takes `.` and `..` out of an absolute path without looking at links. */
function logicalPath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function currentDirectory(shell: Shell): string {
  return shell.variables.get("PWD") ?? shell.self.cwd;
}

function* changeDirectory(shell: Shell, target: string, physical: boolean): Sys<number> {
  const before = currentDirectory(shell);
  const path = logicalPath(before, target);
  try {
    shell.self.chdir(physical ? target : path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    yield* shell.complain(shell.bash ? `cd: ${target}: ${error.message}` : `cd: can't cd to ${target}: ${error.message}`);
    return shell.bash ? 1 : 2;
  }
  for (const name of ["OLDPWD", "PWD"]) shell.variables.ensure(name).exported = true;
  shell.variables.set("OLDPWD", before);
  shell.variables.set("PWD", physical ? shell.self.cwd : path);
  return 0;
}

function shorten(shell: Shell, path: string): string {
  const home = shell.variables.get("HOME");
  return home !== undefined && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
}

function* printStack(shell: Shell): Sys<number> {
  yield* shell.print(`${[currentDirectory(shell), ...shell.directories].map((path) => shorten(shell, path)).join(" ")}\n`);
  return 0;
}

export const directoryBuiltins: { readonly [name: string]: Builtin } = {
  *cd(shell, args) {
    const { letters, operands, refused } = readBuiltinOptions(args, "LPe@");
    if (refused !== undefined) {
      yield* shell.complain(`cd: ${refused}: invalid option`);
      yield* shell.writeError("cd: usage: cd [-L|[-P [-e]] [-@]] [dir]\n");
      return 2;
    }
    if (operands.length > 1) {
      yield* shell.complain("cd: too many arguments");
      return 1;
    }
    let target = operands[0];
    const show = target === "-";
    if (target === undefined || target === "-") {
      const name = target === undefined ? "HOME" : "OLDPWD";
      const value = shell.variables.get(name);
      if (value === undefined) {
        yield* shell.complain(`cd: ${name} not set`);
        return 1;
      }
      target = value;
    }
    if (target === "") return 0;
    const status = yield* changeDirectory(shell, target, letters.has("P"));
    if (status === 0 && show) yield* shell.print(`${currentDirectory(shell)}\n`);
    return status;
  },
  *pwd(shell, args) {
    yield* shell.print(`${args.includes("-P") ? shell.self.cwd : currentDirectory(shell)}\n`);
    return 0;
  },
  *pushd(shell, args) {
    const here = currentDirectory(shell);
    const target = args[0] ?? shell.directories[0];
    if (target === undefined) {
      yield* shell.complain("pushd: no other directory");
      return 1;
    }
    if (args[0] === undefined) shell.directories = shell.directories.slice(1);
    const status = yield* changeDirectory(shell, target, false);
    if (status !== 0) return status;
    shell.directories = [here, ...shell.directories];
    return yield* printStack(shell);
  },
  *popd(shell) {
    const target = shell.directories[0];
    if (target === undefined) {
      yield* shell.complain("popd: directory stack empty");
      return 1;
    }
    shell.directories = shell.directories.slice(1);
    const status = yield* changeDirectory(shell, target, false);
    return status !== 0 ? status : yield* printStack(shell);
  },
  *dirs(shell) {
    return yield* printStack(shell);
  },
};
