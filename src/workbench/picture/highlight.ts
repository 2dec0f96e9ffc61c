// Which pods stand out while the reader points at what owns or serves them.

import type { ClusterView } from "#lab/session.ts";

export type Highlight = { readonly kind: "owner" | "service"; readonly namespace: string; readonly name: string } | undefined;

/** The uids of the pods that stand out; undefined when none does, nor fades. */
export function highlightedPods(view: ClusterView, highlight: Highlight): ReadonlySet<string> | undefined {
  if (highlight === undefined) return undefined;
  const { kind, namespace, name } = highlight;
  if (kind === "service") {
    const service = view.services.find((one) => one.namespace === namespace && one.name === name);
    return new Set(service?.endpoints ?? []);
  }
  const owned = view.pods.filter((pod) => pod.namespace === namespace && pod.ownerName === name);
  return new Set(owned.map((pod) => pod.uid));
}
