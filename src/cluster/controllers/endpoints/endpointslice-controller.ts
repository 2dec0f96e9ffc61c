// Keeps EndpointSlices in step with the Pods behind a Service: at most 100 endpoints in a slice, one set of slices for each
// combination of ports (pkg/controller/endpointslice, endpointslice/reconciler.go).

import type { Endpoint, EndpointSlice, Node, Pod, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type ObjectMeta, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { controllerReference } from "../ownership.ts";
import { isPodReady } from "../pods.ts";
import {
  endpointHostname,
  hasEndpoint,
  type ResolvedPort,
  resolvePorts,
  selectorOf,
  selects,
  servicesOfPod,
} from "./service-endpoints.ts";
import { type PortGroup, planSlices, portKey, type SliceContent, type SliceUpdate } from "./slice-plan.ts";
import { withHints } from "./traffic-distribution.ts";

export const endpointSliceController: ControllerDefinition = {
  name: "endpointslice-controller",
  serviceAccount: "endpointslice-controller",
  create: (context) => new EndpointSliceController(context),
};

const managedBy = "endpointslice-controller.k8s.io";
const byService = "service";

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
      keys: (slice, previous) => (previous === undefined ? [] : ownService(slice)),
    }),
    watchRule<Node>({ resource: kinds.nodes, keys: (node, previous) => this.#servicesOfNode(node, previous) }),
  ];
  readonly #context: ControllerContext;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #slices: Informer<EndpointSlice>;

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
    // The slices of a deleted Service are garbage: they have an owner reference.
    if (service === undefined || service.metadata.deletionTimestamp !== undefined) return undefined;
    const selector = selectorOf(service);
    if (selector === undefined) return undefined;
    const plan = planSlices({
      existing: [...this.#slices.byIndex(byService, key)],
      groups: this.#desiredGroups(service, selector),
      isOwned: (slice) => slice.metadata.ownerReferences?.some(({ uid }) => uid === service.metadata.uid) === true,
      hasLabels: (slice) => sameValue(ownLabels(slice), ownLabels(service)),
    });
    for (const content of plan.create) this.#create(service, content);
    for (const update of plan.update) this.#update(service, update);
    for (const slice of plan.delete) this.#delete(slice);
    return undefined;
  }

  #desiredGroups(service: Stored<Service>, selector: { readonly [key: string]: string }): readonly PortGroup[] {
    const groups = new Map<string, { readonly ports: readonly ResolvedPort[]; readonly endpoints: Map<string, Endpoint> }>();
    const publishNotReady = service.spec?.publishNotReadyAddresses === true;
    for (const pod of this.#pods.listNamespace(service.metadata.namespace ?? "")) {
      if (!selects(selector, pod.metadata.labels) || !hasEndpoint(pod, true)) continue;
      const ports = resolvePorts(service, pod);
      const id = portKey(ports);
      const group = groups.get(id) ?? { ports, endpoints: new Map<string, Endpoint>() };
      groups.set(id, group);
      const endpoint = this.#endpoint(pod, service, publishNotReady);
      group.endpoints.set(pod.metadata.uid, withHints(endpoint, service.spec?.trafficDistribution));
    }
    return [...groups.values()];
  }

  #endpoint(pod: Stored<Pod>, service: Stored<Service>, publishNotReady: boolean): Endpoint {
    const { namespace = "", name, uid, deletionTimestamp } = pod.metadata;
    const serving = isPodReady(pod);
    const terminating = deletionTimestamp !== undefined;
    const nodeName = pod.spec?.nodeName;
    const zone = nodeName === undefined ? undefined : this.#nodes.get(nodeName)?.metadata.labels?.["topology.kubernetes.io/zone"];
    const hostname = endpointHostname(pod, service);
    return {
      addresses: [pod.status?.podIP ?? ""],
      conditions: { ready: publishNotReady || (serving && !terminating), serving, terminating },
      ...(hostname === undefined ? {} : { hostname }),
      ...(nodeName === undefined ? {} : { nodeName }),
      targetRef: { kind: "Pod", namespace, name, uid },
      ...(zone === undefined ? {} : { zone }),
    };
  }

  #create(service: Stored<Service>, content: SliceContent): void {
    const { namespace = "", name } = service.metadata;
    const draft: Draft<EndpointSlice> = {
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: sliceLabels(service),
        ownerReferences: [controllerReference(service)],
      },
      addressType: service.spec?.ipFamilies?.[0] ?? "IPv4",
      ...content,
    };
    try {
      this.#context.client.create(kinds.endpointSlices, draft);
    } catch (error) {
      if (!isReason(error, "Forbidden")) throw error;
      // The namespace is on its way out.
    }
  }

  #update(service: Stored<Service>, { slice, ports, endpoints, isRecycled }: SliceUpdate): void {
    const { annotations, ...rest } = slice.metadata;
    const metadata = { ...rest, labels: sliceLabels(service), ...(isRecycled || annotations === undefined ? {} : { annotations }) };
    this.#context.client.update(kinds.endpointSlices, { ...slice, metadata, ports, endpoints });
  }

  #delete(slice: Stored<EndpointSlice>): void {
    try {
      this.#context.client.delete(kinds.endpointSlices, splitKey(keyOf(slice)));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }

  #servicesOfNode(node: Stored<Node>, previous: Stored<Node> | undefined): readonly string[] {
    const zone = "topology.kubernetes.io/zone";
    if (node.metadata.labels?.[zone] === previous?.metadata.labels?.[zone]) return [];
    return [...this.#services.list()].map(keyOf);
  }
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
