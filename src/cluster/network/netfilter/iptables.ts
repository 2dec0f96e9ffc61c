// `iptables` on a machine: rules that somebody adds to a table by hand, takes away again, or looks at. What it does not know it refuses in
// iptables' words; rules and chains of kube-proxy and the kubelet are shown and can be deleted as any other.

import type { Process, Program, Sys } from "#sim/program.ts";
import { rulesText, tableText } from "./iptables-list.ts";
import { formatRule } from "./iptables-save.ts";
import type { PacketFilter } from "./packet-filter.ts";
import { type AddressMatch, address, comment, jump, type Match, type Rule, type TableName, type Target } from "./rules.ts";

const version = "v1.8.11 (nf_tables)";
const unreachable = "icmp-port-unreachable";

/** What is said before the end, and with which status: 1 for what the kernel has not, 2 for what cannot be read. */
class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

const misread = (message: string): Refused =>
  new Refused(`${message}\nTry \`iptables -h' or 'iptables --help' for more information.`, 2);

interface Asked {
  readonly table: TableName;
  readonly action: "append" | "insert" | "delete" | "list" | "table" | "flush" | "deleteChain";
  /** "": all. */
  readonly chain: string;
  /** From 1; undefined: not said. */
  readonly position: number | undefined;
  readonly rule: Rule;
  /** Nothing of a rule was said. */
  readonly isBare: boolean;
  /** `--line-numbers` */
  readonly isNumbered: boolean;
  /** `-n`: no names for addresses and ports. */
  readonly isNumeric: boolean;
}

const actions: ReadonlyMap<string, Asked["action"]> = new Map([
  ["-A", "append"],
  ["--append", "append"],
  ["-I", "insert"],
  ["--insert", "insert"],
  ["-D", "delete"],
  ["--delete", "delete"],
  ["-S", "list"],
  ["--list-rules", "list"],
  ["-L", "table"],
  ["--list", "table"],
  ["-F", "flush"],
  ["--flush", "flush"],
  ["-X", "deleteChain"],
  ["--delete-chain", "deleteChain"],
]);
/** Commands of iptables that are not there. */
const absent: readonly string[] = ["-C", "--check", "-R", "--replace", "-Z", "-N", "-P", "--policy", "-E"];

const targets: ReadonlyMap<string, Target> = new Map<string, Target>([
  ["ACCEPT", { kind: "accept" }],
  ["DROP", { kind: "drop" }],
  ["RETURN", { kind: "return" }],
  ["REJECT", { kind: "reject", with: unreachable }],
]);
/** May be said without a chain. */
const ofAllChains: readonly (Asked["action"] | undefined)[] = ["list", "table", "flush", "deleteChain"];
const numeric: readonly string[] = ["-n", "--numeric"];
const verbose: readonly string[] = ["-v", "--verbose"];
/** Said of what is as it is anyway. */
const idleOptions: readonly string[] = [...numeric, ...verbose, "-w", "--wait"];

export function iptables(filter: PacketFilter): Program {
  return function* (self) {
    if (self.argv[1] === "-V" || self.argv[1] === "--version") {
      yield* self.write(1, `iptables ${version}\n`);
      return 0;
    }
    if (self.uid !== 0) return yield* fail(self, "Could not fetch rule set generation id: Permission denied (you must be root)", 4);
    try {
      const text = act(filter, read(self.argv.slice(1)));
      if (text !== "") yield* self.write(1, text);
      return 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return yield* fail(self, error.message, error.status);
    }
  };
}

function* fail(self: Process, message: string, status: number): Sys<number> {
  yield* self.write(2, `iptables ${version}: ${message}\n`);
  return status;
}

/** What a rule is made of, as far as it has been read. */
interface Draft {
  rule: Omit<Rule, "matches">;
  destinationPort: number | undefined;
  readonly comments: Match[];
  namesReject: boolean;
  isBare: boolean;
}

/** `-nL` is `-n -L`. */
function apart(word: string): readonly string[] {
  return /^-[nv]{1,2}[LS]?$/u.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
}

