import { shortName } from "../toolkit/process-columns.ts";
import { matchingProcesses } from "../toolkit/process-selection.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const pgrep: CommandDefinition = {
  name: "pgrep",
  options: "f,full l,list-name x,exact a n,newest o,oldest",
  *run(tool) {
    const found = matchingProcesses(tool);
    for (const info of found) {
      let name = "";
      if (tool.has("a")) name = ` ${info.argv.join(" ")}`;
      else if (tool.has("l")) name = ` ${shortName(info)}`;
      yield* tool.print(`${info.pid}${name}\n`);
    }
    return found.length === 0 ? 1 : 0;
  },
};
