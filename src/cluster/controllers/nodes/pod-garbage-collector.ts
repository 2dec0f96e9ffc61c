// Removes Pods that nobody will: of nodes that are gone, never placed ones that are being deleted, and the oldest ended
// ones when there are very many (pkg/controller/podgc).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type JsonValue, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason, unlessRefused } from "#cluster/client/retry.ts";
import type { Timer } from "#sim/simulation.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { isPodEnded } from "../pods.ts";
import { withDisruption } from "./disruption-target.ts";
import { conditionStatus } from "./node-taints.ts";

const periodMs = 20_000;
const quarantineMs = 40_000;
/** An administrator's word that the machine is off; whatever its effect. */
const outOfServiceTaint = "node.kubernetes.io/out-of-service";

/** `terminatedThreshold`: how many ended Pods are kept; 0 or less keeps all. */
export function podGarbageCollector(terminatedThreshold: number): ControllerDefinition {
  return {
    name: "pod-garbage-collector-controller",
    serviceAccount: "pod-garbage-collector",
    create: (context) => new PodGarbageCollector(context, terminatedThreshold),
  };
}

export class PodGarbageCollector implements Controller {
  readonly name = "pod-garbage-collector-controller";
  readonly watches = [
    watchRule<Pod>({ resource: kinds.pods, keys: () => [] }),
    watchRule<Node>({ resource: kinds.nodes, keys: () => [] }),
  ];
  readonly #context: ControllerContext;
  readonly #threshold: number;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  /** Since when a node that Pods name is missing. */
  readonly #missing = new Map<string, number>();
  #timer: Timer | undefined;

  constructor(context: ControllerContext, threshold: number) {
    this.#context = context;
    this.#threshold = threshold;
    this.#pods = context.informers.informer(kinds.pods);
    this.#nodes = context.informers.informer(kinds.nodes);
  }

  start(): void {
    const tick = (): void => {
      this.#timer = this.#context.simulation.after(periodMs, tick, { background: true });
      this.#collect();
    };
    this.#timer = this.#context.simulation.after(periodMs, tick, { background: true });
  }

  stop(): void {
    this.#context.simulation.cancel(this.#timer);
  }

  reconcile(): undefined {
    return undefined;
  }

  #collect(): void {
    const pods = [...this.#pods.list()];
    if (this.#threshold > 0) this.#collectEnded(pods.filter(isPodEnded));
    for (const pod of pods) if (this.#isOutOfService(pod)) this.#remove(pod, undefined);
    this.#collectOfMissingNodes(pods);
    for (const pod of pods)
      if (pod.metadata.deletionTimestamp !== undefined && (pod.spec?.nodeName ?? "") === "") this.#remove(pod, undefined);
  }

  #collectEnded(ended: readonly Stored<Pod>[]): void {
    const surplus = ended.length - this.#threshold;
    if (surplus > 0) for (const pod of latePasses.code.firstToGo(ended, surplus)) this.#remove(pod, undefined);
  }

  #isOutOfService(pod: Stored<Pod>): boolean {
    const node = this.#nodes.get(pod.spec?.nodeName ?? "");
    if (node === undefined || pod.metadata.deletionTimestamp === undefined || conditionStatus(node, "Ready") === "True")
      return false;
    return node.spec?.taints?.some(({ key }) => key === outOfServiceTaint) === true;
  }

  #collectOfMissingNodes(pods: readonly Stored<Pod>[]): void {
    const { nowMs } = this.#context.simulation;
    for (const name of [...this.#missing.keys()]) if (this.#nodes.get(name) !== undefined) this.#missing.delete(name);
    for (const pod of pods) {
      const nodeName = pod.spec?.nodeName ?? "";
      if (nodeName === "" || this.#nodes.get(nodeName) !== undefined) continue;
      const sinceMs = this.#missing.get(nodeName) ?? nowMs;
      this.#missing.set(nodeName, sinceMs);
      if (nowMs - sinceMs >= quarantineMs && !this.#exists(nodeName)) this.#remove(pod, "PodGC: node no longer exists");
    }
  }

  /** A server that does not say is not one that says no. */
  #exists(name: string): boolean {
    try {
      this.#context.client.get(kinds.nodes, { namespace: "", name });
      return true;
    } catch (error) {
      if (error instanceof ApiError || error instanceof ApiUnreachable) return !isReason(error, "NotFound");
      throw error;
    }
  }

  /** Marks what still seems to run as failed, then deletes without waiting for a kubelet. */
  #remove(pod: Stored<Pod>, disruption: string | undefined): void {
    const { client } = this.#context;
    const key = splitKey(keyOf(pod));
    unlessRefused(() => {
      if (!isPodEnded(pod))
        client.patch(kinds.pods, key, "strategic", this.#failedPatch(pod, disruption), { subresource: "status" });
      client.delete(kinds.pods, key, { gracePeriodSeconds: 0, uid: pod.metadata.uid });
    });
  }

  #failedPatch(pod: Stored<Pod>, message: string | undefined): JsonValue {
    if (message === undefined) return { status: { phase: "Failed" } };
    const disruption = { reason: "DeletionByPodGC", message };
    return { status: { phase: "Failed", conditions: withDisruption(pod, disruption, this.#context.simulation.nowMs) } };
  }
}
