// HorizontalPodAutoscalers (autoscaling/v2): metrics with what is and what shall be.

import type { V2HorizontalPodAutoscaler, V2HPAScalingRules, V2MetricSpec, V2MetricStatus } from "#cluster/api/generated/types.ts";
import type { Description } from "./description.ts";
import { describeHead, withEvents } from "./from-object.ts";
import { longTime } from "./when.ts";

const unknown = "<unknown>";

export const describeAutoscaler = withEvents<V2HorizontalPodAutoscaler>((out, autoscaler) => {
  const { metadata, spec, status } = autoscaler;
  describeHead(out, autoscaler);
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.field("Reference", `${spec?.scaleTargetRef.kind}/${spec?.scaleTargetRef.name}`);
  out.line("Metrics:\t( current / target )");
  for (const [index, metric] of (spec?.metrics ?? []).entries()) out.line(metricText(metric, status?.currentMetrics?.[index]), 1);
  out.field("Min replicas", spec?.minReplicas ?? "<unset>");
  out.field("Max replicas", spec?.maxReplicas ?? 0);
  if (spec?.behavior !== undefined) {
    out.line("Behavior:");
    describeBehaviour(out, "Scale Up", spec.behavior.scaleUp);
    describeBehaviour(out, "Scale Down", spec.behavior.scaleDown);
  }
  out.field(
    `${spec?.scaleTargetRef.kind} pods`,
    `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired`,
  );
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return;
  out.line("Conditions:");
  out.line("Type\tStatus\tReason\tMessage", 1);
  out.line("----\t------\t------\t-------", 1);
  for (const { type, status: state, reason = "", message = "" } of conditions)
    out.line(`${type}\t${state}\t${reason}\t${message}`, 1);
});

function metricText(metric: V2MetricSpec, now: V2MetricStatus | undefined): string {
  const { external, pods, object, resource, containerResource } = metric;
  if (external !== undefined) {
    const name = JSON.stringify(external.metric.name);
    const { averageValue, value } = external.target;
    if (averageValue !== undefined)
      return `${name} (target average value):\t${now?.external?.current.averageValue ?? unknown} / ${averageValue}`;
    return `${name} (target value):\t${now?.external?.current.value ?? unknown} / ${value ?? "<nil>"}`;
  }
  if (pods !== undefined) {
    return `${JSON.stringify(pods.metric.name)} on pods:\t${now?.pods?.current.averageValue ?? unknown} / ${pods.target.averageValue ?? "<nil>"}`;
  }
  if (object !== undefined) {
    const { kind, name } = object.describedObject;
    const head = `"${object.metric.name}" on ${kind}/${name}`;
    const current = now?.object?.current;
    return object.target.type === "AverageValue"
      ? `${head} (target average value):\t${current?.averageValue ?? unknown} / ${object.target.averageValue ?? "<nil>"}`
      : `${head} (target value):\t${current?.value ?? unknown} / ${object.target.value ?? "<nil>"}`;
  }
  const own = resource ?? containerResource;
  if (own === undefined) return `<unknown metric type ${JSON.stringify(metric.type)}>`;
  const where = containerResource === undefined ? "" : ` of container "${containerResource.container}"`;
  const head = `resource ${own.name}${where} on pods`;
  const current = (containerResource === undefined ? now?.resource : now?.containerResource)?.current;
  if (own.target.averageValue !== undefined) return `${head}:\t${current?.averageValue ?? unknown} / ${own.target.averageValue}`;
  const percent = current?.averageUtilization;
  const shown = percent === undefined ? unknown : `${percent}% (${current?.averageValue ?? "<nil>"})`;
  const { averageUtilization } = own.target;
  return `${head}  (as a percentage of request):\t${shown} / ${averageUtilization === undefined ? "<auto>" : `${averageUtilization}%`}`;
}

function describeBehaviour(out: Description, direction: string, rules: V2HPAScalingRules | undefined): void {
  if (rules === undefined) return;
  out.line(`${direction}:`, 1);
  if (rules.stabilizationWindowSeconds !== undefined)
    out.line(`Stabilization Window: ${rules.stabilizationWindowSeconds} seconds`, 2);
  const policies = rules.policies ?? [];
  if (policies.length === 0) return;
  out.line(`Select Policy: ${rules.selectPolicy ?? "Max"}`, 2);
  out.line("Policies:", 2);
  for (const { type, value, periodSeconds } of policies)
    out.line(`- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`, 3);
}
