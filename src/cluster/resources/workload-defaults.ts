// Templates as the API server keeps them: Go's structs are always there, so their defaults apply even to an absent template.

import type { PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { podTemplateDefaults } from "./core/pods/pod-defaults.ts";
import { filled } from "./filling.ts";

const noContainers: PodTemplateSpec = { spec: { containers: [] } };

/** `spec` with a complete pod template. */
export function withTemplateDefaults<S extends { readonly template?: PodTemplateSpec }>(spec: S): S {
  const template = podTemplateDefaults(filled(spec.template ?? {}, noContainers));
  return template === spec.template ? spec : { ...spec, template };
}
