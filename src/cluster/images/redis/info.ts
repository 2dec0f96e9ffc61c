// The answer to INFO: the fields that this server has figures for.

import { asciiLowerCase } from "#sim/ascii.ts";

export interface InfoFacts {
  readonly version: string;
  /** `uname -r` */
  readonly kernelRelease: string;
  readonly pid: number;
  readonly port: string;
  /** "" for none. */
  readonly configurationFile: string;
  readonly upSeconds: number;
  readonly clients: number;
  readonly usedBytes: number;
  readonly peakBytes: number;
  readonly maxMemoryBytes: number;
  readonly maxMemoryPolicy: string;
  readonly changes: number;
  readonly lastSaveSeconds: number;
  readonly appends: boolean;
  readonly connections: number;
  readonly commands: number;
  readonly hits: number;
  readonly misses: number;
  readonly evicted: number;
  /** `timesToLive`: what is left of each, ms. */
  readonly databases: readonly { readonly index: number; readonly keys: number; readonly timesToLive: readonly number[] }[];
}

type Section = readonly (readonly [string, string | number])[];

function human(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1_048_576) return `${(bytes / 1024).toFixed(2)}K`;
  return bytes < 1_073_741_824 ? `${(bytes / 1_048_576).toFixed(2)}M` : `${(bytes / 1_073_741_824).toFixed(2)}G`;
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.floor(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function sectionsOf(facts: InfoFacts): { readonly [name: string]: Section } {
  return {
    Server: [
      ["redis_version", facts.version],
      ["redis_mode", "standalone"],
      ["os", `Linux ${facts.kernelRelease} x86_64`],
      ["arch_bits", 64],
      ["process_id", facts.pid],
      ["tcp_port", facts.port],
      ["uptime_in_seconds", facts.upSeconds],
      ["uptime_in_days", Math.floor(facts.upSeconds / 86_400)],
      ["executable", "/data/redis-server"],
      ["config_file", facts.configurationFile],
    ],
    Clients: [["connected_clients", facts.clients]],
    Memory: [
      ["used_memory", facts.usedBytes],
      ["used_memory_human", human(facts.usedBytes)],
      ["used_memory_peak", facts.peakBytes],
      ["used_memory_peak_human", human(facts.peakBytes)],
      ["maxmemory", facts.maxMemoryBytes],
      ["maxmemory_human", human(facts.maxMemoryBytes)],
      ["maxmemory_policy", facts.maxMemoryPolicy],
    ],
    Persistence: [
      ["loading", 0],
      ["rdb_changes_since_last_save", facts.changes],
      ["rdb_bgsave_in_progress", 0],
      ["rdb_last_save_time", facts.lastSaveSeconds],
      ["aof_enabled", facts.appends ? 1 : 0],
    ],
    Stats: [
      ["total_connections_received", facts.connections],
      ["total_commands_processed", facts.commands],
      ["evicted_keys", facts.evicted],
      ["keyspace_hits", facts.hits],
      ["keyspace_misses", facts.misses],
    ],
    Replication: [
      ["role", "master"],
      ["connected_slaves", 0],
    ],
    Keyspace: facts.databases.map(({ index, keys, timesToLive }) => [
      `db${index}`,
      `keys=${keys},expires=${timesToLive.length},avg_ttl=${average(timesToLive)}`,
    ]),
  };
}

/** Sections by name in any case; none or `default`, `all`, `everything`: all of them. */
export function infoText(facts: InfoFacts, wanted: readonly string[]): string {
  const names = wanted.map((name) => asciiLowerCase(name));
  const all = names.length === 0 || names.some((name) => /^(?:default|all|everything)$/.test(name));
  return Object.entries(sectionsOf(facts))
    .filter(([name]) => all || names.includes(asciiLowerCase(name)))
    .map(([name, fields]) => `# ${name}\r\n${fields.map(([field, value]) => `${field}:${value}\r\n`).join("")}`)
    .join("\r\n");
}
