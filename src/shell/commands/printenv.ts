import type { CommandDefinition } from "../toolkit/tool.ts";

export const printenv: CommandDefinition = {
  name: "printenv",
  options: "0,null",
  *run(tool) {
    let status = 0;
    if (tool.operands.length === 0) for (const [name, value] of tool.self.env) yield* tool.print(`${name}=${value}\n`);
    for (const name of tool.operands) {
      const value = tool.self.env.get(name);
      if (value === undefined) status = 1;
      else yield* tool.print(`${value}\n`);
    }
    return status;
  },
};
