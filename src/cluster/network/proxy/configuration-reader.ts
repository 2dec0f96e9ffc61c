// How kube-proxy's command line and configuration file are read when it starts (cmd/kube-proxy/app/options.go): what is wrong ends it, what
// does nothing here is told in its log.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { type Decoded, DecodingError, decode } from "#cluster/api/go-fields.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { flagValues, type GivenFlags, WrongCommandLine } from "#cluster/component-flags.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import type { Exit } from "#cluster/images/system-images.ts";
import { knownFlagsOf } from "#cluster/zpages/flag-values.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Process } from "#sim/program.ts";
import type { WiredNode } from "../node-network.ts";
import { cleanUpIptables, cleanUpOthers } from "./cleanup.ts";
import { faultOf, periodsOf } from "./configuration-faults.ts";
import { configurationShape, unusualFields, type WholeConfiguration, withDefaults } from "./configuration-fields.ts";
import type { ProxyMode, ProxySettings } from "./settings.ts";

/** What ends kube-proxy before it runs, in upstream's words. */
class StartRefusal extends Error {}

const version = "kubeproxy.config.k8s.io/v1alpha1";
const scheme = 'in scheme "k8s.io/kubernetes/pkg/proxy/apis/config/scheme/scheme.go:30"';

/** Fields that do something here, or say what is so anyway. */
const acting: ReadonlySet<string> = new Set([
  "clientConnection.kubeconfig",
  "clusterCIDR",
  "detectLocalMode",
  "enableProfiling",
  "healthzBindAddress",
  "hostnameOverride",
  "ipvs.minSyncPeriod",
  "ipvs.scheduler",
  "ipvs.syncPeriod",
  "iptables.localhostNodePorts",
  "iptables.masqueradeAll",
  "iptables.masqueradeBit",
  "iptables.minSyncPeriod",
  "iptables.syncPeriod",
  "metricsBindAddress",
  "mode",
  "nftables.masqueradeAll",
  "nftables.masqueradeBit",
  "nftables.minSyncPeriod",
  "nftables.syncPeriod",
  "nodePortAddresses",
]);

/** Fields that flags of a command line without --config stand for. */
const fieldsOfFlags: { readonly [flag: string]: string } = {
  "bind-address": "bindAddress",
  "cluster-cidr": "clusterCIDR",
  "config-sync-period": "configSyncPeriod",
  "detect-local-mode": "detectLocalMode",
  "healthz-bind-address": "healthzBindAddress",
  "iptables-localhost-nodeports": "iptables.localhostNodePorts",
  "iptables-masquerade-bit": "iptables.masqueradeBit",
  "iptables-min-sync-period": "iptables.minSyncPeriod",
  "iptables-sync-period": "iptables.syncPeriod",
  "ipvs-exclude-cidrs": "ipvs.excludeCIDRs",
  "ipvs-min-sync-period": "ipvs.minSyncPeriod",
  "ipvs-scheduler": "ipvs.scheduler",
  "ipvs-strict-arp": "ipvs.strictARP",
  "ipvs-sync-period": "ipvs.syncPeriod",
  kubeconfig: "clientConnection.kubeconfig",
  "masquerade-all": "iptables.masqueradeAll",
  "metrics-bind-address": "metricsBindAddress",
  "nodeport-addresses": "nodePortAddresses",
  "oom-score-adj": "oomScoreAdj",
  profiling: "enableProfiling",
  "proxy-mode": "mode",
};

/** Undefined when the process has ended. */
export function readConfiguration(self: Process, exit: Exit, node: WiredNode): ProxySettings | undefined {
  try {
    const given = flagValues(self.argv, () => [knownFlagsOf("kube-proxy")]);
    const said = given.has("config") ? fromFile(self, given) : fromFlags(self, given);
    const whole = withPlatformDefaults(said);
    const fault = faultOf(whole);
    if (fault !== undefined) throw new StartRefusal(`failed validate: ${fault}`);
    for (const path of unusualFields(whole)) if (!acting.has(path)) tellIdle(self, path);
    const settings = begin(self, exit, node, given, whole);
    return settings === undefined ? undefined : { ...settings, isModeAssumed: said.mode === "" };
  } catch (error) {
    if (error instanceof WrongCommandLine) exit(1, `Error: ${error.message}\n`);
    else if (error instanceof StartRefusal) exit(1, klogLine(self, "E", "run.go:72", failure("command failed", error.message)));
    else throw error;
    return undefined;
  }
}

