// dig: one question to a name server, and its whole answer.

import { asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import { candidateNames, parseResolvConf } from "#sim/network/resolver.ts";
import type { Process, Sys } from "#sim/program.ts";
import { isAddress } from "../toolkit/http-client.ts";
import { askName, nameServer } from "../toolkit/name-service.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

type Type = DnsQuestion["type"];
const types: readonly Type[] = ["A", "AAAA", "SRV", "PTR", "CNAME", "TXT"];
const otherTypes: readonly string[] = ["ANY", "MX", "NS", "SOA", "CAA", "DNSKEY"];
/** Parts of the output, which +no… leaves out. */
const parts = ["cmd", "comments", "question", "answer", "authority", "additional", "stats"] as const;
type Part = (typeof parts)[number];

interface Asked {
  readonly name: string;
  readonly type: Type;
  readonly server: string;
  readonly short: boolean;
  readonly search: boolean;
  readonly tcp: boolean;
  readonly shown: ReadonlySet<Part>;
}

export const dig: CommandDefinition = {
  name: "dig",
  *run(tool) {
    const asked = yield* read(tool);
    const answer = yield* lookUp(tool.self, asked);
    if (answer === undefined) {
      yield* tool.print(";; connection timed out; no servers could be reached\n");
      return 9;
    }
    const { name, found } = answer;
    if (asked.short) yield* tool.print(found.records.map(({ type, data }) => `${shownData(type, data)}\n`).join(""));
    else yield* tool.print(whole(tool, asked, name, found));
    return 0;
  },
};

/** Throws UsageFailure and ToolFailure. */
function* read({ self, operands }: Tool): Sys<Asked> {
  const shown = new Set<Part>(parts);
  let [name, server]: (string | undefined)[] = [];
  let type: Type = "A";
  let [short, search, tcp] = [false, false, false];
  const words = [...operands];
  const setType = (word: string): void => {
    const wanted = asciiUpperCase(word);
    const known = types.find((each) => each === wanted);
    if (known === undefined) throw new ToolFailure(`type ${wanted}: not supported by this dig`);
    type = known;
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const isType = types.some((each) => each === asciiUpperCase(word as string)) || otherTypes.includes(asciiUpperCase(word));
    if (word === "+short") short = true;
    else if (word === "+search" || word === "+nosearch") search = word === "+search";
    else if (/^\+(?:no)?(?:tcp|vc)$/u.test(word)) tcp = !word.startsWith("+no");
    else if (word.startsWith("+")) show(shown, word);
    else if (word.startsWith("@")) server = yield* addressOf(self, word.slice(1));
    else if (word === "-x") {
      name = `${(words.shift() ?? "").split(".").reverse().join(".")}.in-addr.arpa`;
      type = "PTR";
    } else if (word === "-t") setType(words.shift() ?? "");
    else if (word.startsWith("-")) throw new ToolFailure(`${word}: not supported by this dig`);
    else if (isType) setType(word);
    else if (asciiUpperCase(word) !== "IN") name = word;
  }
  if (name === undefined) throw new UsageFailure("");
  return { name, type, server: server ?? nameServer(self), short, search, tcp, shown };
}

function show(shown: Set<Part>, word: string): void {
  const [, no = "", what = ""] = /^\+(no)?([a-z]*)/u.exec(word) ?? [];
  const part = parts.find((each) => each === what);
  for (const each of what === "all" ? parts : [part ?? []].flat())
    if (no === "") shown.add(each);
    else shown.delete(each);
}

function* addressOf(self: Process, host: string): Sys<string> {
  if (isAddress(host)) return host;
  const answer = yield* askName(self, host);
  const [address] = answer === "unreachable" ? [] : answer.addresses;
  if (address === undefined) throw new ToolFailure(`couldn't get address for '${host}': not found`, 10);
  return address;
}

/** What the server says of the name, or of the first that the search list makes of it and that there is. Undefined: nobody answers. */
function* lookUp(
  self: Process,
  { name, type, server, search }: Asked,
): Sys<{ readonly name: string; readonly found: DnsAnswer } | undefined> {
  const configuration = parseResolvConf(configurationOf(self));
  const names = search ? candidateNames(name, configuration) : [name.replace(/\.$/u, "")];
  let last: { readonly name: string; readonly found: DnsAnswer } | undefined;
  for (const each of names) {
    try {
      last = { name: each, found: yield* self.queryDns(server, { name: each, type }) };
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      return undefined;
    }
    if (last.found.records.length > 0) break;
  }
  return last;
}

function configurationOf(self: Process): string {
  try {
    return self.readText("/etc/resolv.conf");
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return "";
  }
}

/** Names end with a dot. */
function shownData(type: string, data: string): string {
  return ["CNAME", "PTR", "SRV", "NS"].includes(type) && !data.endsWith(".") ? `${data}.` : data;
}

function whole(
  { self, operands }: Tool,
  { type, server, tcp, shown }: Asked,
  name: string,
  { code, records, authoritative }: DnsAnswer,
): string {
  const section = (part: Part, text: string) => (shown.has(part) ? text : "");
  const heading = (text: string) => section("comments", text);
  const lines = records.map((each) => `${each.name}.\t${each.ttlSeconds}\tIN\t${each.type}\t${shownData(each.type, each.data)}\n`);
  const id = Math.floor(self.random.fraction() * 65_536);
  const counts = `QUERY: 1, ANSWER: ${records.length}, AUTHORITY: 0, ADDITIONAL: 0`;
  return [
    section("cmd", `\n; <<>> DiG 9.20.9 <<>> ${operands.join(" ")}\n;; global options: +cmd\n`),
    heading(`;; Got answer:\n;; ->>HEADER<<- opcode: QUERY, status: ${code}, id: ${id}\n`),
    heading(`;; flags: qr ${authoritative ? "aa " : ""}rd; ${counts}\n\n`),
    section("question", `${heading(";; QUESTION SECTION:\n")};${name}.\t\tIN\t${type}\n\n`),
    lines.length === 0 ? "" : section("answer", `${heading(";; ANSWER SECTION:\n")}${lines.join("")}${heading("\n")}`),
    section("stats", `;; Query time: 0 msec\n;; SERVER: ${server}#53(${server}) (${tcp ? "TCP" : "UDP"})\n\n`),
  ].join("");
}
