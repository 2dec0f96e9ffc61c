// Priority: a pod's priority is that of its class, of the global default class, or 0; there is one global default class
// (plugin/pkg/admission/priority).

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
  const withPriority = mutatePodSpec((spec, attributes) => {
    if (attributes.operation === "UPDATE") return keptFromOld(spec, attributes.old);
    const priority = priorityOf(spec.priorityClassName ?? "", attributes);
    refuseOwnPriority(spec, priority, attributes);
    return {
      ...spec,
      ...(priority.name === "" ? {} : { priorityClassName: priority.name }),
      priority: priority.value,
      preemptionPolicy: priority.preemptionPolicy,
    };
  });
  return {
    name: "Priority",
    operations: ["CREATE", "UPDATE"],
    kind: ["Pod", "PriorityClass"],
    handles: ofObjects,
    mutate: (attributes) => (attributes.definition.kind === "Pod" ? withPriority(attributes) : attributes.object),
    validate(attributes) {
      const { definition, object } = attributes;
      if (definition.kind === "Pod" || object["globalDefault"] !== true) return;
      const present = globalDefault();
      if (present === undefined || present.metadata.name === object.metadata.name) return;
      throw notAdmitted(
        attributes,
        `PriorityClass ${present.metadata.name} is already marked as default. Only one default can exist`,
      );
    },
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

  /** Of several, the one with the smallest value: writers that race can make a second. */
  function globalDefault(): KubeObject | undefined {
    let lowest: KubeObject | undefined;
    for (const candidate of classes.list("")) {
      if (candidate["globalDefault"] !== true) continue;
      if (lowest === undefined || Number(candidate["value"]) < Number(lowest["value"])) lowest = candidate;
    }
    return lowest;
  }
}

/** What a Pod says of its priority must be what its class says. */
function refuseOwnPriority(spec: PodSpec, priority: Priority, attributes: AdmissionAttributes): void {
  const refuse = (what: string, computed: number | string): never => {
    const cause = `${what} must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
    throw notAdmitted(attributes, cause);
  };
  if (spec.priority !== undefined && spec.priority !== priority.value) {
    refuse(`the integer value of priority (${spec.priority})`, priority.value);
  }
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== priority.preemptionPolicy) {
    refuse(`the string value of PreemptionPolicy (${spec.preemptionPolicy})`, priority.preemptionPolicy);
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
