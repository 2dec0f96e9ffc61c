// PodNodeSelector: Pods of a namespace run only on the nodes that its annotation selects (plugin/pkg/admission/podnodeselector).

import { notFound } from "#cluster/api/errors.ts";
import { parseLabelSelector } from "#cluster/api/labels.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";

export function podNodeSelector(store: Store): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  return {
    name: "PodNodeSelector",
    operations: ["CREATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec, attributes) => {
      const { namespace } = attributes;
      const found = namespaces.get(namespace);
      if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, namespace);
      const required = pairsOf(found.metadata.annotations?.[annotation] ?? "");
      const own = spec.nodeSelector ?? {};
      const keys = Object.keys(required);
      if (keys.some((key) => own[key] !== undefined && own[key] !== required[key])) {
        throw notAdmitted(attributes, "pod node label selector conflicts with its namespace node label selector");
      }
      return keys.length === 0 ? spec : { ...spec, nodeSelector: { ...required, ...own } };
    }),
  };
}

/** `a=b,c=d` */
function pairsOf(text: string): { readonly [key: string]: string } {
  if (text === "") return {};
  return Object.fromEntries(parseLabelSelector(text).map(({ key, values }) => [key, values[0] ?? ""]));
}
