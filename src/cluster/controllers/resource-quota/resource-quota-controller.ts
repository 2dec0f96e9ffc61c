// Counts what is used of each quota: for new and changed limits, when something that counted is gone, and every five
// minutes (pkg/controller/resourcequota). The API server charges what is added. `quota-count.ts` counts.

import type { ResourceQuota } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type KubeObject, keyOf, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { isReason } from "#cluster/client/retry.ts";
import { sameLists } from "#cluster/quota/resource-list.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, type WatchRule, watchRule } from "../controller.ts";
import { collectableTypes } from "../garbage-collector/collectable-types.ts";
import { latePasses } from "../late-passes.ts";

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
  readonly #counted: readonly ResourceType<unknown>[];
  #enqueue: (key: string) => void = () => undefined;
  /** Of custom kinds; a kind that comes again has another one. */
  readonly #watched = new WeakSet<object>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#quotas = context.informers.informer(kinds.resourceQuotas);
    this.#counted = collectableTypes.filter((type) => type.namespaced && type.plural !== "events" && context.client.serves(type));
    this.watches = [
      watchRule<ResourceQuota>({
        resource: kinds.resourceQuotas,
        keys: (quota, previous, deleted) => this.#changed(quota, previous, deleted),
      }),
      ...this.#counted.map((type) =>
        watchRule<unknown>({
          resource: type,
          keys: (object, previous, deleted) => this.#concernedBy(type, object, previous, deleted),
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
    const { client, informers, simulation, tuning } = this.#context;
    // --resource-quota-sync-period 0: counted again only for a reason.
    const again: Requeue | undefined =
      tuning.quotaSyncMs > 0 ? { requeueAfterMs: tuning.quotaSyncMs, background: true } : undefined;
    const hard = quota.spec?.hard ?? {};
    const types = [...this.#counted, ...this.#custom(Object.keys(hard))];
    const objectsOf = (type: ResourceType<unknown>) => informers.informer(type).listNamespace(quota.metadata.namespace ?? "");
    const used = latePasses.code.usedOf(quota, types, objectsOf, simulation.nowMs);
    if (sameLists(quota.status?.hard, hard) && sameLists(quota.status?.used, used)) return again;
    try {
      client.updateStatus(kinds.resourceQuotas, { ...quota, status: { hard, used } });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    return again;
  }

  /** A change of the status is this controller's own work or the API server's. */
  #changed(quota: Stored<ResourceQuota>, previous: Stored<ResourceQuota> | undefined, deleted: boolean): readonly string[] {
    if (!deleted && previous !== undefined && sameLists(previous.spec?.hard, quota.spec?.hard)) return noKeys;
    return [keyOf(quota)];
  }

  #concernedBy(
    type: ResourceType<unknown>,
    object: KubeObject,
    previous: KubeObject | undefined,
    deleted: boolean,
  ): readonly string[] {
    if (this.#quotas.size === 0) return noKeys;
    const { nowMs } = this.#context.simulation;
    const freed = deleted || (previous !== undefined && latePasses.code.frees(type, object, previous, nowMs));
    return freed ? this.#concerned(type, object.metadata.namespace ?? "") : noKeys;
  }

  #concerned(type: ResourceType<unknown>, namespace: string): readonly string[] {
    const quotas = [...this.#quotas.listNamespace(namespace)];
    return quotas.filter((quota) => latePasses.code.counts(quota, type)).map(keyOf);
  }

  /** The custom kinds among those that are counted; from now on it is heard when one of their objects goes. */
  #custom(names: readonly string[]): readonly ResourceType<unknown>[] {
    const wanted = names.filter((name) => name.startsWith("count/") && name.includes("."));
    if (wanted.length === 0) return [];
    const { client, informers } = this.#context;
    const custom = latePasses.code.customCounted(client.customTypes(), wanted);
    for (const type of custom) {
      const informer = informers.informer(type);
      if (this.#watched.has(informer)) continue;
      this.#watched.add(informer);
      informer.addHandler(({ metadata }, _previous, deleted) => {
        if (deleted) for (const key of this.#concerned(type, metadata.namespace ?? "")) this.#enqueue(key);
      });
    }
    return custom;
  }
}

const noKeys: readonly string[] = [];
