// What a cluster is made of: the default one of all labs (a control-plane node and workers of 2 CPU and 4 Gi, one zone each,
// round robin, with the usual add-ons), and what may be wished of it.

import type { Taint } from "#cluster/api/generated/types.ts";
import type { CloudInstance } from "#cluster/cloud/node-marks.ts";
import type { Architecture } from "#cluster/images/image.ts";
import type { RegistryAccount } from "#cluster/images/registry.ts";
import type { ShapedRegistry } from "#cluster/images/shaped-image.ts";
import type { KubeletConfiguration } from "#cluster/node/kubelet/configuration-fields.ts";
import type { KubeletOptions } from "#cluster/node/kubelet/kubelet-options.ts";
import type { RuntimeName } from "#cluster/node/runtime/handlers.ts";
import { type ContainerdVersion, usualContainerd } from "#cluster/node/runtime/releases.ts";
import type { CgroupVersion } from "#sim/process/boot.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import { controlPlaneComponents } from "./manifests/static-pods.ts";

/** What a cluster may have beyond what kubeadm gives it. */
export const addonNames = ["metrics-server", "local-path-provisioner", "ingress-controller", "csi-driver"] as const;
export type AddonName = (typeof addonNames)[number];

/** What the clusters that people meet have, in labs as behind a port, unless they ask for others. */
export const usualAddons: readonly AddonName[] = ["metrics-server", "local-path-provisioner"];

export { controlPlaneComponents };
export type ControlPlaneComponent = (typeof controlPlaneComponents)[number];

/** What may be wished of any node; what is left out is as on every node. */
export interface NodeWish {
  readonly labels?: { readonly [key: string]: string } | undefined;
  /** Of control-plane nodes: instead of their own. */
  readonly taints?: readonly Taint[] | undefined;
  readonly cpus?: number | undefined;
  readonly memoryBytes?: number | undefined;
  readonly diskBytesPerSecond?: number | undefined;
  readonly kubelet?: KubeletConfiguration | undefined;
  /** Runtime handlers beside runc's in its containerd's configuration, which are installed with it: handler → runtime. */
  readonly runtimes?: { readonly [handler: string]: RuntimeName } | undefined;
  /** Runtimes that are installed without being configured. */
  readonly shims?: readonly RuntimeName[] | undefined;
  /** Files on the machine: absolute path → text. */
  readonly files?: { readonly [path: string]: string } | undefined;
}

export interface WorkerWish extends NodeWish {
  readonly name?: string | undefined;
  readonly zone?: string | undefined;
  /** What its kubelet says its version is. */
  readonly version?: string | undefined;
  /** Which release of containerd is installed; with one that has no CRI v1 the kubelet does not start. */
  readonly containerd?: ContainerdVersion | undefined;
  /** Default amd64. */
  readonly architecture?: Architecture | undefined;
  /** With which version of control groups it boots; default 2. With 1 its kubelet does not start unless that is allowed, and there is no Node. */
  readonly cgroupVersion?: CgroupVersion | undefined;
}

export interface ControlPlaneWish extends NodeWish {
  /** How many nodes there are of it; 1 unless stated. What is wished is wished of each. */
  readonly nodes?: number | undefined;
  /** Components that do not run when the learner comes: their manifests lie in `stoppedManifests`. */
  readonly stopped?: readonly ControlPlaneComponent[] | undefined;
}

/** Where the manifests of stopped components lie on control-plane nodes. */
export const stoppedManifests = "/etc/kubernetes";

/** Whether the network plugin acts on NetworkPolicies. */
export const policyModes = ["enforced", "ignored"] as const;
export type PolicyMode = (typeof policyModes)[number];

/** A cloud that the machines are of: its cluster is made once clients' programs are there. */
export interface CloudWish {
  /** Workers that nobody has told the cluster about yet; all other nodes were initialised before the learner comes. */
  readonly uninitialized?: readonly string[] | undefined;
  /** How many routes it keeps at the most; as many as are asked for unless stated. */
  readonly routeLimit?: number | undefined;
}

