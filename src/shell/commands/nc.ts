// nc: TCP and UDP by hand; OpenBSD's on GNU machines, busybox's (the one with -z and -v) in containers.

import { SysError } from "#sim/errors.ts";
import type { Endpoint } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "../toolkit/http-client.ts";
import { nameOf } from "../toolkit/network-view.ts";
import { addressOf, talk } from "../toolkit/talk.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const nc: CommandDefinition = {
  name: "nc",
  // -t answers requests of telnet, of which nobody here makes one.
  options: "z v l w= p= n k u 4 6 N q= i= e= o= s= b U t",
  unsupported: "6 i e o b U",
  usage: "nc [OPTIONS] HOST PORT  - connect\nnc [OPTIONS] -l -p PORT [HOST] [PORT]  - listen",
  *run(tool) {
    if (!tool.gnu && (tool.has("N") || tool.has("q") || tool.has("4") || tool.has("t"))) {
      throw new UsageFailure(`invalid option -- '${tool.lastOf("N", "q", "4", "t")}'`);
    }
    if (tool.has("l")) return yield* listen(tool);
    const [host, portText] = tool.operands;
    if (host === undefined) throw tool.gnu ? new ToolFailure("missing hostname and port number") : new UsageFailure("");
    if (portText === undefined) throw tool.gnu ? new ToolFailure("missing port number") : new UsageFailure("");
    const ports = /^(\d+)(?:-(\d+))?$/u.exec(portText);
    if (ports === null) throw new ToolFailure(tool.gnu ? `port number invalid: ${portText}` : `bad port '${portText}'`);
    const unknown = tool.gnu
      ? `getaddrinfo for host "${host}" port ${portText}: Name or service not known`
      : `bad address '${host}'`;
    if (tool.has("n") && !isAddress(host)) throw new ToolFailure(unknown);
    const address = yield* addressOf(tool.self, host, unknown);
    const first = Number(ports[1]);
    let status = 1;
    for (let port = first; port <= Number(ports[2] ?? first); port += 1) if (yield* tryPort(tool, host, address, port)) status = 0;
    return status;
  },
};

function seconds(tool: Tool, option: string): number | undefined {
  const text = tool.value(option);
  if (text === undefined) return undefined;
  if (!/^\d+$/u.test(text)) throw new ToolFailure(tool.gnu ? `timeout invalid: ${text}` : `invalid number '${text}'`);
  return Number(text) * 1000;
}

