// Refused values as the API server prints them: it validates its internal types, whose JSON has Go's names for fields, all
// of them, in the order of their declaration (pkg/apis/*/types.go). Types of metav1 and intstr print as everywhere.

import type {
  DaemonSetUpdateStrategy,
  DeploymentStrategy,
  PodDisruptionBudgetSpec,
  PodFailurePolicy,
  RollingUpdateStatefulSetStrategy,
  StatefulSetUpdateStrategy,
  SuccessPolicy,
  UncountedTerminatedPods,
} from "#cluster/api/generated/types.ts";

export const goDeploymentStrategy = ({ type = "", rollingUpdate }: DeploymentStrategy): unknown => ({
  Type: type,
  RollingUpdate: rollingUpdate === undefined ? null : goSurge(rollingUpdate),
});

export const goDaemonSetStrategy = ({ type = "", rollingUpdate }: DaemonSetUpdateStrategy): unknown => ({
  Type: type,
  RollingUpdate: rollingUpdate === undefined ? null : goSurge(rollingUpdate),
});

const goSurge = ({ maxUnavailable = 0, maxSurge = 0 }: NonNullable<DeploymentStrategy["rollingUpdate"]>): unknown => ({
  MaxUnavailable: maxUnavailable,
  MaxSurge: maxSurge,
});

export const goStatefulSetStrategy = ({ type = "", rollingUpdate }: StatefulSetUpdateStrategy): unknown => ({
  Type: type,
  RollingUpdate: rollingUpdate === undefined ? null : goPartition(rollingUpdate),
});

export const goPartition = ({ partition = 0, maxUnavailable }: RollingUpdateStatefulSetStrategy): unknown => ({
  Partition: partition,
  MaxUnavailable: maxUnavailable ?? null,
});

export const goBudgetSpec = (spec: PodDisruptionBudgetSpec): unknown => ({
  MinAvailable: spec.minAvailable ?? null,
  Selector: spec.selector ?? null,
  MaxUnavailable: spec.maxUnavailable ?? null,
  UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
});

export const goSuccessPolicy = (policy: SuccessPolicy | undefined): unknown =>
  policy === undefined
    ? null
    : {
        Rules: (policy.rules ?? []).map(({ succeededIndexes = null, succeededCount = null }) => ({
          SucceededIndexes: succeededIndexes,
          SucceededCount: succeededCount,
        })),
      };

export const goFailurePolicy = (policy: PodFailurePolicy | undefined): unknown =>
  policy === undefined
    ? null
    : {
        Rules: (policy.rules ?? []).map(({ action, onExitCodes, onPodConditions }) => ({
          Action: action,
          OnExitCodes:
            onExitCodes === undefined
              ? null
              : {
                  ContainerName: onExitCodes.containerName ?? null,
                  Operator: onExitCodes.operator,
                  Values: onExitCodes.values ?? null,
                },
          OnPodConditions: onPodConditions?.map(({ type, status = "" }) => ({ Type: type, Status: status })) ?? null,
        })),
      };

export const goUncountedPods = ({ succeeded, failed }: UncountedTerminatedPods): unknown => ({
  Succeeded: succeeded ?? null,
  Failed: failed ?? null,
});
