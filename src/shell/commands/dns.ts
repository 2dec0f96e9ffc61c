// nslookup, dig, host, getent, ping: what can be asked of names.

import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "./client.ts";
import { accountEntry } from "./identity.ts";
import { busyboxNslookup } from "./nslookup.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "./tool.ts";

/** The first name server of /etc/resolv.conf. */
function nameServer(self: Process): string {
  try {
    return /^nameserver\s+(\S+)/mu.exec(self.readText("/etc/resolv.conf"))?.[1] ?? "127.0.0.1";
  } catch (error) {
    if (error instanceof SysError) return "127.0.0.1";
    throw error;
  }
}

type Answer = { readonly addresses: readonly string[] } | "unreachable";

function* ask(self: Process, name: string): Sys<Answer> {
  try {
    return { addresses: yield* self.resolve(name) };
  } catch (error) {
    if (error instanceof SysError && error.code === "EAGAIN") return "unreachable";
    throw error;
  }
}

/** The name that the search list of /etc/resolv.conf makes of another, as the answer carries it. */
function* fullName(self: Process, name: string): Sys<string> {
  if (name.endsWith(".")) return name.slice(0, -1);
  let text: string;
  try {
    text = self.readText("/etc/resolv.conf");
  } catch (error) {
    if (error instanceof SysError) return name;
    throw error;
  }
  const suffixes = (/^search[ \t]+(.+)$/mu.exec(text)?.[1] ?? "").split(/\s+/u).filter((suffix) => suffix !== "");
  const dots = Number(/\bndots:(\d+)/u.exec(text)?.[1] ?? 1);
  if (name.split(".").length - 1 >= dots) return name;
  for (const suffix of suffixes) {
    const answer = yield* ask(self, `${name}.${suffix}.`);
    if (answer !== "unreachable" && answer.addresses.length > 0) return `${name}.${suffix}`;
  }
  return name;
}

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
    const answer = yield* ask(tool.self, name);
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

export const dig: CommandDefinition = {
  name: "dig",
  *run(tool) {
    const words = tool.operands;
    const short = words.includes("+short");
    const types = ["A", "AAAA", "SRV", "PTR", "CNAME", "TXT", "ANY", "MX", "NS"];
    const type = asciiUpperCase(words.find((word) => types.includes(asciiUpperCase(word))) ?? "A");
    const name = words.find((word) => !/^[-+@]/u.test(word) && !types.includes(asciiUpperCase(word)));
    if (name === undefined) throw new UsageFailure("");
    if (type !== "A" || words.some((word) => word.startsWith("@")))
      throw new ToolFailure(`${type === "A" ? "@server" : `type ${type}`}: not supported by this dig`);
    // dig does not use the search list unless told to.
    const search = words.includes("+search");
    const answer = yield* ask(tool.self, search || name.endsWith(".") ? name : `${name}.`);
    if (answer === "unreachable") {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 9;
    }
    const full = name.endsWith(".") ? name : `${name}.`;
    if (short) {
      yield* tool.print(answer.addresses.map((address) => `${address}\n`).join(""));
      return 0;
    }
    const server = nameServer(tool.self);
    const status = answer.addresses.length === 0 ? "NXDOMAIN" : "NOERROR";
    yield* tool.print(
      `\n; <<>> DiG 9.20.9 <<>> ${words.join(" ")}\n;; global options: +cmd\n;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: ${Math.floor(tool.self.random.fraction() * 65_536)}\n`,
    );
    yield* tool.print(
      `;; flags: qr aa rd; QUERY: 1, ANSWER: ${answer.addresses.length}, AUTHORITY: 0, ADDITIONAL: 0\n\n;; QUESTION SECTION:\n;${full}\t\tIN\tA\n\n`,
    );
    if (answer.addresses.length > 0)
      yield* tool.print(`;; ANSWER SECTION:\n${answer.addresses.map((address) => `${full}\t30\tIN\tA\t${address}\n`).join("")}\n`);
    yield* tool.print(`;; Query time: 0 msec\n;; SERVER: ${server}#53(${server}) (UDP)\n\n`);
    return 0;
  },
};

export const host: CommandDefinition = {
  name: "host",
  options: "t= a v",
  *run(tool) {
    const name = tool.operands[0];
    if (name === undefined) throw new UsageFailure("");
    if (asciiUpperCase(tool.value("t") ?? "A") !== "A")
      throw new ToolFailure(`type ${tool.value("t")}: not supported by this host`);
    const answer = yield* ask(tool.self, name);
    if (answer === "unreachable") {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 1;
    }
    for (const address of answer.addresses) yield* tool.print(`${name} has address ${address}\n`);
    if (answer.addresses.length > 0) return 0;
    yield* tool.print(`Host ${name} not found: 3(NXDOMAIN)\n`);
    return 1;
  },
};

export const getent: CommandDefinition = {
  name: "getent",
  *run(tool) {
    const [database, ...keys] = tool.operands;
    if (database === undefined) throw new UsageFailure("wrong number of arguments");
    let status = 0;
    for (const key of keys) {
      if (database === "passwd" || database === "group") {
        const entry = accountEntry(tool.self, database, key);
        if (entry === undefined) status = 2;
        else yield* tool.print(`${entry.join(":")}\n`);
      } else if (/^(?:ahosts(?:v4)?|hosts)$/u.test(database)) {
        const answer = yield* ask(tool.self, key);
        const addresses = answer === "unreachable" ? [] : answer.addresses;
        if (addresses.length === 0) status = 2;
        const full = addresses.length === 0 ? key : yield* fullName(tool.self, key);
        for (const address of addresses) yield* tool.print(`${address.padEnd(15)} ${full}\n`);
      } else throw new ToolFailure(`Unknown database: ${database}`);
    }
    return status;
  },
};

export const ping: CommandDefinition = {
  name: "ping",
  options: "c= i= W= w= q n 4 6 I= s= t=",
  *run(tool) {
    const name = tool.operands[0];
    if (name === undefined) throw new UsageFailure(tool.gnu ? "usage error: Destination address required" : "");
    const answer = isAddress(name) ? { addresses: [name] } : yield* ask(tool.self, name);
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
