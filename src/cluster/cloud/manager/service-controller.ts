// service-lb-controller: a load balancer of the cloud for each Service that wants one, and its targets
// (k8s.io/cloud-provider/controllers/service).

import { wordsOf } from "#sim/errors.ts";
import type { Timer } from "#sim/simulation.ts";
import { ApiError, ApiUnreachable } from "../../api/errors.ts";
import type { Node, Service } from "../../api/generated/types.ts";
import * as kinds from "../../api/kinds.ts";
import { type JsonValue, keyOf, type Stored } from "../../api/objects.ts";
import { sameValue } from "../../client/equality.ts";
import type { Informer } from "../../client/informer.ts";
import { isReason } from "../../client/retry.ts";
import { type Controller, type Requeue, TryAgain, type WatchRule, watchRule } from "../../controllers/controller.ts";
import { CloudError } from "../cloud.ts";
import { balancerName, balancerWish } from "./balancer-wish.ts";
import { type CloudContext, unhandled } from "./context.ts";
import { cleanupFinalizer, concernsTargets, isTarget, needsCleanup, needsUpdate, wantsLoadBalancer } from "./service-nodes.ts";

/** The key of the pass over the targets of all load balancers; Services' keys have a slash. */
const allTargets = "nodes";
const resyncMs = 30_000;
const noNodes = "There are no available nodes for LoadBalancer";

type Ingress = NonNullable<NonNullable<NonNullable<Service["status"]>["loadBalancer"]>["ingress"]>;

export class ServiceController implements Controller {
  readonly name = "service-lb-controller";
  readonly retryMs = 5_000;
  readonly longestRetryMs = 300_000;
  readonly watches: readonly WatchRule<never>[] = [
    watchRule<Service>({
      resource: kinds.services,
      keys: (service, previous, deleted) => {
        if (deleted) return [];
        const isOurs =
          needsCleanup(service) || (previous === undefined ? wantsLoadBalancer(service) : needsUpdate(previous, service));
        return isOurs ? [keyOf(service)] : [];
      },
    }),
    watchRule<Node>({
      resource: kinds.nodes,
      keys: (node, previous, deleted) => (deleted || previous === undefined || concernsTargets(previous, node) ? [allTargets] : []),
    }),
  ];
  readonly #context: CloudContext;
  readonly #services: Informer<Service>;
  readonly #nodes: Informer<Node>;
  /** Services as they were when they were last looked at. */
  readonly #known = new Map<string, Stored<Service>>();
  /** Node → provider ID, as the load balancer of a Service was last told. */
  readonly #told = new Map<string, ReadonlyMap<string, string>>();
  /** Services whose load balancers are being made. */
  readonly #pending = new Set<string>();
  #timer: Timer | undefined;

  constructor(context: CloudContext) {
    this.#context = context;
    this.#services = context.informers.informer(kinds.services);
    this.#nodes = context.informers.informer(kinds.nodes);
  }

  start(enqueue: (key: string) => void): void {
    this.#context.say("I", "controller.go:231", "Starting service controller");
    const resync = (): void => {
      this.#timer = this.#context.simulation.after(resyncMs, resync, { background: true });
      for (const service of this.#services.list()) if (needsCleanup(service)) enqueue(keyOf(service));
    };
    this.#timer = this.#context.simulation.after(resyncMs, resync, { background: true });
  }

  stop(): void {
    this.#context.simulation.cancel(this.#timer);
  }

  reconcile(key: string): Requeue | undefined {
    if (key === allTargets) return this.#syncTargets();
    const service = this.#services.get(key);
    try {
      return service === undefined ? this.#forget(key) : this.#sync(service, key);
    } catch (error) {
      const message = failureOf(error);
      if (service !== undefined)
        this.#context.events.warning(service, "SyncLoadBalancerFailed", `Error syncing load balancer: ${message}`);
      unhandled(
        this.#context.say,
        "controller.go:302",
        `error processing service ${key} (retrying with exponential backoff): ${message}`,
      );
      throw new TryAgain(message);
    }
  }

  #sync(service: Stored<Service>, key: string): Requeue | undefined {
    const before = this.#known.get(key);
    if (before !== undefined && before.metadata.uid !== service.metadata.uid) this.#deleteOf(before);
    this.#known.set(key, service);
    if (!wantsLoadBalancer(service) || needsCleanup(service)) {
      this.#cleanUp(service, key);
      return undefined;
    }
    return this.#ensure(service, key);
  }

