// /var/lib/kubelet/config.yaml as a kubelet reads it when it starts: decoding, validation (pkg/kubelet/apis/config/validation), and
// what of it acts here. A field of the real kubelet that does nothing here is refused, unless it says what kubeadm writes.

import { type ParsedDuration, parseGoDuration } from "#cluster/api/duration.ts";
import { parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { type JsonValue, jsonKind } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { parseReference, repositoryOf } from "#cluster/images/reference.ts";
import { wordsOf } from "#sim/errors.ts";
import { words } from "../../../component-flags.ts";
import { gateFault } from "../../../feature-gates.ts";
import type { Machine } from "../../host/machine.ts";
import { usualIdsPerPod } from "../../user-namespaces/id-range.ts";
import { kubeletOptionsOf } from "../configuration.ts";
import type { KubeletConfiguration } from "../configuration-fields.ts";
import { configurationPath, swapBehaviors } from "../configuration-fields.ts";
import { configurationFile } from "../configuration-file.ts";
import { verificationPolicies } from "../images/pull-records.ts";
import { klogForm } from "../kubelet-journal-words.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import { isSameValue } from "../status/same-value.ts";
import { StartRefusal } from "./start-refusal.ts";

const maximumIds = 2 ** 32 - 1;

type Json = { readonly [name: string]: JsonValue };
type Kind = "int32" | "int64" | "bool" | "string" | "duration" | "strings" | "map";

/** Fields that act, and what they hold. */
const acting: { readonly [name: string]: Kind } = {
  allowedUnsafeSysctls: "strings",
  clusterDNS: "strings",
  clusterDomain: "string",
  containerRuntimeEndpoint: "string",
  containerLogMaxFiles: "int32",
  containerLogMaxSize: "string",
  evictionHard: "map",
  evictionMaxPodGracePeriod: "int32",
  evictionMinimumReclaim: "map",
  evictionPressureTransitionPeriod: "duration",
  evictionSoft: "map",
  evictionSoftGracePeriod: "map",
  failCgroupV1: "bool",
  failSwapOn: "bool",
  imageGCHighThresholdPercent: "int32",
  imageGCLowThresholdPercent: "int32",
  imageMaximumGCAge: "duration",
  imageMinimumGCAge: "duration",
  imagePullCredentialsVerificationPolicy: "string",
  imageServiceEndpoint: "string",
  kubeReserved: "map",
  localStorageCapacityIsolation: "bool",
  maxParallelImagePulls: "int32",
  maxPods: "int32",
  mergeDefaultEvictionSettings: "bool",
  preloadedImagesVerificationAllowlist: "strings",
  registryBurst: "int32",
  registerNode: "bool",
  registryPullQPS: "int32",
  resolvConf: "string",
  serializeImagePulls: "bool",
  singleProcessOOMKill: "bool",
  systemReserved: "map",
};

/** The other fields of KubeletConfiguration. */
const others = new Set(
  words(`
  address apiVersion authentication authorization cgroupDriver cgroupRoot cgroupsPerQOS
  configMapAndSecretChangeDetectionStrategy containerLogMaxWorkers containerLogMonitorInterval
  contentType cpuCFSQuota cpuCFSQuotaPeriod cpuManagerPolicy cpuManagerPolicyOptions cpuManagerReconcilePeriod
  crashLoopBackOff enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler
  enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery
  enforceNodeAllocatable eventBurst eventRecordQPS featureGates fileCheckFrequency hairpinMode
  healthzBindAddress healthzPort httpCheckFrequency iptablesDropBit iptablesMasqueradeBit
  kernelMemcgNotification kind kubeAPIBurst kubeAPIQPS kubeReservedCgroup kubeletCgroups logging makeIPTablesUtilChains
  maxOpenFiles memoryManagerPolicy memorySwap memoryThrottlingFactor nodeLeaseDurationSeconds nodeStatusMaxImages
  nodeStatusReportFrequency nodeStatusUpdateFrequency oomScoreAdj podCIDR podLogsDir podPidsLimit podsPerCore port
  protectKernelDefaults providerID qosReserved readOnlyPort registerWithTaints reservedMemory
  reservedSystemCPUs rotateCertificates runOnce runtimeRequestTimeout seccompDefault serverTLSBootstrap
  showHiddenMetricsForVersion shutdownGracePeriod shutdownGracePeriodByPodPriority shutdownGracePeriodCriticalPods
  staticPodPath staticPodURL staticPodURLHeader streamingConnectionIdleTimeout syncFrequency systemCgroups
  systemReservedCgroup tlsCertFile tlsCipherSuites tlsMinVersion tlsPrivateKeyFile topologyManagerPolicy
  topologyManagerPolicyOptions topologyManagerScope tracing userNamespaces volumePluginDir volumeStatsAggPeriod`),
);

/** `text` is undefined where there is no file. Throws StartRefusal. */
export function readConfiguration(text: string | undefined, machine: Machine): Partial<KubeletOptions> {
  const document = decode(text, machine);
  const {
    clusterDNS: clusterDns = [],
    clusterDomain = "",
    ...configuration
  } = document as KubeletConfiguration & {
    readonly clusterDNS?: readonly string[];
    readonly clusterDomain?: string;
  };
  const problems = problemsOf(configuration);
  if (problems.length > 0) {
    const joined = problems.length === 1 ? problems.join() : `[${problems.join(", ")}]`;
    throw new StartRefusal(`failed to validate kubelet configuration, error: ${joined}, path: &TypeMeta{Kind:,APIVersion:,}`);
  }
  checkUnsafeSysctls(configuration.allowedUnsafeSysctls);
  checkLogFiles(configuration);
  try {
    return {
      ...kubeletOptionsOf(configuration),
      clusterDns,
      clusterDomain,
    };
  } catch (error) {
    throw new StartRefusal(wordsOf(error));
  }
}

/** Throws StartRefusal for a parameter that no namespace keeps apart (sysctl.NewAllowlist). */
export function checkUnsafeSysctls(patterns: readonly string[] = []): void {
  const stray = patterns.find((pattern) => !isNamespaced(pattern))?.replaceAll("/", ".");
  if (stray === undefined) return;
  const what = stray.endsWith("*") ? "sysctls" : "sysctl";
  throw new StartRefusal(
    `failed to run Kubelet: failed to create kubelet: the ${what} ${JSON.stringify(stray)} are not known to be namespaced`,
  );
}

/** Throws StartRefusal for logs of which not even two files may be kept, or whose size is none (logs.NewContainerLogManager). */
function checkLogFiles({ containerLogMaxFiles: files = 5, containerLogMaxSize: size }: KubeletConfiguration): void {
  const why = files > 1 ? logSizeFault(size || "10Mi") : `invalid MaxFiles ${files}, must be > 1`;
  if (why === undefined) return;
  throw new StartRefusal(`failed to run Kubelet: failed to create kubelet: failed to initialize container log manager: ${why}`);
}

/** A part of a byte is no size (parseMaxSize): 20m is a fiftieth of one. */
function logSizeFault(size: string): string | undefined {
  const fault = (why: string): string => `failed to parse container log max size ${JSON.stringify(size)}: ${why}`;
  try {
    return quantityMilliValue(parseQuantity(size)) % 1000 === 0 ? undefined : fault("invalid max log size");
  } catch (error) {
    return fault(wordsOf(error));
  }
}

/** component-helpers/node/util/sysctl's namespaces. */
function isNamespaced(pattern: string): boolean {
  const name = pattern.replaceAll("/", ".").replace(/\*$/u, "");
  return name === "kernel.sem" || ["kernel.shm", "kernel.msg", "fs.mqueue.", "net."].some((prefix) => name.startsWith(prefix));
}

function cannotLoad(cause: string): StartRefusal {
  const load = `failed to load Kubelet config file ${configurationPath}, error ${cause}`;
  return new StartRefusal(`failed to load kubelet config file, path: ${configurationPath}, error: ${load}`);
}

function decode(text: string | undefined, machine: Machine): Json {
  if (text === undefined) {
    const open = `open ${configurationPath}: no such file or directory`;
    throw cannotLoad(`failed to read kubelet config file "${configurationPath}", error: ${open}`);
  }
  const { value, duplicates } = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw cannotLoad("failed to decode: couldn't get version/kind; json parse error: json: cannot unmarshal into Go value");
  const document = value as Json;
  const { kind = "", apiVersion = "" } = document as { readonly kind?: string; readonly apiVersion?: string };
  if (kind === "" || apiVersion === "") {
    const missing = kind === "" ? "Kind" : "apiVersion";
    throw cannotLoad(`failed to decode: Object '${missing}' is missing in '${JSON.stringify(value)}'`);
  }
  if (kind !== "KubeletConfiguration" || apiVersion !== "kubelet.config.k8s.io/v1beta1") {
    const scheme = 'in scheme "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme/scheme.go:33"';
    throw cannotLoad(`failed to decode: no kind "${kind}" is registered for version "${apiVersion}" ${scheme}`);
  }
  const unknown = Object.keys(document).filter((name) => acting[name] === undefined && !others.has(name));
  const loose = [...duplicates, ...unknown.map((name) => `unknown field "${name}"`)];
  if (loose.length > 0) {
    const form = klogForm("I", "codec.go:98", "Using lenient decoding as strict decoding failed", "err");
    machine.journal.write("kubelet", form, `strict decoding error: ${loose.join(", ")}`);
  }
  return actingFields(document);
}

function parsed(text: string): { readonly value: JsonValue; readonly duplicates: readonly string[] } {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw cannotLoad(`failed to decode: ${error.message}`);
    throw error;
  }
}

