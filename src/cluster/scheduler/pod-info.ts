// A Pod with what the scheduler computes of it once.

import type { LabelSelector, Pod, PodAffinityTerm, WeightedPodAffinityTerm } from "#cluster/api/generated/types.ts";
import { type Labels, matcherOf } from "#cluster/api/labels.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { type HostPort, hostPorts } from "./host-ports.ts";
import { type NodeMatcher, requiredNodeMatcher } from "./node-selector.ts";
import { podRequests, type Resources } from "./resources.ts";

/** An affinity term, ready to be asked. */
export interface PodTerm {
  /** The same for terms that match the same Pods by the same words. */
  readonly id: string;
  readonly topologyKey: string;
  readonly weight: number;
  matches(pod: Stored<Pod>, namespaces: NamespaceLabels): boolean;
}

/** By a namespace's name. */
export type NamespaceLabels = ReadonlyMap<string, Labels | undefined>;

export class PodInfo {
  /** The newest state of the object; what is computed here depends on spec and labels only. */
  pod: Stored<Pod>;
  readonly key: string;
  readonly uid: string;
  readonly priority: number;
  readonly requests: Resources;
  /** Requests for scores: defaults where a container says nothing. */
  readonly scored: Resources;
  readonly ports: readonly HostPort[];
  readonly requiredNodes: NodeMatcher | undefined;
  #affinity: PodTerms | undefined;

  constructor(pod: Stored<Pod>) {
    const spec = pod.spec ?? { containers: [] };
    this.pod = pod;
    this.key = keyOf(pod);
    this.uid = pod.metadata.uid;
    this.priority = spec.priority ?? 0;
    this.requests = podRequests(spec);
    this.scored = podRequests(spec, true);
    this.ports = hostPorts(pod);
    this.requiredNodes = requiredNodeMatcher(spec);
  }

  get terms(): PodTerms {
    this.#affinity ??= new PodTerms(this.pod);
    return this.#affinity;
  }
}

export class PodTerms {
  readonly requiredAffinity: readonly PodTerm[];
  readonly requiredAntiAffinity: readonly PodTerm[];
  readonly preferredAffinity: readonly PodTerm[];
  readonly preferredAntiAffinity: readonly PodTerm[];

  constructor(pod: Stored<Pod>) {
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    this.requiredAffinity = requiredTerms(pod, podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    this.requiredAntiAffinity = requiredTerms(pod, podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
    this.preferredAffinity = preferredTerms(pod, podAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
    this.preferredAntiAffinity = preferredTerms(pod, podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
  }
}

function requiredTerms(pod: Stored<Pod>, terms: readonly PodAffinityTerm[] | undefined): readonly PodTerm[] {
  return terms === undefined ? noTerms : terms.map((term) => podTerm(pod, term, 1));
}

function preferredTerms(pod: Stored<Pod>, terms: readonly WeightedPodAffinityTerm[] | undefined): readonly PodTerm[] {
  return terms === undefined ? noTerms : terms.map(({ podAffinityTerm, weight }) => podTerm(pod, podAffinityTerm, weight));
}

const noTerms: readonly PodTerm[] = [];

/** Without namespaces and namespaceSelector a term is about the Pod's own namespace; a namespaceSelector of {} is all. */
function podTerm(pod: Stored<Pod>, term: PodAffinityTerm, weight: number): PodTerm {
  const selector = termSelector(pod, term);
  const labels = matcherOf(selector);
  const { namespaces = [], namespaceSelector, topologyKey } = term;
  const own = namespaces.length === 0 && namespaceSelector === undefined ? [pod.metadata.namespace ?? ""] : namespaces;
  const selects = namespaceSelector === undefined ? undefined : matcherOf(namespaceSelector);
  const isAbout = (namespace: string, all: NamespaceLabels) => own.includes(namespace) || (selects?.(all.get(namespace)) ?? false);
  return {
    id: JSON.stringify([own, namespaceSelector ?? null, selector ?? null]),
    topologyKey,
    weight,
    matches: (other, all) => isAbout(other.metadata.namespace ?? "", all) && labels(other.metadata.labels),
  };
}

/** matchLabelKeys and mismatchLabelKeys add the Pod's own values to the selector. */
function termSelector(pod: Stored<Pod>, term: PodAffinityTerm): LabelSelector | undefined {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  if (labelSelector === undefined || (matchLabelKeys.length === 0 && mismatchLabelKeys.length === 0)) return labelSelector;
  const added = [
    ...matchLabelKeys.map((key) => ({ key, operator: "In", values: [pod.metadata.labels?.[key]] })),
    ...mismatchLabelKeys.map((key) => ({ key, operator: "NotIn", values: [pod.metadata.labels?.[key]] })),
  ].flatMap(({ key, operator, values: [value] }) => (value === undefined ? [] : [{ key, operator, values: [value] }]));
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added] };
}
