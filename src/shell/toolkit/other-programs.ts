// Commands that run commands: env, xargs, find, nice and the like.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { Tool } from "./tool.ts";

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