/** What the real kubelet refuses of a field that does nothing here. Throws StartRefusal. */
function checkOther(name: string, value: JsonValue): void {
  if (name === "featureGates" && typeof value === "object" && value !== null) {
    const fault = gateFault(Object.entries(value).map(([gate, isOn]) => [gate, isOn === true] as const));
    if (fault !== undefined) throw new StartRefusal(`failed to set feature gates from initial flags-based config: ${fault}`);
  }
  if (name === "oomScoreAdj" && typeof value === "number" && Math.abs(value) > 1000) {
    const range = `invalid configuration: oomScoreAdj (--oom-score-adj) ${value} must be between -1000 and 1000, inclusive`;
    throw new StartRefusal(`failed to validate kubelet configuration, error: ${range}, path: &TypeMeta{Kind:,APIVersion:,}`);
  }
}

/** Zero values count as not said, as they do for the real kubelet's defaults. */
function actingFields(document: Json): Json {
  const kubeadm = parsed(configurationFile({}, { clusterDns: "", clusterDomain: "" })).value as Json;
  const fields: { [name: string]: JsonValue } = {};
  for (const [name, value] of Object.entries(document)) {
    const kind = acting[name];
    if (name === "crashLoopBackOff") fields[name] = crashLoopBackOff(value);
    else if (name === "userNamespaces") fields[name] = userNamespaces(value);
    else if (name === "registerWithTaints") fields[name] = taints(value);
    else if (name === "memorySwap") fields[name] = memorySwap(value);
    else if (kind !== undefined) {
      if (value === null) continue;
      checkKind(name, value, kind);
      if (kind !== "duration" || value !== "0s") fields[name] = value;
    } else if (others.has(name) && value !== null && !isSameValue(value, kubeadm[name])) {
      checkOther(name, value);
      throw new StartRefusal(`${configurationPath}: ${name}: not simulated`);
    }
  }
  for (const name of ["kubeReserved", "systemReserved"]) {
    const other = Object.keys((fields[name] ?? {}) as Json).find((resource) => resource !== "cpu" && resource !== "memory");
    if (other !== undefined) throw new StartRefusal(`${configurationPath}: ${name}.${other}: not simulated`);
  }
  return fields;
}

