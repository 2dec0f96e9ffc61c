// PodTolerationRestriction: tolerations that a namespace gives to its Pods, and those that it allows them
// (plugin/pkg/admission/podtolerationrestriction).

import { otherFailure } from "#cluster/api/errors.ts";
import type { Toleration } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { podQosClass } from "#cluster/resources/core/pods/pod-qos.ts";
import type { Store } from "#cluster/storage/store.ts";
import { wordsOf } from "#sim/errors.ts";
import { type AdmissionAttributes, type AdmissionPlugin, ofObjects } from "../chain.ts";
import { mutatePodSpec, podSpecOf } from "./pod-spec.ts";
import { includes, mergedTolerations } from "./tolerations.ts";

const defaultsAnnotation = "scheduler.alpha.kubernetes.io/defaultTolerations";
const allowedAnnotation = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";
const memoryPressure: Toleration = { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" };

export function podTolerationRestriction(store: Store): AdmissionPlugin {
  const namespaces = store.table("namespaces");
  return {
    name: "PodTolerationRestriction",
    operations: ["CREATE", "UPDATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec, attributes) => {
      const given = attributes.operation === "CREATE" ? (annotated(attributes, defaultsAnnotation) ?? []) : [];
      const added = podQosClass(spec) === "BestEffort" ? given : [...given, memoryPressure];
      const tolerations = mergedTolerations(spec.tolerations ?? [], added);
      return tolerations.length === 0 ? spec : { ...spec, tolerations };
    }),
    validate(attributes) {
      const allowed = annotated(attributes, allowedAnnotation) ?? [];
      const tolerations = podSpecOf(attributes)?.tolerations ?? [];
      if (allowed.length === 0 || tolerations.every((one) => allowed.some((wide) => includes(wide, one)))) return;
      const cause = "pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist";
      // Not a refusal in upstream's terms but an error.
      throw otherFailure(500, "", cause);
    },
  };

  /** Throws for an annotation that is no list of tolerations. */
  function annotated(attributes: AdmissionAttributes, key: string): readonly Toleration[] | undefined {
    const text = namespaces.get(attributes.namespace)?.metadata.annotations?.[key];
    if (text === undefined || text === "") return undefined;
    try {
      return readJson(text) as readonly Toleration[];
    } catch (error) {
      throw otherFailure(500, "", wordsOf(error));
    }
  }
}
