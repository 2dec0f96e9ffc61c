// busybox's nslookup with its own resolver (networking/nslookup.c, FEATURE_NSLOOKUP_BIG): it knows nothing of ndots. A name
// with a dot is asked for as it is, another one with every domain of the search list, for A and for AAAA, and each answer is printed.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type Tool, ToolFailure, UsageFailure } from "../../toolkit/tool.ts";

type QuestionType = DnsQuestion["type"];

/** In the order in which busybox asks for them; undefined: the simulated DNS has no such records. */
const types = new Map<string, QuestionType | undefined>([
  ["SOA", undefined],
  ["NS", undefined],
  ["A", "A"],
  ["AAAA", "AAAA"],
  ["CNAME", "CNAME"],
  ["MX", undefined],
  ["TXT", "TXT"],
  ["SRV", "SRV"],
  ["PTR", "PTR"],
  ["ANY", undefined],
]);
const optionNames = ["type", "querytype", "port", "retry", "debug", "t", "timeout"];
/** Of several queries that are sent at once and get no answer. */
const retryMs = 2500;

interface Call {
  readonly host: string;
  readonly server: string | undefined;
  readonly types: readonly QuestionType[];
  readonly debug: boolean;
}

interface Resolver {
  readonly servers: readonly string[];
  readonly search: readonly string[];
}

/** Prints what busybox prints; returns its exit code. */
export function* busyboxNslookup(tool: Tool): Sys<number> {
  const call = readCall(tool.operands);
  const { servers, search } = call.server === undefined ? readResolvConf(tool.self) : { servers: [call.server], search: [] };
  const questions = questionsOf(call, search);
  for (const server of servers) {
    const status = yield* askServer(tool, server, questions, call.debug);
    if (status !== undefined) return status;
  }
  yield* tool.print(";; connection timed out; no servers could be reached\n\n");
  return 1;
}

function readCall(words: readonly string[]): Call {
  const first = words.findIndex((word) => !word.startsWith("-"));
  const operands = first < 0 ? [] : words.slice(first);
  const [host, server] = operands;
  const wanted = new Set<string>();
  let debug = false;
  for (const word of first < 0 ? words : words.slice(0, first)) {
    const [, key = "", value = ""] = /^-([^=]*)=?(.*)$/u.exec(word) ?? [];
    const option = optionOf(key);
    if (option === "type" || option === "querytype") wanted.add(asciiUpperCase(value));
    else if (option === "debug") debug = true;
    else throw option === undefined ? new UsageFailure("") : new ToolFailure(`-${option}: not simulated by this nslookup`);
    if (option !== "debug" && !types.has(asciiUpperCase(value))) throw new ToolFailure(`invalid query type "${value}"`);
  }
  if (host === undefined || operands.length > 2) throw new UsageFailure("");
  return { host, server, types: [...types].flatMap(([name, type]) => (wanted.has(name) ? [served(name, type)] : [])), debug };
}

function served(name: string, type: QuestionType | undefined): QuestionType {
  if (type === undefined) throw new ToolFailure(`query type ${name}: the simulated DNS has no such records`);
  return type;
}

/** Options may be cut short while that names one only. */
function optionOf(key: string): string | undefined {
  if (optionNames.includes(key)) return key;
  const meant = optionNames.filter((name) => name.startsWith(key));
  return meant.length === 1 ? meant[0] : undefined;
}