function crashLoopBackOff(value: JsonValue): Json {
  const { maxContainerRestartPeriod: period } = (value ?? {}) as Json;
  if (period === undefined || period === null) return {};
  checkKind("crashLoopBackOff.maxContainerRestartPeriod", period, "duration");
  return { maxContainerRestartPeriod: period };
}

function userNamespaces(value: JsonValue): Json {
  const { idsPerPod } = (value ?? {}) as Json;
  if (idsPerPod === undefined || idsPerPod === null) return {};
  checkKind("userNamespaces.idsPerPod", idsPerPod, "int64");
  return { idsPerPod };
}

/** As they are registered: when they were added is the server's matter. */
function taints(value: JsonValue): JsonValue {
  if (value === null) return [];
  const type = "[]v1.Taint";
  if (!Array.isArray(value)) throw cannotDecode("registerWithTaints", type, value);
  return value.map((taint) => {
    if (typeof taint !== "object" || taint === null || Array.isArray(taint))
      throw cannotDecode("registerWithTaints", "v1.Taint", taint);
    const { key = "", value: of = "", effect = "" } = taint as Json;
    for (const [name, text] of Object.entries({ key, value: of, effect }))
      if (typeof text !== "string")
        throw cannotDecode(`registerWithTaints.${name}`, name === "effect" ? "v1.TaintEffect" : "string", text);
    return { key, effect, ...(of === "" ? {} : { value: of }) };
  });
}