/** A machine outside the cluster, which its Pods reach and which runs one program: its cluster is made once clients' programs are there. */
export interface HostWish {
  readonly name: string;
  readonly address: string;
  /** By which name servers outside know it; absent: by none. */
  readonly names?: readonly string[] | undefined;
  /** Whose program it runs, and whose files it has, by its name as in a Pod. */
  readonly image: string;
  /** Instead of the image's entrypoint and its arguments. */
  readonly command?: readonly string[] | undefined;
  /** Files over those of the image: absolute path → text. */
  readonly files?: { readonly [path: string]: string } | undefined;
}

export interface ClusterWish {
  /** Workers beside the control plane: how many, or which. */
  readonly nodes: number | readonly WorkerWish[];
  readonly addons?: readonly AddonName[] | undefined;
  readonly controlPlane?: ControlPlaneWish | undefined;
  readonly images?: ImageWish | undefined;
  readonly registries?: readonly RegistryWish[] | undefined;
  /** Enforced unless stated. */
  readonly networkPolicies?: PolicyMode | undefined;
  /** Absent: the machines are somebody's own. */
  readonly cloud?: CloudWish | undefined;
  /** Outside the cluster. */
  readonly hosts?: readonly HostWish[] | undefined;
}

/** A registry beside the public ones, or more images in a public one. */
export interface RegistryWish extends ShapedRegistry {
  /** Who may pull; absent: everyone. */
  readonly accounts?: readonly RegistryAccount[] | undefined;
}

/** Images by name as in a Pod. */
export interface ImageWish {
  /** In no registry. */
  readonly missing?: readonly string[] | undefined;
  /** How long pulling takes, in seconds. */
  readonly slow?: { readonly [name: string]: number } | undefined;
}

export interface NodeShape {
  readonly name: string;
  readonly address: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** Undefined: it writes as much as comes. */
  readonly diskBytesPerSecond: number | undefined;
  readonly cgroupVersion: CgroupVersion;
  readonly controlPlane: boolean;
  /** What a cloud knows of it. */
  readonly instance?: CloudInstance;
  /** Beside what `kubelet` says. */
  readonly kubeletOptions: Partial<KubeletOptions>;
  readonly labels: { readonly [key: string]: string };
  readonly taints: readonly Taint[];
  /** Undefined: that of the simulated release. */
  readonly kubeletVersion: string | undefined;
  readonly containerd: ContainerdVersion;
  readonly architecture: Architecture;
  readonly kubelet: KubeletConfiguration;
  readonly runtimes: { readonly [handler: string]: RuntimeName };
  readonly shims: readonly RuntimeName[];
  readonly files: { readonly [path: string]: string };
}

/** A machine that passes connections on to the API servers. */
export interface BalancerShape {
  readonly name: string;
  readonly address: string;
}

export interface ClusterShape {
  /** Those of the control plane first. */
  readonly nodes: readonly NodeShape[];
  /** Before several control-plane nodes; undefined before one. */
  readonly balancer: BalancerShape | undefined;
  readonly serviceCidr: string;
  readonly podCidr: string;
  readonly dnsAddress: string;
  readonly addons: readonly AddonName[];
  readonly stopped: readonly ControlPlaneComponent[];
  readonly missingImages: readonly string[];
  readonly imagePullMs: { readonly [name: string]: number };
  readonly registries: readonly RegistryWish[];
  readonly networkPolicies: PolicyMode;
  readonly cloud: CloudWish | undefined;
  readonly hosts: readonly HostWish[];
}

export const zones = ["zone-a", "zone-b", "zone-c"] as const;
const gibibyte = 1024 ** 3;
export const zoneLabel = "topology.kubernetes.io/zone";
export const maximumControlPlaneNodes = 3;
const balancer: BalancerShape = { name: "load-balancer", address: "172.18.255.2" };
const ownTaints: readonly Taint[] = [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }];

