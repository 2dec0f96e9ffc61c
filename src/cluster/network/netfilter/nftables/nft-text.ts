// What `nft list` prints of a table (nftables 1.1): sets and maps in the order in which they were made, then chains.

import { formatGoDuration } from "#cluster/api/duration.ts";
import { isPlainIpv4 } from "#cluster/api/ip-text.ts";
import { parseAddress } from "../../addresses.ts";
import type { End, NftBase, NftChain, NftMap, NftMatch, NftRule, NftSet, NftStatement, NftTarget } from "./nft-rules.ts";
import type { NftTable } from "./nft-table.ts";

/** A block of a table, each line with its tabs and without its newline. */
type Block = readonly string[];

export function tableText(table: NftTable): string {
  const blocks = [
    ...[...table.sets].map(([name, set]) => setBlock(name, set, table.nowMs)),
    ...[...table.maps].map(([name, map]) => mapBlock(name, map)),
    ...[...table.chains].map(([name, chain]) => chainBlock(name, chain)),
  ];
  const body = blocks.map((block) => block.join("\n")).join("\n\n");
  return `table ip ${table.name} {\n\tcomment "${table.comment}"\n${body}\n}\n`;
}

/** Some of a table's blocks, without its comment. */
export function blocksText(table: NftTable, blocks: readonly Block[]): string {
  return `table ip ${table.name} {\n${blocks.map((block) => `${block.join("\n")}\n`).join("")}}\n`;
}

export function setBlock(name: string, set: NftSet, nowMs: number, isTerse = false): Block {
  const { type, comment, timeoutMs } = set;
  const live = [...set.elements].filter(([, untilMs]) => untilMs === undefined || untilMs > nowMs);
  const elements = sorted(live.map(([key, untilMs]) => [key, untilMs] as const)).map(([key, untilMs]) =>
    untilMs === undefined ? key : `${key} expires ${nftDuration(untilMs - nowMs)}`,
  );
  return [
    `\tset ${name} {`,
    `\t\ttype ${type}`,
    ...(timeoutMs === undefined ? [] : ["\t\tsize 65535", "\t\tflags dynamic,timeout", `\t\ttimeout ${nftDuration(timeoutMs)}`]),
    ...(comment === undefined ? [] : [`\t\tcomment "${comment}"`]),
    ...(isTerse ? [] : elementLines(elements, type === "ipv4_addr" ? 2 : 1)),
    "\t}",
  ];
}

export function mapBlock(name: string, { type, comment, elements }: NftMap, isTerse = false): Block {
  const texts = sorted([...elements]).map(([key, { verdict, comment: about }]) => {
    const note = about === undefined ? "" : ` comment "${about}"`;
    return `${key}${note} : ${statementText(verdict)}`;
  });
  return [`\tmap ${name} {`, `\t\ttype ${type}`, `\t\tcomment "${comment}"`, ...(isTerse ? [] : elementLines(texts, 1)), "\t}"];
}

/** Addresses stand two in a line, everything longer alone. */
function elementLines(elements: readonly string[], perLine: number): Block {
  if (elements.length === 0) return [];
  let text = "\t\telements = { ";
  elements.forEach((element, index) => {
    const isLast = index === elements.length - 1;
    const end = (index + 1) % perLine === 0 ? ",\n\t\t\t     " : ", ";
    text += `${element}${isLast ? " }" : end}`;
  });
  return text.split("\n");
}

const protocolNumbers: { readonly [name: string]: number } = { tcp: 6, udp: 17, sctp: 132 };

/** As nft sorts: addresses alone by their value; of keys of several parts the last byte counts first. */
function sorted<T>(elements: readonly (readonly [key: string, value: T])[]): readonly (readonly [key: string, value: T])[] {
  return elements
    .map((element) => ({ element, order: orderOf(element[0]) }))
    .sort((a, b) => {
      const differing = a.order.findIndex((value, index) => value !== b.order[index]);
      return differing < 0 ? 0 : (a.order[differing] as number) - (b.order[differing] ?? 0);
    })
    .map(({ element }) => element);
}

