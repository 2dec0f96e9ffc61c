import { isAddress } from "../toolkit/http-client.ts";
import { askName } from "../toolkit/name-service.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const ping: CommandDefinition = {
  name: "ping",
  options: "c= i= W= w= q n 4 6 I= s= t=",
  *run(tool) {
    const name = tool.operands[0];
    if (name === undefined) throw new UsageFailure(tool.gnu ? "usage error: Destination address required" : "");
    const answer = isAddress(name) ? { addresses: [name] } : yield* askName(tool.self, name);
    if (answer === "unreachable" || answer.addresses.length === 0) {
      throw new ToolFailure(
        tool.gnu
          ? `${name}: ${answer === "unreachable" ? "Temporary failure in name resolution" : "Name or service not known"}`
          : `bad address '${name}'`,
        tool.gnu ? 2 : 1,
      );
    }
    // The simulated network carries no ICMP.
    throw new ToolFailure(
      tool.gnu ? "socktype: SOCK_RAW\nping: socket: Operation not permitted" : "permission denied (are you root?)",
      tool.gnu ? 2 : 1,
    );
  },
};
