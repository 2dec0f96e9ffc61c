// /coredns, which agnhost brings along (CoreDNS 1.6.2) for tests that want a name server of their own: a Corefile with the plugins `hosts`
// and `log`. It listens on port 53.

import { formatTime } from "#cluster/api/time.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { DnsAnswer, DnsQuestion } from "#sim/net.ts";
import { isIpAddress } from "#sim/network/resolver.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { untilSignalled } from "../samples/go-server.ts";
import { CorefileError, type Directive, readCorefile, type ServerBlock } from "./corefile.ts";

const version = "CoreDNS-1.6.2";
const build = "linux/amd64, go1.12.8, 795a3eb";
const ttlSeconds = 3600;
const headerBytes = 12;
const recordBytes = 10;

/** Lower-case names without the last dot, and addresses. */
interface Hosts {
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly names: ReadonlyMap<string, readonly string[]>;
}

interface Zone {
  readonly name: string;
  readonly hosts: Hosts | undefined;
  readonly isLogging: boolean;
}

export const coreDns: Program = function* (self) {
  const words = self.argv.slice(1);
  const at = words.indexOf("-conf");
  const path = at < 0 ? "Corefile" : (words[at + 1] ?? "");
  let zones: readonly Zone[];
  try {
    zones = readCorefile(path, self.readText(path)).map((block) => zoneOf(self, path, block));
  } catch (error) {
    if (error instanceof SysError) yield* self.write(2, `open ${path}: ${error.message}\n`);
    else if (error instanceof CorefileError) yield* self.write(2, `${error.message}\n`);
    else throw error;
    return 1;
  }
  self.serveDns((question, client, reply) => {
    const zone = zoneFor(zones, question.name);
    const answer = { ...answerOf(zone, question), server: self.addresses().at(-1) ?? "127.0.0.1" };
    if (zone?.isLogging === true) info(self, logLine(self, `${client.address}:${client.port}`, question, answer));
    reply(answer);
  });
  yield* self.write(1, zones.map(({ name }) => `${name === "" ? "." : `${name}.`}:53\n`).join(""));
  info(self, version);
  info(self, build);
  yield* self.write(1, `${version}\n${build}\n`);
  return yield* untilSignalled(self, (): Sys<number> => self.pause());
};

function info(self: Process, text: string): void {
  const milliseconds = String(Math.floor(self.nowMs % 1000)).padStart(3, "0");
  writeWithoutWaiting(self, 1, `${formatTime(self.nowMs).slice(0, -1)}.${milliseconds}Z [INFO] ${text}\n`);
}

function zoneOf(self: Process, path: string, { zone, directives }: ServerBlock): Zone {
  const hosts = directives.find(({ name }) => name === "hosts");
  return {
    name: zone,
    hosts: hosts === undefined ? undefined : hostsOf(self, path, hosts),
    isLogging: directives.some(({ name }) => name === "log"),
  };
}

/** `hosts [FILE [ZONE …]] { ADDRESS NAME … }`: the lines of the file, /etc/hosts unless another is named, and those of the block. */
function hostsOf(self: Process, path: string, { words, lines, line }: Directive): Hosts {
  if (words.length > 1) throw new CorefileError(path, line, "zones of hosts are not supported here");
  const file = words[0] ?? "/etc/hosts";
  const fromFile = self.exists(file) ? self.readText(file).split("\n") : [];
  const rows = fromFile.map((text) => text.replace(/#.*/u, "").split(/\s+/u).filter(Boolean));
  for (const row of lines) {
    if (!isIpAddress(row.words[0] ?? ""))
      throw new CorefileError(path, row.line, `option "${row.words[0]}" of hosts is not supported here`);
    rows.push([...row.words]);
  }
  const addresses = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  for (const [address = "", ...all] of rows)
    for (const name of all.map((each) => asciiLowerCase(each).replace(/\.$/u, ""))) {
      addresses.set(name, [...(addresses.get(name) ?? []), address]);
      names.set(address, [...(names.get(address) ?? []), name]);
    }
  return { addresses, names };
}

/** The longest zone that the name lies in. */
function zoneFor(zones: readonly Zone[], name: string): Zone | undefined {
  const wanted = asciiLowerCase(name);
  return zones
    .filter((zone) => zone.name === "" || wanted === zone.name || wanted.endsWith(`.${zone.name}`))
    .sort((one, other) => other.name.length - one.name.length)[0];
}

/** As the plugin has no authority to name, a name that it lacks is SERVFAIL (plugin/hosts). */
function answerOf(zone: Zone | undefined, { name, type }: DnsQuestion): Omit<DnsAnswer, "server"> {
  if (zone === undefined) return { code: "REFUSED", records: [], authoritative: false };
  const wanted = asciiLowerCase(name);
  const all = zone.hosts?.addresses.get(wanted) ?? [];
  const data = dataOf(zone.hosts, wanted, type, all);
  if (data.length === 0 && all.length === 0) return { code: "SERVFAIL", records: [], authoritative: false };
  return { code: "NOERROR", records: data.map((each) => ({ name, type, ttlSeconds, data: each })), authoritative: true };
}

function dataOf(hosts: Hosts | undefined, name: string, type: DnsQuestion["type"], all: readonly string[]): readonly string[] {
  if (type === "A") return all.filter((address) => !address.includes(":"));
  if (type === "AAAA") return all.filter((address) => address.includes(":"));
  if (type !== "PTR") return [];
  const reverse = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.in-addr\.arpa$/u.exec(name);
  return reverse === null ? [] : (hosts?.names.get(reverse.slice(1).reverse().join(".")) ?? []);
}

/** plugin/log's common format; the sizes are those of a query without extensions. */
function logLine(self: Process, from: string, { name, type }: DnsQuestion, { code, records, authoritative }: DnsAnswer): string {
  const question = headerBytes + name.length + 2 + 4;
  const reply = records.reduce((sum, { data }) => sum + name.length + 2 + recordBytes + (type === "A" ? 4 : data.length), question);
  const id = self.random.below(65_536);
  const flags = authoritative ? "qr,aa,rd" : "qr,rd";
  return `${from} - ${id} "${type} IN ${name}. udp ${question} false 512" ${code} ${flags} ${reply} 0.0001s`;
}
