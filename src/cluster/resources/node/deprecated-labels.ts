// Labels of nodes that have newer names, and the warnings about selectors that use them (pkg/api/node/util.go).

import type { LabelSelector, NodeSelector } from "#cluster/api/generated/types.ts";
import type { Path } from "../field-errors.ts";

const newerNames: { readonly [label: string]: readonly [since: string, name: string] } = {
  "beta.kubernetes.io/arch": ["v1.14", "kubernetes.io/arch"],
  "beta.kubernetes.io/os": ["v1.14", "kubernetes.io/os"],
  "failure-domain.beta.kubernetes.io/region": ["v1.17", "topology.kubernetes.io/region"],
  "failure-domain.beta.kubernetes.io/zone": ["v1.17", "topology.kubernetes.io/zone"],
  "beta.kubernetes.io/instance-type": ["v1.17", "node.kubernetes.io/instance-type"],
};

/** `deprecated since v1.14; use "kubernetes.io/os" instead`; undefined for other labels. */
export function deprecatedLabelMessage(label: string): string | undefined {
  const newer = newerNames[label];
  return newer === undefined ? undefined : `deprecated since ${newer[0]}; use "${newer[1]}" instead`;
}

interface Requirements {
  readonly matchExpressions?: readonly { readonly key: string }[];
}

function requirementWarnings({ matchExpressions = [] }: Requirements, path: Path): readonly string[] {
  return matchExpressions.flatMap(({ key }, index) => {
    const message = deprecatedLabelMessage(key);
    return message === undefined ? [] : [`${path.child("matchExpressions").index(index).child("key")}: ${key} is ${message}`];
  });
}

export function nodeSelectorWarnings(selector: NodeSelector | undefined, path: Path): readonly string[] {
  return (selector?.nodeSelectorTerms ?? []).flatMap((term, index) =>
    requirementWarnings(term, path.child("nodeSelectorTerms").index(index)),
  );
}

export function labelSelectorWarnings(selector: LabelSelector | undefined, path: Path): readonly string[] {
  if (selector === undefined) return [];
  const labels = Object.keys(selector.matchLabels ?? {}).flatMap((label) => {
    const message = deprecatedLabelMessage(label);
    return message === undefined ? [] : [`${path.child("matchLabels", label)}: ${message}`];
  });
  return [...requirementWarnings(selector, path), ...labels];
}
