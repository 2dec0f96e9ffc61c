import { shortName } from "../toolkit/process-columns.ts";
import { matching } from "../toolkit/process-selection.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const pgrep: CommandDefinition = {
  name: "pgrep",
  options: "f,full l,list-name x,exact a n o",
  *run(tool) {
    const found = matching(tool);
    for (const info of found)
      yield* tool.print(`${info.pid}${tool.has("a") ? ` ${info.argv.join(" ")}` : tool.has("l") ? ` ${shortName(info)}` : ""}\n`);
    return found.length === 0 ? 1 : 0;
  },
};
