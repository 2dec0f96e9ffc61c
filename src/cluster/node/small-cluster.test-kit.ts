// An API server and nodes without scheduler and controllers: what tests and the bench of this room run on.

import type { CoreV1Event, Pod, PodSpec } from "#cluster/api/generated/types.ts";
import { events, pods, serviceAccounts } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Image, ImageRegistry } from "#cluster/images/image.ts";
import { lateImages } from "#cluster/images/late-images.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { createRegistry } from "#cluster/images/registry.ts";
import { createClusterNetwork } from "#cluster/network/cluster-network.ts";
import { commandFiles } from "#shell/command-files.ts";
import { Kernel } from "#sim/kernel.ts";
import { Simulation } from "#sim/simulation.ts";
import { Machine } from "./host/machine.ts";
import { Kubelet } from "./kubelet/kubelet.ts";
import type { KubeletOptions } from "./kubelet/kubelet-options.ts";
import { Containerd } from "./runtime/containerd.ts";

const machineTools = commandFiles("gnu");

export interface TestNode {
  readonly machine: Machine;
  readonly runtime: Containerd;
  readonly kubelet: Kubelet;
}

export interface SmallClusterOptions {
  readonly nodes?: number;
  readonly images?: readonly Image[];
  readonly registry?: ImageRegistry;
  readonly kubelet?: Partial<KubeletOptions>;
  readonly cpus?: number;
  readonly maxPods?: number;
  readonly startMs?: number;
}

export class SmallCluster {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly server: ApiServer;
  readonly client: Client;
  readonly registry: ImageRegistry;
  readonly nodes: readonly TestNode[];

  constructor(options: SmallClusterOptions = {}) {
    this.simulation = new Simulation({ startMs: options.startMs ?? 1_767_225_600_000, seed: 1 });
    this.kernel = new Kernel(this.simulation);
    this.server = new ApiServer({ simulation: this.simulation });
    this.server.start();
    this.client = this.server.clientFor({ name: "admin", groups: ["system:masters"] }, "test");
    this.client.create(serviceAccounts, { metadata: { name: "default", namespace: "default" } });
    this.client.create(serviceAccounts, { metadata: { name: "default", namespace: "kube-system" } });
    const network = createClusterNetwork({ simulation: this.simulation });
    this.registry =
      options.registry ?? createRegistry({ images: options.images ?? publicImages, lateImages: () => lateImages.code });
    const nodes: TestNode[] = [];
    for (let index = 1; index <= (options.nodes ?? 1); index += 1)
      nodes.push(this.#addNode(index, network, this.registry, options));
    this.nodes = nodes;
  }

  /** An image of the registry. */
  image(name: string): Image {
    const result = this.registry.pull(name, undefined);
    if (!result.ok) throw new Error(result.message);
    return result.image;
  }

  get node(): TestNode {
    return this.nodes[0] as TestNode;
  }

  startKubelets(): void {
    for (const { kubelet } of this.nodes) kubelet.start();
  }

  /** A pod bound to a node from the start. */
  createPod(name: string, spec: Partial<PodSpec>, metadata: Pod["metadata"] = {}): Stored<Pod> {
    return this.client.create(pods, {
      metadata: { name, namespace: "default", ...metadata },
      spec: {
        nodeName: this.node.machine.name,
        containers: [{ name: "web", image: "nginx:1.27" }],
        automountServiceAccountToken: false,
        ...spec,
      },
    });
  }

  pod(name: string, namespace = "default"): Stored<Pod> {
    return this.client.get(pods, { namespace, name });
  }

  hasPod(name: string): boolean {
    return this.client.list(pods, { namespace: "default" }).items.some((pod) => pod.metadata.name === name);
  }

  /** `TYPE reason message` (`xN` when repeated) of the events about an object, in order. */
  eventsOf(name: string): readonly string[] {
    return this.client
      .list<CoreV1Event>(events, { namespace: "default" })
      .items.filter((event) => event.involvedObject.name === name)
      .sort(
        (a, b) =>
          a.metadata.resourceVersion.length - b.metadata.resourceVersion.length ||
          (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 0),
      )
      .map(({ type, reason, message, count = 1 }) => `${type} ${reason} ${message}${count > 1 ? ` x${count}` : ""}`);
  }

  isReady(name: string): boolean {
    return this.pod(name).status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;
  }

  /** Runs until a pod is Ready; throws when it does not become so. */
  untilReady(name: string, limitMs = 120_000): void {
    if (!this.simulation.runUntil(() => this.isReady(name), { limitMs })) {
      throw new Error(`pod ${name} is not ready: ${JSON.stringify(this.pod(name).status, null, 1)}`);
    }
  }

  #addNode(
    index: number,
    network: ReturnType<typeof createClusterNetwork>,
    registry: ImageRegistry,
    options: SmallClusterOptions,
  ): TestNode {
    const { simulation, kernel } = this;
    const name = `node-${index}`;
    const nodeNetwork = network.addNode(name, `10.0.${Math.floor(index / 250)}.${(index % 250) + 2}`);
    nodeNetwork.podCidr = `10.${244 + Math.floor(index / 250)}.${index % 250}.0/24`;
    const machine = new Machine({
      simulation,
      kernel,
      name,
      network: nodeNetwork,
      files: machineTools,
      cpus: options.cpus ?? 2,
      memoryBytes: 4 * 1024 ** 3,
      diskBytes: 20 * 1024 ** 3,
    });
    const runtime = new Containerd({
      simulation,
      kernel,
      network: nodeNetwork,
      registry,
      hostPids: machine.pids,
      hostSharedMemory: machine.sharedMemory,
      podGroups: machine.podGroups,
      disk: machine.disk,
      files: machine.files,
      hostname: name,
      journal: machine.journal,
    });
    const client = this.server.clientFor(
      { name: `system:node:${name}`, groups: ["system:nodes", "system:authenticated"] },
      "kubelet",
    );
    const kubelet = new Kubelet({
      simulation,
      machine,
      runtime,
      client,
      ...(options.maxPods === undefined ? {} : { maxPods: options.maxPods }),
      ...options.kubelet,
    });
    return { machine, runtime, kubelet };
  }
}
