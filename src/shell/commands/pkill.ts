import { signalByName } from "../interpreter/signals.ts";
import { matchingProcesses } from "../toolkit/process-selection.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const pkill: CommandDefinition = {
  name: "pkill",
  options: "f,full x,exact n,newest o,oldest s,signal= 9 1 2",
  *run(tool) {
    const signal = signalByName(tool.value("s") ?? tool.lastOf("9", "1", "2") ?? "TERM");
    if (signal === undefined) throw new ToolFailure(`invalid signal`, 2);
    const found = matchingProcesses(tool);
    for (const info of found) tool.self.kill(info.pid, signal);
    return found.length === 0 ? 1 : 0;
  },
};
