// What kubectl itself knows of Deployments: which ReplicaSet belongs to the present template.

import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";

const hashLabel = "pod-template-hash";

/** Whether two templates are equal but for the label that the Deployment controller adds. */
export function isSameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return canonical(a) === canonical(b);
}

function canonical(template: PodTemplateSpec | undefined): string {
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return JSON.stringify(sorted({ ...template, metadata: { ...template?.metadata, labels } }));
}

/** The same value with the fields of every map in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}
