// Keeps EndpointSlices in step with the Pods behind a Service: at most 100 endpoints in a slice, one set of slices for each
// combination of ports (pkg/controller/endpointslice, endpointslice/reconciler.go).

import { ApiError } from "#cluster/api/errors.ts";
import type { Endpoint, EndpointSlice, Node, Pod, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type ObjectMeta, type Stored, splitKey } from "#cluster/api/objects.ts";
import { compareInt64, type Int64 } from "#cluster/api/wire.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, TryAgain, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { controllerReference } from "../ownership.ts";
import { isPodReady } from "../pods.ts";
import {
  endpointHostname,
  hasEndpoint,
  podsBehind,
  type ResolvedPort,
  resolvePorts,
  selectorOf,
  servicesOfPod,
} from "./service-endpoints.ts";
import { type PlannedService, planSlices, portKey, type SliceContent, type SliceUpdate } from "./slice-plan.ts";
import type { TopologyHints } from "./topology-hints.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";

export const endpointSliceController: ControllerDefinition = {
  name: "endpointslice-controller",
  serviceAccount: "endpointslice-controller",
  eventSource: "endpoint-slice-controller",
  create: (context) => new EndpointSliceController(context),
};

const managedBy = "endpointslice-controller.k8s.io";
const byService = "service";
const topologyAnnotations = "service.kubernetes.io/topology-";

export class EndpointSliceController implements Controller {
  readonly name = "endpointslice-controller";
  readonly watches = [
    watchRule<Service>({ resource: kinds.services, keys: (service) => [keyOf(service)] }),
    watchRule<Pod>({
      resource: kinds.pods,
      keys: (pod, previous, deleted) => servicesOfPod(this.#services, pod, previous, deleted),
    }),
    watchRule<EndpointSlice>({
      resource: kinds.endpointSlices,
      delayMs: 1_000,
      keys: (slice, previous, deleted) => this.#servicesOfSlice(slice, previous, deleted),
    }),
    watchRule<Node>({ resource: kinds.nodes, keys: (...change) => this.#servicesOfNode(...change) }),
  ];
  readonly #context: ControllerContext;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #triggerTimes = new TriggerTimes();
  /** By Service, and by the uids of its slices: the generation that a slice has by what was written here. */
  readonly #written = new Map<string, Map<string, Int64>>();
  /** From the first Service on that has such an annotation. */
  #hints: TopologyHints | undefined;
  readonly retryMs = 1_000;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#services = context.informers.informer(kinds.services);
    this.#pods = context.informers.informer(kinds.pods);
    this.#nodes = context.informers.informer(kinds.nodes);
    this.#slices = context.informers.informer(kinds.endpointSlices);
    this.#slices.addIndex(byService, ownService);
  }

  passMs(key: string): number {
    return 10 + this.#pods.countByIndex("namespace", splitKey(key).namespace) / 50;
  }

  reconcile(key: string): Requeue | undefined {
    const service = this.#services.get(key);
    if (service === undefined) {
      // The slices of a deleted Service are garbage: they have an owner reference.
      this.#triggerTimes.forget(key);
      this.#written.delete(key);
      return undefined;
    }
    const selector = selectorOf(service);
    if (selector === undefined) return undefined;
    const pods = podsBehind(this.#pods, service, selector);
    const triggerTime = this.#triggerTimes.next(key, service, pods);
    const { groups, lost } = this.#desiredGroups(service, pods);
    const planned: PlannedService = {
      maxEndpoints: this.#context.tuning.maxEndpointsPerSlice,
      existing: [...this.#slices.byIndex(byService, key)].filter(({ metadata }) => metadata.deletionTimestamp === undefined),
      groups,
      isOwned: (slice) => slice.metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) === true,
      hasLabels: (slice) => sameValue(ownLabels(slice), ownLabels(service)),
    };
    if (Object.keys(service.metadata.annotations ?? {}).some((name) => name.startsWith(topologyAnnotations)))
      this.#hints ??= new latePasses.code.TopologyHints(this.#nodes, this.#context.events);
    const plan = this.#hints?.plan(service, planned) ?? planSlices(planned);
    try {
      if (service.metadata.deletionTimestamp === undefined)
        for (const content of plan.create) this.#create(service, content, triggerTime);
      for (const update of plan.update) this.#update(service, update, triggerTime);
      for (const slice of plan.delete) this.#delete(key, slice);
    } catch (error) {
      if (error instanceof ApiError) this.#tellFailure(service, error.message);
      throw error;
    }
    if (lost.length === 0) return undefined;
    // They are looked at again.
    const message = latePasses.code.nodesNotFound(service, lost);
    this.#tellFailure(service, message);
    throw new TryAgain(message);
  }

  #tellFailure(service: Stored<Service>, message: string): void {
    const { namespace, name } = service.metadata;
    const text = `Error updating Endpoint Slices for Service ${namespace}/${name}: ${message}`;
    this.#context.events.warning(service, "FailedToUpdateEndpointSlices", text);
  }

  /** `lost`: Pods that are left out because their node is not there. */
  #desiredGroups(service: Stored<Service>, pods: readonly Stored<Pod>[]) {
    const groups = new Map<string, { readonly ports: readonly ResolvedPort[]; readonly endpoints: Map<string, Endpoint> }>();
    const lost: Stored<Pod>[] = [];
    const publishNotReady = service.spec?.publishNotReadyAddresses === true;
    for (const pod of pods) {
      if (!hasEndpoint(pod, true)) continue;
      const ports = resolvePorts(service, pod);
      const id = portKey(ports);
      const group = groups.get(id) ?? { ports, endpoints: new Map<string, Endpoint>() };
      groups.set(id, group);
      const { nodeName = "" } = pod.spec ?? {};
      const node = this.#nodes.get(nodeName);
      if (node === undefined && !publishNotReady) {
        lost.push(pod);
        continue;
      }
      const endpoint = endpointOf(pod, node, service, publishNotReady);
      const { trafficDistribution: near } = service.spec ?? {};
      group.endpoints.set(pod.metadata.uid, near === undefined ? endpoint : latePasses.code.withHints(endpoint, near));
    }
    return { groups: [...groups.values()], lost };
  }

  #create(service: Stored<Service>, content: SliceContent, triggerTime: string | undefined): void {
    const { namespace = "", name } = service.metadata;
    const draft: Draft<EndpointSlice> = {
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: sliceLabels(service),
        ownerReferences: [controllerReference(service)],
        ...withTriggerTime(undefined, triggerTime),
      },
      addressType: service.spec?.ipFamilies?.[0] ?? "IPv4",
      ...content,
    };
    try {
      this.#wrote(service, this.#context.client.create(kinds.endpointSlices, draft));
    } catch (error) {
      if (!isReason(error, "Forbidden")) throw error;
      // The namespace is on its way out.
    }
  }

  #update(service: Stored<Service>, { slice, ports, endpoints, isRecycled }: SliceUpdate, triggerTime: string | undefined): void {
    const { annotations, ...rest } = slice.metadata;
    const metadata = {
      ...rest,
      labels: sliceLabels(service),
      ...withTriggerTime(isRecycled ? undefined : annotations, triggerTime),
    };
    this.#wrote(service, this.#context.client.update(kinds.endpointSlices, { ...slice, metadata, ports, endpoints }));
  }

  #wrote(service: Stored<Service>, { metadata: { uid, generation = 0 } }: Stored<EndpointSlice>): void {
    const key = keyOf(service);
    let generations = this.#written.get(key);
    if (generations === undefined) {
      generations = new Map();
      this.#written.set(key, generations);
    }
    generations.set(uid, generation);
  }

  #delete(key: string, slice: Stored<EndpointSlice>): void {
    this.#written.get(key)?.delete(slice.metadata.uid);
    try {
      this.#context.client.delete(kinds.endpointSlices, splitKey(keyOf(slice)));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }

  /** Of slices that somebody else has written or deleted, as far as generations tell (endpointslice/util/endpointslice_tracker.go). */
  #servicesOfSlice(slice: Stored<EndpointSlice>, previous: Stored<EndpointSlice> | undefined, deleted: boolean): readonly string[] {
    const { uid, generation = 0 } = slice.metadata;
    const now = ownService(slice);
    const before = previous === undefined || deleted ? now : ownService(previous);
    if (now[0] !== before[0]) return [...now, ...before];
    const [key] = now;
    if (key === undefined) return now;
    const generations = this.#written.get(key);
    const written = generations?.get(uid);
    if (!deleted) return written === undefined || compareInt64(generation, written) > 0 ? now : [];
    generations?.delete(uid);
    return written === undefined ? [] : now;
  }

  #servicesOfNode(node: Stored<Node>, previous: Stored<Node> | undefined, deleted: boolean): readonly string[] {
    const zone = "topology.kubernetes.io/zone";
    if (node.metadata.labels?.[zone] === previous?.metadata.labels?.[zone])
      return this.#hints?.overloadedBy(node, previous, deleted) ?? [];
    return [...this.#services.list()].map(keyOf);
  }
}

