import { SysError } from "#sim/errors.ts";
import type { EchoResult } from "#sim/net.ts";
import type { Sys } from "#sim/program.ts";
import { isAddress } from "../toolkit/http-client.ts";
import { askName } from "../toolkit/name-service.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";
import { isToEnd } from "../toolkit/whole-screen.ts";

/** How long both wait for a last answer. */
const lastWaitSeconds = 10;

/** A call of it: what is asked, how often, and until when. */
interface Plan {
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
  /** Infinity: until a signal. */
  readonly count: number;
  readonly intervalMs: number;
  readonly lastWaitMs: number;
  readonly endMs: number;
}

interface Tally {
  sent: number;
  errors: number;
  readonly roundTripsMs: number[];
}

export const ping: CommandDefinition = {
  name: "ping",
  options: "c= i= W= w= q n 4 s= 6 I= t= A f",
  unsupported: "6 I t A f",
  usage: "[OPTIONS] HOST",
  *run(tool) {
    const name = tool.operands[0];
    if (name === undefined) throw new UsageFailure(tool.gnu ? "usage error: Destination address required" : "");
    const plan = planOf(tool, name, yield* addressOf(tool, name));
    checkSocket(tool, plan.address);
    const startMs = tool.self.nowMs;
    const tally: Tally = { sent: 0, errors: 0, roundTripsMs: [] };
    const { bytes } = plan;
    yield* tool.print(
      tool.gnu
        ? `PING ${name} (${plan.address}) ${bytes}(${bytes + 28}) bytes of data.\n`
        : `PING ${name} (${plan.address}): ${bytes} data bytes\n`,
    );
    tool.self.setSignal("INT", "catch");
    try {
      yield* ask(tool, plan, tally);
    } catch (error) {
      isToEnd(tool.self, error);
    }
    yield* tool.print(tool.gnu ? gnuSummary(plan, tally, tool.self.nowMs - startMs) : busyboxSummary(plan, tally));
    return tally.roundTripsMs.length === 0 ? 1 : 0;
  },
};

function* addressOf(tool: Tool, name: string): Sys<string> {
  if (isAddress(name)) return name;
  const answer = yield* askName(tool.self, name);
  const [address] = answer === "unreachable" ? [] : answer.addresses;
  if (address !== undefined) return address;
  if (!tool.gnu) throw new ToolFailure(`bad address '${name}'`, 1);
  throw new ToolFailure(
    `${name}: ${answer === "unreachable" ? "Temporary failure in name resolution" : "Name or service not known"}`,
    2,
  );
}

function planOf(tool: Tool, name: string, address: string): Plan {
  const number = (option: string, usual: number, least: number): number => {
    const text = tool.value(option);
    if (text === undefined) return usual;
    if (/^\d+(\.\d+)?$/.test(text) && Number(text) >= least) return Number(text);
    throw new ToolFailure(tool.gnu ? `invalid argument: '${text}'` : `invalid number '${text}'`, tool.gnu ? 2 : 1);
  };
  return {
    name,
    address,
    bytes: number("s", 56, 0),
    count: number("c", Number.POSITIVE_INFINITY, tool.gnu ? 1 : 0) || Number.POSITIVE_INFINITY,
    intervalMs: 1000 * number("i", 1, 0.002),
    lastWaitMs: 1000 * number("W", lastWaitSeconds, 0),
    endMs: tool.self.nowMs + 1000 * number("w", Number.POSITIVE_INFINITY, 1),
  };
}

/** Sends one request after the other until there are enough, the time is up, or a signal comes (EINTR). */
function* ask(tool: Tool, plan: Plan, tally: Tally): Sys<void> {
  const { self } = tool;
  /** Of requests that went into the void: when the last of them is given up, or who says that nobody is there. */
  let waitMs = 0;
  for (let sequence = 0; sequence < plan.count && self.nowMs < plan.endMs; sequence += 1) {
    const sentMs = self.nowMs;
    const result = sendRequest(tool, plan.address);
    tally.sent += 1;
    yield* self.sleep(result.ok ? result.afterMs : 0);
    if (result.ok) yield* answered(tool, plan, tally, sequence, result);
    waitMs = result.ok ? 0 : plan.lastWaitMs;
    if (!result.ok && tool.gnu && result.error !== "ETIMEDOUT") {
      const reason = result.error === "ECONNREFUSED" ? "Port" : "Host";
      yield* self.sleep(result.afterMs);
      tally.errors += 1;
      waitMs = 0;
      const place = reason === "Port" ? plan.address : (self.addresses().at(1) ?? plan.address);
      yield* tool.print(`From ${place} icmp_seq=${sequence + 1} Destination ${reason} Unreachable\n`);
    }
    yield* tool.flush();
    const restMs = sequence + 1 < plan.count ? sentMs + plan.intervalMs - self.nowMs : waitMs;
    yield* self.sleep(Math.max(0, Math.min(restMs, plan.endMs - self.nowMs)));
  }
}

