import { printRouteTable, routeColumns } from "../toolkit/route-table.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const route: CommandDefinition = {
  name: "route",
  options: "n e A= v F C",
  unsupported: "e v F C",
  usage:
    "route [-ne] [-A inet[6]] [{add|del} [-net|-host] TARGET [netmask MASK]\n\t[gw GATEWAY] [metric N] [mss BYTES] [window BYTES] [reject] [IFACE]]",
  *run(tool) {
    const [verb] = tool.operands;
    if (verb === "add" || verb === "del" || verb === "flush")
      throw new ToolFailure(tool.gnu ? "SIOCADDRT: Operation not permitted" : "ioctl 0x890b failed: Operation not permitted", 1);
    if (verb !== undefined) throw new UsageFailure("");
    if (tool.has("A") && tool.value("A") !== "inet")
      throw new ToolFailure(`address family ${tool.value("A")} is not supported here`);
    yield* printRouteTable(tool, routeColumns);
    return 0;
  },
};
