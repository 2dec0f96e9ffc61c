// busybox's nslookup up to 1.28 (networking/nslookup.c before FEATURE_NSLOOKUP_BIG): it goes by the C library, so by the search list
// and ndots, and knows neither types nor codes of answers.

import { SysError } from "#sim/errors.ts";
import type { DnsQuestion } from "#sim/net.ts";
import { candidateNames, isIpAddress, parseResolvConf } from "#sim/network/resolver.ts";
import type { Sys } from "#sim/program.ts";
import { nameServer } from "../../toolkit/name-service.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../../toolkit/tool.ts";

export const oldNslookup: CommandDefinition = {
  name: "nslookup",
  usage: "nslookup [HOST] [SERVER]",
  *run(tool) {
    const [host, given] = tool.operands;
    if (host === undefined || host.startsWith("-") || tool.operands.length > 2) throw new UsageFailure("");
    const server = given === undefined ? nameServer(tool.self) : yield* serverOf(tool, given);
    yield* printHost(tool, server, server, "Server:");
    yield* tool.print("\n");
    return (yield* printHost(tool, server, host, "Name:")) ? 0 : 1;
  },
};

function* serverOf({ self }: Tool, given: string): Sys<string> {
  try {
    const [address] = yield* self.resolve(given);
    if (address !== undefined) return address;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  throw new ToolFailure(`bad address '${given}'`);
}

function* printHost(tool: Tool, server: string, host: string, header: string): Sys<boolean> {
  const addresses = yield* addressesOf(tool, server, host);
  if (addresses.length === 0) {
    yield* tool.warn(`can't resolve '${host}'`);
    return false;
  }
  yield* tool.print(`${header.padEnd(10)} ${host}\n`);
  for (const [index, address] of addresses.entries()) {
    const name = yield* answersOf(tool, server, { name: `${address.split(".").reverse().join(".")}.in-addr.arpa`, type: "PTR" });
    yield* tool.print(`Address ${index + 1}: ${[address, ...(name ?? []).slice(0, 1)].join(" ")}\n`);
  }
  return true;
}

/** By the search list, as getaddrinfo(3) of a C library whose name server has been replaced; none while no server answers. */
function* addressesOf(tool: Tool, server: string, host: string): Sys<readonly string[]> {
  if (isIpAddress(host)) return [host];
  for (const name of candidateNames(host, parseResolvConf(configurationOf(tool)))) {
    const addresses = yield* answersOf(tool, server, { name, type: "A" });
    if (addresses === undefined) return [];
    if (addresses.length > 0) return addresses;
  }
  return [];
}

function configurationOf({ self }: Tool): string {
  try {
    return self.readText("/etc/resolv.conf");
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return "";
  }
}

/** Undefined: the server did not answer. */
function* answersOf({ self }: Tool, server: string, question: DnsQuestion): Sys<readonly string[] | undefined> {
  try {
    const { records } = yield* self.queryDns(server, question);
    return records.filter(({ type }) => type === question.type).map(({ data }) => data);
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    return undefined;
  }
}
