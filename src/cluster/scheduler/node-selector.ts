// Matches nodes against nodeSelector and node affinity (component-helpers/scheduling/corev1/nodeaffinity).

import type { Node, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

export type NodeMatcher = (node: Stored<Node>) => boolean;

function matchesRequirement(requirement: NodeSelectorRequirement, value: string | undefined): boolean {
  const { operator, values = [] } = requirement;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt":
      return comparesTo(operator, value, values[0]);
    default:
      return false;
  }
}

const integer = /^[+-]?\d+$/;

function comparesTo(operator: "Gt" | "Lt", value: string | undefined, bound: string | undefined): boolean {
  if (value === undefined || bound === undefined || !integer.test(value) || !integer.test(bound)) return false;
  return operator === "Gt" ? Number(value) > Number(bound) : Number(value) < Number(bound);
}

/** A term without any requirement matches nothing. */
export function matchesTerm(term: NodeSelectorTerm, node: Stored<Node>): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    matchExpressions.every((requirement) => matchesRequirement(requirement, labels[requirement.key])) &&
    matchFields.every((requirement) => requirement.key === "metadata.name" && matchesRequirement(requirement, node.metadata.name))
  );
}

export function matchesNodeSelector(selector: NodeSelector, node: Stored<Node>): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** nodeSelector and the required node affinity together; undefined when the Pod has neither. */
export function requiredNodeMatcher(spec: PodSpec): NodeMatcher | undefined {
  const labels = Object.entries(spec.nodeSelector ?? {});
  const affinity = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (labels.length === 0 && affinity === undefined) return undefined;
  return (node) => {
    for (const [key, value] of labels) if (node.metadata.labels?.[key] !== value) return false;
    return affinity === undefined || matchesNodeSelector(affinity, node);
  };
}

/** When every term names nodes by metadata.name, those names: nothing else need be looked at. */
export function namedNodes(spec: PodSpec): ReadonlySet<string> | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined || terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of terms) {
    let own: Set<string> | undefined;
    for (const requirement of term.matchFields ?? []) {
      if (requirement.key !== "metadata.name" || requirement.operator !== "In") continue;
      const listed: readonly string[] = requirement.values ?? [];
      own = new Set(own === undefined ? listed : listed.filter((name) => own?.has(name)));
    }
    if (own === undefined) return undefined;
    for (const name of own) names.add(name);
  }
  return names;
}
