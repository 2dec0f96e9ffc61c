// What `iptables -S` and `iptables -L` print of one table: rules as `iptables-save` has them, and as a table to read.

import { asciiUpperCase } from "#sim/ascii.ts";
import { formatRule } from "./iptables-save.ts";
import type { PacketFilter } from "./packet-filter.ts";
import type { AddressMatch, Match, Rule, TableName, Target } from "./rules.ts";

type Chain = ReturnType<PacketFilter["chains"]>[number];

/** undefined: there is no such chain. `chain` "": all of them. */
function shownChains(filter: PacketFilter, table: TableName, chain: string): readonly Chain[] | undefined {
  const shown = filter.chains(table).filter(({ name }) => chain === "" || name === chain);
  return shown.length === 0 ? undefined : shown;
}

/** `-S`: policies and chains first, as they are made. */
export function rulesText(filter: PacketFilter, table: TableName, chain: string): string | undefined {
  const shown = shownChains(filter, table, chain);
  if (shown === undefined) return undefined;
  return [
    ...shown.map(({ name, policy }) => (policy === undefined ? `-N ${name}` : `-P ${name} ${policy}`)),
    ...shown.flatMap(({ name, rules }) => rules.map((rule) => formatRule(name, rule))),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

export interface TableStyle {
  /** `--line-numbers`: in front of the rules. */
  readonly isNumbered: boolean;
  /** `-n`; without it addresses and ports have names where a node's own files give them one. */
  readonly isNumeric: boolean;
}

/** `-L`: a table for each chain. */
export function tableText(
  filter: PacketFilter,
  table: TableName,
  chain: string,
  { isNumbered, isNumeric }: TableStyle,
): string | undefined {
  const references = new Map<string, number>();
  for (const { target } of filter.chains(table).flatMap(({ rules }) => rules))
    if (target?.kind === "jump") references.set(target.chain, (references.get(target.chain) ?? 0) + 1);
  const number = (text: string): string => (isNumbered ? `${text.padEnd(4)} ` : "");
  return shownChains(filter, table, chain)
    ?.map(({ name, policy, rules }) => [
      `Chain ${name} (${policy === undefined ? `${references.get(name) ?? 0} references` : `policy ${policy}`})`,
      number("num") + row("target", " ", "prot", "opt", " ", "source", " ", "destination"),
      ...rules.map((rule, index) => number(String(index + 1)) + ruleRow(rule, isNumeric)),
    ])
    .map((lines) => lines.map((line) => `${line}\n`).join(""))
    .join("\n");
}

/** The one-letter columns hold the "!" of what follows them. */
function row(target: string, ...[notProtocol, protocol, options, notFrom, from, notTo, to]: readonly string[]): string {
  const addresses = `${notFrom}${from?.padEnd(19)} ${notTo}${to?.padEnd(19)} `;
  return `${target.padEnd(9)} ${notProtocol}${protocol?.padEnd(4)} ${options}${addresses}`;
}

function ruleRow(rule: Rule, isNumeric: boolean): string {
  const { source, destination, protocol, matches, target } = rule;
  const columns = row(
    target === undefined ? "" : nameOf(target),
    " ",
    protocol ?? "all",
    "-- ",
    source?.negated ? "!" : " ",
    shownAddress(source, isNumeric),
    destination?.negated ? "!" : " ",
    shownAddress(destination, isNumeric),
  );
  return columns + matches.map((match) => matchText(match, protocol ?? "tcp", isNumeric)).join("") + detailsOf(target);
}

/** What /etc/services, /etc/networks and /etc/hosts of a Debian machine name. */
const portNames: ReadonlyMap<number, string> = new Map([
  [9, "discard"],
  [22, "ssh"],
  [53, "domain"],
  [80, "http"],
  [443, "https"],
  [3306, "mysql"],
  [5432, "postgresql"],
  [6379, "redis"],
  [8080, "http-alt"],
]);
const addressNames: ReadonlyMap<string, string> = new Map([
  ["127.0.0.0/8", "loopback/8"],
  ["127.0.0.1", "localhost"],
]);

/** One address is shown without its prefix. */
function shownAddress(match: AddressMatch | undefined, isNumeric: boolean): string {
  if (match === undefined) return isNumeric ? "0.0.0.0/0" : "anywhere";
  const plain = match.text.replace(/\/32$/u, "");
  return isNumeric ? plain : (addressNames.get(plain) ?? plain);
}

function shownPort(port: number, isNumeric: boolean): string {
  return (isNumeric ? undefined : portNames.get(port)) ?? String(port);
}

function matchText(match: Match, protocol: string, isNumeric: boolean): string {
  switch (match.kind) {
    case "comment":
      return ` /* ${match.text} */`;
    case "protocol":
      return match.destinationPort === undefined
        ? ` ${protocol}`
        : ` ${protocol} dpt:${shownPort(match.destinationPort, isNumeric)}`;
    case "addressType":
      return ` ADDRTYPE match ${match.end === "source" ? "src" : "dst"}-type LOCAL`;
    case "statistic":
      return ` statistic mode random probability ${(match.value / 0x8000_0000).toFixed(11)}`;
    case "recentCheck":
      return ` recent: CHECK seconds: ${match.seconds} reap name: ${match.list} side: source mask: 255.255.255.255`;
    case "recentSet":
      return ` recent: SET name: ${match.list} side: source mask: 255.255.255.255`;
    case "mark":
      return ` mark match ${match.negated ? "! " : ""}${hex(match.mark)}/${hex(match.mark)}`;
    case "state":
      return ` ${match.negated ? "! " : ""}ctstate ${match.states}`;
  }
}

function nameOf(target: Target): string {
  switch (target.kind) {
    case "jump":
      return target.chain;
    case "destinationNat":
      return "DNAT";
    case "masquerade":
    case "return":
    case "accept":
    case "drop":
    case "reject":
    case "mark":
      return asciiUpperCase(target.kind);
  }
}

function detailsOf(target: Target | undefined): string {
  switch (target?.kind) {
    case "reject":
      return ` reject-with ${target.with}`;
    case "mark":
      return target.mask === 0 ? ` MARK xor ${hex(target.mark)}` : ` MARK or ${hex(target.mark)}`;
    case "destinationNat":
      return ` to:${target.address}:${target.port}`;
    case "masquerade":
      return " random-fully";
    default:
      return "";
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}
