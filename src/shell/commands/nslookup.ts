import { asciiUpperCase } from "#sim/ascii.ts";
import { askName, fullName, nameServer } from "../toolkit/name-service.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";
import { busyboxNslookup } from "./nslookup/busybox.ts";

export const nslookup: CommandDefinition = {
  name: "nslookup",
  usage: "nslookup [-type=QUERY_TYPE] [-debug] HOST [DNS_SERVER]",
  *run(tool) {
    if (!tool.gnu) return yield* busyboxNslookup(tool);
    const options = tool.operands.filter((word) => word.startsWith("-"));
    const [name, otherServer] = tool.operands.filter((word) => !word.startsWith("-"));
    if (name === undefined) throw new UsageFailure("");
    const types = options.map((word) => /^-(?:query|type|q)=(\w+)$/iu.exec(word)?.[1]);
    const type = asciiUpperCase(types.find((each) => each !== undefined) ?? "A");
    if (!["A", "ANY"].includes(type)) throw new ToolFailure(`query type ${type}: not supported by this nslookup`);
    if (otherServer !== undefined) throw new ToolFailure("asking a given server is not supported by this nslookup");
    const server = nameServer(tool.self);
    const answer = yield* askName(tool.self, name);
    if (answer === "unreachable") {
      yield* tool.print(";; connection timed out; no servers could be reached\n\n");
      return 1;
    }
    yield* tool.print(`Server:\t\t${server}\nAddress:\t${server}#53\n\n`);
    if (answer.addresses.length === 0) {
      yield* tool.print(`** server can't find ${name}: NXDOMAIN\n\n`);
      return 1;
    }
    const full = yield* fullName(tool.self, name);
    for (const address of answer.addresses) yield* tool.print(`Name:\t${full}\nAddress: ${address}\n`);
    yield* tool.print("\n");
    return 0;
  },
};
