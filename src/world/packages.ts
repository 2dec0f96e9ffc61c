// apt-get, apt-cache, apt and dpkg on the cluster's machines (apt 3.0, dpkg 1.22), for the packages of `package-list.ts`: what is
// installed, what their repositories have, and the upgrade of containerd, which restarts it as the package's script does.

import { containerdReleases } from "#cluster/node/runtime/releases.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { MachinePower } from "./machine-power.ts";
import { containerdOf, isUpgradable, type Package, type PackageMachine, packagesOf } from "./package-list.ts";
import { failedText } from "./systemctl.ts";

export interface PackagePrograms {
  readonly apt: Program;
  readonly aptCache: Program;
  readonly aptGet: Program;
  readonly dpkg: Program;
}

type Find = (hostname: string) => PackageMachine | undefined;
type PowerOf = (hostname: string) => MachinePower | undefined;

const [fetchMs, unpackMs, setUpMs] = [1000, 1500, 300] as const;
/** They change nothing here: no question is asked about the packages that were named. */
const idleOptions = new Set(["-y", "--yes", "--assume-yes", "-q", "-qq", "--quiet", "--no-install-recommends", "--only-upgrade"]);
const failure = 100;

export function packagePrograms(find: Find, powerOf: PowerOf): PackagePrograms {
  return {
    apt: onNode(find, (self, node) => apt(self, node, powerOf)),
    aptCache: onNode(find, aptCache),
    aptGet: onNode(find, (self, node) => aptGet(self, node, powerOf)),
    dpkg: onNode(find, dpkg),
  };
}

function onNode(find: Find, run: (self: Process, node: PackageMachine) => Sys<number>): Program {
  return function* (self) {
    const node = find(self.hostname);
    if (node !== undefined) return yield* run(self, node);
    yield* self.write(2, `${self.argv[0]}: this machine is not a node of the cluster\n`);
    return 1;
  };
}

function* say(self: Process, ...lines: readonly string[]): Sys<void> {
  yield* self.write(1, lines.map((line) => `${line}\n`).join(""));
}

/** Exit code 100, as of every error of apt. */
function* fail(self: Process, message: string): Sys<number> {
  yield* self.write(2, `E: ${message}\n`);
  return failure;
}

/** Progress lines end with a word on a terminal only. */
function* progress(self: Process, ...steps: readonly string[]): Sys<void> {
  yield* say(self, ...steps.map((step) => `${step}...${self.isTty(1) ? " Done" : ""}`));
}

function* refuseOption(self: Process, words: readonly string[]): Sys<number | undefined> {
  const option = words.find((word) => word.startsWith("-") && !idleOptions.has(word));
  return option === undefined ? undefined : yield* fail(self, `${self.argv[0]}: option ${option}: not simulated`);
}

function* aptGet(self: Process, node: PackageMachine, powerOf: PowerOf): Sys<number> {
  const words = self.argv.slice(1);
  const refused = yield* refuseOption(self, words);
  if (refused !== undefined) return refused;
  const [verb = "", ...names] = words.filter((word) => !word.startsWith("-"));
  if (verb === "update") return yield* update(self, node);
  if (verb === "install") return yield* install(self, node, names, powerOf(self.hostname));
  return yield* fail(self, `apt-get${verb === "" ? "" : ` ${verb}`}: not simulated; there are apt-get update and apt-get install`);
}

function* apt(self: Process, node: PackageMachine, powerOf: PowerOf): Sys<number> {
  const verb = self.argv.slice(1).find((word) => !word.startsWith("-")) ?? "";
  if (!["update", "install", "policy", "list"].includes(verb))
    return yield* fail(self, `apt${verb === "" ? "" : ` ${verb}`}: not simulated; there are apt update, install, list and policy`);
  if (!self.isTty(1)) yield* self.write(2, "\nWARNING: apt does not have a stable CLI interface. Use with caution in scripts.\n\n");
  if (verb === "policy") return yield* aptCache(self, node);
  if (verb === "list") return yield* list(self, node);
  return yield* aptGet(self, node, powerOf);
}