function readResolvConf(self: Process): Resolver {
  let text = "";
  try {
    text = self.readText("/etc/resolv.conf");
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  const all = (keyword: string) =>
    [...text.matchAll(new RegExp(`^[ \\t]*${keyword}[ \\t]+(.+)$`, "gmu"))].map(([, words = ""]) => words);
  const servers = all("nameserver");
  const domain = /\.(.*)$/su.exec(self.hostname)?.[1] ?? "";
  const search = (all("search").at(-1) ?? all("domain").at(-1) ?? domain).split(/\s+/u).filter((word) => word !== "");
  return { servers: servers.length > 0 ? servers : ["127.0.0.1"], search: search.join() === "." ? [] : search };
}

function questionsOf({ host, types: given }: Call, search: readonly string[]): readonly DnsQuestion[] {
  const reverse = given.length === 0 ? reverseName(host) : undefined;
  if (reverse !== undefined) return [{ name: reverse, type: "PTR" }];
  return (given.length > 0 ? given : (["A", "AAAA"] as const)).flatMap((type) => {
    const isWhole = type === "PTR" || search.length === 0 || host.includes(".");
    return isWhole ? [{ name: host, type }] : search.map((domain) => ({ name: `${host}.${domain}`, type }));
  });
}

/** Under which an address's name is kept; undefined for what is no address. */
function reverseName(host: string): string | undefined {
  const bytes = host.split(".");
  if (bytes.length === 4 && bytes.every((byte) => /^\d{1,3}$/u.test(byte) && Number(byte) < 256))
    return `${bytes.reverse().join(".")}.in-addr.arpa`;
  const digits = ipv6Digits(host);
  return digits === undefined ? undefined : `${[...digits].reverse().join(".")}.ip6.arpa`;
}

/** The 32 digits of an IPv6 address. */
function ipv6Digits(text: string): string | undefined {
  const halves = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const [before = [], after = []] = halves;
  const absent = 8 - before.length - after.length;
  if (halves.length === 2 ? absent < 1 : halves.length > 2 || absent !== 0) return undefined;
  const groups = [...before, ...new Array<string>(absent).fill("0"), ...after];
  if (!groups.every((group) => /^[\da-f]{1,4}$/iu.test(group))) return undefined;
  return groups.map((group) => asciiLowerCase(group).padStart(4, "0")).join("");
}

/** Undefined when the server gave no answer at all: then the next one is asked. */
function* askServer(tool: Tool, server: string, questions: readonly DnsQuestion[], debug: boolean): Sys<number | undefined> {
  const address = yield* addressOf(tool.self, server);
  const sinceMs = tool.self.nowMs;
  let status = 0;
  for (const [index, question] of questions.entries()) {
    const answer = yield* ask(tool.self, address, question);
    if (typeof answer === "string") {
      if (index === 0) return yield* complain(tool, server, answer, questions.length);
      for (const { name } of questions.slice(index)) yield* tool.print(`*** Can't find ${name}: No answer\n`);
      yield* tool.print("\n");
      return status;
    }
    if (index === 0) yield* tool.print(`Server:\t\t${server}\nAddress:\t${address}:53\n\n`);
    if (debug) yield* tool.print(`Query #${index} completed in ${Math.floor(tool.self.nowMs - sinceMs)}ms:\n`);
    if (answer.code !== "NOERROR") status = 1;
    yield* tool.print(`${answerText(question, answer, debug)}\n`);
  }
  return status;
}

function* addressOf(self: Process, server: string): Sys<string> {
  try {
    const [address] = yield* self.resolve(server);
    if (address !== undefined) return address;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  throw new ToolFailure(`bad address '${server}'`);
}

function* ask(self: Process, address: string, question: DnsQuestion): Sys<DnsAnswer | "refused" | "timedOut"> {
  try {
    return yield* self.queryDns(address, { ...question, name: question.name.replace(/\.$/u, "") });
  } catch (error) {
    if (error instanceof SysError && error.code === "ECONNREFUSED") return "refused";
    if (error instanceof SysError && error.code === "ETIMEDOUT") return "timedOut";
    throw error;
  }
}

/** A refusal fails the second write on the socket; a single query hears of it when it reads, and is sent again. */
function* complain(tool: Tool, server: string, reason: "refused" | "timedOut", queries: number): Sys<undefined> {
  if (reason === "timedOut") return undefined;
  if (queries > 1) {
    yield* tool.warn(`write to '${server}': Connection refused`);
    return undefined;
  }
  for (let attempt = 0; attempt < 2; attempt += 1) {
    yield* tool.warn("read: Connection refused");
    yield* tool.self.sleep(retryMs);
  }
  return undefined;
}

function answerText({ name }: DnsQuestion, { code, records, authoritative }: DnsAnswer, debug: boolean): string {
  if (code !== "NOERROR") return `** server can't find ${name}: ${code}\n`;
  let head = "Non-authoritative answer:\n";
  if (authoritative) head = debug ? "authoritative answer:\n" : "";
  return head + records.map((record) => `${recordText(record)}\n`).join("");
}

function recordText({ name, type, data }: DnsAnswer["records"][number]): string {
  switch (type) {
    case "CNAME":
      return `${name}\tcanonical name = ${data}`;
    case "PTR":
      return `${name}\tname = ${data}`;
    case "TXT":
      return `${name}\ttext = "${data}"`;
    case "SRV":
      return `${name}\tservice = ${data}`;
    default:
      return `Name:\t${name}\nAddress: ${data}`;
  }
}
