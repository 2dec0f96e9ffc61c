// What kubectl itself knows of Deployments: which ReplicaSet belongs to the present template.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";

const hashLabel = "pod-template-hash";

/** Whether two templates are equal but for the label that the Deployment controller adds. */
export function isSameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return semanticDeepEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec {
  const { [hashLabel]: _hash, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}
