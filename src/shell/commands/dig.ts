// dig (bind9, bin/dig): asks a name server one question, past /etc/hosts, and without the search list unless told to.

import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

/** Types that dig knows; undefined: the simulated DNS has no such records. */
const types: ReadonlyMap<string, DnsQuestion["type"] | undefined> = new Map([
  ...(["A", "AAAA", "CNAME", "PTR", "SRV", "TXT"] as const).map((type) => [type, type] as const),
  ...["ANY", "MX", "NS", "SOA"].map((type) => [type, undefined] as const),
]);
const sections = ["cmd", "comments", "question", "answer", "stats"] as const;
type Section = (typeof sections)[number];

interface Call {
  readonly name: string;
  readonly type: DnsQuestion["type"];
  /** As it stands behind the @. */
  readonly server: string | undefined;
  readonly search: boolean;
  readonly short: boolean;
  readonly tcp: boolean;
  readonly shown: ReadonlySet<Section>;
}

interface Answered {
  readonly question: DnsQuestion;
  readonly answer: DnsAnswer;
}

export const dig: CommandDefinition = {
  name: "dig",
  *run(tool) {
    const call = readCall(tool.operands);
    const { servers, search, dots } = readResolvConf(tool.self);
    const asked = call.server === undefined ? servers : yield* addressesOf(tool.self, call.server);
    const names = call.search ? candidates(call.name, search, dots) : [call.name.replace(/\.$/u, "")];
    const answered = yield* ask(tool.self, asked, names, call.type);
    if (answered === undefined) {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 9;
    }
    yield* print(tool, call, answered);
    return 0;
  },
};

function readCall(words: readonly string[]): Call {
  let [search, short, tcp] = [false, false, false];
  let [name, type, server]: [string?, string?, string?] = [];
  const shown = new Set<Section>(sections);
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place] as string;
    const [, no, option = ""] = /^\+(no)?(.+)$/u.exec(word) ?? [];
    const is = no === undefined;
    const named = option === "all" ? sections : sections.filter((section) => section === option);
    if (named.length > 0) {
      for (const section of named) is ? shown.add(section) : shown.delete(section);
    } else if (option === "search") search = is;
    else if (option === "short") short = is;
    else if (option === "tcp" || option === "vc") tcp = is;
    else if (word === "-x") [name, type] = [reverseName(words[++place]), "PTR"];
    else if (word === "-t") type = words[++place];
    else if (/^[-+]/u.test(word)) throw new ToolFailure(`${word}: not supported by this dig`);
    else if (word.startsWith("@")) server = word.slice(1);
    else if (types.has(asciiUpperCase(word))) type = word;
    else name = word;
  }
  if (name === undefined) throw new UsageFailure("");
  return { name, type: servedType(type ?? "A"), server, search, short, tcp, shown };
}

function servedType(word: string): DnsQuestion["type"] {
  const type = types.get(asciiUpperCase(word));
  if (type === undefined) throw new ToolFailure(`type ${word}: not supported by this dig`);
  return type;
}

function reverseName(address = ""): string {
  if (!/^\d+(?:\.\d+){3}$/u.test(address)) throw new ToolFailure(`'${address}' is not a legal name`);
  return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
}

function readResolvConf(self: Process): { readonly servers: string[]; readonly search: string[]; readonly dots: number } {
  let text = "";
  try {
    text = self.readText("/etc/resolv.conf");
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  const servers = [...text.matchAll(/^nameserver\s+(\S+)/gmu)].map(([, server = ""]) => server);
  const search = (/^search[ \t]+(.+)$/mu.exec(text)?.[1] ?? "").split(/\s+/u).filter((suffix) => suffix !== "");
  return { servers: servers.length === 0 ? ["127.0.0.1"] : servers, search, dots: Number(/\bndots:(\d+)/u.exec(text)?.[1] ?? 1) };
}

function* addressesOf(self: Process, server: string): Sys<readonly string[]> {
  const addresses = /^\d+(?:\.\d+){3}$/u.test(server) ? [server] : yield* self.resolve(server);
  if (addresses.length === 0) throw new ToolFailure(`couldn't get address for '${server}': not found`);
  return addresses;
}

/** The names that are tried one after the other. */
function candidates(name: string, search: readonly string[], dots: number): readonly string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const longer = search.map((suffix) => `${name}.${suffix}`);
  return name.split(".").length - 1 >= dots ? [name, ...longer] : [...longer, name];
}

/** The answer to the first name that exists, or else to the last; undefined when no server says a word. */
function* ask(
  self: Process,
  servers: readonly string[],
  names: readonly string[],
  type: DnsQuestion["type"],
): Sys<Answered | undefined> {
  let last: Answered | undefined;
  for (const name of names) {
    const question = { name, type };
    const answer = yield* firstAnswer(self, servers, question);
    if (answer === undefined) return undefined;
    last = { question, answer };
    if (answer.code !== "NXDOMAIN") break;
  }
  return last;
}

function* firstAnswer(self: Process, servers: readonly string[], question: DnsQuestion): Sys<DnsAnswer | undefined> {
  for (const server of servers) {
    try {
      const answer = yield* self.queryDns(server, question);
      return { ...answer, server };
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
  }
  return undefined;
}

/** Names end with a dot, in data as well. */
function dataOf({ type, data }: DnsAnswer["records"][number]): string {
  return type === "CNAME" || type === "PTR" || type === "SRV" ? `${data}.` : data;
}

function* print(tool: Tool, call: Call, { question, answer }: Answered): Sys<void> {
  const { records, code, server, authoritative } = answer;
  if (call.short) {
    yield* tool.print(records.map((record) => `${dataOf(record)}\n`).join(""));
    return;
  }
  const { shown } = call;
  const withComments = shown.has("comments");
  const lines = records.map((record) => `${record.name}.\t${record.ttlSeconds}\tIN\t${record.type}\t${dataOf(record)}\n`).join("");
  const id = Math.floor(tool.self.random.fraction() * 65_536);
  const flags = authoritative ? "qr aa rd" : "qr rd ra";
  const texts: Readonly<Record<Section, string>> = {
    cmd: `\n; <<>> DiG 9.20.9 <<>> ${tool.operands.join(" ")}\n;; global options: +cmd\n`,
    comments: `;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${code}, id: ${id}\n;; flags: ${flags}; QUERY: 1, ANSWER: ${records.length}, AUTHORITY: 0, ADDITIONAL: 0\n\n`,
    question: `${withComments ? ";; QUESTION SECTION:\n" : ""};${question.name}.\t\tIN\t${question.type}\n${withComments ? "\n" : ""}`,
    answer: records.length > 0 && withComments ? `;; ANSWER SECTION:\n${lines}\n` : lines,
    stats: `;; Query time: 0 msec\n;; SERVER: ${server}#53(${server}) (${call.tcp ? "TCP" : "UDP"})\n\n`,
  };
  yield* tool.print(sections.flatMap((section) => (shown.has(section) ? [texts[section]] : [])).join(""));
}
