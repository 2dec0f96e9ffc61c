// redis.conf and the command line of redis-server: directives that act, directives that change nothing here, and the rest, which are refused.

import { asciiLowerCase } from "#sim/ascii.ts";
import { splitWords } from "./resp.ts";

/** Parameters with their defaults, as CONFIG GET tells them. */
const defaults: { readonly [name: string]: string } = {
  appenddirname: "appendonlydir",
  appendfilename: "appendonly.aof",
  appendonly: "no",
  bind: "* -::*",
  databases: "16",
  dbfilename: "dump.rdb",
  dir: "/data",
  loglevel: "notice",
  logfile: "",
  maxmemory: "0",
  "maxmemory-policy": "noeviction",
  port: "6379",
  "protected-mode": "no",
  requirepass: "",
  save: "3600 1 300 100 60 10000",
};

/** Taken without effect: connections, buffers, encodings, threads. */
const withoutEffect: { readonly [name: string]: string } = {
  activerehashing: "yes",
  "always-show-logo": "no",
  appendfsync: "everysec",
  "auto-aof-rewrite-min-size": "67108864",
  "auto-aof-rewrite-percentage": "100",
  daemonize: "no",
  hz: "10",
  maxclients: "10000",
  "maxmemory-samples": "5",
  "no-appendfsync-on-rewrite": "no",
  pidfile: "",
  rdbchecksum: "yes",
  rdbcompression: "yes",
  "stop-writes-on-bgsave-error": "yes",
  "tcp-backlog": "511",
  "tcp-keepalive": "300",
  timeout: "0",
};

/** Directives of the real server that would do what this one cannot. */
const refused =
  /^(?:replicaof|slaveof|masterauth|cluster-|tls-|unixsocket|loadmodule|aclfile|user|include|rename-command|io-threads)/;

const policies = [
  "noeviction",
  "allkeys-lru",
  "allkeys-lfu",
  "allkeys-random",
  "volatile-lru",
  "volatile-lfu",
  "volatile-random",
  "volatile-ttl",
];

/** Wrong or impossible: `line` and `text` say where. */
export class ConfigurationFault extends Error {
  readonly line: number;
  readonly text: string;

  constructor(message: string, line = 0, text = "") {
    super(message);
    this.line = line;
    this.text = text;
  }
}

export class Configuration {
  readonly #values = new Map<string, string>(Object.entries({ ...withoutEffect, ...defaults }));
  readonly #started = new Set<string>();

  get(name: string): string {
    return this.#values.get(name) as string;
  }

  names(): readonly string[] {
    return [...this.#values.keys()].sort();
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  get maxMemoryBytes(): number {
    return Number(this.get("maxmemory"));
  }

  /** Seconds and changes of each save point. */
  get savePoints(): readonly { readonly seconds: number; readonly changes: number }[] {
    const numbers = this.get("save").split(" ").filter(Boolean).map(Number);
    return numbers.flatMap((seconds, index) => (index % 2 === 0 ? [{ seconds, changes: numbers[index + 1] as number }] : []));
  }

  /** Reads a file's text, or command line options written as one. Throws ConfigurationFault. */
  load(text: string): void {
    for (const [index, raw] of text.split("\n").entries()) {
      const line = raw.trim();
      if (line === "" || line.startsWith("#")) continue;
      const [name, ...rest] = splitWords(line) ?? [];
      const fault = name === undefined ? "Unbalanced quotes in configuration line" : this.#take(asciiLowerCase(name), rest);
      if (fault !== undefined) throw new ConfigurationFault(fault, index + 1, line);
    }
  }

  /** CONFIG SET; the text of the fault, if there is one. */
  set(name: string, value: string): string | undefined {
    if (/^(?:port|databases|dir|dbfilename|appenddirname|appendfilename|appendonly)$/.test(name))
      return "can't set immutable config";
    return this.#assign(name, value);
  }

  #take(name: string, rest: readonly string[]): string | undefined {
    if (refused.test(name)) return `'${name}' is not available in this redis-server`;
    if (!this.#values.has(name) || rest.length === 0) return "Bad directive or wrong number of arguments";
    if (name === "save") {
      const value = rest.join(" ").trim();
      const before = this.#started.has("save") ? `${this.get("save")} ` : "";
      this.#started.add("save");
      if (!/^(?:\d+ \d+(?: |$))*$/.test(value)) return "Invalid save parameters";
      this.#values.set("save", value === "" ? "" : `${before}${value}`);
      return undefined;
    }
    if (name !== "bind" && rest.length > 1) return "Bad directive or wrong number of arguments";
    const value = rest.join(" ");
    if ((name === "appendonly" || name === "protected-mode") && !/^(?:yes|no)$/.test(value))
      return "argument must be 'yes' or 'no'";
    return this.#assign(name, value);
  }

  #assign(name: string, value: string): string | undefined {
    const number = name === "maxmemory" ? bytesOf(value) : undefined;
    if (name === "maxmemory" && number === undefined) return "argument must be a memory value";
    if (name === "maxmemory-policy" && !policies.includes(value))
      return `argument(s) must be one of the following: ${policies.join(", ")}`;
    this.#values.set(name, number === undefined ? value : String(number));
    return undefined;
  }
}

const units: { readonly [unit: string]: number } = {
  "": 1,
  b: 1,
  k: 1000,
  kb: 1024,
  m: 1_000_000,
  mb: 1_048_576,
  g: 1_000_000_000,
  gb: 1_073_741_824,
};

function bytesOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+)([kmgb]*)$/i.exec(text) ?? [];
  const factor = unit === undefined ? undefined : units[asciiLowerCase(unit)];
  return factor === undefined ? undefined : Number(amount) * factor;
}
