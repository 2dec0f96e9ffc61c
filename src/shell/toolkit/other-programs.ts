// Commands that run commands: env, xargs, find, nice and the like.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Tool } from "./tool.ts";

/** A program's name as a GNU command says that it cannot be run. */
function gnuQuotes(command: string, name: string): string {
  if (command === "find" || command === "env") return `‘${name}’`;
  return command === "xargs" ? name : `'${name}'`;
}

function busyboxQuotes(command: string, name: string): string {
  return command === "env" ? `can't execute '${name}'` : name;
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
    const quote = tool.gnu ? gnuQuotes : busyboxQuotes;
    yield* tool.warn(`${quote(tool.name, name)}: ${error.message}`);
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
