// Queueing hints: whether an event may help a Pod that a plugin refused (the plugins' isSchedulableAfter… functions). Hints that every
// cluster needs stand in their plugins.

import type { Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { sameValue } from "#cluster/client/equality.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import type { ClusterEvent } from "./framework.ts";
import { clash, hostPorts } from "./host-ports.ts";
import type { Constraint } from "./plugins/pod-topology-spread.ts";
import { type NamespaceLabels, type PodTerm, PodTerms } from "./pod-info.ts";
import { isMoreOf, podRequests, type Resources } from "./resources.ts";

type PodUpdated = Extract<ClusterEvent, { readonly kind: "podUpdated" }>;

function isSelf({ pod }: PodUpdated, waiting: Stored<Pod>): boolean {
  return pod.metadata.uid === waiting.metadata.uid;
}

function hasNewLabels({ pod, previous }: PodUpdated): boolean {
  return !sameValue(pod.metadata.labels, previous.metadata.labels);
}

/** Tolerations can only be added. */
function hasNewTolerations({ pod, previous }: PodUpdated): boolean {
  return (pod.spec?.tolerations ?? []).length !== (previous.spec?.tolerations ?? []).length;
}

export function toleratesMore(event: PodUpdated, waiting: Stored<Pod>): boolean {
  return isSelf(event, waiting) && hasNewTolerations(event);
}

/** NodeResourcesFit: less is asked for by the Pod itself, or by a placed one of what the Pod wants too. */
export function asksForLess(event: PodUpdated, waiting: Stored<Pod>): boolean {
  const before = requestsOf(event.previous);
  const after = requestsOf(event.pod);
  const any = { milliCpu: 1, memory: 1, ephemeralStorage: 1, scalars: before.scalars };
  return isMoreOf(isSelf(event, waiting) ? any : requestsOf(waiting), before, after);
}

function requestsOf(pod: Stored<Pod>): Resources {
  return podRequests(pod.spec ?? { containers: [] });
}

/** InterPodAffinity. */
export function affinityMayHelp(event: ClusterEvent, waiting: Stored<Pod>, namespaces: NamespaceLabels): boolean {
  const { requiredAffinity, requiredAntiAffinity } = new PodTerms(waiting);
  const matchesAll = (terms: readonly PodTerm[], pod: Stored<Pod>): boolean =>
    terms.length > 0 && terms.every((term) => term.matches(pod, namespaces));
  switch (event.kind) {
    case "nodeAdded":
      return [...requiredAffinity, ...requiredAntiAffinity].some(
        ({ topologyKey }) => event.node.metadata.labels?.[topologyKey] !== undefined,
      );
    case "nodeUpdated":
      return [...requiredAffinity, ...requiredAntiAffinity].some(
        ({ topologyKey }) => event.node.metadata.labels?.[topologyKey] !== event.previous.metadata.labels?.[topologyKey],
      );
    case "podAssigned":
      return matchesAll(requiredAffinity, event.pod);
    case "podUpdated": {
      if (!hasNewLabels(event)) return false;
      if (isSelf(event, waiting)) return true;
      const { pod, previous } = event;
      if (!matchesAll(requiredAffinity, previous) && matchesAll(requiredAffinity, pod)) return true;
      return matchesAll(requiredAntiAffinity, previous) && !matchesAll(requiredAntiAffinity, pod);
    }
    case "podRemoved": {
      if (matchesAll(requiredAntiAffinity, event.pod)) return true;
      // It may have been the one that kept the Pod away.
      return new PodTerms(event.pod).requiredAntiAffinity.some((term) => term.matches(waiting, namespaces));
    }
    default:
      return false;
  }
}

/** PodTopologySpread, by the constraints that hold for the Pod. */
export function spreadMayHelp(event: ClusterEvent, waiting: Stored<Pod>, constraints: readonly Constraint[]): boolean {
  const isCounted = (pod: Stored<Pod>): boolean =>
    constraints.length > 0 && constraints.every(({ selector }) => selector.matches(pod.metadata.labels));
  const isInvolved = ({ metadata, spec }: Stored<Pod>): boolean =>
    metadata.uid === waiting.metadata.uid || ((spec?.nodeName ?? "") !== "" && metadata.namespace === waiting.metadata.namespace);
  const hasKeys = (labels: { readonly [key: string]: string } | undefined): boolean =>
    constraints.every(({ topologyKey }) => labels?.[topologyKey] !== undefined);
  switch (event.kind) {
    case "podAssigned":
    case "podRemoved":
      return isInvolved(event.pod) && isCounted(event.pod);
    case "podUpdated": {
      const { pod, previous } = event;
      if (!isInvolved(pod)) return false;
      if (toleratesMore(event, waiting) && constraints.some(({ honorTaints }) => honorTaints)) return true;
      return constraints.some(
        ({ selector }) => selector.matches(previous.metadata.labels) !== selector.matches(pod.metadata.labels),
      );
    }
    case "nodeAdded":
    case "nodeRemoved":
      return hasKeys(event.node.metadata.labels);
    case "nodeUpdated": {
      const now = event.node.metadata.labels;
      const before = event.previous.metadata.labels;
      if (hasKeys(now) !== hasKeys(before)) return true;
      if (!hasKeys(now)) return false;
      if (constraints.some(({ topologyKey }) => now?.[topologyKey] !== before?.[topologyKey])) return true;
      return !sameValue(event.node.spec?.taints, event.previous.spec?.taints);
    }
    default:
      return false;
  }
}

/** NodePorts: a Pod that goes must have had a port that is wanted. */
export function portsMayHelp(event: ClusterEvent, waiting: Stored<Pod>): boolean {
  if (event.kind === "nodeAdded") return true;
  if (event.kind !== "podRemoved") return false;
  const wanted = hostPorts(waiting);
  return hostPorts(event.pod).some((port) => wanted.some((other) => clash(port, other)));
}

/** Whether an event is about a claim of the Pod. */
function isOwnClaim(event: Extract<ClusterEvent, { readonly kind: "claimChanged" }>, waiting: Stored<Pod>): boolean {
  const { namespace, name } = event.claim.metadata;
  return namespace === waiting.metadata.namespace && claimsOf(waiting).some((claim) => claim.name === name);
}

function areLabelsNew(event: Extract<ClusterEvent, { readonly kind: "nodeUpdated" }>): boolean {
  return !sameValue(event.node.metadata.labels, event.previous.metadata.labels);
}

export function bindingMayHelp(event: ClusterEvent, waiting: Stored<Pod>): boolean {
  switch (event.kind) {
    case "claimChanged":
      return isOwnClaim(event, waiting);
    case "classChanged":
      return event.previous === undefined || !sameValue(event.class.allowedTopologies, event.previous.allowedTopologies);
    case "csiNodeChanged":
      return event.isNew;
    case "nodeUpdated":
      return areLabelsNew(event);
    case "volumeChanged":
    case "nodeAdded":
      return true;
    default:
      return false;
  }
}

export function zoneMayHelp(event: ClusterEvent, waiting: Stored<Pod>): boolean {
  switch (event.kind) {
    case "claimChanged":
      return isOwnClaim(event, waiting);
    case "classChanged":
      return event.previous === undefined && event.class.volumeBindingMode === "WaitForFirstConsumer";
    case "nodeUpdated":
      return areLabelsNew(event);
    case "volumeChanged":
    case "nodeAdded":
      return true;
    default:
      return false;
  }
}

export function restrictionsMayHelp(event: ClusterEvent, waiting: Stored<Pod>): boolean {
  if (event.kind === "nodeAdded") return true;
  if (event.kind === "claimChanged") return event.isNew && isOwnClaim(event, waiting);
  if (event.kind !== "podRemoved" || event.pod.metadata.namespace !== waiting.metadata.namespace) return false;
  const wanted = claimsOf(waiting).map(({ name }) => name);
  return claimsOf(event.pod).some(({ name }) => wanted.includes(name));
}

export function limitsMayHelp(event: ClusterEvent, waiting: Stored<Pod>): boolean {
  if (event.kind === "podRemoved") return claimsOf(event.pod).length > 0;
  if (event.kind === "claimChanged") return event.isNew && isOwnClaim(event, waiting);
  return event.kind === "csiNodeChanged" || event.kind === "attachmentRemoved";
}
