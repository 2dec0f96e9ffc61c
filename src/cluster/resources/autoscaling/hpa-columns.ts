// What `kubectl get hpa` shows (pkg/printers/internalversion: printHorizontalPodAutoscaler, formatHPAMetrics).

import type { V2HorizontalPodAutoscaler, V2MetricSpec, V2MetricStatus } from "#cluster/api/generated/types.ts";
import { ageColumn, column, nameCell, nameColumn, sinceCell } from "../columns.ts";
import type { TableCell, TableColumn, TableContext, Typed } from "../definition.ts";

export const autoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    "Reference",
    "scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.",
  ),
  column(
    "Targets",
    "metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond. If not set, the default metric will be set to 80% average CPU utilization.",
  ),
  column(
    "MinPods",
    "minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the alpha feature gate HPAScaleToZero is enabled and at least one Object or External metric is configured.  Scaling is active as long as at least one metric value is available.",
  ),
  column(
    "MaxPods",
    "maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.",
  ),
  column(
    "Replicas",
    "currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.",
  ),
  ageColumn,
];

const shownMetrics = 2;

export function autoscalerRow(autoscaler: Typed<V2HorizontalPodAutoscaler>, context: TableContext): readonly TableCell[] {
  const { spec, status, metadata } = autoscaler;
  return [
    nameCell(autoscaler),
    `${spec?.scaleTargetRef?.kind ?? ""}/${spec?.scaleTargetRef?.name ?? ""}`,
    metricsCell(spec?.metrics ?? [], status?.currentMetrics ?? []),
    spec?.minReplicas === undefined ? "<unset>" : String(spec.minReplicas),
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    sinceCell(metadata.creationTimestamp, context),
  ];
}

/** Current values and targets; the n-th status belongs to the n-th metric. */
function metricsCell(metrics: readonly V2MetricSpec[], statuses: readonly V2MetricStatus[]): string {
  if (metrics.length === 0) return "<none>";
  const texts = metrics.map((metric, index) => metricText(metric, statuses[index]));
  const shown = texts.slice(0, shownMetrics).join(", ");
  return texts.length > shownMetrics ? `${shown} + ${texts.length - shownMetrics} more...` : shown;
}

const unknown = "<unknown>";

function metricText(metric: V2MetricSpec, status: V2MetricStatus | undefined): string {
  switch (metric.type) {
    case "External":
    case "Object": {
      const [source, current] =
        metric.type === "External" ? [metric.external, status?.external?.current] : [metric.object, status?.object?.current];
      const { averageValue, value } = source?.target ?? {};
      if (averageValue !== undefined) return `${current?.averageValue ?? unknown}/${averageValue} (avg)`;
      return `${current?.value ?? unknown}/${value ?? ""}`;
    }
    case "Pods":
      return `${status?.pods?.current.averageValue ?? unknown}/${metric.pods?.target.averageValue ?? ""}`;
    case "Resource":
    case "ContainerResource": {
      const [source, current] =
        metric.type === "Resource"
          ? [metric.resource, status?.resource?.current]
          : [metric.containerResource, status?.containerResource?.current];
      const { averageValue, averageUtilization } = source?.target ?? {};
      if (averageValue !== undefined) return `${source?.name}: ${current?.averageValue ?? unknown}/${averageValue}`;
      const target = averageUtilization === undefined ? "<auto>" : `${averageUtilization}%`;
      const share = current?.averageUtilization === undefined ? unknown : `${current.averageUtilization}%`;
      return `${source?.name}: ${share}/${target}`;
    }
    default:
      return "<unknown type>";
  }
}