/** 172.18.0.2 for the first of the control plane, all others behind it; beyond 250 nodes the third byte goes up. */
function addressOf(index: number): string {
  const host = index + 2;
  return `172.18.${Math.floor(host / 250)}.${(host % 250) + (host < 250 ? 0 : 2)}`;
}

export function clusterShape(wish: ClusterWish): ClusterShape {
  const { nodes, addons = [], controlPlane = {}, images, registries = [], networkPolicies = "enforced", cloud, hosts = [] } = wish;
  const workers = workersOf(nodes);
  const names = controlPlaneNames(controlPlane);
  const made = [
    ...names.map((name, index) => controlPlaneNode(controlPlane, name, index)),
    ...workers.map((wish, index) => workerNode(wish, index, names.length)),
  ];
  const shape: ClusterShape = {
    nodes: made,
    cloud,
    hosts,
    balancer: names.length > 1 ? balancer : undefined,
    serviceCidr: "10.96.0.0/12",
    // A /24 a node: 256 nodes fit the usual /16, larger clusters get a larger range.
    podCidr: workers.length < 250 ? "10.244.0.0/16" : "10.128.0.0/9",
    dnsAddress: "10.96.0.10",
    addons,
    stopped: controlPlane.stopped ?? [],
    missingImages: images?.missing ?? [],
    imagePullMs: Object.fromEntries(Object.entries(images?.slow ?? {}).map(([name, seconds]) => [name, seconds * 1000])),
    registries,
    networkPolicies,
  };
  return cloud === undefined ? shape : lateMachineTools.code.inCloud(shape, cloud);
}

/** `control-plane`, `control-plane-2`, `control-plane-3`. */
export function controlPlaneNames({ nodes = 1 }: ControlPlaneWish = {}): readonly string[] {
  return Array.from({ length: nodes }, (_, index) => (index === 0 ? "control-plane" : `control-plane-${index + 1}`));
}

function controlPlaneNode(wish: ControlPlaneWish, name: string, index: number): NodeShape {
  return {
    ...machineOf(wish),
    name,
    address: addressOf(index),
    controlPlane: true,
    labels: wish.labels ?? {},
    taints: wish.taints ?? ownTaints,
    kubeletVersion: undefined,
    containerd: usualContainerd,
    architecture: "amd64",
    cgroupVersion: 2,
    kubeletOptions: {},
  };
}

function workerNode(wish: WorkerWish, index: number, before: number): NodeShape {
  return {
    ...machineOf(wish),
    name: workerName(wish, index),
    address: addressOf(index + before),
    controlPlane: false,
    labels: { [zoneLabel]: wish.zone ?? (zones[index % zones.length] as string), ...wish.labels },
    taints: wish.taints ?? [],
    kubeletVersion: wish.version,
    containerd: wish.containerd ?? usualContainerd,
    architecture: wish.architecture ?? "amd64",
    cgroupVersion: wish.cgroupVersion ?? 2,
    kubeletOptions: {},
  };
}

export function workersOf(nodes: ClusterWish["nodes"]): readonly WorkerWish[] {
  return typeof nodes === "number" ? Array.from({ length: nodes }, () => ({})) : nodes;
}

/** `node-1` for the first without a name of its own. */
export function workerName({ name }: WorkerWish, index: number): string {
  return name ?? `node-${index + 1}`;
}

function machineOf({
  cpus = 2,
  memoryBytes = 4 * gibibyte,
  kubelet = {},
  runtimes = {},
  shims = [],
  files = {},
  diskBytesPerSecond,
}: NodeWish) {
  const installed = [...new Set([...Object.values(runtimes), ...shims])];
  return { cpus, memoryBytes, diskBytes: 50 * gibibyte, diskBytesPerSecond, kubelet, runtimes, shims: installed, files };
}