function tellIdle(self: Process, what: string): void {
  klogLater(self, "W", "flags.go:64", `${what}: not simulated, has no effect`);
}

/** klog gives a text of several lines a block of its own. */
function failure(message: string, error: string): string {
  const value = error.includes("\n") ? `<\n\t${error.replaceAll("\n", "\n\t")}\n >` : JSON.stringify(error);
  return `${JSON.stringify(message)} err=${value}`;
}

function fromFile(self: Process, given: GivenFlags): WholeConfiguration {
  const path = given.get("config")?.at(-1) ?? "";
  if (!self.exists(path)) throw new StartRefusal(`failed complete: open ${path}: no such file or directory`);
  const whole = withDefaults(decoded(self, self.readText(path)));
  for (const name of ["cleanup", "init-only", "write-config-to", "v", "vmodule", "log-flush-frequency"]) {
    const value = given.get(name)?.at(-1);
    if (value !== undefined && !isDone(name)) tellIdle(self, `--${name}=${value}`);
  }
  const name = given.get("hostname-override")?.at(-1)?.trim() ?? "";
  return name === "" ? whole : { ...whole, hostnameOverride: asciiLowerCase(name) };
}

function isDone(flag: string): boolean {
  return flag === "cleanup" || flag === "init-only";
}

function decoded(self: Process, text: string): JsonObject {
  let document: JsonValue;
  const loose: string[] = [];
  try {
    const { value, duplicates } = parseYaml(text);
    document = value;
    if (duplicates.length > 0) loose.push(`yaml: unmarshal errors:${duplicates.map((fault) => `\n  ${fault}`).join("")}`);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new StartRefusal(`failed complete: failed to decode: ${error.message}`);
    throw error;
  }
  checkKind(document, text);
  const { value, unknown } = decodedFields(document);
  const strict = [...loose, ...unknown];
  // What the strict decoder refuses, a lenient one takes as long as the version is v1alpha1.
  if (strict.length > 0) {
    const words = failure("Using lenient decoding as strict decoding failed", `strict decoding error: ${strict.join(", ")}`);
    klogLater(self, "I", "options.go:410", words);
  }
  return value;
}

function checkKind(document: JsonValue, text: string): void {
  const { kind = "", apiVersion = "" } = isObject(document) ? document : {};
  const refuse = (words: string): never => {
    throw new StartRefusal(`failed complete: failed to decode: ${words}`);
  };
  if (kind === "" || typeof kind !== "string") refuse(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === "" || typeof apiVersion !== "string") refuse(`Object 'apiVersion' is missing in '${text}'`);
  if (kind !== "KubeProxyConfiguration" || apiVersion !== version)
    refuse(`no kind "${String(kind)}" is registered for version "${String(apiVersion)}" ${scheme}`);
}

function decodedFields(document: JsonValue): Decoded {
  try {
    return decode(configurationShape, document);
  } catch (error) {
    if (error instanceof DecodingError) throw new StartRefusal(`failed complete: failed to decode: ${error.message}`);
    throw error;
  }
}

function fromFlags(self: Process, given: GivenFlags): WholeConfiguration {
  const said: { [field: string]: JsonValue } = {};
  for (const [flag, values] of given) {
    const path = fieldsOfFlags[flag];
    const text = values.at(-1) ?? "";
    if (path === undefined) {
      if (flag !== "hostname-override" && !isDone(flag)) tellIdle(self, `--${flag}=${text}`);
      continue;
    }
    const [group = "", field] = path.split(".");
    const value = flagValue(flag, path, text);
    if (field === undefined) said[group] = value;
    else said[group] = { ...((said[group] ?? {}) as JsonObject), [field]: value };
  }
  const whole = withDefaults(said as JsonObject);
  const all = whole.iptables;
  return { ...whole, nftables: { ...whole.nftables, masqueradeAll: all.masqueradeAll, ...periodOf(all) } };
}

/** --iptables-sync-period and its like are for both. */
function periodOf({ syncPeriod, minSyncPeriod }: { readonly syncPeriod: number; readonly minSyncPeriod: number }) {
  return { syncPeriod, minSyncPeriod };
}

