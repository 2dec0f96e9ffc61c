// Clients that no one in the world sees: what checks ask and what steady traffic sends starts from here. They live where a
// learner's machine, a node or a Pod lives on the network, in namespaces of processes and files of their own, so that all
// that shows of them is what they ask for.

import { hostsFile, resolvConf } from "#cluster/node/kubelet/volumes/network-files.ts";
import type { MountNamespace } from "#sim/filesystem/mounts.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Program } from "#sim/program.ts";
import type { Cluster } from "./cluster.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { Workstation } from "./workstation.ts";

interface Place {
  readonly network: NetworkStack;
  readonly mounts: MountNamespace;
}

export class UnseenClients {
  readonly #kernel: Kernel;
  readonly #cluster: Cluster;
  readonly #workstation: Workstation;
  /** By node; each has an address of the node's Pods. */
  readonly #beside = new Map<ClusterNode, Place>();

  constructor(kernel: Kernel, cluster: Cluster, workstation: Workstation) {
    this.#kernel = kernel;
    this.#cluster = cluster;
    this.#workstation = workstation;
  }

  /**
   * Runs a program at a place: `workstation`; a node's name (a client with a Pod's network there, of namespace default);
   * `namespace/pod`. False when there is no such place now.
   */
  start(from: string, program: Program): boolean {
    if (from === "workstation") {
      this.#workstation.runUnseen(program);
      return true;
    }
    const place = from.includes("/") ? this.#inPod(from) : this.#onNode(from);
    if (place === undefined) return false;
    this.#start(place, program);
    return true;
  }

  /** Runs a program that looks names up as a Pod of a namespace does, from a node. */
  startInNamespace(namespace: string, program: Program): void {
    const node = this.#cluster.nodes.find(({ shape }) => !shape.controlPlane) ?? (this.#cluster.nodes[0] as ClusterNode);
    this.#start({ network: node.network.host, mounts: this.#disk(this.#podResolvConf(namespace)) }, program);
  }

  #start({ network, mounts }: Place, program: Program): void {
    const pidNamespace = this.#kernel.createPidNamespace();
    this.#kernel.start({ run: program, argv: ["client"], hostname: "client", pidNamespace, mounts, network });
  }

  #disk(resolvConfText: string, hosts = ""): MountNamespace {
    const mounts = this.#kernel.createMountNamespace(this.#kernel.createTmpfs());
    const files = this.#kernel.files(mounts);
    files.makeDirectories("/etc");
    files.writeFile("/etc/resolv.conf", resolvConfText);
    files.writeFile("/etc/hosts", hosts);
    return mounts;
  }

  #onNode(name: string): Place | undefined {
    const node = this.#cluster.node(name);
    if (node === undefined) return undefined;
    let place = this.#beside.get(node);
    if (place === undefined) {
      place = { network: node.network.addPod().stack, mounts: this.#disk(this.#podResolvConf("default")) };
      this.#beside.set(node, place);
    }
    return place;
  }

  #inPod(from: string): Place | undefined {
    const [namespace = "", name = ""] = from.split("/");
    for (const { kubelet, runtime, machine, shape } of this.#cluster.nodes) {
      const pod = kubelet.findPod(namespace, name);
      const sandbox = pod && runtime.sandboxesOf(pod.metadata.uid).find(({ state }) => state === "ready");
      if (pod === undefined || sandbox === undefined) continue;
      const settings = {
        clusterDns: [this.#cluster.dnsAddress],
        clusterDomain: "cluster.local",
        nodeResolvConf: machine.files.readText("/etc/resolv.conf"),
        nodeHosts: () => machine.files.readText("/etc/hosts"),
        nodeName: shape.name,
      };
      const mounts = this.#disk(resolvConf(pod, settings), hostsFile(pod, sandbox.address, settings));
      return { network: sandbox.stack, mounts };
    }
    return undefined;
  }

  #podResolvConf(namespace: string): string {
    return `search ${namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver ${this.#cluster.dnsAddress}\noptions ndots:5\n`;
  }
}
