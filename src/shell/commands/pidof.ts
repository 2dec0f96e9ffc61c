import { isNamed } from "../toolkit/process-selection.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const pidof: CommandDefinition = {
  name: "pidof",
  options: "s,single-shot o,omit-pid= x c q S,separator= z",
  unsupported: "x c z",
  usage: "pidof [OPTIONS] [NAME]...",
  *run(tool) {
    const parent = String(tool.self.ppid);
    const omitted = tool
      .values("o")
      .flatMap((word) => word.split(","))
      .map((word) => (word === "%PPID" ? parent : word));
    const found = tool.self
      .processes()
      .filter((info) => tool.operands.some((name) => isNamed(info, name)) && !omitted.includes(String(info.pid)))
      .map(({ pid }) => pid)
      .reverse();
    if (found.length === 0) return 1;
    const shown = tool.has("s") ? found.slice(0, 1) : found;
    if (!tool.has("q")) yield* tool.print(`${shown.join(tool.value("S") ?? " ")}\n`);
    return 0;
  },
};
