// `nft` on a machine: lists what kube-proxy has written, and takes its table away. What it does not know it refuses.

import type { Program } from "#sim/program.ts";
import type { PacketFilter } from "../packet-filter.ts";
import { NftTable } from "./nft-table.ts";
import { blocksText, chainBlock, mapBlock, setBlock, tableText } from "./nft-text.ts";

/** Tables that iptables makes of nftables. */
const iptablesTables = ["mangle", "filter", "nat"] as const;
const families = ["ip", "ip6", "inet", "arp", "bridge", "netdev"];
/** Said of what is as it is anyway. */
const idleOptions = ["-n", "--numeric", "-nn", "-nnn", "-s", "--stateless"];

class Refused extends Error {}

export function nft(filter: PacketFilter): Program {
  return function* (self) {
    const words = self.argv.slice(1).flatMap((word) => word.split(/\s+/u));
    if (words[0] === "-v" || words[0] === "--version") {
      yield* self.write(1, "nftables v1.1.3 (Commodore Bullmoose #4)\n");
      return 0;
    }
    if (self.uid !== 0) {
      yield* self.write(2, "Operation not permitted (you must be root)\n");
      return 1;
    }
    try {
      const text = act(filter, words);
      if (text !== "") yield* self.write(1, text);
      return 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      yield* self.write(2, `${error.message}\n`);
      return 1;
    }
  };
}

function act(filter: PacketFilter, given: readonly string[]): string {
  const words = given.filter((word) => !idleOptions.includes(word));
  const [verb = "", object = "", ...rest] = words;
  if (verb.startsWith("-")) throw new Refused(`nft: option ${verb} is not supported here`);
  const table = filter.hooked instanceof NftTable ? filter.hooked : undefined;
  const asked = `${verb} ${object}`;
  if (asked === "flush ruleset") throw new Refused("nft: flush ruleset is not supported here; delete table ip kube-proxy is");
  if (verb !== "list" && asked !== "delete table")
    throw new Refused(`nft: ${verb} is not supported here; list and delete table are`);
  const [family, names] = families.includes(rest[0] ?? "") ? [rest[0] as string, rest.slice(1)] : ["ip", rest];
  const [tableName = "", name = ""] = names;
  if (["ruleset", "tables", "chains", "sets", "maps"].includes(object) && tableName === "")
    return family === "ip" ? listAll(object, table) : "";
  const found = family === "ip" && tableName === table?.name ? table : undefined;
  if (found === undefined) {
    if (family === "ip" && iptablesTables.some((each) => each === tableName))
      throw new Refused(`nft: table ip ${tableName} is managed by iptables-nft; iptables-save -t ${tableName} shows it here`);
    throw missing(words, tableName);
  }
  if (verb === "delete") {
    filter.hooked = undefined;
    return "";
  }
  return object === "table" ? tableText(found) : listOne(object, found, name, words);
}

/** With a mark under the word that names nothing. */
function missing(words: readonly string[], name: string): Refused {
  const line = words.join(" ");
  const at = Math.max(0, line.lastIndexOf(name));
  return new Refused(`Error: No such file or directory\n${line}\n${" ".repeat(at)}${"^".repeat(Math.max(1, name.length))}`);
}

function listAll(object: string, table: NftTable | undefined): string {
  if (object === "tables") {
    const names = [...iptablesTables, ...(table === undefined ? [] : [table.name])];
    return names.map((name) => `table ip ${name}\n`).join("");
  }
  if (object !== "ruleset") return table === undefined ? "" : blocksText(table, blocksOf(object, table));
  const foreign = iptablesTables.map(
    (name) =>
      `# Warning: table ip ${name} is managed by iptables-nft, do not touch!\ntable ip ${name} {\n\t# iptables-save -t ${name} shows it here\n}\n`,
  );
  return [...foreign, ...(table === undefined ? [] : [tableText(table)])].join("\n");
}

function blocksOf(object: string, table: NftTable): readonly (readonly string[])[] {
  if (object === "chains") return [...table.chains].map(([name, chain]) => chainBlock(name, chain, true));
  if (object === "sets") return [...table.sets].map(([name, set]) => setBlock(name, set, table.nowMs, true));
  return [...table.maps].map(([name, map]) => mapBlock(name, map, true));
}

function listOne(object: string, table: NftTable, name: string, words: readonly string[]): string {
  if (["chains", "sets", "maps"].includes(object)) return blocksText(table, blocksOf(object, table));
  const chain = object === "chain" ? table.chains.get(name) : undefined;
  const set = object === "set" ? table.sets.get(name) : undefined;
  const map = object === "map" ? table.maps.get(name) : undefined;
  if (chain !== undefined) return blocksText(table, [chainBlock(name, chain)]);
  if (set !== undefined) return blocksText(table, [setBlock(name, set, table.nowMs)]);
  if (map !== undefined) return blocksText(table, [mapBlock(name, map)]);
  if (!["chain", "set", "map"].includes(object)) throw new Refused(`nft: list ${object} is not supported here`);
  throw missing(words, name);
}
