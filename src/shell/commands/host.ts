import { asciiUpperCase } from "#sim/ascii.ts";
import { askName, fullName } from "../toolkit/name-service.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const host: CommandDefinition = {
  name: "host",
  options: "t= a v",
  *run(tool) {
    const name = tool.operands[0];
    if (name === undefined) throw new UsageFailure("");
    if (asciiUpperCase(tool.value("t") ?? "A") !== "A")
      throw new ToolFailure(`type ${tool.value("t")}: not supported by this host`);
    const answer = yield* askName(tool.self, name);
    if (answer === "unreachable") {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 1;
    }
    if (answer.addresses.length > 0) {
      const full = yield* fullName(tool.self, name);
      for (const address of answer.addresses) yield* tool.print(`${full} has address ${address}\n`);
      return 0;
    }
    yield* tool.print(`Host ${name} not found: 3(NXDOMAIN)\n`);
    return 1;
  },
};
