// The RDB file format (github.com/sripathikrishnan/redis-rdb-tools, wiki "Redis RDB Dump File Format"), version 11, without
// compression and without checksum (a checksum of zeros means: none).

import type { Bytes } from "#sim/bytes.ts";
import type { Entry, Keyspace, Value } from "./keyspace.ts";
import { fromBinary, toBinary } from "./resp.ts";

const magic = "REDIS0011";
const opcodes = { aux: 0xfa, resize: 0xfb, expiresMs: 0xfc, selectDb: 0xfe, end: 0xff } as const;
const types: { readonly [type in Value["type"]]: number } = { string: 0, list: 1, set: 2, hash: 4 };

export class DumpError extends Error {}

export interface DumpFacts {
  readonly version: string;
  readonly createdMs: number;
  readonly usedBytes: number;
}

function byte(value: number): string {
  return String.fromCharCode(value);
}

function length(value: number): string {
  if (value < 64) return byte(value);
  if (value < 16_384) return byte(0x40 | (value >> 8)) + byte(value & 0xff);
  return `\x80${[24, 16, 8, 0].map((shift) => byte((value >>> shift) & 0xff)).join("")}`;
}

function text(value: string): string {
  return length(value.length) + value;
}

function littleEndian64(value: number): string {
  let rest = value;
  let out = "";
  for (let index = 0; index < 8; index += 1) {
    out += byte(rest % 256);
    rest = Math.floor(rest / 256);
  }
  return out;
}

function body(value: Value): string {
  if (value.type === "string") return text(value.text);
  if (value.type === "hash") return length(value.fields.size) + [...value.fields].flat().map(text).join("");
  const parts = value.type === "list" ? value.items : [...value.members];
  return length(parts.length) + parts.map(text).join("");
}

function entryText(key: string, { value, expiresMs }: Entry): string {
  const expiry = expiresMs === undefined ? "" : byte(opcodes.expiresMs) + littleEndian64(expiresMs);
  return expiry + byte(types[value.type]) + text(key) + body(value);
}

export function writeDump(databases: readonly Keyspace[], facts: DumpFacts): Bytes {
  const aux = (name: string, value: string): string => byte(opcodes.aux) + text(name) + text(value);
  let out = magic + aux("redis-ver", facts.version) + aux("redis-bits", "64");
  out += aux("ctime", String(Math.floor(facts.createdMs / 1000))) + aux("used-mem", String(facts.usedBytes)) + aux("aof-base", "0");
  for (const [index, { entries }] of databases.entries()) {
    if (entries.size === 0) continue;
    const expiring = [...entries.values()].filter(({ expiresMs }) => expiresMs !== undefined).length;
    out += byte(opcodes.selectDb) + length(index) + byte(opcodes.resize) + length(entries.size) + length(expiring);
    for (const [key, entry] of entries) out += entryText(key, entry);
  }
  return fromBinary(`${out}${byte(opcodes.end)}${"\0".repeat(8)}`);
}

export interface Loaded {
  readonly facts: DumpFacts;
  readonly loaded: number;
  readonly expired: number;
}

/** Puts what the file holds into the databases; what has expired stays out. Throws DumpError. */
export function readDump(bytes: Bytes, databases: readonly Keyspace[], nowMs: number): Loaded {
  return new DumpReader(toBinary(bytes), databases, nowMs).read();
}

class DumpReader {
  readonly #text: string;
  readonly #databases: readonly Keyspace[];
  readonly #nowMs: number;
  readonly #aux = new Map<string, string>();
  #at = magic.length;
  #database = 0;
  #loaded = 0;
  #expired = 0;

  constructor(text: string, databases: readonly Keyspace[], nowMs: number) {
    this.#text = text;
    this.#databases = databases;
    this.#nowMs = nowMs;
  }

  read(): Loaded {
    if (!this.#text.startsWith("REDIS")) throw new DumpError("Wrong signature trying to load DB from file");
    for (let code = this.#byte(); code !== opcodes.end; code = this.#byte()) this.#item(code);
    const facts = {
      version: this.#aux.get("redis-ver") ?? "",
      createdMs: Number(this.#aux.get("ctime") ?? 0) * 1000,
      usedBytes: Number(this.#aux.get("used-mem") ?? 0),
    };
    return { facts, loaded: this.#loaded, expired: this.#expired };
  }

  #item(code: number): void {
    if (code === opcodes.aux) this.#aux.set(this.#string(), this.#string());
    else if (code === opcodes.selectDb) this.#database = this.#length();
    else if (code === opcodes.resize) {
      this.#length();
      this.#length();
    } else if (code === opcodes.expiresMs) {
      let expiresMs = 0;
      for (let index = 0; index < 8; index += 1) expiresMs += this.#byte() * 256 ** index;
      this.#entry(this.#byte(), expiresMs);
    } else this.#entry(code, undefined);
  }

  #entry(type: number, expiresMs: number | undefined): void {
    const key = this.#string();
    const value = this.#value(type);
    if (expiresMs !== undefined && expiresMs <= this.#nowMs) {
      this.#expired += 1;
      return;
    }
    this.#loaded += 1;
    this.#databases[this.#database]?.put(key, value, expiresMs);
  }

  #value(type: number): Value {
    if (type === types.string) return { type: "string", text: this.#string() };
    if (type !== types.list && type !== types.set && type !== types.hash) throw new DumpError(`Unknown RDB encoding type ${type}`);
    const count = this.#length() * (type === types.hash ? 2 : 1);
    const parts = Array.from({ length: count }, () => this.#string());
    if (type === types.list) return { type: "list", items: parts };
    if (type === types.set) return { type: "set", members: new Set(parts) };
    const fields = new Map<string, string>();
    for (let index = 0; index < parts.length; index += 2) fields.set(parts[index] as string, parts[index + 1] as string);
    return { type: "hash", fields };
  }

  #byte(): number {
    const code = this.#text.charCodeAt(this.#at);
    if (Number.isNaN(code)) throw new DumpError("Unexpected EOF reading RDB file");
    this.#at += 1;
    return code;
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x40) return first;
    if (first < 0x80) return ((first & 0x3f) << 8) | this.#byte();
    if (first !== 0x80) throw new DumpError(`Unknown length encoding ${first} in rdbLoadLen()`);
    return [0, 0, 0, 0].reduce((sum) => sum * 256 + this.#byte(), 0);
  }

  #string(): string {
    const size = this.#length();
    const value = this.#text.slice(this.#at, this.#at + size);
    if (value.length < size) throw new DumpError("Unexpected EOF reading RDB file");
    this.#at += size;
    return value;
  }
}