  #ensure(service: Stored<Service>, key: string): Requeue | undefined {
    const { cloud, events, say, simulation } = this.#context;
    if (!this.#pending.has(key)) {
      say("I", "controller.go:402", `Ensuring load balancer for service ${key}`);
      events.normal(service, "EnsuringLoadBalancer", "Ensuring load balancer");
      within("failed to add load balancer cleanup finalizer", () => this.#addFinalizer(service));
    }
    this.#pending.delete(key);
    const nodes = [...this.#nodes.list()].filter(isTarget);
    if (nodes.length === 0) events.warning(service, "UnAvailableLoadBalancer", noNodes);
    this.#told.set(key, providerIds(nodes));
    const made = within("failed to ensure load balancer", () =>
      cloud.ensureLoadBalancer(balancerName(service), balancerWish(cloud, service, nodes)),
    );
    if (!made.isReady) {
      this.#pending.add(key);
      return { requeueAfterMs: made.readyMs - simulation.nowMs };
    }
    events.normal(service, "EnsuredLoadBalancer", "Ensured load balancer");
    this.#writeStatus(service, [{ ip: made.address, ipMode: "VIP" }]);
    return undefined;
  }

  #cleanUp(service: Stored<Service>, key: string): void {
    const { cloud, events, say } = this.#context;
    this.#pending.delete(key);
    if (cloud.loadBalancer(balancerName(service)) !== undefined) {
      say("I", "controller.go:383", `Deleting existing load balancer for service ${key}`);
      events.normal(service, "DeletingLoadBalancer", "Deleting load balancer");
      cloud.deleteLoadBalancer(balancerName(service));
    }
    within("failed to remove load balancer cleanup finalizer", () => this.#removeFinalizer(service));
    events.normal(service, "DeletedLoadBalancer", "Deleted load balancer");
    this.#writeStatus(service, []);
    this.#known.delete(key);
    this.#told.delete(key);
  }

  /** A Service that is gone without having waited for us. */
  #forget(key: string): undefined {
    const before = this.#known.get(key);
    if (before === undefined) return;
    this.#context.say("I", "controller.go:911", `Service ${key} has been deleted. Attempting to cleanup load balancer resources`);
    this.#deleteOf(before);
    this.#known.delete(key);
    this.#told.delete(key);
    this.#pending.delete(key);
  }

  #deleteOf(service: Stored<Service>): void {
    if (!wantsLoadBalancer(service)) return;
    const { cloud, events } = this.#context;
    events.normal(service, "DeletingLoadBalancer", "Deleting load balancer");
    cloud.deleteLoadBalancer(balancerName(service));
    events.normal(service, "DeletedLoadBalancer", "Deleted load balancer");
  }

  #syncTargets(): undefined {
    const { say } = this.#context;
    say("I", "controller.go:731", "Syncing backends for all LB services.");
    const nodes = [...this.#nodes.list()].filter(isTarget);
    const services = [...this.#known.values()];
    for (const service of services) this.#tellTargets(service, nodes);
    const counts = `${services.length} out of ${services.length}`;
    say("I", "controller.go:735", `Successfully updated ${counts} load balancers to direct traffic to the updated set of nodes`);
  }

  #tellTargets(service: Stored<Service>, nodes: readonly Stored<Node>[]): void {
    const { cloud, events, say } = this.#context;
    const key = keyOf(service);
    const told = this.#told.get(key);
    const now = providerIds(nodes);
    if (!wantsLoadBalancer(service) || told === undefined) return;
    this.#told.set(key, now);
    if (sameValue([...told].sort(), [...now].sort())) return;
    const names = nodes.map(({ metadata }) => metadata.name).sort();
    say("I", "controller.go:831", `Updating backends for load balancer ${key} with ${nodes.length} nodes: [${names.join(" ")}]`);
    if (cloud.loadBalancer(balancerName(service)) === undefined) return;
    cloud.ensureLoadBalancer(balancerName(service), balancerWish(cloud, service, nodes));
    if (nodes.length === 0) events.warning(service, "UnAvailableLoadBalancer", noNodes);
    else events.normal(service, "UpdatedLoadBalancer", "Updated load balancer with new hosts");
  }

  #addFinalizer(service: Stored<Service>): void {
    if (service.metadata.finalizers?.includes(cleanupFinalizer) === true) return;
    this.#context.say("I", "controller.go:941", `Adding finalizer to service ${keyOf(service)}`);
    this.#patch(service, { metadata: { finalizers: [cleanupFinalizer] } });
  }

  #removeFinalizer(service: Stored<Service>): void {
    if (service.metadata.finalizers?.includes(cleanupFinalizer) !== true) return;
    this.#context.say("I", "controller.go:956", `Removing finalizer from service ${keyOf(service)}`);
    this.#patch(service, { metadata: { "$deleteFromPrimitiveList/finalizers": [cleanupFinalizer] } });
  }

  #writeStatus(service: Stored<Service>, ingress: Ingress): void {
    if (sameValue(service.status?.loadBalancer?.ingress, ingress)) return;
    this.#context.say("I", "controller.go:985", `Patching status for service ${keyOf(service)}`);
    within("failed to update load balancer status", () => {
      try {
        const loadBalancer = ingress.length === 0 ? { ingress: null } : { ingress: ingress.map((point) => ({ ...point })) };
        this.#patch(service, { status: { loadBalancer } } as JsonValue);
      } catch (error) {
        // It went with its finalizer.
        if (!isReason(error, "NotFound")) throw error;
      }
    });
  }

  /** All by the subresource (service/helpers: PatchService). */
  #patch({ metadata }: Stored<Service>, patch: JsonValue): void {
    const { namespace = "", name } = metadata;
    this.#context.client.patch(kinds.services, { namespace, name }, "strategic", patch, { subresource: "status" });
  }
}

function providerIds(nodes: readonly Stored<Node>[]): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ metadata, spec }) => [metadata.name, spec?.providerID ?? ""]));
}

/** A refusal with words before it. */
function within<Result>(words: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw new CloudError(`${words}: ${failureOf(error)}`);
  }
}

/** Throws what nobody expected. */
function failureOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof ApiUnreachable || error instanceof CloudError) return wordsOf(error);
  throw error;
}
