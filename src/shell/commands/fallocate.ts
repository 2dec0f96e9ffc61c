import { SysError } from "#sim/errors.ts";
import { readCount } from "../toolkit/counts.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

/** util-linux's and busybox's: takes room for a file without writing to it; what it has stays. */
export const fallocate: CommandDefinition = {
  name: "fallocate",
  options: "l,length= o,offset=",
  usage: "fallocate [-o OFS] -l LEN FILE",
  *run(tool) {
    const { self, operands } = tool;
    const [path] = operands;
    const length = tool.value("l");
    if (length === undefined) throw tool.gnu ? new ToolFailure("no length argument specified") : new UsageFailure("");
    if (path === undefined) throw tool.gnu ? new ToolFailure("no filename specified") : new UsageFailure("");
    if (operands.length > 1) throw new UsageFailure(tool.gnu ? "unexpected number of arguments" : "");
    const size = readCount(length.replace(/iB$/u, ""), "length");
    if (size <= 0) throw new ToolFailure(tool.gnu ? "invalid length value specified" : `invalid number '${length}'`);
    const end = size + readCount((tool.value("o") ?? "0").replace(/iB$/u, ""), "offset");
    self.close(self.open(path, { write: true, create: true }, 0o666));
    try {
      if (self.stat(path).sizeBytes < end) self.truncate(path, end);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(tool.gnu ? `fallocate failed: ${error.message}` : `fallocate '${path}': ${error.message}`);
    }
    return 0;
  },
};
