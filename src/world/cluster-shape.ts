// The default cluster of all labs: a control-plane node and workers of 2 CPU and 4 Gi, one zone each, round robin.

/** What a cluster may have beyond what kubeadm gives it. */
export const addonNames = ["metrics-server", "local-path-provisioner"] as const;
export type AddonName = (typeof addonNames)[number];

export interface NodeShape {
  readonly name: string;
  readonly address: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly controlPlane: boolean;
  readonly labels: { readonly [key: string]: string };
}

export interface ClusterShape {
  readonly nodes: readonly NodeShape[];
  readonly serviceCidr: string;
  readonly podCidr: string;
  readonly dnsAddress: string;
  readonly addons: readonly AddonName[];
}

const zones = ["zone-a", "zone-b", "zone-c"] as const;
const gibibyte = 1024 ** 3;

/** 172.18.0.2 for the control plane, the workers behind it; beyond 250 nodes the third byte goes up. */
function addressOf(index: number): string {
  const host = index + 2;
  return `172.18.${Math.floor(host / 250)}.${(host % 250) + (host < 250 ? 0 : 2)}`;
}

/** `workers` beside the control-plane node. */
export function defaultShape(workers: number, addons: readonly AddonName[] = []): ClusterShape {
  const machine = { cpus: 2, memoryBytes: 4 * gibibyte, diskBytes: 50 * gibibyte };
  const controlPlane: NodeShape = {
    ...machine,
    name: "control-plane",
    address: addressOf(0),
    controlPlane: true,
    labels: {},
  };
  const others = Array.from(
    { length: workers },
    (_, index): NodeShape => ({
      ...machine,
      name: `node-${index + 1}`,
      address: addressOf(index + 1),
      controlPlane: false,
      labels: { "topology.kubernetes.io/zone": zones[index % zones.length] as string },
    }),
  );
  return {
    nodes: [controlPlane, ...others],
    serviceCidr: "10.96.0.0/12",
    // A /24 a node: 256 nodes fit the usual /16, larger clusters get a larger range.
    podCidr: workers < 250 ? "10.244.0.0/16" : "10.128.0.0/9",
    dnsAddress: "10.96.0.10",
    addons,
  };
}
