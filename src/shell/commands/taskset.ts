import { runCommandLine } from "../toolkit/other-programs.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const taskset: CommandDefinition = {
  name: "taskset",
  options: "a,all-tasks c,cpu-list p,pid",
  inOrder: true,
  usage: "taskset [-ap] [HEXMASK | -c LIST] { PID | PROG ARGS }",
  *run(tool) {
    const { self, operands } = tool;
    const count = self.processors;
    const all = (2n ** BigInt(count) - 1n).toString(16);
    const several = count === 2 && tool.gnu ? "0,1" : `0-${count - 1}`;
    const list = count === 1 ? "0" : several;
    const [first, second] = operands;
    if (first === undefined || (!tool.has("p") && second === undefined)) throw new UsageFailure(tool.gnu ? "bad usage" : "");
    if (tool.has("p") && second === undefined) {
      if (!self.processes().some(({ pid }) => String(pid) === first))
        throw new ToolFailure(
          tool.gnu
            ? `failed to get pid ${first}'s affinity: No such process`
            : `can't get pid ${first}'s affinity: No such process`,
        );
      yield* tool.print(`pid ${first}'s current affinity ${tool.has("c") ? `list: ${list}` : `mask: ${all}`}\n`);
      return 0;
    }
    const isAll = tool.has("c") ? first === list || first === `0-${count - 1}` : first.replace(/^0x/u, "") === all;
    if (!isAll) throw new ToolFailure(`failed to set pid ${tool.has("p") ? second : 0}'s affinity: Function not implemented`);
    return tool.has("p") ? 0 : yield* runCommandLine(tool, operands.slice(1));
  },
};
