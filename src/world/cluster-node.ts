// One node of the cluster: a machine with a container runtime and a kubelet.

import type { ClientFactory } from "#cluster/client/client.ts";
import type { ImageRegistry } from "#cluster/images/image.ts";
import type { WiredNode } from "#cluster/network/node-network.ts";
import { Machine } from "#cluster/node/host/machine.ts";
import { kubeletOptionsOf } from "#cluster/node/kubelet/configuration.ts";
import { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import { mayLabelItself } from "#cluster/node/kubelet/node-labels.ts";
import { Containerd } from "#cluster/node/runtime/containerd.ts";
import type { FileTree } from "#sim/files.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { NodeShape } from "./cluster-shape.ts";

export interface ClusterNodeOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly shape: NodeShape;
  readonly network: WiredNode;
  readonly registry: ImageRegistry;
  readonly clients: ClientFactory;
  readonly dnsAddress: string;
  /** Of those who may ask the kubelet. */
  readonly clientAuthority: Certificate;
  /** Programs of the machine beside the standard ones. */
  readonly files: FileTree;
}

export class ClusterNode {
  readonly shape: NodeShape;
  readonly network: WiredNode;
  readonly machine: Machine;
  readonly runtime: Containerd;
  readonly kubelet: Kubelet;

  constructor(options: ClusterNodeOptions) {
    const { simulation, kernel, shape, network } = options;
    this.shape = shape;
    this.network = network;
    this.machine = new Machine({
      simulation,
      kernel,
      network,
      name: shape.name,
      cpus: shape.cpus,
      memoryBytes: shape.memoryBytes,
      diskBytes: shape.diskBytes,
      files: options.files,
    });
    this.runtime = new Containerd({
      simulation,
      kernel,
      network,
      registry: options.registry,
      hostPids: this.machine.pids,
      hostname: shape.name,
    });
    this.kubelet = new Kubelet({
      simulation,
      machine: this.machine,
      runtime: this.runtime,
      client: options.clients.clientFor(
        { name: `system:node:${shape.name}`, groups: ["system:nodes", "system:authenticated"] },
        "kubelet",
      ),
      clientAuthority: options.clientAuthority,
      clusterDns: options.dnsAddress,
      labels: Object.fromEntries(Object.entries(shape.labels).filter(([key]) => mayLabelItself(key))),
      taints: shape.taints,
      ...(shape.kubeletVersion === undefined ? {} : { version: shape.kubeletVersion }),
      ...kubeletOptionsOf(shape.kubelet),
    });
    for (const [path, text] of Object.entries(shape.files)) {
      this.machine.files.makeDirectories(path.slice(0, path.lastIndexOf("/")));
      this.machine.files.writeFile(path, text);
    }
  }
}