function read(argv: readonly string[]): Asked {
  const given = argv.flatMap(apart);
  const words = [...given];
  const value = (option: string): string => {
    const next = words.shift();
    if (next === undefined || next === "!") throw misread(`option "${option}" requires an argument`);
    return next;
  };
  let action: Asked["action"] | undefined;
  let table: TableName = "filter";
  let isNumbered = false;
  let chain = "";
  let position: number | undefined;
  const draft: Draft = { rule: {}, destinationPort: undefined, comments: [], namesReject: false, isBare: true };
  while (words.length > 0) {
    const word = words.shift() as string;
    const found = actions.get(word);
    if (found !== undefined) {
      if (action !== undefined) throw misread(`Cannot use ${word} with another command`);
      action = found;
      if (!ofAllChains.includes(found) || /^[^-]/u.test(words[0] ?? "-")) chain = value(word);
      if ((found === "insert" || found === "delete") && /^\d+$/u.test(words[0] ?? "")) position = Number(words.shift());
    } else if (word === "-t" || word === "--table") table = tableOf(value(word));
    else if (word === "--line-numbers") isNumbered = true;
    else if (absent.includes(word)) throw new Refused(`${word} is not supported here; -S lists the rules`, 2);
    else if (!idleOptions.includes(word)) readOption(draft, word, value);
  }
  if (action === undefined) throw misread("no command specified");
  const isListing = action === "list" || action === "table";
  if (isNumbered && action !== "table") throw misread(`Illegal option \`--line-numbers' with this command`);
  if (isListing && given.some((word) => verbose.includes(word)))
    throw new Refused("-v is not supported here: packets are not counted", 2);
  const { rule, destinationPort, comments, isBare } = draft;
  if (destinationPort !== undefined && rule.protocol === undefined) throw misread('unknown option "--dport"');
  if (draft.namesReject && rule.target?.kind !== "reject") throw misread('unknown option "--reject-with"');
  const ports: readonly Match[] = destinationPort === undefined ? [] : [{ kind: "protocol", destinationPort }];
  const isNumeric = given.some((word) => numeric.includes(word));
  return { table, action, chain, position, rule: { ...rule, matches: [...ports, ...comments] }, isBare, isNumbered, isNumeric };
}

function readOption(draft: Draft, word: string, value: (option: string) => string): void {
  const { rule } = draft;
  draft.isBare = false;
  switch (word) {
    case "-p":
    case "--protocol":
      draft.rule = { ...rule, protocol: protocolOf(value(word)) };
      break;
    case "-s":
    case "--source":
      draft.rule = { ...rule, source: addressOf(value(word)) };
      break;
    case "-d":
    case "--destination":
      draft.rule = { ...rule, destination: addressOf(value(word)) };
      break;
    case "-m":
    case "--match":
      checkMatch(value(word));
      break;
    case "--dport":
    case "--destination-port":
      draft.destinationPort = portOf(value(word));
      break;
    case "--comment":
      draft.comments.push(comment(value(word)));
      break;
    case "-j":
    case "--jump":
      draft.rule = { ...rule, target: targetOf(value(word)) };
      break;
    case "--reject-with":
      if (value(word) !== unreachable) throw misread(`unknown reject type: only ${unreachable} is known here`);
      draft.namesReject = true;
      break;
    default:
      throw misread(word.startsWith("-") ? `unknown option "${word}"` : `Bad argument \`${word}'`);
  }
}