function* update(self: Process, node: PackageMachine): Sys<number> {
  const releases = [...new Set(packagesOf(node).map(({ source }) => source.release))];
  yield* self.sleep(fetchMs);
  yield* say(self, ...releases.map((release, index) => `Hit:${index + 1} ${release}`));
  yield* progress(self, "Reading package lists");
  return 0;
}

/** Packages with the versions that are wanted of them; a text: why that cannot be. */
function wantedOf(node: PackageMachine, names: readonly string[]): readonly (readonly [Package, string])[] | string {
  const all = packagesOf(node);
  const wanted: (readonly [Package, string])[] = [];
  for (const word of names) {
    const [name = "", version] = word.split("=");
    const found = all.find((each) => each.name === name);
    if (found === undefined) return `Unable to locate package ${name}`;
    const of = version === undefined ? found.candidate : [found.candidate, found.installed].find((each) => fits(each, version));
    if (of === undefined) return `Version '${version}' for '${name}' was not found`;
    wanted.push([found, of]);
  }
  return wanted;
}

/** `2.1.*`: all that begin so. */
function fits(version: string, pattern: string): boolean {
  return pattern.endsWith("*") ? version.startsWith(pattern.slice(0, -1)) : version === pattern;
}

function* install(self: Process, node: PackageMachine, names: readonly string[], power: MachinePower | undefined): Sys<number> {
  yield* progress(self, "Reading package lists", "Building dependency tree", "Reading state information");
  const wanted = wantedOf(node, names);
  if (typeof wanted === "string") return yield* fail(self, wanted);
  for (const [{ name, installed }, version] of wanted)
    if (version === installed) yield* say(self, `${name} is already the newest version (${installed}).`);
  const upgraded = wanted.filter(([{ installed }, version]) => version !== installed).map(([found]) => found);
  if (upgraded.length > 0)
    yield* say(self, "The following packages will be upgraded:", `  ${upgraded.map(({ name }) => name).join(" ")}`);
  const others = packagesOf(node).filter(isUpgradable).length - upgraded.length;
  yield* say(self, `${upgraded.length} upgraded, 0 newly installed, 0 to remove and ${others} not upgraded.`);
  for (const each of upgraded) yield* upgrade(self, node, each, power);
  return 0;
}

/** Of the packages here only containerd's repository has something newer. */
function* upgrade(self: Process, node: PackageMachine, found: Package, power: MachinePower | undefined): Sys<void> {
  const { name, installed, candidate, source } = found;
  const next = containerdOf(candidate);
  if (next === undefined) throw new Error(`no release of containerd is ${candidate}`);
  const { downloadBytes, installedBytes } = containerdReleases[next];
  const moreBytes = installedBytes - containerdReleases[node.runtime.installed].installedBytes;
  const { architecture } = node.machine;
  const size = sizeOf(downloadBytes);
  yield* say(
    self,
    `Need to get ${size} of archives.`,
    moreBytes < 0
      ? `After this operation, ${sizeOf(-moreBytes)} disk space will be freed.`
      : `After this operation, ${sizeOf(moreBytes)} of additional disk space will be used.`,
    `Get:1 ${source.suite} ${architecture} ${name} ${architecture} ${candidate} [${size}]`,
  );
  yield* self.sleep(fetchMs);
  yield* say(self, `Fetched ${size} in 1s (${size}/s)`, "(Reading database ... 9386 files and directories currently installed.)");
  yield* say(self, `Preparing to unpack .../${name}_${candidate}_${architecture}.deb ...`);
  yield* say(self, `Unpacking ${name} (${candidate}) over (${installed}) ...`);
  yield* self.sleep(unpackMs);
  node.runtime.installed = next;
  yield* say(self, `Setting up ${name} (${candidate}) ...`);
  yield* self.sleep(setUpMs);
  if (power === undefined) return;
  const { containerd } = power.services;
  containerd.stop();
  containerd.sinceMs = self.nowMs;
  if (containerd.start() === undefined) yield* self.write(2, `${failedText("containerd")}\n`);
}

