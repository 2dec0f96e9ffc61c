import type { Process, Sys } from "#sim/program.ts";
import { nameOf, neighbours } from "../toolkit/network-view.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const arp: CommandDefinition = {
  name: "arp",
  options: "a,all n,numeric e i=,device= v,verbose d,delete s,set D f,file H= A= p=",
  unsupported: "v f H A p D",
  usage:
    "arp\n[-vn]\t[-H HWTYPE] [-i IF] -a [HOSTNAME]\n[-v]\t\t    [-i IF] -d HOSTNAME [pub]\n[-v]\t[-H HWTYPE] [-i IF] -s HOSTNAME HWADDR [temp]",
  *run(tool) {
    if (tool.has("d") || tool.has("s"))
      throw new ToolFailure(
        tool.has("d") ? "SIOCDARP(dontpub): Operation not permitted" : "SIOCSARP: Operation not permitted",
        255,
      );
    const [wanted] = tool.operands;
    const entries = neighbours(tool.self).filter(
      ({ address, link }) => (wanted === undefined || wanted === address) && link === (tool.value("i") ?? link),
    );
    if (wanted !== undefined && entries.length === 0) {
      yield* tool.print(tool.gnu ? `${wanted} (${wanted}) -- no entry\n` : `${wanted} (${wanted}) -- no entry\n`);
      return 1;
    }
    const bsd = !tool.gnu || tool.has("a");
    if (!bsd && entries.length > 0)
      yield* tool.print("Address                  HWtype  HWaddress           Flags Mask            Iface\n");
    for (const { address, link, hardware } of entries) {
      const name = yield* shownName(tool.self, address, tool.has("n"));
      yield* tool.print(
        bsd
          ? `${name ?? "?"} (${address}) at ${hardware} [ether] ${tool.gnu ? "" : " "}on ${link}\n`
          : `${(name ?? address).padEnd(23)}  ether   ${hardware}   C                     ${link}\n`,
      );
    }
    return 0;
  },
};

function* shownName(self: Process, address: string, numeric: boolean): Sys<string | undefined> {
  return numeric ? undefined : yield* nameOf(self, address);
}
