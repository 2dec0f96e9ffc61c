import type { SocketInfo } from "#sim/net.ts";
import type { Sys } from "#sim/program.ts";
import { endpointText, nameOf, ownerOf } from "../toolkit/network-view.ts";
import { printRouteTable } from "../toolkit/route-table.ts";
import type { CommandDefinition, Tool } from "../toolkit/tool.ts";

export const netstat: CommandDefinition = {
  name: "netstat",
  options:
    "r,route a,all l,listening t,tcp u,udp w,raw x,unix n,numeric e,extend W,wide p,programs 4,inet 6,inet6 i,interfaces s,statistics c,continuous v,verbose g,groups M,masquerade o,timers F,fib C,cache",
  unsupported: "e i s c v g M o F C",
  usage: "netstat [-ral] [-tuwx] [-enWp]",
  *run(tool) {
    const { self } = tool;
    if (tool.has("r")) {
      yield* printRouteTable(tool, ["MSS", "Window", "irtt"]);
      return 0;
    }
    const wanted = (["t", "u", "w", "x"] as const).filter((option) => tool.has(option));
    const shows = (option: (typeof wanted)[number]): boolean => wanted.length === 0 || wanted.includes(option);
    let which = "w/o servers";
    if (tool.has("l")) which = "only servers";
    else if (tool.has("a")) which = "servers and established";
    const internet = wanted.length === 0 || wanted.some((option) => option !== "x") || tool.has("4") || tool.has("6");
    if (tool.has("p") && self.uid !== 0) {
      yield* self.write(
        2,
        tool.gnu
          ? "(Not all processes could be identified, non-owned process info\n will not be shown, you would have to be root to see it all.)\n"
          : "netstat: showing only processes with your user ID\n",
      );
    }
    if (internet) {
      let title = " ";
      if (tool.has("p")) title = `${tool.gnu ? "" : " "}PID/Program name    `;
      else if (tool.gnu) title = "";
      yield* tool.print(`Active Internet connections (${which})\n`);
      yield* tool.print(
        `Proto Recv-Q Send-Q Local Address           Foreign Address         State      ${tool.gnu && tool.has("p") ? " " : ""}${title}\n`,
      );
      for (const socket of self.sockets()) {
        if (!shows(socket.protocol === "tcp" ? "t" : "u") || tool.has("6")) continue;
        const serves = socket.peer === undefined;
        if (!(tool.has("a") || (tool.has("l") ? serves : !serves))) continue;
        yield* tool.print(yield* socketLine(tool, socket));
      }
    }
    if (shows("x") && !tool.has("4") && !tool.has("6")) {
      yield* tool.print(`Active UNIX domain sockets (${which})\n`);
      let owner = "";
      if (tool.has("p")) owner = tool.gnu ? "PID/Program name     " : "PID/Program name    ";
      yield* tool.print(`Proto RefCnt Flags       Type       State         I-Node ${tool.gnu ? "  " : ""}${owner}Path\n`);
    }
    return 0;
  },
};

const addressWidth = 23;

function* socketLine(tool: Tool, socket: SocketInfo): Sys<string> {
  const wide = tool.has("W");
  const shown = function* (endpoint: SocketInfo["peer"]): Sys<string> {
    const text = endpointText(endpoint);
    if (tool.has("n") || endpoint === undefined || endpoint.address === "0.0.0.0") return text;
    const name = (yield* nameOf(tool.self, endpoint.address)) ?? endpoint.address;
    const port = String(endpoint.port);
    return `${wide ? name : name.slice(0, addressWidth - 1 - port.length)}:${port}`;
  };
  const [local, peer] = [yield* shown(socket.local), yield* shown(socket.peer)];
  const state = socket.state === "UNCONN" ? "" : socket.state;
  const line = `${socket.protocol.padEnd(5)} ${String(socket.waiting).padStart(6)} ${"0".padStart(6)} ${local.padEnd(addressWidth)} ${peer.padEnd(addressWidth)} ${state.padEnd(tool.gnu ? 11 : 12)}`;
  if (!tool.has("p")) return `${line}\n`;
  const owner = ownerOf(tool.self, socket);
  const command = (owner?.argv[0] ?? "").replace(/^\S*\//u, "");
  if (tool.gnu) return `${line} ${(owner === undefined ? "-" : `${owner.pid}/${command}`).slice(0, 20).padEnd(20)}\n`;
  return `${line}${owner === undefined ? "-" : `${owner.pid}/${command}`.slice(0, 19)}\n`;
}
