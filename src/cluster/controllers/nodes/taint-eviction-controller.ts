// Evicts Pods from nodes with NoExecute taints, after the time that the Pods tolerate them (pkg/controller/tainteviction).

import type { Node, Pod, Taint, Toleration } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason, unlessRefused } from "#cluster/client/retry.ts";
import { tolerates } from "#cluster/scheduler/tolerations.ts";
import type { Timer } from "#sim/simulation.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { withDisruption } from "./disruption-target.ts";
import { podsByNode } from "./node-lifecycle-controller.ts";

export const taintEvictionController: ControllerDefinition = {
  name: "taint-eviction-controller",
  serviceAccount: "node-controller",
  create: (context) => new TaintEvictionController(context),
};

const retryMs = 1000;

interface Eviction {
  readonly uid: string;
  /** undefined once it has been done: nothing is planned for such a Pod again, though it may still be there. */
  readonly timer: Timer | undefined;
}

export class TaintEvictionController implements Controller {
  readonly name = "taint-eviction-controller";
  readonly watches = [
    watchRule<Node>({ resource: kinds.nodes, keys: (node, previous, deleted) => this.#podsOfNode(node, previous, deleted) }),
    watchRule<Pod>({
      resource: kinds.pods,
      keys: (pod, previous) => (pod.spec?.nodeName !== undefined && pod.spec !== previous?.spec ? [keyOf(pod)] : []),
    }),
  ];
  readonly #context: ControllerContext;
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  readonly #evictions = new Map<string, Eviction>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#nodes = context.informers.informer(kinds.nodes);
    this.#pods = context.informers.informer(kinds.pods);
    this.#pods.addIndex(podsByNode, (pod) => (pod.spec?.nodeName === undefined ? [] : [pod.spec.nodeName]));
  }

  stop(): void {
    for (const { timer } of this.#evictions.values()) this.#context.simulation.cancel(timer);
    this.#evictions.clear();
  }

  reconcile(key: string): Requeue | undefined {
    const pod = this.#pods.get(key);
    const taints = noExecute(pod === undefined ? undefined : this.#nodes.get(pod.spec?.nodeName ?? ""));
    if (pod === undefined) this.#cancel(key, undefined);
    else if (taints.length === 0) this.#cancel(key, pod);
    else this.#plan(key, pod, taints);
    return undefined;
  }

  #podsOfNode(node: Stored<Node>, previous: Stored<Node> | undefined, deleted: boolean): readonly string[] {
    if (deleted || node.spec?.taints === previous?.spec?.taints) return [];
    if (noExecute(node).length === 0 && noExecute(previous).length === 0) return [];
    return [...this.#pods.byIndex(podsByNode, node.metadata.name)].map(keyOf);
  }

  #plan(key: string, pod: Stored<Pod>, taints: readonly Taint[]): void {
    const { nowMs } = this.#context.simulation;
    const seconds = toleratedSeconds(taints, pod.spec?.tolerations ?? []);
    if (seconds === undefined) {
      this.#cancel(key, pod);
      return;
    }
    if (seconds === 0) {
      this.#cancel(key, undefined);
      this.#announce(key, pod);
      this.#evict(key, pod);
      return;
    }
    // What was planned first stays, also where a taint that came later is borne for a shorter time.
    const known = this.#evictions.get(key);
    if (known?.uid === pod.metadata.uid) return;
    this.#context.simulation.cancel(known?.timer);
    const timer = this.#context.simulation.at(nowMs + seconds * 1000, () => this.#due(key), { background: true });
    this.#evictions.set(key, { uid: pod.metadata.uid, timer });
  }

  #due(key: string, isAgain = false): void {
    const eviction = this.#evictions.get(key);
    const pod = this.#pods.get(key);
    if (pod !== undefined && pod.metadata.uid === eviction?.uid) {
      this.#evictions.set(key, { uid: eviction.uid, timer: undefined });
      if (!isAgain) this.#announce(key, pod);
      if (unlessRefused(() => this.#evict(key, pod)) === undefined) this.#tryAgain(key, eviction.uid);
    } else this.#evictions.delete(key);
  }

  /**
   * Upstream gives up after five tries within 50 ms: a Pod whose time came while etcd was away stays until the taints of its node change.
   * Here it goes once there is an answer, as one does that bears nothing and whose eviction the queue tries again.
   */
  #tryAgain(key: string, uid: string): void {
    const timer = this.#context.simulation.after(retryMs, () => this.#due(key, true), { background: true });
    this.#evictions.set(key, { uid, timer });
  }

  /** `pod` present: the eviction is called off, and that is told. */
  #cancel(key: string, pod: Stored<Pod> | undefined): void {
    const eviction = this.#evictions.get(key);
    if (eviction === undefined) return;
    this.#context.simulation.cancel(eviction.timer);
    this.#evictions.delete(key);
    if (pod !== undefined && eviction.timer !== undefined)
      this.#context.events.normal(pod, "TaintManagerEviction", `Cancelling deletion of Pod ${key}`);
  }

  #announce(key: string, pod: Stored<Pod>): void {
    this.#context.events.normal(pod, "TaintManagerEviction", `Marking for deletion Pod ${key}`);
  }

  /** True, or throws. */
  #evict(key: string, pod: Stored<Pod>): true {
    const { client, simulation } = this.#context;
    const disruption = { reason: "DeletionByTaintManager", message: "Taint manager: deleting due to NoExecute taint" };
    const patch = { status: { conditions: withDisruption(pod, disruption, simulation.nowMs) } };
    try {
      client.patch(kinds.pods, splitKey(key), "strategic", patch, { subresource: "status" });
      client.delete(kinds.pods, splitKey(key));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    return true;
  }
}

const noTaints: readonly Taint[] = [];

function noExecute(node: Stored<Node> | undefined): readonly Taint[] {
  const taints = node?.spec?.taints;
  return taints === undefined ? noTaints : taints.filter(({ effect }) => effect === "NoExecute");
}

/** Seconds that a Pod may stay: 0 when a taint is not tolerated, undefined for ever, else the shortest tolerance. */
function toleratedSeconds(taints: readonly Taint[], tolerations: readonly Toleration[]): number | undefined {
  const used: Toleration[] = [];
  for (const taint of taints) {
    const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
    if (matching.length === 0) return 0;
    used.push(...matching);
  }
  const limits = used.map(({ tolerationSeconds }) => tolerationSeconds).filter((seconds) => seconds !== undefined);
  return limits.length === 0 ? undefined : Math.max(0, Math.min(...limits.map(Number)));
}
