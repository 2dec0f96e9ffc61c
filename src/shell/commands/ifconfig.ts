import { asciiUpperCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { NetworkLink } from "#sim/net.ts";
import { broadcast, mtuOf, netmask, readRange } from "../toolkit/network-view.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const ifconfig: CommandDefinition = {
  name: "ifconfig",
  options: "a s v",
  unsupported: "s v",
  usage: "ifconfig [-a] [IFACE] [ADDRESS]",
  *run(tool) {
    const [name, ...settings] = tool.operands;
    const { links } = tool.self.networkPlace();
    const found = links.find((link) => link.name === name);
    if (name !== undefined && found === undefined) {
      const message = `${name}: error fetching interface information: Device not found`;
      if (!tool.gnu) throw new ToolFailure(message);
      yield* tool.self.write(2, `${message}\n`);
      return 1;
    }
    if (settings.length > 0)
      throw new ToolFailure(tool.gnu ? "SIOCSIFFLAGS: Operation not permitted" : "SIOCSIFFLAGS: Operation not permitted");
    const byName = [...links].sort((a, b) => {
      if (a.kind === b.kind) return compareTexts(a.name, b.name);
      return a.kind === "loopback" ? 1 : -1;
    });
    for (const link of found === undefined ? byName : [found]) yield* tool.print(tool.gnu ? netToolsText(link) : busyboxText(link));
    return 0;
  },
};

function netToolsText(link: NetworkLink): string {
  const isLoopback = link.kind === "loopback";
  let flags = "4099<UP,BROADCAST,MULTICAST>";
  if (isLoopback) flags = "73<UP,LOOPBACK,RUNNING>";
  else if (link.isUp) flags = "4163<UP,BROADCAST,RUNNING,MULTICAST>";
  let text = `${link.name}: flags=${flags}  mtu ${mtuOf(link)}\n`;
  if (link.address !== undefined) {
    const range = readRange(link.address);
    const around = isLoopback ? "" : `  broadcast ${broadcast(range)}`;
    text += `        inet ${range.address}  netmask ${netmask(range.prefix)}${around}\n`;
  }
  text += isLoopback
    ? "        loop  txqueuelen 1000  (Local Loopback)\n"
    : `        ether ${link.hardware}  txqueuelen 1000  (Ethernet)\n`;
  return `${text}\n`;
}

function busyboxText(link: NetworkLink): string {
  const isLoopback = link.kind === "loopback";
  let text = `${link.name.padEnd(9)} Link encap:${isLoopback ? "Local Loopback  " : `Ethernet  HWaddr ${asciiUpperCase(link.hardware)}  `}\n`;
  if (link.address !== undefined) {
    const range = readRange(link.address);
    text += `          inet addr:${range.address}${isLoopback ? "" : `  Bcast:${broadcast(range)}`}  Mask:${netmask(range.prefix)}\n`;
  }
  let flags = "UP BROADCAST MULTICAST";
  if (isLoopback) flags = "UP LOOPBACK RUNNING";
  else if (link.isUp) flags = "UP BROADCAST RUNNING MULTICAST";
  return `${text}          ${flags}  MTU:${mtuOf(link)}  Metric:1\n          txqueuelen:1000 \n\n`;
}
