// ss: sockets as iproute2 prints them. Columns are as wide as what they show, and fill a terminal.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { SocketInfo } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

export const ss: CommandDefinition = {
  name: "ss",
  options:
    "n,numeric r,resolve a,all l,listening o,options e,extended m,memory p,processes T,threads i,info s,summary b,bpf E,events Z,context z,contexts N=,net= 4,ipv4 6,ipv6 0,packet t,tcp M,mptcp S,sctp u,udp d,dccp w,raw x,unix f=,family= K,kill H,no-header O,oneline A=,query=,socket= D=,diag= F=,filter= V,version",
  unsupported: "r o e m T i b E Z z N 0 M S d f K A D F",
  usageStatus: 255,
  *run(tool) {
    if (tool.has("V")) {
      yield* tool.print("ss utility, iproute2-6.15.0\n");
      return 0;
    }
    if (tool.has("s")) {
      yield* tool.print(summary(tool.self));
      return 0;
    }
    const filter = readFilter(tool.operands);
    const rows = tool.self.sockets().filter((socket) => isShown(tool, filter, socket));
    yield* tool.print(table(tool, filter, rows));
    return 0;
  },
};

interface Filter {
  /** undefined: what -l and -a say. */
  readonly states: readonly SocketInfo["state"][] | undefined;
  readonly localPorts: readonly number[];
  readonly peerPorts: readonly number[];
}

const stateWords: { readonly [word: string]: readonly SocketInfo["state"][] } = {
  all: ["LISTEN", "ESTABLISHED", "CLOSE_WAIT", "UNCONN"],
  connected: ["ESTABLISHED", "CLOSE_WAIT"],
  synchronized: ["ESTABLISHED", "CLOSE_WAIT"],
  established: ["ESTABLISHED"],
  "close-wait": ["CLOSE_WAIT"],
  listening: ["LISTEN"],
  listen: ["LISTEN"],
  unconnected: ["UNCONN"],
  "syn-sent": [],
  "syn-recv": [],
  "fin-wait-1": [],
  "fin-wait-2": [],
  "time-wait": [],
  "last-ack": [],
  closing: [],
  closed: ["UNCONN"],
};

/** `[state NAME] [sport = :N] [dport = :N]`, joined by nothing or by `and`. */
function readFilter(operands: readonly string[]): Filter {
  const words = operands.flatMap((word) => word.split(/\s+/u)).filter((word) => word !== "" && word !== "and");
  let states: SocketInfo["state"][] | undefined;
  const localPorts: number[] = [];
  const peerPorts: number[] = [];
  while (words.length > 0) {
    const word = words.shift() as string;
    if (word === "state") {
      const name = words.shift() ?? "";
      const named = Object.hasOwn(stateWords, asciiLowerCase(name)) ? stateWords[asciiLowerCase(name)] : undefined;
      if (named === undefined) throw new ToolFailure(`wrong state name: ${name}`, 255);
      states = [...(states ?? []), ...named];
    } else if (word === "sport" || word === "dport") {
      let port = words.shift() ?? "";
      if (port === "=" || port === "==" || port === "eq") port = words.shift() ?? "";
      const match = /^:?(\d+)$/u.exec(port);
      if (match === null) throw new ToolFailure(`filter "${word} ${port}" is not supported here`, 255);
      (word === "sport" ? localPorts : peerPorts).push(Number(match[1]));
    } else throw new ToolFailure(`filter "${word}" is not supported here`, 255);
  }
  return { states, localPorts, peerPorts };
}

function isShown(tool: Tool, filter: Filter, socket: SocketInfo): boolean {
  const kinds = ["t", "u", "w", "x"].filter((option) => tool.has(option));
  if (kinds.length > 0 && !kinds.includes(socket.protocol === "tcp" ? "t" : "u")) return false;
  if (tool.has("6") && !tool.has("4")) return false;
  const waits = socket.peer === undefined;
  const byState = filter.states?.includes(socket.state) ?? (tool.has("a") || (tool.has("l") ? waits : !waits));
  const byPort = (ports: readonly number[], port: number | undefined) =>
    ports.length === 0 || (port !== undefined && ports.includes(port));
  return byState && byPort(filter.localPorts, socket.local.port) && byPort(filter.peerPorts, socket.peer?.port);
}

