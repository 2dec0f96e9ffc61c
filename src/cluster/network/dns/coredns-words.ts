// The lines of CoreDNS's log that are longer than a word.

import { formatGoDuration } from "#cluster/api/duration.ts";
import { writeWithoutWaiting } from "#cluster/images/log-line.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { DnsAnswer } from "#sim/net.ts";
import type { Process } from "#sim/program.ts";
import type { GivenAnswer } from "./coredns.ts";
import type { AnswerClass, LogRule } from "./corefile.ts";
import { configurationSum, corefileSettings, serverKeys } from "./corefile-reader.ts";

/** By version: the Go that it was built with, and the commit. */
const builds: { readonly [version: string]: string } = {
  "1.12.1": "go1.24.1, 707c7c1",
  "1.13.1": "go1.25.2, 1db4568",
  "1.14.0": "go1.25.5, 1c964f2",
};

/** When its servers listen (coremain/run.go, plugin/reload). */
export function startLines(path: string, text: string, tag: string): string {
  const { idle, reloadMs } = corefileSettings(path, text);
  const version = tag.slice(1);
  const sum = `[INFO] plugin/reload: Running configuration SHA512 = ${configurationSum(path, text)}`;
  const lines = [
    ...idle.map(idleLine),
    ...serverKeys(path, text),
    ...(reloadMs === Number.POSITIVE_INFINITY ? [] : [sum]),
    `CoreDNS-${version}`,
    `linux/amd64, ${builds[version]}`,
  ];
  return `${lines.join("\n")}\n`;
}

export function idleLine(what: string): string {
  return `[WARNING] ${what}: not simulated, has no effect`;
}

/** What go.uber.org/automaxprocs says first: of /proc/cpuinfo, of the control group's cpu.max, and of GOMAXPROCS. */
export function processorLine(cpuinfo: string, cpuMax: string, asked: string | undefined): string {
  if (asked !== undefined) return `maxprocs: Honoring GOMAXPROCS=${JSON.stringify(asked)} as set in environment\n`;
  const processors = cpuinfo.match(/^processor/gmu)?.length ?? 1;
  const [quota = "max", period = "100000"] = cpuMax.trim().split(" ");
  if (quota === "max" || quota === "") return `maxprocs: Leaving GOMAXPROCS=${processors}: CPU quota undefined\n`;
  const whole = Math.floor(Number(quota) / Number(period));
  const why = whole < 1 ? "using minimum allowed GOMAXPROCS" : "determined from CPU quota";
  return `maxprocs: Updating GOMAXPROCS=${Math.max(1, whole)}: ${why}\n`;
}

export function lameduckLine(lameduckMs: number): string {
  return `[INFO] plugin/health: Going into lameduck mode for ${formatGoDuration(lameduckMs)}\n`;
}

const zone = "cluster.local";

/** Writes the line of an answer, if a rule wants it: the first whose names it is one of decides (plugin/log). */
export function logAnswer(self: Process, rules: readonly LogRule[], given: GivenAnswer): void {
  const { question, answer } = given;
  const name = `${asciiLowerCase(question.name)}.`;
  const rule = rules.find(({ scope }) => scope === "." || name === scope || name.endsWith(`.${scope}`));
  if (rule === undefined || !(rule.classes.includes("all") || rule.classes.includes(classOf(answer)))) return;
  const id = self.random.below(65_536);
  // Of a processor: the world's clock stands still for it.
  const nanoseconds = 60_000 + self.random.below(200_000);
  writeWithoutWaiting(self, 1, queryLine(given, id, nanoseconds));
}

/** plugin/pkg/response: NXDOMAIN and answers without records are denials. */
function classOf({ code, records }: DnsAnswer): AnswerClass {
  if (code === "NXDOMAIN" || (code === "NOERROR" && records.length === 0)) return "denial";
  return code === "NOERROR" ? "success" : "error";
}

const headerBytes = 12;
const recordBytes = 10;

/** plugin/log's common format; the sizes are those of a query without extensions, and of an answer without compression. */
function queryLine({ question, client, answer, isForwarded }: GivenAnswer, id: number, nanoseconds: number): string {
  const { name, type } = question;
  const { code, records, authoritative } = answer;
  const asked = headerBytes + nameBytes(name) + 4;
  const answered = records.reduce((sum, record) => sum + nameBytes(record.name) + recordBytes + dataBytes(record), asked);
  const authority = records.length === 0 && !isForwarded && code !== "SERVFAIL" ? authorityBytes() : 0;
  const flags = ["qr", ...(authoritative ? ["aa"] : []), "rd", ...(isForwarded ? ["ra"] : [])].join(",");
  const shown = name === "" ? "." : `${asciiLowerCase(name)}.`;
  const query = `${type} IN ${shown} udp ${asked} false 512`;
  const seconds = (nanoseconds / 1e9).toFixed(9).replace(/0+$/u, "");
  return `[INFO] ${client.address}:${client.port} - ${id} "${query}" ${code} ${flags} ${answered + authority} ${seconds}s\n`;
}

/** A byte for each label's length, and one for the root. */
function nameBytes(name: string): number {
  return name === "" ? 1 : name.length + 2;
}

function dataBytes({ type, data }: DnsAnswer["records"][number]): number {
  if (type === "A") return 4;
  if (type === "AAAA") return 16;
  if (type === "SRV") return 6 + nameBytes(data.slice(data.lastIndexOf(" ") + 1));
  return type === "TXT" ? data.length + 1 : nameBytes(data);
}

/** The zone's SOA, which stands beside answers without records (plugin.SOA). */
function authorityBytes(): number {
  return nameBytes(zone) + recordBytes + nameBytes(`ns.dns.${zone}`) + nameBytes(`hostmaster.${zone}`) + 20;
}
