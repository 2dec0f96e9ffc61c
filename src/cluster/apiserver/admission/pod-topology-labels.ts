// PodTopologyLabels: a Pod that is bound gets the zone and region of its node as labels (plugin/pkg/admission/podtopologylabels).

import type { Binding } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionPlugin } from "./chain.ts";

const copied = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

export function podTopologyLabels(store: Store): AdmissionPlugin {
  const nodes = store.table("nodes");
  return {
    name: "PodTopologyLabels",
    operations: ["CREATE"],
    kind: "Pod",
    mutate({ object, subresource }) {
      if (subresource !== "binding") return object;
      const labels = nodes.get((object as KubeObject & Binding).target?.name ?? "")?.metadata.labels;
      const found = copied.filter((key) => labels?.[key] !== undefined);
      if (found.length === 0) return object;
      const added = Object.fromEntries(found.map((key) => [key, labels?.[key] as string]));
      return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...added } } };
    },
  };
}
