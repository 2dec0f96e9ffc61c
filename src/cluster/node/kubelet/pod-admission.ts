// Whether the kubelet takes a pod that is new on the node: asked in upstream's order, and with room made for a critical one.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Node } from "#cluster/api/generated/types.ts";
import { nodes } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { admit, type NodeUsage, placementRefusal, type Refusal, shortagesOf } from "./admission.ts";
import type { EvictionManager } from "./eviction/eviction-manager.ts";
import { osRefusal } from "./host-admission.ts";
import { latePreemption } from "./late-preemption.ts";
import { lateSysctlAdmission } from "./late-sysctl-admission.ts";
import { extendedOf } from "./node-status.ts";
import type { KubeletParts } from "./parts.ts";
import { isCritical, isStatic } from "./pod-spec.ts";
import type { PodWorker } from "./pod-worker.ts";
import type { Verdict } from "./status/pod-status.ts";

/** pkg/kubelet/preemption. */
const preempted: Verdict = {
  phase: "Failed",
  reason: "Preempting",
  message: "Preempted in order to admit critical pod",
  disruption: {
    reason: "TerminationByKubelet",
    message: "Pod was preempted by Kubelet to accommodate a critical pod.",
  },
};
/** How often is looked whether those have ended whose room a pod waits for. */
const releasePollMs = 1_000;

export interface PodAdmissionOptions {
  readonly parts: Pick<KubeletParts, "allocatable" | "client" | "devices" | "nodeName" | "recorder" | "simulation">;
  readonly eviction: Pick<EvictionManager, "refusal">;
  /** What the pods on the node reserve. */
  readonly usage: NodeUsage;
  readonly allowedUnsafeSysctls: readonly string[] | undefined;
  /** Of all pods of the node. */
  readonly workers: () => Iterable<PodWorker>;
}

export class PodAdmission {
  readonly #options: PodAdmissionOptions;
  #isStopped = false;

  constructor(options: PodAdmissionOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Why the node does not take a pod. One that is taken may be held until others have ended. */
  refusal(worker: PodWorker): Refusal | undefined {
    const { parts, eviction } = this.#options;
    const node = isStatic(worker.pod) ? undefined : this.node();
    return (
      eviction.refusal(worker.pod) ??
      (worker.pod.spec?.securityContext?.sysctls &&
        lateSysctlAdmission.code.sysctlRefusal(worker.pod, this.#options.allowedUnsafeSysctls)) ??
      parts.devices.allocate(worker.pod) ??
      osRefusal(worker.pod, node) ??
      this.#resourceRefusal(worker, node)
    );
  }

  /** The pod's Node; undefined when it cannot be read. */
  node(): Stored<Node> | undefined {
    const { client, nodeName } = this.#options.parts;
    try {
      return client.get(nodes, { namespace: "", name: nodeName });
    } catch (error) {
      if (error instanceof ApiError || error instanceof ApiUnreachable) return undefined;
      throw error;
    }
  }

  /** Others end for a critical pod that lacks nothing but resources; it is held until they have. */
  #resourceRefusal(worker: PodWorker, node: Stored<Node> | undefined): Refusal | undefined {
    const { pod } = worker;
    const { usage, workers, parts } = this.#options;
    const allocatable = this.#allocatableBesides(node);
    if (!isCritical(pod)) return admit(pod, node, allocatable, usage);
    const shortages = shortagesOf(pod, allocatable, usage);
    const refusal = placementRefusal(pod, node, usage);
    if (refusal !== undefined || shortages.length === 0) return refusal;
    const others = [...workers()].filter((other) => other !== worker && other.state !== "terminated");
    const found = latePreemption.code.podsToPreempt(
      pod,
      others.map((other) => other.pod),
      shortages,
    );
    if ("fault" in found) {
      const message = `Unexpected error while attempting to recover from admission failure: ${found.fault}`;
      return { reason: "UnexpectedAdmissionError", message };
    }
    const victims = others.filter((other) => found.victims.includes(other.pod));
    for (const victim of victims) {
      parts.recorder.warning(victim.pod, preempted.reason, preempted.message);
      victim.terminate({ verdict: preempted });
    }
    worker.hold();
    this.#releaseAfter(victims, worker);
    return undefined;
  }

  #releaseAfter(victims: readonly PodWorker[], worker: PodWorker): void {
    if (this.#isStopped) return;
    if (victims.every(({ state }) => state === "terminated")) worker.release();
    else this.#options.parts.simulation.after(releasePollMs, () => this.#releaseAfter(victims, worker));
  }

  /** With what others advertise; devices of plugins have been given already. */
  #allocatableBesides(node: Stored<Node> | undefined): { readonly [resource: string]: string } {
    const { devices, allocatable } = this.#options.parts;
    const { capacity } = devices.resources;
    const advertised = Object.entries(extendedOf(node?.status?.allocatable)).filter(([name]) => capacity[name] === undefined);
    return advertised.length === 0 ? allocatable() : { ...Object.fromEntries(advertised), ...allocatable() };
  }
}
