// A cluster whose machines are those of a simulated cloud: what of its shape is the cloud's to tell.

import { instanceOf } from "#cluster/cloud/instance.ts";
import { ExternalCloud } from "#cluster/node/kubelet/external-cloud.ts";
import { type CloudWish, type ClusterShape, type NodeShape, zoneLabel, zones } from "./cluster-shape.ts";

/** Where the image of the cloud's controller manager is. */
const managerHost = "registry.sim.example";

/** Kubelets say nothing of zones, and run with `--cloud-provider=external`. */
export function inCloud(shape: ClusterShape, { uninitialized = [] }: CloudWish): ClusterShape {
  const nodes = shape.nodes.map((node, index) => {
    const { [zoneLabel]: zone = zones[index % zones.length] as string, ...labels } = node.labels;
    return { ...nodeInCloud(node, zone, uninitialized.includes(node.name)), labels };
  });
  return { ...shape, nodes, registries: [...shape.registries, { host: managerHost, images: {} }] };
}

function nodeInCloud(node: NodeShape, zone: string, isUninitialized: boolean): NodeShape {
  const { address } = node;
  const instance = instanceOf({ ...node, zone });
  const flags = ["--cloud-provider=external", `--node-ip=${address}`];
  const environment = `KUBELET_KUBEADM_ARGS="${flags.join(" ")}"\n`;
  return {
    ...node,
    instance,
    kubeletOptions: {
      cloud: new ExternalCloud(address, isUninitialized ? undefined : instance),
      environmentFlags: [...flags, "--v=3"],
    },
    files: { ...node.files, "/var/lib/kubelet/kubeadm-flags.env": environment },
  };
}
