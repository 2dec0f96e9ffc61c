// Keeps the older Endpoints object in step with a Service's Pods (pkg/controller/endpoint).

import type { EndpointAddress, EndpointSubset, Endpoints, Pod, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
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
import type { Group } from "./subsets.ts";
import { TriggerTimes, withTriggerTime } from "./trigger-times.ts";

export const endpointsController: ControllerDefinition = {
  name: "endpoints-controller",
  serviceAccount: "endpoint-controller",
  eventSource: "endpoint-controller",
  create: (context) => new EndpointsController(context),
};

/** `subsets.ts` cuts what is more. */
const maxAddresses = 1000;
const overCapacity = "endpoints.kubernetes.io/over-capacity";
const headlessLabel = "service.kubernetes.io/headless";
const managedByLabel = "endpoints.kubernetes.io/managed-by";

export class EndpointsController implements Controller {
  readonly name = "endpoints-controller";
  readonly watches = [
    watchRule<Service>({ resource: kinds.services, keys: (service) => [keyOf(service)] }),
    watchRule<Pod>({
      resource: kinds.pods,
      keys: (pod, previous, deleted) => servicesOfPod(this.#services, pod, previous, deleted),
    }),
    watchRule<Endpoints>({
      resource: kinds.endpoints,
      keys: (endpoints, _previous, deleted) => (deleted ? [keyOf(endpoints)] : []),
    }),
  ];
  readonly #context: ControllerContext;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #endpoints: Informer<Endpoints>;
  readonly #triggerTimes = new TriggerTimes();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#services = context.informers.informer(kinds.services);
    this.#pods = context.informers.informer(kinds.pods);
    this.#endpoints = context.informers.informer(kinds.endpoints);
  }

  /** What was left over when a Service went while no controller manager ran is found at the start; locks of old belong to no Service. */
  start(enqueue: (key: string) => void): void {
    const look = (): void => {
      for (const endpoints of this.#endpoints.list())
        if (endpoints.metadata.annotations?.["control-plane.alpha.kubernetes.io/leader"] === undefined) enqueue(keyOf(endpoints));
    };
    this.#services.whenSynced(() => this.#endpoints.whenSynced(look));
  }

  passMs(key: string): number {
    return 10 + this.#pods.countByIndex("namespace", splitKey(key).namespace) / 50;
  }

  reconcile(key: string): Requeue | undefined {
    const service = this.#services.get(key);
    const current = this.#endpoints.get(key);
    if (service === undefined) {
      this.#triggerTimes.forget(key);
      if (current !== undefined) this.#delete(key);
      return undefined;
    }
    const selector = selectorOf(service);
    if (selector === undefined) return undefined;
    const pods = podsBehind(this.#pods, service, selector);
    const triggerTime = this.#triggerTimes.next(key, service, pods);
    const { subsets, truncated } = subsetsOf(service, pods);
    const labels = {
      ...service.metadata.labels,
      ...(service.spec?.clusterIP === "None" ? { [headlessLabel]: "" } : {}),
      [managedByLabel]: "endpoint-controller",
    };
    const capacity = truncated ? "truncated" : undefined;
    if (
      current !== undefined &&
      sameValue(current.subsets, subsets) &&
      sameValue(current.metadata.labels, labels) &&
      current.metadata.annotations?.[overCapacity] === capacity
    ) {
      return undefined;
    }
    const { [overCapacity]: _capacity, ...kept } = current?.metadata.annotations ?? {};
    const { annotations = {} } = withTriggerTime(truncated ? { ...kept, [overCapacity]: "truncated" } : kept, triggerTime);
    this.#write(service, current, { labels, annotations }, subsets);
    return undefined;
  }

  #write(
    service: Stored<Service>,
    current: Stored<Endpoints> | undefined,
    metadata: { readonly labels: { readonly [key: string]: string }; readonly annotations: { readonly [key: string]: string } },
    subsets: readonly EndpointSubset[],
  ): void {
    const { client } = this.#context;
    const { namespace = "", name } = service.metadata;
    const content = subsets.length === 0 ? {} : { subsets };
    if (current !== undefined) {
      const { subsets: _old, ...rest } = current;
      client.update(kinds.endpoints, { ...rest, metadata: { ...current.metadata, ...metadata }, ...content });
      return;
    }
    try {
      client.create(kinds.endpoints, { metadata: { namespace, name, ...metadata }, ...content });
    } catch (error) {
      // The namespace is on its way out.
      if (!isReason(error, "Forbidden") && !isReason(error, "AlreadyExists")) throw error;
    }
  }

  #delete(key: string): void {
    try {
      this.#context.client.delete(kinds.endpoints, splitKey(key));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }
}

/** Addresses with the same ports share a subset; addresses and ports are sorted. */
function subsetsOf(service: Stored<Service>, pods: readonly Stored<Pod>[]) {
  const groups = new Map<string, { ports: readonly ResolvedPort[]; ready: EndpointAddress[]; notReady: EndpointAddress[] }>();
  const { ports: servicePorts = [], clusterIP, publishNotReadyAddresses: publishNotReady = false } = service.spec ?? {};
  const headlessWithoutPorts = servicePorts.length === 0 && clusterIP === "None";
  let count = 0;
  for (const pod of pods) {
    if (!hasEndpoint(pod, publishNotReady)) continue;
    const ports = resolvePorts(service, pod);
    if (ports.length === 0 && !headlessWithoutPorts) continue;
    count += 1;
    const id = JSON.stringify(ports);
    const group = groups.get(id) ?? { ports, ready: [], notReady: [] };
    groups.set(id, group);
    (publishNotReady || isPodReady(pod) ? group.ready : group.notReady).push(addressOf(pod, service));
  }
  let shared: readonly Group[] = [...groups.values()];
  if (shared.length > 1) shared = latePasses.code.byPorts(shared);
  const sorted = shared.map(({ ports, ready, notReady }) => ({
    ports: [...ports].sort((a, b) => compareTexts(a.name, b.name) || a.port - b.port),
    ready: ready.toSorted(byIp),
    notReady: notReady.toSorted(byIp),
  }));
  // An address may stand in several subsets.
  const kept = count * Math.max(1, servicePorts.length) > maxAddresses ? latePasses.code.withinCapacity(sorted) : sorted;
  const subsets = kept.map(
    ({ ports, ready, notReady }): EndpointSubset => ({
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports: ports.map(withoutEmptyName) }),
    }),
  );
  return { subsets, truncated: kept !== sorted };
}

function withoutEmptyName({ name, ...rest }: ResolvedPort) {
  return name === "" ? rest : { name, ...rest };
}

function byIp(a: EndpointAddress, b: EndpointAddress): number {
  return compareTexts(a.ip, b.ip);
}

function addressOf(pod: Stored<Pod>, service: Stored<Service>): EndpointAddress {
  const { namespace = "", name, uid } = pod.metadata;
  const hostname = endpointHostname(pod, service);
  const nodeName = pod.spec?.nodeName;
  return {
    ip: pod.status?.podIP ?? "",
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}