function cannotDecode(field: string, type: string, value: JsonValue): StartRefusal {
  const place = `Go struct field KubeletConfiguration.${field} of type ${type}`;
  return cannotLoad(`failed to decode: json: cannot unmarshal ${jsonKind(value)} into ${place}`);
}

function memorySwap(value: JsonValue): Json {
  if (value !== null && (typeof value !== "object" || Array.isArray(value)))
    throw cannotLoad(
      `failed to decode: json: cannot unmarshal ${jsonKind(value)} into Go struct field KubeletConfiguration.memorySwap of type v1beta1.MemorySwapConfiguration`,
    );
  const { swapBehavior } = (value ?? {}) as Json;
  if (swapBehavior === undefined || swapBehavior === null || swapBehavior === "") return {};
  checkKind("memorySwap.swapBehavior", swapBehavior, "string");
  return { swapBehavior };
}

/** Throws StartRefusal with the words of Go's decoder. */
function checkKind(name: string, value: JsonValue, kind: Kind): void {
  const refuse = (type: string, wrong = value): never => {
    throw cannotDecode(name, type, wrong);
  };
  if ((kind === "int32" || kind === "int64") && !Number.isInteger(value)) refuse(kind);
  if (kind === "bool" && typeof value !== "boolean") refuse("bool");
  if ((kind === "string" || kind === "duration") && typeof value !== "string") refuse("string");
  if (kind === "strings" && !(Array.isArray(value) && value.every((each) => typeof each === "string"))) refuse("[]string");
  if (kind === "map") {
    if (typeof value !== "object" || Array.isArray(value)) refuse("map[string]string");
    const wrong = Object.values(value as Json).find((each) => typeof each !== "string");
    if (wrong !== undefined) refuse("string", wrong);
  }
  if (kind === "duration") {
    const duration: ParsedDuration = parseGoDuration(value as string);
    if ("error" in duration) throw cannotLoad(`failed to decode: ${duration.error}`);
  }
}

/** Seconds of a duration that has been checked. */
function seconds(duration: string): number {
  const result = parseGoDuration(duration);
  return "ms" in result ? result.ms / 1000 : 0;
}

