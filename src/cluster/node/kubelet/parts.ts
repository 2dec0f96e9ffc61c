// What the parts of one kubelet share.

import type { ConfigMap, Secret, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime } from "../runtime/cri.ts";
import type { PodUserNamespaces } from "../user-namespaces/pod-user-namespaces.ts";
import type { Allocations } from "./allocations.ts";
import type { BackOff } from "./back-off.ts";
import type { DevicePlugins } from "./devices/device-plugins.ts";
import type { HookRunner } from "./hooks.ts";
import type { CredentialPlugins } from "./images/credential-plugins.ts";
import type { ImageManager } from "./images/image-manager.ts";
import type { NodeKeyring } from "./images/node-keyring.ts";
import type { KubeletJournal } from "./kubelet-journal.ts";
import type { PodLogs } from "./logs/pod-logs.ts";
import type { StoredPod } from "./pod-spec.ts";
import type { ProbeManager } from "./probes/probe-manager.ts";
import type { StartFailure } from "./status/container-statuses.ts";
import type { StatusManager } from "./status/status-manager.ts";
import type { VolumeManager } from "./volumes/volume-manager.ts";

/** Objects that pods refer to, as far as the kubelet can read them. */
export interface References {
  /** Undefined: does not exist. Throws ApiUnreachable. */
  configMap(namespace: string, name: string): Stored<ConfigMap> | undefined;
  secret(namespace: string, name: string): Stored<Secret> | undefined;
  services(namespace: string): Iterable<Stored<Service>>;
}

export interface KubeletParts {
  readonly simulation: Simulation;
  readonly client: Client;
  /** Of the node. */
  readonly memoryBytes: number;
  readonly singleProcessOomKill: boolean;
  /** What the node has of it for Pods that may use it. */
  readonly podSwapBytes: number;
  readonly nodeName: string;
  /** How many dead containers of a name are left when another one is made. */
  readonly keptDead: number;
  readonly nodeAddress: string;
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  readonly runtime: ContainerRuntime;
  readonly recorder: EventRecorder;
  readonly statuses: StatusManager;
  readonly allocations: Allocations;
  readonly images: ImageManager;
  readonly probes: ProbeManager;
  readonly hooks: HookRunner;
  readonly volumes: VolumeManager;
  readonly devices: DevicePlugins;
  readonly logs: PodLogs;
  readonly journal: KubeletJournal;
  readonly references: References;
  readonly crashBackOff: BackOff;
  /** `uid/container` → why its last start failed. */
  readonly startFailures: Map<string, StartFailure>;
  /** Credentials of the node itself. */
  readonly nodeKeyring: NodeKeyring;
  /** What asks the node's credential providers. */
  readonly credentialPlugins: CredentialPlugins | undefined;
  /** The handler of the pod's RuntimeClass, "" for the default one; or why there is none. */
  runtimeHandlerOf(pod: StoredPod): { readonly handler: string } | { readonly fault: string };
  /** Of Pods with `hostUsers: false`. */
  userNamespaces(): PodUserNamespaces;
  /** Why Pods get no network on this node; undefined when they do. */
  networkProblem(): string | undefined;
  /** The present time as API objects carry it. */
  now(): string;
  allocatable(): { readonly [resource: string]: string };
  /** The next time at which changes in the runtime are noticed. */
  nextRelistMs(): number;
  mirrorOf(pod: StoredPod): StoredPod | undefined;
}
