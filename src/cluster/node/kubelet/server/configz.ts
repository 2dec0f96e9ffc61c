// /configz: the configuration that this kubelet has been started with, with all defaults (pkg/kubelet/apis/config/v1beta1/defaults.go
// of v1.36), in the order of the type's fields. What is zero is left out but for durations; maps are in the order of their keys.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";
import { failsOnCgroupV1 } from "../cgroup-check.ts";
import type { KubeletConfiguration } from "../configuration-fields.ts";
import { defaultHard } from "../eviction/thresholds.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import { defaultKubeletVersion } from "../node-status.ts";
import { kubeadmEndpoint } from "../runtime-connection.ts";

type Fields = { readonly [name: string]: JsonValue | undefined };

export function configz(options: KubeletOptions): JsonValue {
  const { configuration = {} } = options;
  return withoutAbsent({ ...firstFields(options), ...podFields(configuration), ...lastFields(options) });
}

/** What it serves, and how it speaks to the API server and to registries. */
function firstFields({ configuration = {}, clusterDns = ["10.96.0.10"], clusterDomain = "cluster.local" }: KubeletOptions): Fields {
  return {
    enableServer: true,
    staticPodPath: "/etc/kubernetes/manifests",
    podLogsDir: "/var/log/pods",
    syncFrequency: "1m0s",
    fileCheckFrequency: "20s",
    httpCheckFrequency: "20s",
    address: "0.0.0.0",
    port: 10250,
    tlsCertFile: "/var/lib/kubelet/pki/kubelet.crt",
    tlsPrivateKeyFile: "/var/lib/kubelet/pki/kubelet.key",
    rotateCertificates: true,
    authentication: {
      x509: { clientCAFile: "/etc/kubernetes/pki/ca.crt" },
      webhook: { enabled: true, cacheTTL: "2m0s" },
      anonymous: { enabled: false },
    },
    authorization: { mode: "Webhook", webhook: { cacheAuthorizedTTL: "5m0s", cacheUnauthorizedTTL: "30s" } },
    registryPullQPS: configuration.registryPullQPS ?? 5,
    registryBurst: configuration.registryBurst || 10,
    imagePullCredentialsVerificationPolicy: configuration.imagePullCredentialsVerificationPolicy || "NeverVerifyPreloadedImages",
    preloadedImagesVerificationAllowlist: listOf(configuration.preloadedImagesVerificationAllowlist),
    eventRecordQPS: 50,
    eventBurst: 100,
    enableDebuggingHandlers: true,
    healthzPort: 10248,
    healthzBindAddress: "127.0.0.1",
    oomScoreAdj: -999,
    clusterDomain,
    clusterDNS: clusterDns,
    streamingConnectionIdleTimeout: "4h0m0s",
    nodeStatusUpdateFrequency: "10s",
    nodeStatusReportFrequency: "5m0s",
    nodeLeaseDurationSeconds: 40,
  };
}

/** How it manages images, Pods and their resources. */
function podFields(configuration: KubeletConfiguration): Fields {
  const { maxParallelImagePulls } = configuration;
  return {
    imageMinimumGCAge: durationOf(configuration.imageMinimumGCAge, "2m0s"),
    imageMaximumGCAge: durationOf(configuration.imageMaximumGCAge, "0s"),
    imageGCHighThresholdPercent: configuration.imageGCHighThresholdPercent ?? 85,
    imageGCLowThresholdPercent: configuration.imageGCLowThresholdPercent ?? 80,
    volumeStatsAggPeriod: "1m0s",
    cgroupsPerQOS: true,
    cgroupDriver: "systemd",
    cpuManagerPolicy: "none",
    allowedUnsafeSysctls: configuration.allowedUnsafeSysctls,
    singleProcessOOMKill: configuration.singleProcessOOMKill,
    cpuManagerReconcilePeriod: "10s",
    memoryManagerPolicy: "None",
    topologyManagerPolicy: "none",
    topologyManagerScope: "container",
    runtimeRequestTimeout: "2m0s",
    hairpinMode: "promiscuous-bridge",
    maxPods: configuration.maxPods || 110,
    podPidsLimit: -1,
    resolvConf: configuration.resolvConf ?? "/etc/resolv.conf",
    cpuCFSQuota: true,
    cpuCFSQuotaPeriod: "100ms",
    nodeStatusMaxImages: 50,
    maxOpenFiles: 1_000_000,
    contentType: "application/vnd.kubernetes.protobuf",
    kubeAPIQPS: 50,
    kubeAPIBurst: 100,
    serializeImagePulls: configuration.serializeImagePulls ?? (maxParallelImagePulls ?? 1) < 2,
    maxParallelImagePulls,
    evictionHard: mapOf(configuration.evictionHard ?? defaultHard),
    evictionSoft: mapOf(configuration.evictionSoft),
    evictionSoftGracePeriod: mapOf(configuration.evictionSoftGracePeriod),
    evictionPressureTransitionPeriod: durationOf(configuration.evictionPressureTransitionPeriod, "5m0s"),
    evictionMaxPodGracePeriod: configuration.evictionMaxPodGracePeriod || undefined,
    evictionMinimumReclaim: mapOf(configuration.evictionMinimumReclaim),
    mergeDefaultEvictionSettings: configuration.mergeDefaultEvictionSettings ?? false,
  };
}

