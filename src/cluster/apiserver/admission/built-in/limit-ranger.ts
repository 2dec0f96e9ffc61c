// LimitRanger: containers get the defaults of their namespace's LimitRanges, and Pods, containers and claims outside their
// bounds are refused (plugin/pkg/admission/limitranger).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import type { LimitRange } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted } from "../chain.ts";
import { lateDynamicPlugins } from "../dynamic-plugins.ts";

export function limitRanger(store: Store): AdmissionPlugin {
  const table = store.table("limitranges");
  return {
    name: "LimitRanger",
    operations: ["CREATE", "UPDATE"],
    kind: ["Pod", "PersistentVolumeClaim"],
    handles: ({ kind }, operation, subresource) =>
      // Resources of a Pod change by `resize` only.
      subresource === (kind === "Pod" && operation === "UPDATE" ? "resize" : ""),
    mutate(attributes) {
      const { object, definition } = attributes;
      if (definition.kind !== "Pod" || isGoing(attributes)) return object;
      let pod = object;
      for (const range of rangesOf(attributes)) pod = lateDynamicPlugins.code.withLimitDefaults(pod, range);
      return pod;
    },
    validate(attributes) {
      if (isGoing(attributes)) return;
      for (const range of rangesOf(attributes)) {
        const items = range.spec?.limits ?? [];
        const { object, definition } = attributes;
        const findings = lateDynamicPlugins.code.limitFindings(definition.kind, object, items);
        if (findings.length > 0) throw notAdmitted(attributes, aggregateText(findings));
      }
    },
  };

  function rangesOf({ namespace }: AdmissionAttributes): readonly (LimitRange & KubeObject)[] {
    return table.size === 0 ? [] : (table.list(namespace) as (LimitRange & KubeObject)[]);
  }
}

/** What is being deleted is left alone. */
function isGoing({ operation, old }: AdmissionAttributes): boolean {
  return operation === "UPDATE" && old?.metadata.deletionTimestamp !== undefined;
}