/** Throws ToolFailure without the right to a raw socket, which busybox's needs. */
function checkSocket({ self, gnu }: Tool, address: string): void {
  try {
    const result = self.echo(address, { raw: !gnu });
    // Its socket is connected first.
    if (gnu && !result.ok && result.error === "ENETUNREACH") throw new ToolFailure("connect: Network is unreachable", 2);
  } catch (error) {
    if (error instanceof SysError && error.code === "EPERM") throw new ToolFailure("permission denied (are you root?)");
    throw error;
  }
}

function sendRequest({ self }: Tool, address: string): EchoResult {
  const result = self.echo(address);
  if (!result.ok && result.error === "ENETUNREACH") throw new ToolFailure("sendto: Network unreachable");
  return result;
}

function* answered(tool: Tool, plan: Plan, tally: Tally, sequence: number, reply: EchoResult & { readonly ok: true }): Sys<void> {
  const { name, address, bytes } = plan;
  // What a kernel and a program take of it: some hundredths of a millisecond, never twice the same.
  const roundTripMs = reply.afterMs + (58 + ((sequence * 37 + bytes) % 41)) / 1000;
  tally.roundTripsMs.push(roundTripMs);
  if (tool.has("q")) return;
  const who = tool.gnu && name !== address && !tool.has("n") ? `${name} (${address})` : address;
  const label = tool.gnu ? `icmp_seq=${sequence + 1}` : `seq=${sequence}`;
  const shown = tool.gnu && roundTripMs >= 1 ? roundTripMs.toPrecision(3) : roundTripMs.toFixed(3);
  yield* tool.print(`${bytes + 8} bytes from ${who}: ${label} ttl=${reply.ttl} time=${shown} ms\n`);
}

function lossOf({ sent, roundTripsMs }: Tally): string {
  return `${sent === 0 ? 0 : Math.floor((100 * (sent - roundTripsMs.length)) / sent)}% packet loss`;
}

function figures(roundTripsMs: readonly number[]): readonly [least: string, mean: string, most: string] {
  const mean = roundTripsMs.reduce((sum, ms) => sum + ms, 0) / roundTripsMs.length;
  return [Math.min(...roundTripsMs).toFixed(3), mean.toFixed(3), Math.max(...roundTripsMs).toFixed(3)];
}

function gnuSummary({ name }: Plan, tally: Tally, elapsedMs: number): string {
  const { sent, errors, roundTripsMs } = tally;
  const failed = errors === 0 ? "" : `, +${errors} errors`;
  const head = `\n--- ${name} ping statistics ---\n${sent} packets transmitted, ${roundTripsMs.length} received${failed}, ${lossOf(tally)}, time ${Math.floor(elapsedMs)}ms\n`;
  if (roundTripsMs.length === 0) return `${head}\n`;
  const [least, mean, most] = figures(roundTripsMs);
  const squares = roundTripsMs.reduce((sum, ms) => sum + ms * ms, 0) / roundTripsMs.length;
  const deviation = Math.sqrt(Math.max(0, squares - Number(mean) * Number(mean))).toFixed(3);
  return `${head}rtt min/avg/max/mdev = ${least}/${mean}/${most}/${deviation} ms\n`;
}

function busyboxSummary({ name }: Plan, tally: Tally): string {
  const { sent, roundTripsMs } = tally;
  const head = `\n--- ${name} ping statistics ---\n${sent} packets transmitted, ${roundTripsMs.length} packets received, ${lossOf(tally)}\n`;
  if (roundTripsMs.length === 0) return head;
  return `${head}round-trip min/avg/max = ${figures(roundTripsMs).join("/")} ms\n`;
}
