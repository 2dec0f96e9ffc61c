// What makers of workloads are warned of (pkg/registry/**/strategy.go: WarningsOnCreate, WarningsOnUpdate).

import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons } from "#cluster/api/names.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { latePodRules } from "./core/pods/late-pod-rules.ts";
import { field, type Path } from "./field-errors.ts";

/** Names of pods come from the workload's; hostnames come from those. Only creations are warned. */
export function nameWarnings(name: string | undefined): readonly string[] {
  const reasons = dns1123LabelReasons(name ?? "");
  if (reasons.length === 0) return reasons;
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${reasons.join(" ")}]`,
  ];
}

/** What a Pod of the template would be warned of. */
export function templateWarnings(template: PodTemplateSpec | undefined, path: Path): readonly string[] {
  return template?.spec === undefined ? [] : latePodRules.code.podSpecWarnings(template.spec, template.metadata ?? {}, path);
}

type Workload = KubeObject & { readonly spec?: { readonly template?: PodTemplateSpec } };

/** Of `spec.template` at the creation and whenever the generation changes. */
export function workloadWarnings(object: Workload, old: Workload | undefined): readonly string[] {
  if (old !== undefined && object.metadata.generation === old.metadata.generation) return [];
  return templateWarnings(object.spec?.template, field("spec", "template"));
}

/** Those and, at the creation, of the name. */
export function namedWorkloadWarnings(object: Workload, old: Workload | undefined): readonly string[] {
  const ofTemplate = workloadWarnings(object, old);
  return old === undefined ? [...nameWarnings(object.metadata.name), ...ofTemplate] : ofTemplate;
}
