// node-route-controller: a route of the cloud for the Pod range of each Node, and the condition NetworkUnavailable that says whether there
// is one (k8s.io/cloud-provider/controllers/route).

import { wordsOf } from "#sim/errors.ts";
import type { Timer } from "#sim/simulation.ts";
import { ApiError, ApiUnreachable } from "../../api/errors.ts";
import type { Node } from "../../api/generated/types.ts";
import * as kinds from "../../api/kinds.ts";
import type { Stored } from "../../api/objects.ts";
import { formatTime } from "../../api/time.ts";
import type { Informer } from "../../client/informer.ts";
import type { Controller } from "../../controllers/controller.ts";
import { contains, parseRange, type Range } from "../../network/addresses.ts";
import { CloudError } from "../cloud.ts";
import type { CloudContext } from "./context.ts";

export interface RouteSettings {
  /** --route-reconciliation-period. */
  readonly periodMs: number;
  /** --cluster-cidr: routes elsewhere are somebody else's. */
  readonly clusterCidr: string;
  readonly clusterName: string;
}

/** What a request to the cloud takes, as the log tells it. */
const requestTime = "38ms";

export class RouteController implements Controller {
  readonly name = "node-route-controller";
  readonly watches = [];
  readonly #context: CloudContext;
  readonly #settings: RouteSettings;
  readonly #range: Range;
  readonly #nodes: Informer<Node>;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(context: CloudContext, settings: RouteSettings) {
    this.#context = context;
    this.#settings = settings;
    this.#range = parseRange(settings.clusterCidr);
    this.#nodes = context.informers.informer(kinds.nodes);
  }

  start(): void {
    this.#context.say("I", "route_controller.go:170", "Starting route controller");
    this.#nodes.whenSynced(() => this.#reconcileAll());
  }

  stop(): void {
    this.#isStopped = true;
    this.#context.simulation.cancel(this.#timer);
  }

  reconcile(): undefined {}

  #reconcileAll(): void {
    if (this.#isStopped) return;
    this.#timer = this.#context.simulation.after(this.#settings.periodMs, () => this.#reconcileAll(), { background: true });
    const nodes = [...this.#nodes.list()].filter(({ spec }) => spec?.podCIDR !== undefined && spec.podCIDR !== "");
    this.#removeUnused(nodes);
    for (const node of nodes) this.#setCondition(node, this.#hasRoute(node) || this.#createRoute(node));
  }

  #removeUnused(nodes: readonly Stored<Node>[]): void {
    const { cloud, say } = this.#context;
    for (const { name, destination, target } of cloud.routes) {
      if (!contains(this.#range, parseRange(destination).base)) continue;
      if (nodes.some((node) => node.metadata.name === target && node.spec?.podCIDR === destination)) continue;
      say("I", "route_controller.go:322", `Deleting route ${name} ${destination}`);
      cloud.deleteRoute(name);
      say("I", "route_controller.go:326", `Deleted route ${name} ${destination} after ${requestTime}`);
    }
  }

  #hasRoute({ metadata, spec }: Stored<Node>): boolean {
    return this.#context.cloud.routes.some(({ target, destination }) => target === metadata.name && destination === spec?.podCIDR);
  }

  #createRoute(node: Stored<Node>): boolean {
    const { cloud, events, say } = this.#context;
    const { name, uid } = node.metadata;
    const { podCIDR: destination = "" } = node.spec ?? {};
    say("I", "route_controller.go:368", `Creating route for node ${name} ${destination} with hint ${uid}, throttled 1µs`);
    try {
      if (cloud.machine(name) === undefined) throw new CloudError("instance not found");
      cloud.createRoute({ name: `${this.#settings.clusterName}-${uid}`, destination, target: name });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const what = `Could not create route ${uid} ${destination} for node ${name}`;
      events.warning(node, "FailedToCreateRoute", `${what} after ${requestTime}: ${wordsOf(error)}`);
      say("E", "route_controller.go:396", `${what}: ${wordsOf(error)}`);
      return false;
    }
    say("I", "route_controller.go:391", `Created route for node ${name} ${destination} with hint ${uid} after ${requestTime}`);
    return true;
  }

  #setCondition(node: Stored<Node>, isCreated: boolean): void {
    const { client, simulation, say } = this.#context;
    const { name } = node.metadata;
    const wanted = isCreated
      ? { status: "False", reason: "RouteCreated", message: "RouteController created a route" }
      : { status: "True", reason: "NoRouteCreated", message: "RouteController failed to create a route" };
    const before = node.status?.conditions?.find(({ type }) => type === "NetworkUnavailable");
    if (before?.status === wanted.status && before.reason === wanted.reason) return;
    say("I", "route_controller.go:463", `Patching node status ${name} with ${isCreated}`);
    const time = formatTime(simulation.nowMs);
    const condition = { type: "NetworkUnavailable", ...wanted, lastHeartbeatTime: time, lastTransitionTime: time };
    try {
      client.patch(
        kinds.nodes,
        { namespace: "", name },
        "strategic",
        { status: { conditions: [condition] } },
        { subresource: "status" },
      );
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      say("E", "route_controller.go:496", `Error updating node ${name}: ${error.message}`);
      say("E", "route_controller.go:449", `failed to update networking condition: ${error.message}`);
    }
  }
}
