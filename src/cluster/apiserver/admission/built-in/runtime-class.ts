// RuntimeClass: a Pod gets its class's overhead, node selector and tolerations (plugin/pkg/admission/runtimeclass).

import { otherFailure } from "#cluster/api/errors.ts";
import type { PodSpec, RuntimeClass } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { sameLists } from "#cluster/quota/resource-list.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";
import { mutatePodSpec, podSpecOf } from "./pod-spec.ts";
import { mergedTolerations } from "./tolerations.ts";

export function runtimeClassAdmission(store: Store): AdmissionPlugin {
  const classes = store.table("runtimeclasses.node.k8s.io");
  return {
    name: "RuntimeClass",
    operations: ["CREATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec, attributes) => {
      const runtimeClass = classOf(attributes, spec);
      if (runtimeClass === undefined) return spec;
      return schedulingSet(attributes, overheadSet(attributes, spec, runtimeClass), runtimeClass);
    }),
    validate(attributes) {
      const spec = podSpecOf(attributes);
      if (spec === undefined) return;
      const podFixed = classOf(attributes, spec)?.overhead?.podFixed;
      if (podFixed === undefined) {
        if (spec.overhead === undefined) return;
        throw notAdmitted(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
      if (!sameLists(podFixed, spec.overhead)) throw otherOverhead(attributes);
    },
  };

  function classOf(attributes: AdmissionAttributes, { runtimeClassName }: PodSpec): RuntimeClass | undefined {
    if (runtimeClassName === undefined) return undefined;
    if (runtimeClassName === "") throw otherFailure(500, "", "resource name may not be empty");
    const found = classes.get(runtimeClassName) as (KubeObject & RuntimeClass) | undefined;
    if (found === undefined) {
      throw notAdmitted(attributes, `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
    }
    return found;
  }
}

function overheadSet(attributes: AdmissionAttributes, spec: PodSpec, { overhead }: RuntimeClass): PodSpec {
  if (overhead?.podFixed === undefined) return spec;
  if (spec.overhead !== undefined && !sameLists(spec.overhead, overhead.podFixed)) throw otherOverhead(attributes);
  return { ...spec, overhead: overhead.podFixed };
}

function otherOverhead(attributes: AdmissionAttributes): Error {
  return notAdmitted(attributes, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
}

function schedulingSet(attributes: AdmissionAttributes, spec: PodSpec, { scheduling }: RuntimeClass): PodSpec {
  if (scheduling === undefined) return spec;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  for (const key of Object.keys(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own === undefined || own === nodeSelector[key]) continue;
    const cause = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${nodeSelector[key]}; pod.spec.nodeSelector[${key}] = ${own}`;
    throw notAdmitted(attributes, cause);
  }
  const selector = { ...spec.nodeSelector, ...nodeSelector };
  const merged = mergedTolerations(spec.tolerations ?? [], tolerations);
  return {
    ...spec,
    ...(Object.keys(selector).length === 0 ? {} : { nodeSelector: selector }),
    ...(merged.length === 0 ? {} : { tolerations: merged }),
  };
}