function endpointOf(
  pod: Stored<Pod>,
  node: Stored<Node> | undefined,
  service: Stored<Service>,
  publishNotReady: boolean,
): Endpoint {
  const { namespace = "", name, uid, deletionTimestamp } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const nodeName = pod.spec?.nodeName;
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"];
  const hostname = endpointHostname(pod, service);
  return {
    addresses: [pod.status?.podIP ?? ""],
    conditions: { ready: publishNotReady || (serving && !terminating), serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(zone ? { zone } : {}),
  };
}

/** The Service that a slice of ours belongs to, as a key. */
function ownService(slice: Stored<EndpointSlice>): readonly string[] {
  const { labels, namespace = "" } = slice.metadata;
  if (labels?.["endpointslice.kubernetes.io/managed-by"] !== managedBy) return [];
  return [`${namespace}/${labels["kubernetes.io/service-name"] ?? ""}`];
}

const reservedLabels = ["endpointslice.kubernetes.io/managed-by", "kubernetes.io/service-name", "service.kubernetes.io/headless"];

/** The labels that a Service and its slices share. */
function ownLabels({ metadata }: { readonly metadata: ObjectMeta }): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !reservedLabels.includes(key)));
}

function sliceLabels(service: Stored<Service>): { readonly [key: string]: string } {
  return {
    ...ownLabels(service),
    ...((service.spec?.clusterIP ?? "None") === "None" ? { "service.kubernetes.io/headless": "" } : {}),
    "endpointslice.kubernetes.io/managed-by": managedBy,
    "kubernetes.io/service-name": service.metadata.name,
  };
}
