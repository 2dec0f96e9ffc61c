// Which pods stand out while the reader points at what owns or serves them, or at an object that they have to do with.

import type { ClusterView } from "#lab/picture-view.ts";
import { type Owner, ownerKey, ownerOf } from "./owner-marks.ts";

export type Highlight =
  | { readonly kind: "owner"; readonly owner: Owner }
  | { readonly kind: "service"; readonly namespace: string; readonly name: string }
  | { readonly kind: "object"; readonly uid: string }
  | undefined;

/** The uids of the pods that stand out; undefined when none does, nor fades. */
export function highlightedPods(view: ClusterView, highlight: Highlight): ReadonlySet<string> | undefined {
  if (highlight === undefined) return undefined;
  switch (highlight.kind) {
    case "service": {
      const { namespace, name } = highlight;
      return new Set(view.services.find((one) => one.namespace === namespace && one.name === name)?.endpoints ?? []);
    }
    case "owner": {
      const key = ownerKey(highlight.owner);
      return new Set(view.pods.filter((pod) => ownerKey(ownerOf(pod)) === key).map(({ uid }) => uid));
    }
    case "object":
      return new Set(view.ties.filter(({ to }) => to === highlight.uid).map(({ from }) => from));
  }
}
