// Sizes workloads by what is measured of them (pkg/controller/podautoscaler): `autoscaler-rounds.ts`, once there is an autoscaler.

import type { V2HorizontalPodAutoscaler } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import type { AutoscalerRounds } from "./autoscaler-rounds.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./autoscaling-settings.ts";

const name = "horizontal-pod-autoscaler-controller";

export const podAutoscalerController = (settings = usualAutoscaling): ControllerDefinition => ({
  name,
  serviceAccount: "horizontal-pod-autoscaler",
  eventSource: "horizontal-pod-autoscaler",
  create: (context) => controllerOf(context, settings),
});

function controllerOf(context: ControllerContext, settings: AutoscalingSettings): Controller {
  const autoscalers = context.informers.informer(kinds.horizontalPodAutoscalers);
  const pods = context.informers.informer(kinds.pods);
  let enqueue: (key: string) => void = () => {};
  let rounds: AutoscalerRounds | undefined;
  return {
    name,
    watches: [
      watchRule<V2HorizontalPodAutoscaler>({
        resource: kinds.horizontalPodAutoscalers,
        keys: (autoscaler) => [keyOf(autoscaler)],
      }),
    ],
    start: (given) => {
      enqueue = given;
    },
    reconcile: (key) => {
      rounds ??= new latePasses.code.AutoscalerRounds({ context, settings, autoscalers, pods, enqueue });
      return rounds.reconcile(key);
    },
  };
}
