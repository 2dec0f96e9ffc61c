// One kind in two versions: stored as autoscaling/v2, shown and taken as autoscaling/v1, too.

import type { HorizontalPodAutoscaler, V2HorizontalPodAutoscaler } from "#cluster/api/generated/types.ts";
import { horizontalPodAutoscalersV1 as typeV1, horizontalPodAutoscalers as typeV2 } from "#cluster/api/kinds.ts";
import { defineResource, type Typed } from "../definition.ts";
import { filled } from "../filling.ts";
import { specAndStatus, withFieldsOf } from "../strategy.ts";
import { autoscalerColumns, autoscalerRow } from "./hpa-columns.ts";
import { toV1, toV2, withoutKeys } from "./hpa-conversion.ts";
import { autoscalerDefaults } from "./hpa-defaults.ts";
import { validateAutoscaler, validateAutoscalerStatus } from "./hpa-validation.ts";

type V1 = Typed<HorizontalPodAutoscaler>;
type V2 = Typed<V2HorizontalPodAutoscaler>;

const shared = {
  shortNames: ["hpa"],
  categories: ["all"],
  storage: "horizontalpodautoscalers.autoscaling",
  subresources: [{ name: "status", kind: "HorizontalPodAutoscaler", verbs: ["get", "patch", "update"] }],
  columns: autoscalerColumns,
} as const;

export const horizontalPodAutoscalers = defineResource(typeV2, {
  ...shared,
  ...specAndStatus,
  prepareForCreate: (autoscaler) => ({
    ...autoscaler,
    metadata: withoutKeys(autoscaler.metadata),
    status: { desiredReplicas: 0 },
  }),
  defaults: autoscalerDefaults,
  validate: (autoscaler, errors) => validateAutoscaler(autoscaler, undefined, errors),
  validateUpdate: validateAutoscaler,
  validateStatusUpdate: (autoscaler, _old, errors) => validateAutoscalerStatus(autoscaler, errors),
  row: autoscalerRow,
});

export const horizontalPodAutoscalersV1 = defineResource(typeV1, {
  ...shared,
  toStorage: (autoscaler) => autoscalerDefaults({ ...toV2(autoscaler) }),
  fromStorage: (stored) => ({ ...toV1(stored as V2) }),
  prepareForCreate: (autoscaler) => ({ ...autoscaler, status: { currentReplicas: 0, desiredReplicas: 0 } }),
  // Status and specification are told apart in the stored form: annotations belong to both.
  prepareForUpdate: (autoscaler, old) => ({ ...autoscaler, ...withV2(autoscaler, old, "status") }),
  prepareForStatusUpdate: (autoscaler, old) => ({ ...autoscaler, ...withV2(autoscaler, old, "spec") }),
  defaults: (autoscaler) => {
    const spec = filled(autoscaler.spec ?? ({} as NonNullable<V1["spec"]>), { minReplicas: 1 });
    return spec === autoscaler.spec ? autoscaler : { ...autoscaler, spec };
  },
  validate: (autoscaler, errors) => validateAutoscaler(toV2(autoscaler), undefined, errors),
  validateUpdate: (autoscaler, old, errors) => validateAutoscaler(toV2(autoscaler), toV2(old), errors),
  validateStatusUpdate: (autoscaler, _old, errors) => validateAutoscalerStatus(toV2(autoscaler), errors),
  row: (autoscaler, context) => autoscalerRow(toV2(autoscaler), context),
});

/** `autoscaler` with one half as the old object has it. */
function withV2(autoscaler: V1, old: V1, half: "spec" | "status"): V1 {
  return toV1(withFieldsOf({ ...toV2(autoscaler) }, { ...toV2(old) }, half));
}
