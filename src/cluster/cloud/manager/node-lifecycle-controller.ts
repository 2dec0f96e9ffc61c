// cloud-node-lifecycle-controller: Nodes whose machines are gone are deleted, and those whose machines are shut down are tainted
// (k8s.io/cloud-provider/controllers/nodelifecycle).

import type { Timer } from "#sim/simulation.ts";
import { ApiError, ApiUnreachable } from "../../api/errors.ts";
import type { Node, Taint } from "../../api/generated/types.ts";
import * as kinds from "../../api/kinds.ts";
import type { Stored } from "../../api/objects.ts";
import type { Informer } from "../../client/informer.ts";
import type { Controller } from "../../controllers/controller.ts";
import { conditionStatus, hasTaint, writeTaints } from "../../controllers/nodes/node-taints.ts";
import type { CloudContext } from "./context.ts";
import { isShutDown, machineOfNode } from "./instances.ts";

export const shutdownTaint: Taint = { effect: "NoSchedule", key: "node.cloudprovider.kubernetes.io/shutdown" };

export class CloudNodeLifecycleController implements Controller {
  readonly name = "cloud-node-lifecycle-controller";
  readonly watches = [];
  readonly #context: CloudContext;
  readonly #periodMs: number;
  readonly #nodes: Informer<Node>;
  #timer: Timer | undefined;

  /** `periodMs`: --node-monitor-period. */
  constructor(context: CloudContext, periodMs: number) {
    this.#context = context;
    this.#periodMs = periodMs;
    this.#nodes = context.informers.informer(kinds.nodes);
  }

  start(): void {
    this.#context.say("I", "node_lifecycle_controller.go:112", "Sending events to api server");
    this.#monitor();
  }

  stop(): void {
    this.#context.simulation.cancel(this.#timer);
  }

  reconcile(): undefined {}

  #monitor(): void {
    this.#timer = this.#context.simulation.after(this.#periodMs, () => this.#monitor(), { background: true });
    for (const node of [...this.#nodes.list()]) {
      if (conditionStatus(node, "Ready") === "True") this.#taint(node, false);
      else this.#look(node);
    }
  }

  #look(node: Stored<Node>): void {
    const { cloud, client } = this.#context;
    const machine = machineOfNode(cloud, node);
    if (machine === undefined) {
      this.#delete(node);
      return;
    }
    if (!isShutDown(machine)) return;
    const { name } = node.metadata;
    const failed = `failed to apply shutdown taint to node ${name}, it may have been deleted.`;
    this.#try(
      "node_lifecycle_controller.go:191",
      () => this.#taint(client.get(kinds.nodes, { namespace: "", name }), true),
      () => failed,
    );
  }

  #delete(node: Stored<Node>): void {
    const { client, events, say } = this.#context;
    const { name } = node.metadata;
    say("I", "node_lifecycle_controller.go:153", `deleting node since it is no longer present in cloud provider: ${name}`);
    events.normal(node, "DeletingNode", `Deleting node ${name} because it does not exist in the cloud provider`);
    this.#try(
      "node_lifecycle_controller.go:168",
      () => void client.delete(kinds.nodes, { namespace: "", name }),
      (message) => {
        events.warning(node, "DeletingNodeFailed", `Failed deleting node ${name}: ${message}`);
        return `unable to delete node ${JSON.stringify(name)}: ${message}`;
      },
    );
  }

  #taint(node: Stored<Node>, isWanted: boolean): void {
    const { client } = this.#context;
    if (hasTaint(node, shutdownTaint.key, shutdownTaint.effect) === isWanted) return;
    const others = (node.spec?.taints ?? []).filter(
      ({ key, effect }) => key !== shutdownTaint.key || effect !== shutdownTaint.effect,
    );
    this.#try(
      "node_lifecycle_controller.go:138",
      () => void writeTaints(client, node, isWanted ? [...others, shutdownTaint] : others),
      (message) => `error patching node taints: ${message}`,
    );
  }

  /** What fails is logged, and done again with the next look. */
  #try(place: string, act: () => void, words: (message: string) => string): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.#context.say("E", place, words(error.message));
    }
  }
}
