// For tests: what the API server says of a pod, without a server.

import type { Pod, PodSpec } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { causesOf, created, testFacts } from "../../strategy.test-kit.ts";
import { pods } from "./pods.ts";

export interface PodParts {
  readonly spec?: Partial<PodSpec> & { readonly [name: string]: unknown };
  readonly metadata?: object;
}

const container = { name: "c", image: "nginx:1.27" };

/** A pod as it is stored: with one container unless the parts say otherwise, with defaults. */
export function podOf({ spec = {}, metadata = {} }: PodParts): KubeObject & Pod {
  return created(pods, {
    metadata: { name: "p", uid: "1", ...metadata },
    spec: { containers: [container], ...spec },
  }) as KubeObject & Pod;
}

/** A spec whose only container has `fields` beside its name and image. */
export function withContainer(fields: object, spec: object = {}): PodParts {
  return { spec: { containers: [{ ...container, ...fields }], ...spec } as PodSpec };
}

/** `field: message`, one an error. */
export function refusalsOf(parts: PodParts): readonly string[] {
  return causesOf((errors) => pods.validate?.(podOf(parts), errors));
}

export function warningsOf(parts: PodParts): readonly string[] {
  return pods.warnings?.(podOf(parts), undefined) ?? [];
}

type Change = (pod: KubeObject & Pod) => object;

/** The errors of an update, of the pod or of one of its subresources. */
export function updateRefusals(parts: PodParts, change: Change, subresource = ""): readonly string[] {
  const old = podOf(parts);
  const desired = change(old) as KubeObject;
  const complete = pods.defaults?.(desired) ?? desired;
  return causesOf((errors) => {
    if (subresource === "status") {
      pods.validateStatusUpdate?.(pods.prepareForStatusUpdate?.(complete, old, testFacts) ?? complete, old, errors);
    } else if (subresource === "") pods.validateUpdate?.(pods.prepareForUpdate?.(complete, old) ?? complete, old, errors);
    else {
      const prepared = pods.subresourceStrategies?.[subresource]?.(complete, old, testFacts) ?? complete;
      pods.subresourceValidators?.[subresource]?.(prepared, old, errors);
    }
  });
}
