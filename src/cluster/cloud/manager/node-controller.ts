// cloud-node-controller: makes known what the cloud knows of new Nodes, and keeps the addresses of all
// (k8s.io/cloud-provider/controllers/node).

import type { Timer } from "#sim/simulation.ts";
import { ApiError, ApiUnreachable } from "../../api/errors.ts";
import type { Node } from "../../api/generated/types.ts";
import * as kinds from "../../api/kinds.ts";
import type { Stored } from "../../api/objects.ts";
import type { Informer } from "../../client/informer.ts";
import { type Controller, TryAgain, type WatchRule, watchRule } from "../../controllers/controller.ts";
import type { CloudMachine } from "../cloud.ts";
import { instanceLabels, uninitializedTaint } from "../node-marks.ts";
import { type CloudContext, unhandled } from "./context.ts";
import { addressesOf, areOthers, machineOfNode, UnknownAddress } from "./instances.ts";

/** The older name is the one that counts. */
const twins: readonly (readonly [older: string, newer: string])[] = [
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
];

function isUninitialized({ spec }: Stored<Node>): boolean {
  return spec?.taints?.some(({ key }) => key === uninitializedTaint.key) === true;
}

export class CloudNodeController implements Controller {
  readonly name = "cloud-node-controller";
  readonly watches: readonly WatchRule<never>[] = [
    watchRule<Node>({ resource: kinds.nodes, keys: ({ metadata }, _previous, deleted) => (deleted ? [] : [metadata.name]) }),
  ];
  readonly #context: CloudContext;
  readonly #updateMs: number;
  readonly #nodes: Informer<Node>;
  #timer: Timer | undefined;
  #isStopped = false;

  /** `updateMs`: --node-status-update-frequency. */
  constructor(context: CloudContext, updateMs: number) {
    this.#context = context;
    this.#updateMs = updateMs;
    this.#nodes = context.informers.informer(kinds.nodes);
  }

  start(): void {
    this.#context.say("I", "node_controller.go:176", "Sending events to api server.");
    this.#context.say("I", "node_controller.go:185", "Waiting for informer caches to sync");
    this.#nodes.whenSynced(() => this.#updateAll());
  }

  stop(): void {
    this.#isStopped = true;
    this.#context.simulation.cancel(this.#timer);
  }

  reconcile(name: string): undefined {
    const node = this.#nodes.get(name);
    if (node === undefined) return;
    try {
      if (isUninitialized(node)) this.#initialize(node);
      else this.#keepTwins(node);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ApiUnreachable || error instanceof TryAgain)) throw error;
      const message = `error syncing '${name}': ${error.message}, requeuing`;
      this.#context.say("I", "node_controller.go:244", message);
      unhandled(this.#context.say, "node_controller.go:255", message);
      throw new TryAgain(error.message);
    }
  }

  #initialize(node: Stored<Node>): void {
    const { cloud, client, events, say } = this.#context;
    const { name } = node.metadata;
    say("I", "node_controller.go:418", `Initializing node ${name} with cloud provider`);
    const machine = machineOfNode(cloud, node);
    if (machine === undefined) throw new TryAgain(`failed to get instance metadata for node ${name}: instance not found`);
    try {
      addressesOf(machine, node);
    } catch (error) {
      if (!(error instanceof UnknownAddress)) throw error;
      const invalid = `provided node ip for node ${JSON.stringify(name)} is not valid: ${error.message}`;
      throw new TryAgain(`failed to get node modifiers from cloud provider: ${invalid}`);
    }
    const labels = instanceLabels(machine);
    for (const [key, value] of Object.entries(labels))
      say("I", "node_controller.go:491", `Adding node label from cloud provider: ${key}=${value}`);
    const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== uninitializedTaint.key);
    const { providerID = "" } = node.spec ?? {};
    const updated = client.update(kinds.nodes, {
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...labels } },
      spec: { ...node.spec, taints, providerID: providerID === "" ? machine.providerId : providerID },
    });
    this.#updateAddresses(updated, machine);
    say("I", "node_controller.go:460", `Successfully initialized node ${name} with cloud provider`);
    events.normal(node, "Synced", "Node synced successfully");
  }

  #keepTwins(node: Stored<Node>): void {
    const { labels = {}, name } = node.metadata;
    const wrong = twins.filter(([older, newer]) => labels[older] !== undefined && labels[newer] !== labels[older]);
    if (wrong.length === 0) return;
    const right = Object.fromEntries(wrong.map(([older, newer]) => [newer, labels[older] as string]));
    this.#context.client.patch(kinds.nodes, { namespace: "", name }, "strategic", { metadata: { labels: right } });
  }

  #updateAll(): void {
    if (this.#isStopped) return;
    const { simulation, cloud, say } = this.#context;
    this.#timer = simulation.after(this.#updateMs, () => this.#updateAll(), { background: true });
    for (const node of [...this.#nodes.list()]) {
      if (isUninitialized(node)) continue;
      const machine = machineOfNode(cloud, node);
      if (machine !== undefined) this.#updateAddresses(node, machine);
      else say("E", "node_controller.go:305", "Error getting instance metadata for node addresses: instance not found");
    }
    say("I", "node_controller.go:286", `Update ${this.#nodes.size} nodes status took ${2 * this.#nodes.size}ms.`);
  }

  #updateAddresses(node: Stored<Node>, machine: CloudMachine): void {
    const { client, say } = this.#context;
    try {
      const addresses = addressesOf(machine, node);
      if (!areOthers(node.status?.addresses ?? [], addresses)) return;
      client.patchStatus(kinds.nodes, { ...node, status: { ...node.status, addresses: [...addresses] } });
    } catch (error) {
      const { name } = node.metadata;
      if (error instanceof UnknownAddress)
        say("E", "node_controller.go:391", `Failed to update node addresses for node ${JSON.stringify(name)}: ${error.message}`);
      else if (error instanceof ApiError || error instanceof ApiUnreachable)
        say("E", "node_controller.go:402", `Error patching node with cloud ip addresses = [${error.message}]`);
      else throw error;
    }
  }
}