function lastFields({ configuration = {}, version = defaultKubeletVersion }: KubeletOptions): Fields {
  const { crashLoopBackOff = {}, userNamespaces } = configuration;
  return {
    enableControllerAttachDetach: true,
    makeIPTablesUtilChains: true,
    iptablesMasqueradeBit: 14,
    iptablesDropBit: 15,
    failSwapOn: configuration.failSwapOn ?? true,
    memorySwap: mapOf(configuration.memorySwap) ?? {},
    containerLogMaxSize: configuration.containerLogMaxSize || "10Mi",
    containerLogMaxFiles: configuration.containerLogMaxFiles ?? 5,
    containerLogMaxWorkers: 1,
    containerLogMonitorInterval: "10s",
    configMapAndSecretChangeDetectionStrategy: "Watch",
    systemReserved: mapOf(configuration.systemReserved),
    kubeReserved: mapOf(configuration.kubeReserved),
    enforceNodeAllocatable: ["pods"],
    volumePluginDir: "/usr/libexec/kubernetes/kubelet-plugins/volume/exec/",
    // By the unit's --v=3.
    logging: {
      format: "text",
      flushFrequency: "5s",
      verbosity: 3,
      options: { text: { infoBufferSize: "0" }, json: { infoBufferSize: "0" } },
    },
    enableSystemLogHandler: true,
    enableSystemLogQuery: false,
    shutdownGracePeriod: "0s",
    shutdownGracePeriodCriticalPods: "0s",
    crashLoopBackOff: { maxContainerRestartPeriod: durationOf(crashLoopBackOff.maxContainerRestartPeriod, "5m0s") },
    enableProfilingHandler: true,
    enableDebugFlagsHandler: true,
    seccompDefault: false,
    memoryThrottlingFactor: 0.9,
    memoryReservationPolicy: "None",
    registerWithTaints: taintsOf(configuration.registerWithTaints),
    registerNode: configuration.registerNode ?? true,
    localStorageCapacityIsolation: configuration.localStorageCapacityIsolation ?? true,
    containerRuntimeEndpoint: configuration.containerRuntimeEndpoint || kubeadmEndpoint,
    imageServiceEndpoint: configuration.imageServiceEndpoint || undefined,
    failCgroupV1: failsOnCgroupV1(configuration, version),
    userNamespaces: userNamespaces === undefined ? undefined : withoutAbsent(userNamespaces),
  };
}

function withoutAbsent(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function taintsOf(taints: KubeletConfiguration["registerWithTaints"] = []): JsonValue | undefined {
  return taints.length === 0 ? undefined : taints.map((taint) => ({ ...taint }));
}

function listOf(list: readonly string[] | undefined): JsonValue | undefined {
  return list === undefined || list.length === 0 ? undefined : [...list];
}

function mapOf(map: object | undefined): JsonValue | undefined {
  const entries = Object.entries(map ?? {}).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries.sort(([a], [b]) => compareBytes(a, b)));
}

/** As Go's time.Duration prints it: `1m30s`. Nothing and zero are the default. */
function durationOf(written: string | undefined, usual: string): string {
  const parsed = parseGoDuration(written ?? "0s");
  if ("error" in parsed || parsed.ms === 0) return usual;
  const { ms } = parsed;
  if (ms < 1000) return `${ms}ms`;
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms % 60_000) / 1000];
  const withHours = hours === 0 ? "" : `${hours}h`;
  return `${withHours}${withHours === "" && minutes === 0 ? "" : `${minutes}m`}${seconds}s`;
}
