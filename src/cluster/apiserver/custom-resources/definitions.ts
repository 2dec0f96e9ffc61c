// Follows the CustomResourceDefinitions: accepts their names, establishes them, serves their kinds from then on, and empties and
// ends them when they are deleted (apiextensions-apiserver, pkg/controller/{status,establish,finalizer} and the handler's
// crdInfo). It is part of the API server, as there; without definitions it does nothing.

import { deepEqual } from "#cluster/api/equality.ts";
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "#cluster/api/generated/types.ts";
import { customResourceDefinitions } from "#cluster/api/kinds.ts";
import { type KubeObject, qualifiedResource, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { approvalCondition } from "#cluster/resources/apiextensions/api-approval.ts";
import { cleanupFinalizer, conditionOf, isTrue, withCondition } from "#cluster/resources/apiextensions/crd-conditions.ts";
import type { Crd } from "#cluster/resources/apiextensions/custom-resource.ts";
import { lateCustomResources } from "#cluster/resources/apiextensions/late-custom-resources.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { StoreEvent } from "#cluster/storage/events.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { WebhookCalls } from "../admission/dynamic/webhook-calls.ts";
import { lateDynamicPlugins } from "../admission/dynamic-plugins.ts";
import { attemptWrite } from "../own-writes.ts";
import { acceptNames } from "./names.ts";

/** How often it is looked whether the objects of a definition that goes are gone. */
const cleanupPollMs = 5_000;

export interface DefinitionsOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly client: Client;
  serve(definition: ResourceDefinition): void;
  unserve(definition: ResourceDefinition): void;
  /** What asks conversion webhooks. */
  readonly webhookCalls: () => WebhookCalls;
  /** Ends the watches of a kind, by the name of its table. */
  endWatches(storage: string): void;
}

/** What is served of one definition. */
interface Serving {
  readonly crd: Crd;
  readonly isTerminating: boolean;
  readonly kinds: readonly ResourceDefinition[];
}

