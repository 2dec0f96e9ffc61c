// pods/ephemeralcontainers: containers for debugging, added to a pod that runs (registry/core/pod: EphemeralContainersStrategy,
// pkg/apis/core/validation: ValidatePodEphemeralContainersUpdate).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Pod, PodSpec } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field } from "../../field-errors.ts";
import { mirrorAnnotation, validateAnnotationUpdate } from "./pod-annotation-validation.ts";
import { internalForm } from "./pod-internal-form.ts";
import { raisedGeneration, withStatusMetadata } from "./pod-strategy.ts";
import { validatePodObject } from "./pod-validation.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** Nothing but the ephemeral containers is taken from an update. */
export function prepareEphemeralContainers<P extends Typed<Pod>>(pod: P, old: P): P {
  const containers = pod.spec?.ephemeralContainers;
  const { ephemeralContainers: _before, ...rest } = old.spec ?? noSpec;
  const spec: PodSpec = containers === undefined || containers.length === 0 ? rest : { ...rest, ephemeralContainers: containers };
  return raisedGeneration({ ...old, metadata: withStatusMetadata(pod.metadata, old.metadata), spec }, old);
}

const noSpec: PodSpec = { containers: [] };

/** They can be added, and neither changed nor taken away. */
export function validateEphemeralContainersUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    errors.forbidden(field(""), "static pods do not support ephemeral containers");
    return;
  }
  validatePodObject(pod, errors);
  validateAnnotationUpdate(pod, old, errors);
  const path = field("spec", "ephemeralContainers");
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = pod.spec?.ephemeralContainers?.find((container) => container.name === before.name);
    const name = JSON.stringify(before.name);
    if (now === undefined) errors.forbidden(path, `existing ephemeral containers ${name} may not be removed\n`);
    else if (!semanticDeepEqual(before, now)) {
      const change = unifiedDiff(internalForm("EphemeralContainer", before), internalForm("EphemeralContainer", now));
      errors.forbidden(path, `existing ephemeral containers ${name} may not be changed\n${change}`);
    }
  }
}
