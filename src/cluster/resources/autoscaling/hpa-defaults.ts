// Defaults of HorizontalPodAutoscalers as autoscaling/v2 has them, which is how they are stored (pkg/apis/autoscaling/v2).

import type {
  V2HorizontalPodAutoscaler,
  V2HorizontalPodAutoscalerSpec,
  V2HPAScalingRules,
  V2MetricSpec,
} from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Typed } from "../definition.ts";
import { changed, filled } from "../filling.ts";

const defaultMetrics: readonly V2MetricSpec[] = [
  { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
];

const scaleUp: V2HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};

const scaleDown: V2HPAScalingRules = {
  selectPolicy: "Max",
  policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
};

export function autoscalerDefaults<A extends Typed<V2HorizontalPodAutoscaler> & KubeObject>(autoscaler: A): A {
  const spec = specDefaults(autoscaler.spec ?? ({} as V2HorizontalPodAutoscalerSpec));
  return spec === autoscaler.spec ? autoscaler : { ...autoscaler, spec };
}

function specDefaults(given: V2HorizontalPodAutoscalerSpec): V2HorizontalPodAutoscalerSpec {
  const bounded = filled(given, { minReplicas: 1 });
  const measured = (bounded.metrics?.length ?? 0) > 0 ? bounded : { ...bounded, metrics: defaultMetrics };
  // With one direction given the other gets its rules, too.
  return changed(measured, "behavior", (behavior) => {
    const both = filled(behavior, { scaleUp, scaleDown });
    return changed(
      changed(both, "scaleUp", (rules) => filled(rules, scaleUp)),
      "scaleDown",
      (rules) => filled(rules, scaleDown),
    );
  });
}