function act(filter: PacketFilter, asked: Asked): string {
  const { table, action, chain, position, rule, isBare } = asked;
  if (action === "list" || action === "table") {
    const text = action === "list" ? rulesText(filter, table, chain) : tableText(filter, table, chain, asked);
    if (text !== undefined) return text;
    throw new Refused(`chain \`${chain}' in table \`${table}' is incompatible, use 'nft' tool.`, 1);
  }
  if (action === "deleteChain") return deleteChains(filter, table, chain);
  if (action === "flush" && chain === "") {
    for (const { name } of filter.chains(table)) filter.edit(table, name, []);
    return "";
  }
  const rules = filter.chain(table, chain);
  if (rules === undefined) throw new Refused("No chain/target/match by that name.", 1);
  if (action === "delete") {
    const wanted = formatRule(chain, rule);
    const index = position === undefined ? rules.findIndex((each) => formatRule(chain, each) === wanted) : position - 1;
    if (position !== undefined && !isBare) throw misread("Illegal option with -D and a rule number");
    if (rules[index] === undefined) {
      throw new Refused(
        position === undefined ? "Bad rule (does a matching rule exist in that chain?)." : "Index of deletion too big.",
        1,
      );
    }
    filter.edit(table, chain, rules.toSpliced(index, 1));
    return "";
  }
  if (action === "flush") {
    filter.edit(table, chain, []);
    return "";
  }
  checkTarget(filter, asked);
  const at = action === "append" ? rules.length : (position ?? 1) - 1;
  if (at < 0 || at > rules.length) throw new Refused("Index of insertion too big.", 1);
  filter.edit(table, chain, rules.toSpliced(at, 0, rule));
  return "";
}

/** All own chains or none: one that has rules, or that a rule leads to, stays, and the others with it. */
function deleteChains(filter: PacketFilter, table: TableName, chain: string): string {
  const all = filter.chains(table);
  const own = all.filter(({ name, policy }) => policy === undefined && (chain === "" || name === chain));
  if (chain !== "" && own.length === 0) {
    if (filter.hasChain(table, chain)) throw new Refused("chains of the kernel's own cannot be deleted here; -F empties them", 2);
    throw new Refused("No chain/target/match by that name.", 1);
  }
  const targets = new Set(
    all.flatMap(({ rules }) => rules.flatMap(({ target }) => (target?.kind === "jump" ? [target.chain] : []))),
  );
  const busy = own.find(({ name, rules }) => rules.length > 0 || targets.has(name));
  if (busy !== undefined) throw new Refused(` CHAIN_DEL failed (Device or resource busy): chain ${busy.name}`, 4);
  for (const { name } of own) filter.edit(table, name);
  return "";
}

function tableOf(text: string): TableName {
  if (text === "filter" || text === "nat" || text === "mangle") return text;
  if (text === "raw" || text === "security") throw new Refused(`the table ${text} is not simulated`, 2);
  throw new Refused(`table '${text}' does not exist\nPerhaps iptables or your kernel needs to be upgraded.`, 3);
}

/** Tables differ in what a rule may do; a chain that is jumped to is one of the same table. */
function checkTarget(filter: PacketFilter, { table, action, chain, rule: { target } }: Asked): void {
  const failed = (reason: string): Refused =>
    new Refused(` RULE_${action === "append" ? "APPEND" : "INSERT"} failed (${reason}): rule in chain ${chain}`, 4);
  if (table === "nat" && target?.kind === "drop")
    throw misread('\nThe "nat" table is not intended for filtering, the use of DROP is therefore inhibited.\n\n');
  if (table !== "filter" && target?.kind === "reject") throw failed("Invalid argument");
  if (target?.kind === "jump" && !filter.hasChain(table, target.chain)) throw failed("No such file or directory");
}

function protocolOf(text: string): "tcp" | "udp" | "sctp" | "icmp" {
  if (text === "tcp" || text === "udp" || text === "sctp" || text === "icmp") return text;
  throw misread(`unknown protocol "${text}" specified`);
}

function addressOf(text: string): AddressMatch {
  const [, host = "", prefix = "32"] = /^((?:\d{1,3}\.){3}\d{1,3})(?:\/(\d{1,2}))?$/u.exec(text) ?? [];
  const isRead = host !== "" && host.split(".").every((part) => Number(part) <= 255) && Number(prefix) <= 32;
  if (isRead) return address(text);
  throw misread(`host/network \`${text}' not found`);
}

function checkMatch(text: string): void {
  if (!["tcp", "udp", "sctp", "comment"].includes(text)) {
    throw misread(`Couldn't load match \`${text}':No such file or directory\n`);
  }
}

function portOf(text: string): number {
  const port = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw misread(`invalid port/service \`${text}' specified`);
  return port;
}

/** What is no target of iptables' own is taken for a chain. */
function targetOf(text: string): Target {
  return targets.get(text) ?? jump(text);
}
