// The Node object that a kubelet keeps: registration, capacity, conditions, addresses, images.

import { release } from "#cluster/api/generated/release.ts";
import type { Node, NodeCondition, NodeStatus } from "#cluster/api/generated/types.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { hostKernels } from "#sim/kernel-release.ts";
import type { Machine } from "../host/machine.ts";
import { osImage } from "../host/machine-files.ts";
import type { ContainerRuntime } from "../runtime/cri.ts";
import { type Signal, type Threshold, unitsOf } from "./eviction/thresholds.ts";
import type { ImageNames } from "./images/image-names.ts";
import type { KubeletOptions } from "./kubelet-options.ts";

export const defaultKubeletVersion = `v${release}.0`;
const maximumImages = 50;
const pageBytes = 1024;

type Amounts = { readonly [resource: string]: string };

/** What registered device plugins have: all of it, and what is healthy. */
export interface DeviceResources {
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

export interface NodeFacts {
  readonly machine: Machine;
  readonly runtime: ContainerRuntime;
  readonly imageNames: ImageNames;
  readonly kubeletVersion: string;
  readonly maxPods: number;
  readonly reserved: { readonly cpuMillicores: number; readonly memoryBytes: number };
  readonly thresholds: readonly Threshold[];
  /** Whether there is a resource ephemeral-storage (localStorageCapacityIsolation). */
  readonly limitsLocalStorage: boolean;
  /** Why the node cannot run pods; empty when it can. */
  readonly problems: readonly string[];
  readonly pressure: { readonly memory: boolean; readonly disk: boolean; readonly pid: boolean };
  readonly devices: DeviceResources;
  /** Of the machine; 0: it has none. */
  readonly swapBytes: number;
  readonly nowMs: number;
  readonly cloud: KubeletOptions["cloud"];
}

function kibibytes(bytes: number): string {
  return `${Math.floor(bytes / pageBytes)}Ki`;
}

export type CapacityFacts = Pick<NodeFacts, "machine" | "maxPods" | "reserved" | "thresholds" | "limitsLocalStorage">;

export function capacityOf({ machine, maxPods, limitsLocalStorage }: CapacityFacts): { readonly [resource: string]: string } {
  return {
    cpu: String(machine.cpus),
    ...(limitsLocalStorage ? { "ephemeral-storage": kibibytes(machine.diskBytes) } : {}),
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: kibibytes(machine.memoryBytes),
    pods: String(maxPods),
  };
}

/** Capacity without what is reserved, and without what hard eviction thresholds keep free. */
export function allocatableOf(facts: CapacityFacts): { readonly [resource: string]: string } {
  const { machine, maxPods, reserved, limitsLocalStorage } = facts;
  const millicores = machine.cpus * 1000 - reserved.cpuMillicores;
  return {
    cpu: millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`,
    ...(limitsLocalStorage
      ? { "ephemeral-storage": String(machine.diskBytes - keptFree(facts, "nodefs.available", machine.diskBytes)) }
      : {}),
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: kibibytes(machine.memoryBytes - keptFree(facts, "memory.available", machine.memoryBytes) - reserved.memoryBytes),
    pods: String(maxPods),
  };
}

function keptFree({ thresholds }: CapacityFacts, signal: Signal, capacity: number): number {
  const hard = thresholds.find((threshold) => threshold.signal === signal && threshold.graceMs === 0);
  return hard === undefined ? 0 : unitsOf(hard.value, capacity);
}

interface Verdict {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

function verdicts({ problems, pressure }: NodeFacts): readonly Verdict[] {
  const flag = (on: boolean): "True" | "False" => (on ? "True" : "False");
  return [
    {
      type: "MemoryPressure",
      status: flag(pressure.memory),
      reason: pressure.memory ? "KubeletHasInsufficientMemory" : "KubeletHasSufficientMemory",
      message: pressure.memory ? "kubelet has insufficient memory available" : "kubelet has sufficient memory available",
    },
    {
      type: "DiskPressure",
      status: flag(pressure.disk),
      reason: pressure.disk ? "KubeletHasDiskPressure" : "KubeletHasNoDiskPressure",
      message: pressure.disk ? "kubelet has disk pressure" : "kubelet has no disk pressure",
    },
    {
      type: "PIDPressure",
      status: flag(pressure.pid),
      reason: pressure.pid ? "KubeletHasInsufficientPID" : "KubeletHasSufficientPID",
      message: pressure.pid ? "kubelet has insufficient PID available" : "kubelet has sufficient PID available",
    },
    problems.length === 0
      ? { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" }
      : {
          type: "Ready",
          status: "False",
          reason: "KubeletNotReady",
          message: problems.length === 1 ? (problems[0] as string) : `[${problems.join(", ")}]`,
        },
  ];
}

function conditionsOf(facts: NodeFacts, existing: readonly NodeCondition[]): readonly NodeCondition[] {
  const now = formatTime(facts.nowMs);
  const own = verdicts(facts);
  const result: NodeCondition[] = existing.filter((condition) => !own.some((verdict) => verdict.type === condition.type));
  for (const { type, status, reason, message } of own) {
    const before = existing.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    result.push({ lastHeartbeatTime: now, lastTransitionTime, message, reason, status, type });
  }
  return result;
}

/** What the kubelet would post now; fields of others (volumesAttached) stay. */
export function nodeStatus(facts: NodeFacts, before: NodeStatus): NodeStatus {
  const { machine, runtime } = facts;
  const images = runtime
    .images()
    .map((stored) => ({ names: facts.imageNames(stored.reference), sizeBytes: stored.image.sizeBytes }))
    .sort((a, b) => b.sizeBytes - a.sizeBytes)
    .slice(0, maximumImages);
  return {
    ...before,
    addresses: facts.cloud?.addressesOf(machine.name, before.addresses ?? []) ?? [
      { address: machine.network.address, type: "InternalIP" },
      { address: machine.name, type: "Hostname" },
    ],
    ...resourcesOf(facts, before),
    conditions: conditionsOf(facts, before.conditions ?? []),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images,
    // What containerd of version 2 says of itself.
    features: { supplementalGroupsPolicy: true },
    nodeInfo: {
      architecture: machine.architecture,
      bootID: machine.bootId,
      containerRuntimeVersion: runtime.version,
      kernelVersion: hostKernels[machine.architecture].release,
      kubeProxyVersion: "",
      kubeletVersion: facts.kubeletVersion,
      machineID: machine.machineId,
      operatingSystem: "linux",
      osImage,
      ...(facts.swapBytes === 0 ? {} : { swap: { capacity: facts.swapBytes } }),
      systemUUID: machine.systemUuid,
    },
    runtimeHandlers: runtime.handlers,
  };
}

/** What somebody else writes into the capacity as an extended resource stays there, and becomes allocatable (nodestatus.MachineInfo). */
export function resourcesOf(
  facts: CapacityFacts & Pick<NodeFacts, "devices">,
  before: NodeStatus,
): { readonly allocatable: Amounts; readonly capacity: Amounts } {
  const { devices } = facts;
  const advertised = extendedOf(before.capacity);
  return {
    allocatable: { ...advertised, ...devices.capacity, ...devices.allocatable, ...allocatableOf(facts) },
    capacity: { ...advertised, ...devices.capacity, ...capacityOf(facts) },
  };
}

/** Those with a name of others than Kubernetes. */
export function extendedOf(amounts: NodeStatus["capacity"]): Amounts {
  return Object.fromEntries(Object.entries(amounts ?? {}).filter(([name]) => name.includes("/")));
}

/** The object of a first registration. */
export function newNode(
  name: string,
  labels: { readonly [key: string]: string },
  taints: NonNullable<Node["spec"]>["taints"],
): Draft<Node> {
  return {
    metadata: {
      name,
      labels,
      annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true" },
    },
    spec: taints === undefined || taints.length === 0 ? {} : { taints },
  };
}
