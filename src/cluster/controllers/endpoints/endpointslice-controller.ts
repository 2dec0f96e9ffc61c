// Keeps EndpointSlices in step with the Pods behind a Service: at most 100 endpoints in a slice, one set of slices for each
// combination of ports (pkg/controller/endpointslice, endpointslice/reconciler.go).

import type { DiscoveryV1EndpointPort, Endpoint, EndpointSlice, Node, Pod, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { controllerReference } from "../ownership.ts";
import { isPodReady } from "../pods.ts";
import { endpointHostname, hasEndpoint, resolvePorts, selectorOf, selects, servicesOfPod } from "./service-endpoints.ts";

export const endpointSliceController: ControllerDefinition = {
  name: "endpointslice-controller",
  serviceAccount: "endpointslice-controller",
  create: (context) => new EndpointSliceController(context),
};

const maxEndpoints = 100;
const managedBy = "endpointslice-controller.k8s.io";
const byService = "service";

/** Endpoints with the same ports; the key is the ports' JSON. */
interface PortGroup {
  readonly ports: readonly DiscoveryV1EndpointPort[];
  readonly endpoints: Map<string, Endpoint>;
}

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
    const groups = this.#desiredGroups(service, selector);
    const existing = new Map<string, Stored<EndpointSlice>[]>();
    for (const slice of this.#slices.byIndex(byService, key)) {
      const id = JSON.stringify(slice.ports ?? []);
      existing.set(id, [...(existing.get(id) ?? []), slice]);
    }
    for (const [id, slices] of existing) if (!groups.has(id)) for (const slice of slices) this.#delete(slice);
    for (const [id, group] of groups) this.#reconcileGroup(service, group, existing.get(id) ?? []);
    return undefined;
  }

  #desiredGroups(service: Stored<Service>, selector: { readonly [key: string]: string }): ReadonlyMap<string, PortGroup> {
    const groups = new Map<string, PortGroup>();
    const publishNotReady = service.spec?.publishNotReadyAddresses === true;
    for (const pod of this.#pods.listNamespace(service.metadata.namespace ?? "")) {
      if (!selects(selector, pod.metadata.labels) || !hasEndpoint(pod, true)) continue;
      const ports = resolvePorts(service, pod);
      const id = JSON.stringify(ports);
      const group = groups.get(id) ?? { ports, endpoints: new Map<string, Endpoint>() };
      groups.set(id, group);
      group.endpoints.set(pod.metadata.uid, this.#endpoint(pod, service, publishNotReady));
    }
    // A Service without Pods has one empty slice.
    if (groups.size === 0) groups.set("[]", { ports: [], endpoints: new Map() });
    return groups;
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

  /** Existing slices keep what is still right; the rest fills their free places, then new slices. */
  #reconcileGroup(service: Stored<Service>, group: PortGroup, slices: readonly Stored<EndpointSlice>[]): void {
    const missing = new Map(group.endpoints);
    const kept = slices.map((slice) => {
      const endpoints: Endpoint[] = [];
      for (const endpoint of slice.endpoints ?? []) {
        const uid = endpoint.targetRef?.uid ?? "";
        const wanted = missing.get(uid);
        if (wanted === undefined) continue;
        missing.delete(uid);
        endpoints.push(sameValue(wanted, endpoint) ? endpoint : wanted);
      }
      return { slice, endpoints };
    });
    const rest = [...missing.values()];
    // The fullest first, so that slices that empty can go.
    for (const { endpoints } of [...kept].sort((a, b) => b.endpoints.length - a.endpoints.length)) {
      endpoints.push(...rest.splice(0, maxEndpoints - endpoints.length));
    }
    const placeholder = group.endpoints.size === 0;
    for (const [index, { slice, endpoints }] of kept.entries()) {
      if (endpoints.length === 0 && !(placeholder && index === 0)) this.#delete(slice);
      else this.#update(service, slice, endpoints);
    }
    while (rest.length > 0) this.#create(service, group.ports, rest.splice(0, maxEndpoints));
    if (placeholder && slices.length === 0) this.#create(service, group.ports, []);
  }

  #create(service: Stored<Service>, ports: readonly DiscoveryV1EndpointPort[], endpoints: readonly Endpoint[]): void {
    const { namespace = "", name } = service.metadata;
    const draft: Draft<EndpointSlice> = {
      metadata: {
        generateName: `${name}-`,
        namespace,
        labels: sliceLabels(service),
        ownerReferences: [controllerReference(service)],
      },
      addressType: service.spec?.ipFamilies?.[0] ?? "IPv4",
      endpoints,
      ports,
    };
    try {
      this.#context.client.create(kinds.endpointSlices, draft);
    } catch (error) {
      if (!isReason(error, "Forbidden")) throw error;
      // The namespace is on its way out.
    }
  }

  #update(service: Stored<Service>, slice: Stored<EndpointSlice>, endpoints: readonly Endpoint[]): void {
    const labels = sliceLabels(service);
    if (sameValue(endpoints, slice.endpoints) && sameValue(labels, slice.metadata.labels)) return;
    this.#context.client.update(kinds.endpointSlices, { ...slice, metadata: { ...slice.metadata, labels }, endpoints });
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

function sliceLabels(service: Stored<Service>): { readonly [key: string]: string } {
  const {
    "endpointslice.kubernetes.io/managed-by": _managed,
    "kubernetes.io/service-name": _name,
    ...own
  } = service.metadata.labels ?? {};
  return {
    ...own,
    ...(service.spec?.clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {}),
    "endpointslice.kubernetes.io/managed-by": managedBy,
    "kubernetes.io/service-name": service.metadata.name,
  };
}
