import { applyMode } from "../toolkit/file-modes.ts";
import { type CommandDefinition, UsageFailure } from "../toolkit/tool.ts";

export const mkfifo: CommandDefinition = {
  name: "mkfifo",
  options: "m,mode= Z context=",
  unsupported: "Z context",
  usage: "mkfifo [-m MODE] NAME\n\nCreate named pipe\n\n\t-m MODE\tMode (default a=rw)",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const mode = tool.value("m");
    yield* tool.eachOperand(
      tool.operands,
      function* (path) {
        tool.self.mkfifo(path);
        if (mode !== undefined) tool.self.chmod(path, applyMode(mode, 0o666, false, 0));
      },
      (path, error) => (tool.gnu ? `cannot create fifo '${path}': ${error.message}` : `${path}: ${error.message}`),
    );
    return 0;
  },
};
