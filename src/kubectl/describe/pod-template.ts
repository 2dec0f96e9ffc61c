// The Pod template of a workload.

import type { PodTemplateSpec, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import { formatLabelSelector } from "#cluster/api/labels.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { describeContainers } from "./containers.ts";
import type { Description } from "./description.ts";
import { describeVolumes } from "./volumes.ts";

export function describePodTemplate(out: Description, template: PodTemplateSpec): void {
  const { metadata, spec } = template;
  out.line("Pod Template:");
  out.labels("  Labels", metadata?.labels);
  if (Object.keys(metadata?.annotations ?? {}).length > 0) out.annotations("  Annotations", metadata?.annotations);
  if (spec?.serviceAccountName) out.field("Service Account", spec.serviceAccountName, 1);
  const common = { statuses: [], pod: undefined, inTemplate: true } as const;
  if ((spec?.initContainers ?? []).length > 0) {
    describeContainers(out, { title: "Init Containers", containers: spec?.initContainers ?? [], ...common });
  }
  describeContainers(out, { title: "Containers", containers: spec?.containers ?? [], ...common });
  describeVolumes(out, spec?.volumes, true);
  describeSpread(out, "  Topology Spread Constraints", spec?.topologySpreadConstraints);
  if (spec?.priorityClassName) out.field("Priority Class Name", spec.priorityClassName, 1);
  out.labels("  Node-Selectors", spec?.nodeSelector);
  out.tolerations("  Tolerations", spec?.tolerations);
}

export function describeSpread(
  out: Description,
  title: string,
  constraints: readonly TopologySpreadConstraint[] | undefined,
): void {
  if (constraints === undefined || constraints.length === 0) return;
  const ordered = [...constraints].sort((a, b) => compareTexts(a.topologyKey, b.topologyKey));
  const texts = ordered.map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
    const text = `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded`;
    return labelSelector === undefined ? text : `${text} for selector ${formatLabelSelector(labelSelector)}`;
  });
  out.list(title, texts);
}