function flagValue(flag: string, path: string, text: string): JsonValue {
  const type = path.split(".").reduce<JsonType>((at, name) => {
    return at.kind === "struct" ? (at.fields[name] as JsonType) : at;
  }, configurationShape);
  const invalid = (words: string): never => {
    throw new WrongCommandLine(`invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${words}`, false);
  };
  if (type.kind === "list") return text.split(",");
  if (type.kind === "bool") {
    if (!/^(1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/u.test(text))
      invalid(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
    return /^(1|t|T|TRUE|true|True)$/u.test(text);
  }
  if (type.kind === "int32") {
    if (!/^[+-]?\d+$/u.test(text)) invalid(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    return Number(text);
  }
  if (type.kind !== "duration") return text;
  const parsed = parseGoDuration(text);
  return "ms" in parsed ? parsed.ms : invalid(parsed.error);
}

type JsonType = typeof configurationShape | (typeof configurationShape)["fields"][string];

function withPlatformDefaults(whole: WholeConfiguration): WholeConfiguration {
  const mode = whole.mode === "" ? "iptables" : whole.mode;
  return {
    ...whole,
    mode,
    nodePortAddresses: mode === "nftables" && whole.nodePortAddresses.length === 0 ? ["primary"] : whole.nodePortAddresses,
    detectLocalMode: whole.detectLocalMode === "" ? "ClusterCIDR" : whole.detectLocalMode,
    healthzBindAddress: withPort(whole.healthzBindAddress, 10_256),
    metricsBindAddress: withPort(whole.metricsBindAddress, 10_249),
  };
}

function withPort(address: string, port: number): string {
  return /^[^:]+$/u.test(address) ? `${address}:${port}` : address;
}

/** The configuration is sound: what is left is what the machine says to it. */
function begin(
  self: Process,
  exit: Exit,
  node: WiredNode,
  given: GivenFlags,
  whole: WholeConfiguration,
): Omit<ProxySettings, "isModeAssumed"> | undefined {
  const isAsked = (flag: string): boolean => given.get(flag)?.at(-1) === "true";
  const mode = whole.mode as ProxyMode;
  if (isAsked("cleanup")) {
    cleanUpIptables(node.packetFilter);
    cleanUpOthers(node);
    exit(0);
    return undefined;
  }
  const { kubeconfig } = whole.clientConnection;
  const isMissing = kubeconfig !== "" && !self.exists(kubeconfig);
  const refusal = isMissing ? `stat ${kubeconfig}: no such file or directory` : modeRefusal(mode);
  if (refusal !== undefined) {
    const line = (place: string, message: string) => klogLine(self, "E", place, failure(message, refusal));
    exit(1, line("server.go:136", "Error running ProxyServer") + line("run.go:72", "command failed"));
    return undefined;
  }
  if (isAsked("init-only")) {
    exit(0);
    return undefined;
  }
  if (whole.hostnameOverride !== "" && whole.hostnameOverride !== node.nodeName)
    tellIdle(self, `hostnameOverride=${whole.hostnameOverride}`);
  const { masqueradeBit, masqueradeAll } = mode === "nftables" ? whole.nftables : whole.iptables;
  const { syncPeriod, minSyncPeriod } = periodsOf(whole);
  return {
    mode,
    podRange: podRangeOf(self, node, whole),
    masqueradeAll,
    masqueradeMark: 2 ** masqueradeBit,
    nodePortAddresses: whole.nodePortAddresses.map((range) => (range === "primary" ? `${node.address}/32` : range)),
    localhostNodePorts: whole.iptables.localhostNodePorts,
    syncPeriodMs: syncPeriod,
    minimumSyncMs: minSyncPeriod,
    healthAddress: whole.healthzBindAddress,
    metricsAddress: whole.metricsBindAddress,
    isProfiled: whole.enableProfiling,
    configuration: whole,
  };
}

/** What the machine says to a mode. */
function modeRefusal(mode: ProxyMode): string | undefined {
  return mode === "ipvs" ? "can't use the IPVS proxier: ipvs not supported by the kernel" : undefined;
}

function podRangeOf(self: Process, node: WiredNode, { detectLocalMode, clusterCIDR }: WholeConfiguration): string | undefined {
  if (detectLocalMode === "NodeCIDR") return node.podCidr;
  if (detectLocalMode !== "ClusterCIDR") tellIdle(self, `detectLocalMode=${detectLocalMode}`);
  return clusterCIDR.split(",").find((range) => range !== "" && !range.includes(":"));
}