function orderOf(key: string): readonly number[] {
  if (isPlainIpv4(key)) return [parseAddress(key)];
  return key
    .split(" . ")
    .toReversed()
    .flatMap((part) => {
      if (isPlainIpv4(part)) return part.split(".").toReversed().map(Number);
      const port = Number(part);
      return [protocolNumbers[part] ?? (port % 256) * 256 + Math.floor(port / 256)];
    });
}

/** `3h`, `2h59m50s`: without what is nothing. */
function nftDuration(ms: number): string {
  const whole = formatGoDuration(Math.floor(ms / 1000) * 1000);
  const rest = Math.floor(ms % 1000);
  const text = whole.replace(/(?<=[hm])0[ms](?:0s)?$/u, "");
  return rest === 0 ? text : `${text === "0s" ? "" : text}${rest}ms`;
}

export function chainBlock(name: string, chain: NftChain, isTerse = false): Block {
  const { base, comment, rules } = chain;
  return [
    `\tchain ${name} {`,
    ...(comment === undefined ? [] : [`\t\tcomment "${comment}"`]),
    ...(base === undefined ? [] : [`\t\ttype ${base.type} hook ${base.hook} priority ${priorityText(base)}; policy accept;`]),
    ...(isTerse ? [] : rules.map((rule) => `\t\t${ruleText(rule)}`)),
    "\t}",
  ];
}

/** Names of priorities are known at some hooks only. */
function priorityText({ hook, priority }: NftBase): string {
  if (hook === "prerouting" && priority <= -100 && priority >= -110)
    return priority === -100 ? "dstnat" : `dstnat - ${-100 - priority}`;
  if (hook === "postrouting" && priority === 100) return "srcnat";
  return priority === 0 ? "filter" : String(priority);
}

function ruleText({ matches, statements, comment }: NftRule): string {
  const words = [...matches.map(matchText), ...statements.map(statementText)];
  return `${words.join(" ")}${comment === undefined ? "" : ` comment "${comment}"`}`;
}

const field = (end: End): string => (end === "source" ? "ip saddr" : "ip daddr");
const hex = (mark: number): string => `0x${mark.toString(16).padStart(8, "0")}`;

function matchText(match: NftMatch): string {
  switch (match.kind) {
    case "new":
      return "ct state new";
    case "translated":
      return "ct status dnat";
    case "address": {
      const texts = match.ranges.map(({ text }) => text.replace(/\/32$/u, ""));
      const ranges = texts.length === 1 ? texts[0] : `{ ${texts.join(", ")} }`;
      return `${field(match.end)} ${match.negated ? "!= " : ""}${ranges}`;
    }
    case "member":
      return `${field(match.end)} @${match.set}`;
    case "connection":
      return `ip saddr . ip daddr . meta l4proto . th dport @${match.set}`;
    case "local":
      return `fib ${match.end === "source" ? "saddr" : "daddr"} type local`;
    case "protocol":
      return `meta l4proto ${match.protocol}`;
    case "marked":
      return `meta mark & ${hex(match.mark)} != 0x00000000`;
  }
}

function statementText(statement: NftStatement): string {
  switch (statement.kind) {
    case "jump":
    case "goto":
      return `${statement.kind} ${statement.chain}`;
    case "drop":
    case "reject":
      return statement.kind;
    case "mark":
      return `meta mark set meta mark ${statement.operator} ${hex(statement.mark)}`;
    case "masquerade":
      return "masquerade fully-random";
    case "lookup":
      return `${statement.key === "service" ? "ip daddr . " : ""}meta l4proto . th dport vmap @${statement.map}`;
    case "pickChain":
      return `numgen random mod ${statement.chains.length} vmap ${numbered(statement.chains.map((chain) => `goto ${chain}`))}`;
    case "pickTarget": {
      const targets = statement.targets.map(({ address, port }: NftTarget) => `${address} . ${port}`);
      return `dnat ip to numgen random mod ${targets.length} map ${numbered(targets)}`;
    }
    case "translate":
      return `dnat to ${statement.target.address}:${statement.target.port}`;
    case "update":
      return `update @${statement.set} { ip saddr }`;
  }
}

function numbered(texts: readonly string[]): string {
  return `{ ${texts.map((text, index) => `${index} : ${text}`).join(", ")} }`;
}
