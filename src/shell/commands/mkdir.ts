import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { applyMode } from "../toolkit/file-modes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

function makeParents(self: Process, path: string): void {
  const parts = path.split("/");
  for (let i = 1; i <= parts.length; i += 1) {
    const prefix = parts.slice(0, i).join("/");
    if (prefix === "") continue;
    try {
      self.mkdir(prefix);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      if (self.stat(prefix).type !== "directory") throw new SysError(i === parts.length ? "EEXIST" : "ENOTDIR");
    }
  }
}

export const mkdir: CommandDefinition = {
  name: "mkdir",
  options: "p,parents m,mode= v,verbose",
  usage: "mkdir [-m MODE] [-p] DIRECTORY...\n\nCreate DIRECTORY",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const mode = tool.value("m");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        if (tool.has("p")) makeParents(tool.self, path.replace(/\/+$/u, "") || "/");
        else tool.self.mkdir(path.replace(/\/+$/u, "") || "/");
        if (mode !== undefined) tool.self.chmod(path, applyMode(mode, 0o777, true, 0));
        if (tool.has("v")) yield* tool.print(tool.gnu ? `mkdir: created directory '${path}'\n` : `created directory: '${path}'\n`);
      },
      (path, error) =>
        tool.gnu ? `cannot create directory ‘${path}’: ${error.message}` : `can't create directory '${path}': ${error.message}`,
    );
    return 0;
  },
};
