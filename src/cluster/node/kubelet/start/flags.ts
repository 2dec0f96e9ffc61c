// The kubelet's command line, as kubeadm's drop-in of its unit puts it together: $KUBELET_KUBEADM_ARGS and $KUBELET_EXTRA_ARGS out of
// environment files. Those that act here are `acting`.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { flagValues, type KnownFlags, WrongCommandLine, words } from "../../../component-flags.ts";
import type { ContainerGcPolicy } from "../container-gc.ts";
import { StartRefusal } from "./start-refusal.ts";

export interface KubeletFlags {
  /** A file or a directory; "": none. */
  readonly providerConfig: string;
  readonly providerDirectory: string;
  readonly containerGc: ContainerGcPolicy;
  /** Undefined: what the configuration says. */
  readonly allowedUnsafeSysctls: readonly string[] | undefined;
  /** pflag's words about given flags that will go. */
  readonly warnings: readonly string[];
  /** As they were written. */
  readonly written: readonly string[];
}

const known: KnownFlags = {
  names: words(`
  address allowed-unsafe-sysctls anonymous-auth authentication-token-webhook authentication-token-webhook-cache-ttl
  authorization-mode authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
  bootstrap-kubeconfig cert-dir cgroup-driver cgroup-root cgroups-per-qos client-ca-file cloud-provider cluster-dns
  cluster-domain config config-dir container-log-max-files container-log-max-size container-runtime-endpoint
  contention-profiling cpu-cfs-quota cpu-cfs-quota-period cpu-manager-policy cpu-manager-policy-options
  cpu-manager-reconcile-period enable-controller-attach-detach enable-debugging-handlers enable-server
  enforce-node-allocatable event-burst event-qps eviction-hard eviction-max-pod-grace-period eviction-minimum-reclaim
  eviction-pressure-transition-period eviction-soft eviction-soft-grace-period exit-on-lock-contention
  experimental-allocatable-ignore-eviction experimental-mounter-path fail-swap-on feature-gates file-check-frequency
  hairpin-mode healthz-bind-address healthz-port hostname-override http-check-frequency
  image-credential-provider-bin-dir image-credential-provider-config image-gc-high-threshold image-gc-low-threshold
  image-service-endpoint kernel-memcg-notification kube-api-burst kube-api-content-type kube-api-qps kube-reserved
  kube-reserved-cgroup kubeconfig kubelet-cgroups local-storage-capacity-isolation lock-file log-flush-frequency
  logging-format make-iptables-util-chains manifest-url manifest-url-header max-open-files max-pods
  maximum-dead-containers maximum-dead-containers-per-container memory-manager-policy minimum-container-ttl-duration
  minimum-image-ttl-duration node-ip node-labels node-status-max-images node-status-update-frequency oom-score-adj
  pod-cidr pod-manifest-path pod-max-pids pods-per-core port protect-kernel-defaults provider-id qos-reserved
  read-only-port register-node register-schedulable register-with-taints registry-burst registry-qps reserved-cpus
  reserved-memory resolv-conf root-dir rotate-certificates rotate-server-certificates runonce runtime-cgroups
  runtime-request-timeout seccomp-default serialize-image-pulls streaming-connection-idle-timeout sync-frequency
  system-cgroups system-reserved system-reserved-cgroup tls-cert-file tls-cipher-suites tls-min-version
  tls-private-key-file topology-manager-policy topology-manager-policy-options topology-manager-scope v version vmodule
  volume-plugin-dir volume-stats-agg-period`),
  boolean: words(`
  anonymous-auth authentication-token-webhook cgroups-per-qos contention-profiling cpu-cfs-quota
  enable-controller-attach-detach enable-debugging-handlers enable-server exit-on-lock-contention fail-swap-on
  kernel-memcg-notification local-storage-capacity-isolation make-iptables-util-chains protect-kernel-defaults
  register-node register-schedulable rotate-certificates rotate-server-certificates runonce seccomp-default
  serialize-image-pulls version`),
};
/** The journal is that of this verbosity, which kubeadm's package here sets. */
const verbosity = "3";
const minimumAge = "minimum-container-ttl-duration";
const perContainer = "maximum-dead-containers-per-container";
const total = "maximum-dead-containers";
const unsafeSysctls = "allowed-unsafe-sysctls";
const toConfiguration =
  "This parameter should be set via the config file specified by the kubelet's --config flag. See https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/ for more information.";
