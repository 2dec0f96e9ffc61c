import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const usleep: CommandDefinition = {
  name: "usleep",
  options: "",
  usage: "usleep N\n\nPause for N microseconds",
  *run(tool) {
    const [text = ""] = tool.operands;
    if (!/^\d+$/u.test(text)) throw text === "" ? new UsageFailure("") : new ToolFailure(`invalid number '${text}'`);
    yield* tool.self.sleep(Number(text) / 1000);
    return 0;
  },
};