export class CustomResources {
  readonly #options: DefinitionsOptions;
  readonly #served = new Map<string, Serving>();
  #subscription: { stop(): void } | undefined;
  #running = false;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    const table = this.#options.store.table("customresourcedefinitions.apiextensions.k8s.io");
    this.#subscription = this.#options.store.watches.subscribe({
      table,
      interest: undefined,
      onStart: () => {
        for (const crd of table.list("")) this.#observe(crd as KubeObject as Crd);
      },
      onEvent: (event) => this.#onEvent(event),
    });
  }

  stop(): void {
    this.#running = false;
    this.#subscription?.stop();
  }

  #onEvent({ object, deleted }: StoreEvent): void {
    const crd = object as KubeObject as Crd;
    if (!deleted) {
      this.#observe(crd);
      return;
    }
    this.#unserve(crd.metadata.name);
    // Names that it held are free for others.
    for (const other of this.#list()) if (other.spec.group === crd.spec.group) this.#reconcile(other.metadata.name);
  }

  #observe(crd: Crd): void {
    this.#serve(crd);
    this.#reconcile(crd.metadata.name);
  }

  #list(): readonly Crd[] {
    return this.#options.client.list(customResourceDefinitions).items;
  }

  #get(name: string): Crd | undefined {
    return this.#options.store.table("customresourcedefinitions.apiextensions.k8s.io").get(name) as KubeObject | undefined as
      | Crd
      | undefined;
  }

  /** One step: each writes the definition, and its event brings the next. */
  #reconcile(name: string): void {
    const crd = this.#get(name);
    if (crd === undefined || !this.#running) return;
    const step = (): void => {
      if (crd.metadata.deletionTimestamp !== undefined) this.#finalize(crd);
      else if (!this.#acceptNames(crd) && !this.#establish(crd)) this.#tellApproval(crd);
    };
    attemptWrite(this.#options.simulation, step, () => this.#reconcile(name));
  }

  /** True when it wrote. */
  #acceptNames(crd: Crd): boolean {
    const accepted = crd.status?.acceptedNames;
    if (sameNames(crd.spec.names, accepted) && conditionOf(crd, "NamesAccepted") !== undefined) return false;
    const { names, conditions } = acceptNames(crd, this.#list(), this.#nowMs);
    if (sameNames(names, accepted) && deepEqual(conditions, crd.status?.conditions)) return false;
    this.#writeStatus(crd, { acceptedNames: names, conditions });
    return true;
  }

  #establish(crd: Crd): boolean {
    if (!isTrue(crd, "NamesAccepted") || isTrue(crd, "Established")) return false;
    const established = {
      type: "Established",
      status: "True",
      reason: "InitialNamesAccepted",
      message: "the initial names have been accepted",
    };
    this.#writeStatus(crd, { conditions: withCondition(crd.status?.conditions ?? [], established, this.#nowMs) });
    return true;
  }

  #tellApproval(crd: Crd): void {
    const condition = approvalCondition(crd);
    if (condition === undefined) return;
    const conditions = withCondition(crd.status?.conditions ?? [], condition, this.#nowMs);
    if (!deepEqual(conditions, crd.status?.conditions)) this.#writeStatus(crd, { conditions });
  }

  #finalize(crd: Crd): void {
    if (crd.metadata.finalizers?.includes(cleanupFinalizer) !== true) return;
    const current = this.#terminating(crd, "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress");
    if (!isTrue(current, "Established")) {
      this.#release(current, "NeverEstablished", "resource was never established");
      return;
    }
    if (this.#deleteObjects(current) === 0) this.#release(current, "InstanceDeletionCompleted", "removed all instances");
    else this.#options.simulation.after(cleanupPollMs, () => this.#reconcile(crd.metadata.name), { background: true });
  }

  #terminating(crd: Crd, status: "True" | "False", reason: string, message: string): Crd {
    const old = conditionOf(crd, "Terminating");
    if (old?.status === status && old.reason === reason) return crd;
    const conditions = withCondition(crd.status?.conditions ?? [], { type: "Terminating", status, reason, message }, this.#nowMs);
    return this.#writeStatus(crd, { conditions });
  }

  /** Deletes all objects of the kind; answers how many are still there. */
  #deleteObjects(crd: Crd): number {
    const kinds = this.#served.get(crd.metadata.name)?.kinds ?? [];
    const kind = kinds.find(({ version }) => crd.spec.versions.find(({ storage }) => storage)?.name === version) ?? kinds[0];
    if (kind === undefined) return 0;
    const { client } = this.#options;
    const type = kind as ResourceType<unknown>;
    const objects = client.list(type).items as readonly KubeObject[];
    const namespaces = new Set(objects.map(({ metadata }) => metadata.namespace ?? ""));
    for (const namespace of namespaces) client.deleteCollection(type, { namespace });
    return namespaces.size === 0 ? 0 : client.list(type).items.length;
  }

  #release(crd: Crd, reason: string, message: string): void {
    const conditions = withCondition(
      crd.status?.conditions ?? [],
      { type: "Terminating", status: "False", reason, message },
      this.#nowMs,
    );
    const finalizers = (crd.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    const { finalizers: _former, ...metadata } = crd.metadata;
    const kept = finalizers.length === 0 ? metadata : { ...metadata, finalizers };
    this.#options.client.updateStatus(customResourceDefinitions, {
      ...crd,
      metadata: kept,
      status: { ...crd.status, conditions },
    });
  }

  #writeStatus(crd: Crd, change: Partial<NonNullable<CustomResourceDefinition["status"]>>): Crd {
    const written = { ...crd, status: { ...crd.status, ...change } };
    return this.#options.client.updateStatus(customResourceDefinitions, written as Stored<CustomResourceDefinition>);
  }

  get #nowMs(): number {
    return this.#options.simulation.nowMs;
  }

  // Serving.

  #serve(crd: Crd): void {
    const { name } = crd.metadata;
    const known = this.#served.get(name);
    if (!isTrue(crd, "Established")) {
      if (known !== undefined) this.#unserve(name);
      return;
    }
    const isTerminating = crd.metadata.deletionTimestamp !== undefined || isTrue(crd, "Terminating");
    const same = known !== undefined && servesSame(known.crd, crd);
    if (same && known.isTerminating === isTerminating) return;
    if (known !== undefined) for (const kind of known.kinds) this.#options.unserve(kind);
    const converter = lateDynamicPlugins.code.converterOf(crd, this.#options.webhookCalls);
    const kinds = crd.spec.versions
      .filter(({ served }) => served)
      .map((version) => lateCustomResources.code.customResource(crd, version, isTerminating, converter));
    for (const kind of kinds) this.#options.serve(kind);
    this.#served.set(name, { crd, isTerminating, kinds });
    // Clients that watch a form that is no more begin anew.
    if (known !== undefined && !same) this.#options.endWatches(storageOf(crd));
  }

  #unserve(name: string): void {
    const known = this.#served.get(name);
    if (known === undefined) return;
    this.#served.delete(name);
    for (const kind of known.kinds) this.#options.unserve(kind);
    this.#options.endWatches(storageOf(known.crd));
  }
}

function storageOf({ spec }: Crd): string {
  return qualifiedResource({ group: spec.group, plural: spec.names.plural });
}

function servesSame(a: Crd, b: Crd): boolean {
  return (
    a.metadata.uid === b.metadata.uid && deepEqual(a.spec, b.spec) && sameNames(a.status?.acceptedNames, b.status?.acceptedNames)
  );
}

function sameNames(a: CustomResourceDefinitionNames | undefined, b: CustomResourceDefinitionNames | undefined): boolean {
  return deepEqual(a, b);
}
