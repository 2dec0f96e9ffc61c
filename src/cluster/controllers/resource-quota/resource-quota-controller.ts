// Counts what is used of each quota: for new and changed limits, when something that counted is gone, and every five
// minutes (pkg/controller/resourcequota). The API server charges what is added.

import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type KubeObject, keyOf, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { isReason } from "#cluster/client/retry.ts";
import { type Countable, type Evaluator, usageOf } from "#cluster/quota/evaluator.ts";
import { evaluatorOf } from "#cluster/quota/evaluators.ts";
import { isPodCharged, isTerminating } from "#cluster/quota/pods.ts";
import { addLists, masked, type ResourceList, sameLists } from "#cluster/quota/resource-list.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, type WatchRule, watchRule } from "../controller.ts";
import { collectableTypes } from "../garbage-collector/collectable-types.ts";
import { latePasses } from "../late-passes.ts";
import type { Counted } from "./custom-kinds.ts";

/** `--resource-quota-sync-period` */
const resyncMs = 300_000;
const again: Requeue = { requeueAfterMs: resyncMs, background: true };

export const resourceQuotaController: ControllerDefinition = {
  name: "resourcequota-controller",
  serviceAccount: "resourcequota-controller",
  create: (context) => new ResourceQuotaController(context),
};

/** Keys are those of quotas. */
class ResourceQuotaController implements Controller {
  readonly name = "resourcequota-controller";
  readonly watches: readonly WatchRule<never>[];
  readonly #context: ControllerContext;
  readonly #quotas;
  /** The kinds that quotas may count and the server has. */
  readonly #counted: readonly Counted[];
  #enqueue: (key: string) => void = () => undefined;
  /** Of custom kinds; a kind that comes again has another one. */
  readonly #watched = new WeakSet<object>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#quotas = context.informers.informer(kinds.resourceQuotas);
    this.#counted = collectableTypes.flatMap((type) => {
      const evaluator = evaluatorOf(type.group, type.plural);
      return type.namespaced && evaluator !== undefined && context.client.serves(type) ? [{ type, evaluator }] : [];
    });
    this.watches = [
      watchRule<ResourceQuota>({
        resource: kinds.resourceQuotas,
        keys: (quota, previous, deleted) => this.#changed(quota, previous, deleted),
      }),
      ...this.#counted.map(({ type, evaluator }) =>
        watchRule<unknown>({
          resource: type,
          keys: (object, previous, deleted) => {
            const freed = deleted || (previous !== undefined && this.#frees(type, object, previous));
            return freed && this.#quotas.size > 0 ? this.#concerned(evaluator, object.metadata.namespace ?? "") : [];
          },
        }),
      ),
    ];
  }

  start(enqueue: (key: string) => void): void {
    this.#enqueue = enqueue;
  }

  reconcile(key: string): Requeue | undefined {
    const quota = this.#quotas.get(key);
    if (quota === undefined) return undefined;
    const hard = quota.spec?.hard ?? {};
    const before = quota.status?.used ?? {};
    const used = masked({ ...before, ...this.#count(quota) }, Object.keys(hard));
    if (sameLists(quota.status?.hard, hard) && sameLists(quota.status?.used, used)) return again;
    try {
      this.#context.client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used } });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    return again;
  }

  /** A change of the status is this controller's own work or the API server's. */
  #changed(quota: Stored<ResourceQuota>, previous: Stored<ResourceQuota> | undefined, deleted: boolean): readonly string[] {
    if (!deleted && previous !== undefined && sameLists(previous.spec?.hard, quota.spec?.hard)) return [];
    return [keyOf(quota)];
  }

  #concerned(evaluator: Evaluator, namespace: string): readonly string[] {
    const keys: string[] = [];
    for (const quota of this.#quotas.listNamespace(namespace)) {
      if (evaluator.matchingResources(Object.keys(quota.status?.hard ?? {})).length > 0) keys.push(keyOf(quota));
    }
    return keys;
  }

  /** Changes that give something back without a deletion. */
  #frees(type: ResourceType<unknown>, object: KubeObject, previous: KubeObject): boolean {
    const { nowMs } = this.#context.simulation;
    if (type.group !== "") return false;
    switch (type.plural) {
      case "pods":
        return (
          (isPodCharged(previous as Pod, nowMs) && !isPodCharged(object as Pod, nowMs)) ||
          isTerminating(previous as Pod) !== isTerminating(object as Pod)
        );
      case "services":
        return (previous as Service).spec?.type !== (object as Service).spec?.type;
      case "persistentvolumeclaims":
        return sizeOf(previous as PersistentVolumeClaim) !== sizeOf(object as PersistentVolumeClaim);
      default:
        return false;
    }
  }

  /** The custom kinds among those that are counted; from now on it is heard when one of their objects goes. */
  #custom(names: readonly string[]): readonly Counted[] {
    const wanted = names.filter((name) => name.startsWith("count/") && name.includes("."));
    if (wanted.length === 0) return [];
    const { client, informers } = this.#context;
    const custom = latePasses.code.customCounted(client.customTypes(), wanted);
    for (const { type, evaluator } of custom) {
      const informer = informers.informer(type);
      if (this.#watched.has(informer)) continue;
      this.#watched.add(informer);
      informer.addHandler(({ metadata }, _previous, deleted) => {
        if (deleted) for (const key of this.#concerned(evaluator, metadata.namespace ?? "")) this.#enqueue(key);
      });
    }
    return custom;
  }

  #count(quota: Stored<ResourceQuota>): ResourceList {
    const names = Object.keys(quota.spec?.hard ?? {});
    const { nowMs } = this.#context.simulation;
    let used: ResourceList = {};
    for (const { type, evaluator } of [...this.#counted, ...this.#custom(names)]) {
      if (evaluator.matchingResources(names).length === 0) continue;
      const objects = this.#context.informers.informer(type).listNamespace(quota.metadata.namespace ?? "");
      used = addLists(used, usageOf(evaluator, quota, objects as Iterable<Countable>, nowMs));
    }
    return used;
  }
}

function sizeOf({ spec, status }: PersistentVolumeClaim): string {
  return `${spec?.resources?.requests?.["storage"]} ${status?.allocatedResources?.["storage"]}`;
}
