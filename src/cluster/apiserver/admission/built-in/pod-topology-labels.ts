// PodTopologyLabels: a Pod that gets a node gets the zone and region of its node as labels (plugin/pkg/admission/podtopologylabels).

import type { Binding, PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { AdmissionPlugin } from "../chain.ts";

const copied = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

export function podTopologyLabels(store: Store): AdmissionPlugin {
  const nodes = store.table("nodes");
  return {
    name: "PodTopologyLabels",
    operations: ["CREATE"],
    kind: "Pod",
    handles: (_definition, _operation, subresource) => subresource === "" || subresource === "binding",
    mutate({ object, subresource }) {
      const labels = nodes.get(nodeOf(object, subresource))?.metadata.labels;
      const present = object.metadata.labels ?? {};
      const found = copied.filter((key) => labels?.[key] !== undefined && present[key] === undefined);
      if (found.length === 0) return object;
      const added = Object.fromEntries(found.map((key) => [key, labels?.[key] as string]));
      return { ...object, metadata: { ...object.metadata, labels: { ...present, ...added } } };
    },
  };
}

/** The node of a binding, or of a Pod that comes with its node. */
function nodeOf(object: KubeObject, subresource: string): string {
  if (subresource === "") return (object["spec"] as PodSpec | undefined)?.nodeName ?? "";
  const { target } = object as KubeObject & Binding;
  return target?.kind === "Node" ? (target.name ?? "") : "";
}