function problemsOf(configuration: KubeletConfiguration): readonly string[] {
  const problems: string[] = [];
  const add = (text: string) => problems.push(`invalid configuration: ${text}`);
  const { imageGCHighThresholdPercent: high = 85, imageGCLowThresholdPercent: low = 80 } = configuration;
  if (high < 0 || high > 100)
    add(`imageGCHighThresholdPercent (--image-gc-high-threshold) ${high} must be between 0 and 100, inclusive`);
  if (low < 0 || low > 100)
    add(`imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be between 0 and 100, inclusive`);
  if (low >= high) {
    const limit = `imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`;
    add(`imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than ${limit}`);
  }
  const { maxPods = 110, registryBurst = 10, registryPullQPS = 5, maxParallelImagePulls } = configuration;
  if (maxPods < 0) add(`maxPods (--max-pods) ${maxPods} must not be a negative number`);
  if (registryBurst < 0) add(`registryBurst (--registry-burst) ${registryBurst} must not be a negative number`);
  if (registryPullQPS < 0) add(`registryPullQPS (--registry-qps) ${registryPullQPS} must not be a negative number`);
  if (maxParallelImagePulls !== undefined && maxParallelImagePulls < 1)
    add(`maxParallelImagePulls ${maxParallelImagePulls} must be a positive number`);
  if (configuration.serializeImagePulls === true && maxParallelImagePulls !== undefined && maxParallelImagePulls > 1)
    add("maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false");
  const { swapBehavior = "NoSwap" } = configuration.memorySwap ?? {};
  if (!swapBehaviors.includes(swapBehavior))
    add(`memorySwap.swapBehavior ${JSON.stringify(swapBehavior)} must be one of: "", "LimitedSwap" or "NoSwap"`);
  const period = configuration.crashLoopBackOff?.maxContainerRestartPeriod;
  if (period !== undefined && (seconds(period) < 1 || seconds(period) > 300))
    add(`CrashLoopBackOff.MaxContainerRestartPeriod (got: ${seconds(period)} seconds) must be set between 1s and 300s`);
  problems.push(...verificationProblems(configuration));
  const idsPerPod = configuration.userNamespaces?.idsPerPod ?? usualIdsPerPod;
  if (idsPerPod < usualIdsPerPod) add(`userNamespaces.idsPerPod must not be less than ${usualIdsPerPod}`);
  else if (idsPerPod % usualIdsPerPod !== 0) add(`userNamespaces.idsPerPod must be a multiple of ${usualIdsPerPod}`);
  else if (idsPerPod > maximumIds) add(`userNamespaces.idsPerPod must not be more than ${maximumIds}`);
  return problems;
}

function verificationProblems(configuration: KubeletConfiguration): readonly string[] {
  const { imagePullCredentialsVerificationPolicy: policy, preloadedImagesVerificationAllowlist: allowlist = [] } = configuration;
  const usual = "NeverVerifyPreloadedImages";
  if (!verificationPolicies.some((each) => each === (policy ?? usual)))
    return [`invalid configuration: unknown image pull credential verification policy: ${policy}`];
  if (policy !== "NeverVerifyAllowlistedImages") {
    const rule = '`imagePullCredentialsVertificationPolicy` is not "NeverVerifyAllowlistedImages"';
    return allowlist.length === 0 ? [] : [`invalid configuration: can't set \`preloadedImagesVerificationAllowlist\` if ${rule}`];
  }
  const wrong = allowlist.map(patternProblem).find((problem) => problem !== undefined);
  return wrong === undefined
    ? []
    : [`invalid configuration: invalid image pattern in \`preloadedImagesVerificationAllowlist\`: ${wrong}`];
}

function patternProblem(pattern: string): string | undefined {
  if (pattern !== pattern.trim()) return `leading/trailing spaces are not allowed: ${pattern}`;
  const isWildcard = pattern.endsWith("/*");
  const bare = isWildcard ? pattern.slice(0, -1) : pattern;
  if (bare === "") return `the supplied pattern is too short: ${pattern}`;
  if (bare.includes("*")) return `not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`;
  if (isWildcard) return bare.length === 1 ? "at least registry hostname is required" : undefined;
  const reference = parseReference(bare);
  if (!reference.ok) return `failed to parse as an image name: ${reference.message}`;
  const isName = !reference.hasTagOrDigest && repositoryOf(reference.reference).endsWith(bare);
  return isName ? undefined : `neither tag nor digest is accepted in an image reference: ${pattern}`;
}
