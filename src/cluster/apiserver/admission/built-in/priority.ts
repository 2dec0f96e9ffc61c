// Priority: a pod's priority is that of its class, of the global default class, or 0 (plugin/pkg/admission/priority).

import type { PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type AdmissionAttributes, type AdmissionPlugin, notAdmitted, ofObjects } from "../chain.ts";
import { mutatePodSpec } from "./pod-spec.ts";

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

export function priorityAdmission(store: Store): AdmissionPlugin {
  const classes = store.table("priorityclasses.scheduling.k8s.io");
  return {
    name: "Priority",
    operations: ["CREATE", "UPDATE"],
    kind: "Pod",
    handles: ofObjects,
    mutate: mutatePodSpec((spec, attributes) => {
      if (attributes.operation === "UPDATE") return keptFromOld(spec, attributes.old);
      const priority = priorityOf(spec.priorityClassName ?? "", attributes);
      if (spec.priority !== undefined && spec.priority !== priority.value) {
        const cause = `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority.value} from the given PriorityClass name`;
        throw notAdmitted(attributes, cause);
      }
      return {
        ...spec,
        ...(priority.name === "" ? {} : { priorityClassName: priority.name }),
        priority: priority.value,
        preemptionPolicy: spec.preemptionPolicy ?? priority.preemptionPolicy,
      };
    }),
  };

  function priorityOf(name: string, attributes: AdmissionAttributes): Priority {
    const found = name === "" ? globalDefault() : classes.get(name);
    if (found !== undefined) {
      const { value, preemptionPolicy } = found as PriorityClassObject;
      return { name: found.metadata.name ?? "", value: value ?? 0, preemptionPolicy: preemptionPolicy ?? "PreemptLowerPriority" };
    }
    if (name === "") return { name: "", value: 0, preemptionPolicy: "PreemptLowerPriority" };
    throw notAdmitted(attributes, `no PriorityClass with name ${name} was found`);
  }

  /** Of several, the one with the smallest value. */
  function globalDefault(): KubeObject | undefined {
    let lowest: KubeObject | undefined;
    for (const candidate of classes.list("")) {
      if (candidate["globalDefault"] !== true) continue;
      if (lowest === undefined || Number(candidate["value"]) < Number(lowest["value"])) lowest = candidate;
    }
    return lowest;
  }
}

type PriorityClassObject = KubeObject & { readonly value?: number; readonly preemptionPolicy?: string };

/** Old clients send pods back without what they do not know. */
function keptFromOld(spec: PodSpec, old: KubeObject | undefined): PodSpec {
  const before = old?.["spec"] as PodSpec | undefined;
  if (before === undefined) return spec;
  const { priority, preemptionPolicy } = before;
  const lacksPriority = spec.priority === undefined && priority !== undefined;
  const lacksPolicy = spec.preemptionPolicy === undefined && preemptionPolicy !== undefined;
  if (!lacksPriority && !lacksPolicy) return spec;
  return { ...spec, ...(lacksPriority ? { priority } : {}), ...(lacksPolicy ? { preemptionPolicy } : {}) };
}
