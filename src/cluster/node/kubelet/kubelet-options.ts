// What a kubelet is started with.

import type { Taint } from "#cluster/api/generated/types.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Machine } from "../host/machine.ts";
import type { Containerd } from "../runtime/containerd.ts";
import type { PodUserNamespaces } from "../user-namespaces/pod-user-namespaces.ts";
import type { KubeletConfiguration } from "./configuration-fields.ts";
import type { ContainerGcPolicy } from "./container-gc.ts";
import type { EvictionPolicy } from "./eviction/thresholds.ts";
import type { ExternalCloud } from "./external-cloud.ts";
import type { CredentialPlugins } from "./images/credential-plugins.ts";
import type { ImageGcPolicy } from "./images/image-gc.ts";
import type { VerificationPolicy } from "./images/pull-records.ts";
import type { ThrottleRates } from "./images/pull-throttle.ts";
import type { LogPolicy } from "./logs/pod-logs.ts";
import type { RuntimeEndpoints } from "./runtime-connection.ts";
import type { CsiVolumes } from "./volumes/csi-volumes.ts";

export interface KubeletOptions {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly runtime: Containerd;
  /** As `system:node:<name>` of group `system:nodes`. */
  readonly client: Client;
  /** Signs the certificates of clients of port 10250; without it none counts there. */
  readonly clientAuthority?: Certificate;
  /** What was written, of which the fields below are made: for whoever asks what this kubelet was started with. */
  readonly configuration?: KubeletConfiguration;
  /** Those of its flags that environment files of the unit have; default `--v=3`. */
  readonly environmentFlags?: readonly string[];
  /** Beside kubernetes.io/hostname, os and arch; as in --node-labels, where not all are allowed. */
  readonly labels?: { readonly [key: string]: string };
  /** What it says its version is; default that of the simulated release. */
  readonly version?: string;
  /** Where it finds its runtime; default those that kubeadm writes. */
  readonly endpoints?: RuntimeEndpoints;
  /** With `--cloud-provider=external`. */
  readonly cloud?: ExternalCloud | undefined;
  /** Only at first registration. */
  readonly taints?: readonly Taint[];
  /** Default true; without it someone else makes the Node, and labels and taints have no effect. */
  readonly registerNode?: boolean;
  /** Default 110. */
  readonly maxPods?: number;
  /** kubeReserved and systemReserved together; default nothing. */
  readonly reserved?: { readonly cpuMillicores: number; readonly memoryBytes: number };
  /**
   * What differs from these options at every start after the first one: read of the machine's files. Throws StartRefusal for what a kubelet
   * does not start with.
   */
  readonly reread?: () => Partial<KubeletOptions>;
  /** Default 10.96.0.10. */
  readonly clusterDns?: readonly string[];
  /** Default cluster.local. */
  readonly clusterDomain?: string;
  /** 1 (default): serializeImagePulls. Infinity: as many as there are. */
  readonly maxParallelImagePulls?: number;
  /** registryPullQPS and registryBurst; default 5 and 10. */
  readonly pullThrottle?: ThrottleRates;
  /** Of which images Pods must show that they may have them; default those that the kubelet itself has pulled. */
  readonly imageVerification?: VerificationPolicy;
  /** What asks the node's credential providers; none by default. */
  readonly credentialPlugins?: CredentialPlugins | undefined;
  /** crashLoopBackOff.maxContainerRestartPeriod in seconds; default 300. */
  readonly maxContainerRestartPeriodSeconds?: number;
  /** How many IDs a Pod with `hostUsers: false` has; default 65536. */
  readonly idsPerPod?: number | undefined;
  /** Which IDs such Pods have, where the machine's files say it; else those above its own. */
  readonly userNamespaces?: PodUserNamespaces | undefined;
  /** Kernel parameters that Pods may set beside the safe ones: names with dots, `*` at the end for all that begin so. */
  readonly allowedUnsafeSysctls?: readonly string[] | undefined;
  /** Default false: want of memory kills a container as a whole. */
  readonly singleProcessOomKill?: boolean;
  /** Default false: Pods do not use the machine's swap; else those that may do (memorySwap.swapBehavior LimitedSwap). */
  readonly hasLimitedSwap?: boolean;
  /** When logs of containers are rotated, and how many files of each are kept; default 10 MiB and 5. */
  readonly containerLogs?: LogPolicy;
  /** When dead containers are removed. */
  readonly containerGc?: ContainerGcPolicy;
  /** When unused images are removed. */
  readonly imageGc?: ImageGcPolicy;
  /** When Pods are evicted; default that of a configuration that says nothing. */
  readonly eviction?: EvictionPolicy;
  /** Default true: ephemeral-storage is a resource, and its limits count (localStorageCapacityIsolation). */
  readonly limitsLocalStorage?: boolean;
  /** What mounts volumes of CSI drivers; of the machine, through all starts. Without it no driver registers. */
  readonly csi?: CsiVolumes | undefined;
}
