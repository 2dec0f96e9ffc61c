// Which Pods belong together by default: those of the same Services and of the same owner.

import type { LabelSelector, ReplicaSet, ReplicationController, Service, StatefulSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type LabelMatcher, matcherOf, matcherOfSet } from "#cluster/api/labels.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import type { DefaultSelectors, Selector } from "./plugins/pod-topology-spread.ts";
import type { PodInfo } from "./pod-info.ts";

export class OwnerAndServiceSelectors implements DefaultSelectors {
  readonly #services: Informer<Service>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #statefulSets: Informer<StatefulSet>;
  readonly #replicationControllers: Informer<ReplicationController>;
  /** By the selector object itself: the same Selector for all Pods of a set. */
  readonly #compiled = new WeakMap<object, Selector>();

  constructor(informers: InformerFactory) {
    this.#services = informers.informer(kinds.services);
    this.#replicaSets = informers.informer(kinds.replicaSets);
    this.#statefulSets = informers.informer(kinds.statefulSets);
    this.#replicationControllers = informers.informer(kinds.replicationControllers);
  }

  selectorFor(pod: PodInfo): Selector | undefined {
    const { namespace = "", labels } = pod.pod.metadata;
    const parts: Selector[] = [];
    for (const service of this.#services.listNamespace(namespace)) {
      const set = service.spec?.selector;
      if (set === undefined || Object.keys(set).length === 0) continue;
      const part = this.#compile(set, () => matcherOfSet(set));
      if (part.matches(labels)) parts.push(part);
    }
    const owner = this.#ofOwner(pod, namespace);
    if (owner !== undefined) parts.push(owner);
    const [only] = parts;
    if (parts.length <= 1) return only;
    return { id: parts.map((part) => part.id).join("&"), matches: (candidate) => parts.every((part) => part.matches(candidate)) };
  }

  #ofOwner(pod: PodInfo, namespace: string): Selector | undefined {
    const owner = pod.pod.metadata.ownerReferences?.find((reference) => reference.controller === true);
    if (owner === undefined) return undefined;
    const key = `${namespace}/${owner.name}`;
    switch (owner.kind) {
      case "ReplicaSet":
        return this.#ofSelector(this.#replicaSets.get(key)?.spec?.selector);
      case "StatefulSet":
        return this.#ofSelector(this.#statefulSets.get(key)?.spec?.selector);
      case "ReplicationController": {
        const set = this.#replicationControllers.get(key)?.spec?.selector;
        return set === undefined ? undefined : this.#compile(set, () => matcherOfSet(set));
      }
      default:
        return undefined;
    }
  }

  #ofSelector(selector: LabelSelector | undefined): Selector | undefined {
    return selector === undefined ? undefined : this.#compile(selector, () => matcherOf(selector));
  }

  #compile(source: object, matcher: () => LabelMatcher): Selector {
    const known = this.#compiled.get(source);
    if (known !== undefined) return known;
    const made: Selector = { id: JSON.stringify(source), matches: matcher() };
    this.#compiled.set(source, made);
    return made;
  }
}
