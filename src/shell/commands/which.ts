import { SysError } from "#sim/errors.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const which: CommandDefinition = {
  name: "which",
  options: "a",
  usage: "which [-a] COMMAND...",
  *run(tool) {
    let status = 0;
    for (const name of tool.operands) {
      const directories = name.includes("/")
        ? [""]
        : (tool.self.env.get("PATH") ?? "/usr/bin:/bin").split(":").map((each) => `${each}/`);
      let found = false;
      for (const directory of directories) {
        try {
          const stat = tool.self.stat(directory + name);
          if (stat.type !== "file" || (stat.permissions & 0o111) === 0) continue;
          found = true;
          yield* tool.print(`${directory}${name}\n`);
          if (!tool.has("a")) break;
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
        }
      }
      if (!found) status = 1;
    }
    return status;
  },
};