/** Whether it could be connected to; if it is not only tried, until the connection ends. */
function* tryPort(tool: Tool, host: string, address: string, port: number): Sys<boolean> {
  const { self, gnu } = tool;
  const named = host === address ? host : `${host} (${address})`;
  const busyboxName = `${host} (${address}:${port})`;
  if (tool.has("u")) return yield* tryDatagrams(tool, named, busyboxName, { address, port });
  let fd: number;
  try {
    if (tool.has("p") || tool.has("s")) throw new ToolFailure(`-${tool.lastOf("p", "s")} is supported here with -u or -l only`);
    const timeoutMs = seconds(tool, "w");
    fd = yield* self.connect({ address, port, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    const reason = error.code === "ETIMEDOUT" && gnu ? "Connection timed out" : error.message;
    if (!gnu) yield* self.write(2, `nc: ${busyboxName}: ${reason}\n`);
    else if (tool.has("v")) yield* self.write(2, `nc: connect to ${named} port ${port} (tcp) failed: ${reason}\n`);
    return false;
  }
  if (tool.has("v"))
    yield* self.write(2, gnu ? `Connection to ${named} ${port} port [tcp/*] succeeded!\n` : `${busyboxName} open\n`);
  if (!tool.has("z")) yield* converse(tool, fd);
  self.close(fd);
  return true;
}

/** Nobody answers a datagram by being there: it is open until somebody says that it is not. */
function* tryDatagrams(tool: Tool, named: string, busyboxName: string, target: Endpoint): Sys<boolean> {
  const { self, gnu } = tool;
  const fd = ownDatagrams(tool);
  self.connectDatagrams(fd, target);
  const isTested = tool.has("z") || (gnu && tool.has("v") && self.isTty(0));
  const refusal = isTested ? yield* testDatagrams(tool, fd, target.address) : undefined;
  if (refusal !== undefined) {
    // busybox keeps refusals to itself.
    if (!gnu && tool.has("v") && refusal.code !== "ECONNREFUSED") yield* self.write(2, `nc: ${busyboxName}: ${refusal.message}\n`);
    self.close(fd);
    return false;
  }
  if (tool.has("v") && !(gnu && !isTested))
    yield* self.write(2, gnu ? `Connection to ${named} ${target.port} port [udp/*] succeeded!\n` : `${busyboxName} open\n`);
  if (!tool.has("z")) yield* converse(tool, fd);
  self.close(fd);
  return true;
}

/** From the port and the address that it is told to have. */
function ownDatagrams(tool: Tool): number {
  const { self, gnu } = tool;
  const address = tool.value("s");
  const own = { port: portOf(tool.value("p") ?? "0"), ...(address === undefined ? {} : { address }) };
  try {
    return self.openDatagrams(own);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new ToolFailure(gnu ? `bind failed: ${error.message}` : `bind: ${error.message}`);
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new ToolFailure(`port number invalid: ${text}`);
  return port;
}

/** Sends a byte now and then: an error is the answer. Debian's nc does so each second for three, busybox's once more after its wait. */
function* testDatagrams(tool: Tool, fd: number, address: string): Sys<SysError | undefined> {
  const { self, gnu } = tool;
  const waitMs = seconds(tool, "w");
  const byte = gnu ? "X" : "\0";
  try {
    yield* self.write(fd, byte);
    if (gnu) yield* self.write(fd, byte);
    const turns = gnu ? Math.floor((waitMs ?? 3000) / 1000) : 1;
    for (let turn = 0; turn < turns; turn += 1) {
      if (gnu) yield* self.sleep(1000);
      else if (waitMs !== undefined) yield* self.sleep(waitMs);
      else yield* roundTrip(self, address);
      yield* self.write(fd, byte);
    }
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    return error;
  }
  return undefined;
}

/** As long as a refused connection takes: to a port that hardly anybody listens on. */
function* roundTrip(self: Process, address: string): Sys<void> {
  try {
    self.close(yield* self.connect({ address, port: 31_337, timeoutMs: 5000 }));
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
  }
}

function* converse(tool: Tool, fd: number): Sys<void> {
  const waitMs = seconds(tool, "w");
  const quitMs = seconds(tool, "q");
  const isBusyboxUdp = tool.has("u") && !tool.gnu;
  const end = yield* talk(tool.self, fd, {
    // busybox: only once standard input has ended.
    idleMs: tool.gnu ? waitMs : undefined,
    // It waits twice for datagrams.
    afterInputMs: quitMs ?? (isBusyboxUdp && waitMs !== undefined ? 2 * waitMs : waitMs),
    // There is no end of datagrams to be told.
    endsWriting: !tool.has("u") && (tool.has("N") || quitMs !== undefined),
  });
  if (end === "input" && quitMs === undefined && !tool.gnu && !isBusyboxUdp) throw new ToolFailure("");
}

function* listen(tool: Tool): Sys<number> {
  const { self, gnu } = tool;
  if (tool.has("z")) throw new ToolFailure(gnu ? "cannot use -z and -l" : "-z with -l is not supported here");
  const words = [...tool.operands];
  const portText = tool.value("p") ?? (gnu ? words.pop() : "0");
  if (portText === undefined) throw new ToolFailure("missing port number");
  if (!gnu && words.length > 0) throw new ToolFailure("a peer's address with -l is not supported here");
  const port = portOf(portText);
  const address = tool.value("s") ?? words[0];
  let listening: number;
  try {
    listening = self[tool.has("u") ? "openDatagrams" : "listen"]({ port, ...(address === undefined ? {} : { address }) });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new ToolFailure(gnu ? error.message : `bind: ${error.message}`);
  }
  if (tool.has("v")) {
    const where = address ?? "0.0.0.0";
    yield* self.write(
      2,
      gnu ? `${tool.has("u") ? "Bound" : "Listening"} on ${where} ${port}\n` : `listening on ${where}:${port} ...\n`,
    );
  }
  if (tool.has("u") && gnu && tool.has("k")) return yield* takeAll(self, listening);
  do {
    const { fd, peer } = yield* tool.has("u") ? caller(self, listening) : self.accept(listening);
    if (tool.has("v")) {
      const name = tool.has("n") ? peer.address : ((yield* nameOf(self, peer.address)) ?? peer.address);
      yield* self.write(
        2,
        gnu
          ? `Connection received on ${name} ${peer.port}\n`
          : `connect to ${self.addresses().at(-1)}:${port} from ${name}:${peer.port} (${peer.address}:${peer.port})\n`,
      );
    }
    yield* converse(tool, fd);
    self.close(fd);
  } while (tool.has("k"));
  return 0;
}

/** Who sends the first datagram is the one to talk to. */
function* caller(self: Process, fd: number): Sys<{ readonly fd: number; readonly peer: Endpoint }> {
  const { from } = yield* self.receiveDatagram(fd, { peek: true });
  self.connectDatagrams(fd, from);
  return { fd, peer: from };
}

/** `-k`: from everybody, and to nobody. */
function* takeAll(self: Process, fd: number): Sys<number> {
  for (;;) yield* self.write(1, (yield* self.receiveDatagram(fd)).bytes);
}