interface Column {
  readonly title: string;
  readonly isRight?: boolean;
  /** Before it. */
  readonly joint: string;
  readonly value: (socket: SocketInfo) => string;
}

const states = { LISTEN: "LISTEN", ESTABLISHED: "ESTAB", CLOSE_WAIT: "CLOSE-WAIT", UNCONN: "UNCONN" } as const;
/** Connections that may wait to be accepted. */
const backlog = 4096;

function table(tool: Tool, filter: Filter, sockets: readonly SocketInfo[]): string {
  const severalKinds = ["t", "u", "w", "x"].filter((option) => tool.has(option)).length !== 1;
  const severalStates = filter.states === undefined || filter.states.length !== 1;
  const columns: Column[] = [
    ...(severalKinds ? [{ title: "Netid", joint: " ", value: (socket: SocketInfo) => socket.protocol }] : []),
    ...(severalStates ? [{ title: "State", joint: " ", value: (socket: SocketInfo) => states[socket.state] }] : []),
    { title: "Recv-Q", joint: " ", value: (socket) => String(socket.waiting) },
    { title: "Send-Q", joint: " ", value: (socket) => (socket.state === "LISTEN" ? String(backlog) : "0") },
    { title: "Local Address:", isRight: true, joint: " ", value: ({ local }) => `${local.address}:` },
    { title: "Port", joint: "", value: ({ local }) => String(local.port) },
    { title: "Peer Address:", isRight: true, joint: " ", value: ({ peer }) => `${peer?.address ?? "0.0.0.0"}:` },
    { title: "Port", joint: "", value: ({ peer }) => String(peer?.port ?? "*") },
  ];
  const last = "Process";
  const titled = !tool.has("H");
  const widths = columns.map(({ title, value }) =>
    Math.max(titled ? title.length : 0, ...sockets.map((socket) => value(socket).length)),
  );
  const joints = columns.slice(1).reduce((sum, { joint }) => sum + joint.length, 0);
  const isTerminal = tool.self.isTty(1);
  const used = widths.reduce((sum, width) => sum + width, 0) + joints + last.length;
  const spare = isTerminal ? Math.max(0, tool.self.terminal(1).columns - used) : 0;
  const each = Math.floor(spare / (columns.length + 1));
  const line = (cells: readonly string[], end: string): string => {
    let text = "";
    for (const [index, { joint, isRight }] of columns.entries()) {
      const width = (widths[index] as number) + each;
      const cell = cells[index] as string;
      text += `${index === 0 ? "" : joint}${isRight === true ? cell.padStart(width) : cell.padEnd(width)}`;
    }
    return `${text}${end.padEnd(last.length + spare - each * columns.length)}\n`;
  };
  const lines = sockets.map((socket) =>
    line(
      columns.map(({ value }) => value(socket)),
      tool.has("p") ? owners(tool.self, socket) : "",
    ),
  );
  const header = line(
    columns.map(({ title }) => title),
    last,
  );
  return (titled ? header : "") + lines.join("");
}

function owners(self: Process, { owners: all }: SocketInfo): string {
  if (all.length === 0) return "";
  const processes = new Map(self.processes().map((info) => [info.pid, info.argv]));
  const texts = all.map(({ pid, fd }) => {
    const name = (processes.get(pid)?.[0] ?? "").replace(/^\S*\//u, "").slice(0, 15);
    return `("${name}",pid=${pid},fd=${fd})`;
  });
  return ` users:(${texts.join(",")})`;
}

function summary(self: Process): string {
  const sockets = self.sockets();
  const tcp = sockets.filter(({ protocol }) => protocol === "tcp").length;
  const udp = sockets.length - tcp;
  const established = sockets.filter(({ state }) => state === "ESTABLISHED" || state === "CLOSE_WAIT").length;
  const row = (name: string, count: number) =>
    `${name}\t  ${String(count).padEnd(9)} ${String(count).padEnd(9)} ${"0".padEnd(9)}\n`;
  return [
    `Total: ${sockets.length}\n`,
    `TCP:   ${tcp} (estab ${established}, closed 0, orphaned 0, timewait 0)\n\n`,
    "Transport Total     IP        IPv6\n",
    row("RAW", 0),
    row("UDP", udp),
    row("TCP", tcp),
    row("INET", sockets.length),
    row("FRAG", 0),
    "\n",
  ].join("");
}
