// A namespace that is being deleted: its content goes, its conditions tell what is left, and then it is let go itself.

import { ApiUnreachable } from "#cluster/api/errors.ts";
import type { APIServiceStatus, Namespace, NamespaceCondition } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { KubeObject, ResourceType, Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext } from "../context.ts";
import type { Requeue } from "../controller.ts";
import { collectableTypes } from "../garbage-collector/collectable-types.ts";
import { isPodEnded } from "../pods.ts";

/** What objects with finalizers are given. */
const finalizerEstimateSeconds = 15;

/** What is left after a pass. */
interface Remains {
  /** Instances by `plural.group`. */
  readonly counts: Map<string, number>;
  readonly finalizers: Map<string, number>;
  estimateSeconds: number;
  /** Why the list of kinds is not complete; "" when it is. */
  undiscovered: string;
}

export class NamespacePass {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  run(name: string): Requeue | undefined {
    const { client } = this.#context;
    let namespace: Stored<Namespace>;
    try {
      namespace = client.get(kinds.namespaces, { namespace: "", name });
    } catch (error) {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }
    const remains = this.#deleteContent(name);
    namespace = this.#writeConditions(namespace, remains);
    // Tried again like any other failure.
    if (remains.undiscovered !== "") throw new ApiUnreachable(remains.undiscovered);
    if (remains.counts.size > 0) {
      const seconds = remains.estimateSeconds > 0 ? remains.estimateSeconds : finalizerEstimateSeconds;
      return { requeueAfterMs: (Math.floor(seconds / 2) + 1) * 1000 };
    }
    const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== "kubernetes");
    try {
      client.update(kinds.namespaces, { ...namespace, spec: { finalizers } }, { subresource: "finalize" });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    return undefined;
  }

  /** Pods first: while some are left, nothing else is touched, so that they can end in good order. */
  #deleteContent(namespace: string): Remains {
    const remains: Remains = { counts: new Map(), finalizers: new Map(), estimateSeconds: 0, undiscovered: this.#undiscovered() };
    this.#deleteAll(kinds.pods, namespace, remains);
    if (remains.counts.size > 0) return remains;
    const types = [...collectableTypes, kinds.events, ...this.#context.client.customTypes()];
    for (const type of types) if (type.namespaced && type.plural !== "pods") this.#deleteAll(type, namespace, remains);
    return remains;
  }

  /** Kinds of other servers that do not answer cannot be known, let alone deleted. */
  #undiscovered(): string {
    const stale = this.#context.client
      .list(kinds.apiServices)
      .items.filter(({ spec, status }) => spec?.service !== undefined && !isAvailable(status))
      .map(({ spec }) => `${spec?.group ?? ""}/${spec?.version ?? ""}`);
    if (stale.length === 0) return "";
    const groups = stale.map((name) => `${name}: stale GroupVersion discovery: ${name}`).join(", ");
    return `Discovery failed for some groups, ${stale.length} failing: unable to retrieve the complete list of server APIs: ${groups}`;
  }

  #deleteAll(type: ResourceType<unknown>, namespace: string, remains: Remains): void {
    const { client } = this.#context;
    try {
      if (client.list(type, { namespace, limit: 1 }).items.length === 0) return;
      client.deleteCollection(type, { namespace, propagationPolicy: "Background" });
      const left = client.list(type, { namespace }).items as readonly KubeObject[];
      if (left.length === 0) return;
      remains.counts.set(`${type.plural}.${type.group}`, left.length);
      for (const object of left) {
        for (const finalizer of object.metadata.finalizers ?? [])
          remains.finalizers.set(finalizer, (remains.finalizers.get(finalizer) ?? 0) + 1);
      }
      if (type.plural === "pods") remains.estimateSeconds = this.#graceOf(namespace);
    } catch (error) {
      // Not served, or cannot be deleted as a collection: nothing of it can be there.
      if (!isReason(error, "NotFound") && !isReason(error, "MethodNotAllowed")) throw error;
    }
  }

  #graceOf(namespace: string): number {
    let seconds = 0;
    for (const pod of this.#context.client.list(kinds.pods, { namespace }).items) {
      if (!isPodEnded(pod)) seconds = Math.max(seconds, Number(pod.spec?.terminationGracePeriodSeconds ?? 0));
    }
    return seconds;
  }

  #writeConditions(namespace: Stored<Namespace>, remains: Remains): Stored<Namespace> {
    const time = formatTime(this.#context.simulation.nowMs);
    const wanted = conditionsOf(remains);
    const former = namespace.status?.conditions ?? [];
    const conditions = wanted.map((condition): NamespaceCondition => {
      const known = former.find(({ type }) => type === condition.type);
      return { ...condition, lastTransitionTime: known?.status === condition.status ? (known.lastTransitionTime ?? time) : time };
    });
    if (sameValue(conditions, former)) return namespace;
    return this.#context.client.updateStatus(kinds.namespaces, { ...namespace, status: { ...namespace.status, conditions } });
  }
}

function isAvailable(status: APIServiceStatus | undefined): boolean {
  return status?.conditions?.some((one) => one.type === "Available" && one.status === "True") === true;
}

function conditionsOf(remains: Remains): readonly NamespaceCondition[] {
  const counted = [...remains.counts].map(([resource, count]) => `${resource} has ${count} resource instances`).sort();
  const held = [...remains.finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  return [
    remains.undiscovered === ""
      ? condition("NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered")
      : condition("NamespaceDeletionDiscoveryFailure", "True", "DiscoveryFailed", remains.undiscovered),
    condition(
      "NamespaceDeletionGroupVersionParsingFailure",
      "False",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    condition(
      "NamespaceDeletionContentFailure",
      "False",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    counted.length > 0
      ? condition("NamespaceContentRemaining", "True", "SomeResourcesRemain", `Some resources are remaining: ${counted.join(", ")}`)
      : condition("NamespaceContentRemaining", "False", "ContentRemoved", "All content successfully removed"),
    held.length > 0
      ? condition(
          "NamespaceFinalizersRemaining",
          "True",
          "SomeFinalizersRemain",
          `Some content in the namespace has finalizers remaining: ${held.join(", ")}`,
        )
      : condition("NamespaceFinalizersRemaining", "False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
  ];
}

function condition(type: string, status: "True" | "False", reason: string, message: string): NamespaceCondition {
  return { type, status, reason, message };
}