const deprecated = [minimumAge, perContainer, total];
const acting = new Set(["image-credential-provider-config", "image-credential-provider-bin-dir", unsafeSysctls, ...deprecated]);

/** Texts of /var/lib/kubelet/kubeadm-flags.env and /etc/default/kubelet. Throws StartRefusal. */
export function readFlags(kubeadmEnvironment: string, defaults: string): KubeletFlags {
  const variables = [variableOf(kubeadmEnvironment, "KUBELET_KUBEADM_ARGS"), variableOf(defaults, "KUBELET_EXTRA_ARGS")];
  const written = variables.flatMap(words);
  const values = valuesOf(["kubelet", ...written]);
  for (const [name, [value = ""]] of values) {
    if (acting.has(name) || (name === "v" && value === verbosity)) continue;
    throw new StartRefusal(`--${name}=${value}: not simulated`);
  }
  const last = (name: string): string => values.get(name)?.at(-1) ?? "";
  return {
    written,
    providerConfig: last("image-credential-provider-config"),
    providerDirectory: last("image-credential-provider-bin-dir"),
    containerGc: containerGcOf(values),
    allowedUnsafeSysctls: values.get(unsafeSysctls)?.flatMap((list) => (list === "" ? [] : list.split(","))),
    warnings: [...deprecated, unsafeSysctls]
      .filter((name) => values.has(name))
      .map((name) => {
        const instead = "Use --eviction-hard or --eviction-soft instead. Will be removed in a future version.";
        return `Flag --${name} has been deprecated, ${name === unsafeSysctls ? toConfiguration : instead}`;
      }),
  };
}

function containerGcOf(values: ReadonlyMap<string, readonly string[]>): ContainerGcPolicy {
  const age = read(values, minimumAge, (text) => {
    const parsed = parseGoDuration(text);
    return "ms" in parsed ? parsed.ms : parsed.error;
  });
  const each = read(values, perContainer, int32);
  const all = read(values, total, int32);
  return {
    ...(age === undefined ? {} : { minimumAgeMs: age }),
    ...(each === undefined ? {} : { perContainer: each }),
    ...(all === undefined ? {} : { total: all }),
  };
}

function int32(text: string): number | string {
  const parsing = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/u.test(text)) return `${parsing}: invalid syntax`;
  const value = Number(text);
  return value < -(2 ** 31) || value >= 2 ** 31 ? `${parsing}: value out of range` : value;
}

/** Of a flag that was given; `parse` answers with a text where it is wrong. */
function read(
  values: ReadonlyMap<string, readonly string[]>,
  name: string,
  parse: (text: string) => number | string,
): number | undefined {
  const text = values.get(name)?.at(-1);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (typeof value === "number") return value;
  throw new StartRefusal(`failed to parse kubelet flag: invalid argument ${JSON.stringify(text)} for "--${name}" flag: ${value}`);
}

function valuesOf(argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const stray = argv.slice(1).find((word, index) => !word.startsWith("-") && (index === 0 || argv[index]?.includes("=") === true));
  if (stray !== undefined) throw new StartRefusal(`unknown command ${stray}`);
  try {
    return flagValues(argv, () => [known]);
  } catch (error) {
    if (error instanceof WrongCommandLine) throw new StartRefusal(`failed to parse kubelet flag: ${error.message}`);
    throw error;
  }
}

/** A variable of a systemd environment file; the last assignment counts. */
function variableOf(text: string, name: string): string {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}=`));
  const value =
    lines
      .at(-1)
      ?.slice(name.length + 1)
      .trim() ?? "";
  return /^(["']).*\1$/su.test(value) ? value.slice(1, -1) : value;
}