/** Thousands of bytes up to ten thousand, then millions. */
function sizeOf(bytes: number): string {
  const kilobytes = Math.round(bytes / 1000);
  if (kilobytes < 10_000)
    return `${kilobytes < 1000 ? "" : `${Math.floor(kilobytes / 1000)},`}${String(kilobytes % 1000).padStart(kilobytes < 1000 ? 1 : 3, "0")} kB`;
  return `${(kilobytes / 1000).toFixed(1)} MB`;
}

function* aptCache(self: Process, node: PackageMachine): Sys<number> {
  const [verb = "", ...names] = self.argv.slice(1);
  if (verb !== "policy" && verb !== "madison")
    return yield* fail(self, `apt-cache${verb === "" ? "" : ` ${verb}`}: not simulated; there are apt-cache policy and madison`);
  const { architecture } = node.machine;
  for (const name of names) {
    const found = packagesOf(node).find((each) => each.name === name);
    if (found === undefined) yield* self.write(2, `N: Unable to locate package ${name}\n`);
    else if (verb === "policy") yield* say(self, ...policyOf(found, architecture));
    else yield* say(self, ` ${name} | ${found.candidate} | ${found.source.suite} ${architecture} Packages`);
  }
  return 0;
}

function policyOf(found: Package, architecture: string): readonly string[] {
  const { name, installed, candidate, source } = found;
  const [repository, here] = [`        500 ${source.suite} ${architecture} Packages`, "        100 /var/lib/dpkg/status"];
  const versions = isUpgradable(found)
    ? [`     ${candidate} 500`, repository, ` *** ${installed} 100`, here]
    : [` *** ${installed} 500`, repository, here];
  return [`${name}:`, `  Installed: ${installed}`, `  Candidate: ${candidate}`, "  Version table:", ...versions];
}

function* list(self: Process, node: PackageMachine): Sys<number> {
  const words = self.argv.slice(1);
  const names = words.filter((word) => !word.startsWith("-")).slice(1);
  const known = ["--upgradable", "--installed"];
  const other = words.find((word) => word.startsWith("-") && !known.includes(word));
  if (other !== undefined) return yield* fail(self, `apt list: option ${other}: not simulated`);
  yield* say(self, "Listing...");
  for (const found of packagesOf(node)) {
    const { name, installed, candidate, source } = found;
    if (words.includes("--upgradable") && !isUpgradable(found)) continue;
    if (names.length > 0 && !names.includes(name)) continue;
    const state = isUpgradable(found) ? `upgradable from: ${installed}` : "installed";
    yield* say(self, `${name}/${source.distribution} ${candidate} ${node.machine.architecture} [${state}]`);
  }
  return 0;
}

const listHead = [
  "Desired=Unknown/Install/Remove/Purge/Hold",
  "| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend",
  "|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)",
];
const leastWidths = [14, 12, 12, 33] as const;

function* dpkg(self: Process, node: PackageMachine): Sys<number> {
  const [action = "", ...patterns] = self.argv.slice(1);
  if (action !== "-l" && action !== "--list") {
    yield* self.write(2, `dpkg${action === "" ? "" : ` ${action}`}: not simulated; there is dpkg -l\n`);
    return 2;
  }
  const all = packagesOf(node);
  const found = patterns.length === 0 ? all : all.filter(({ name }) => patterns.some((pattern) => fits(name, pattern)));
  for (const pattern of patterns)
    if (!all.some(({ name }) => fits(name, pattern))) yield* self.write(2, `dpkg-query: no packages found matching ${pattern}\n`);
  if (found.length === 0) return 1;
  const rows = found.map(({ name, installed, description }) => [name, installed, node.machine.architecture, description]);
  const widths = leastWidths.map((least, column) => Math.max(least, ...rows.map((row) => (row[column] ?? "").length)));
  const lineOf = (mark: string, cells: readonly string[]) =>
    `${mark} ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" ")}`.trimEnd();
  yield* say(
    self,
    ...listHead,
    lineOf("||/", ["Name", "Version", "Architecture", "Description"]),
    `+++-${widths.map((width) => "=".repeat(width)).join("-")}`,
    ...rows.map((row) => lineOf("ii ", row)),
  );
  return patterns.some((pattern) => !all.some(({ name }) => fits(name, pattern))) ? 1 : 0;
}
