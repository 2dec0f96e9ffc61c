// What one metric comes to: a number of replicas and what the status shows, or why there is none, word for word
// (pkg/controller/podautoscaler/horizontal.go: computeStatusFor…).

import type {
  V2MetricIdentifier,
  V2MetricSpec,
  V2MetricStatus,
  V2MetricTarget,
  V2MetricValueStatus,
} from "#cluster/api/generated/types.ts";
import { formatQuantity, parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { goSelectorText } from "#cluster/api/selector-text.ts";
import type { Measured } from "./questions.ts";
import {
  averageReplicas,
  MetricFailure,
  type Proposal,
  type Samples,
  type Scene,
  sharedReplicas,
  utilizationReplicas,
  valueReplicas,
} from "./replica-math.ts";

export interface Outcome {
  readonly proposal: Proposal;
  /** As the reason of a rescale and the condition name it. */
  readonly metric: string;
  readonly status: V2MetricStatus;
}

/** A metric without a number: `inner` stands in its own event and condition, `outer` in the event about all metrics. */
export interface NoMetric {
  readonly reason: string;
  readonly inner: string;
  readonly outer: string;
}

/** The words around a failure, by kind of metric. */
export function failureWords({ resource, containerResource, pods, object, external, type }: V2MetricSpec, why: string): NoMetric {
  if (resource !== undefined) {
    const inner = `failed to get ${resource.name} ${useWord(resource.target)}: ${why}`;
    return { reason: "FailedGetResourceMetric", inner, outer: `failed to get ${resource.name} resource metric value: ${inner}` };
  }
  if (containerResource !== undefined) {
    const inner = `failed to get ${containerResource.name} ${useWord(containerResource.target)}: ${why}`;
    const outer = `failed to get ${containerResource.container} container metric value: ${inner}`;
    return { reason: "FailedGetContainerResourceMetric", inner, outer };
  }
  if (pods !== undefined) {
    return { reason: "FailedGetPodsMetric", inner: why, outer: `failed to get pods metric value: ${why}` };
  }
  if (object !== undefined) {
    const isAverage = object.target.averageValue !== undefined;
    const named = isAverage ? `failed to get ${object.metric.name} object metric: ${why}` : why;
    return { reason: "FailedGetObjectMetric", inner: why, outer: `failed to get object metric value: ${named}` };
  }
  if (external !== undefined) {
    const { name } = external.metric;
    const named =
      external.target.averageValue === undefined
        ? `failed to get external metric ${name}`
        : `failed to get ${name} external metric`;
    return {
      reason: "FailedGetExternalMetric",
      inner: why,
      outer: `failed to get ${name} external metric value: ${named}: ${why}`,
    };
  }
  const inner = `unknown metric source type ${JSON.stringify(type)}`;
  return { reason: "InvalidMetricSourceType", inner, outer: inner };
}

function useWord({ averageValue }: V2MetricTarget): string {
  return averageValue === undefined ? "utilization" : "usage";
}

/** Throws MetricFailure. */
export function outcomeOf(metric: V2MetricSpec, answer: Measured, scene: Scene): Outcome {
  if ("failure" in answer) throw new MetricFailure(answer.failure);
  const { resource, containerResource, pods, object, external } = metric;
  if (resource !== undefined) {
    const { proposal, current } = ofResource(resource, "", answer, scene);
    const name =
      resource.target.averageValue === undefined ? utilizationOf(resource.name, "resource") : `${resource.name} resource`;
    return { proposal, metric: name, status: { type: "Resource", resource: { name: resource.name, current } } };
  }
  if (containerResource !== undefined) {
    const { name, container, target } = containerResource;
    const { proposal, current } = ofResource(containerResource, container, answer, scene);
    const words = target.averageValue === undefined ? utilizationOf(name, "container resource") : `${name} resource`;
    return { proposal, metric: words, status: { type: "ContainerResource", containerResource: { name, container, current } } };
  }
  if (pods !== undefined) {
    const proposal = averageReplicas(scene, samplesOf(answer), { value: milli(pods.target.averageValue), resource: "" });
    const current = { averageValue: decimal(proposal.value) };
    return {
      proposal,
      metric: `pods metric ${pods.metric.name}`,
      status: { type: "Pods", pods: { metric: pods.metric, current } },
    };
  }
  if (object !== undefined) {
    const { proposal, current } = ofValue(object.target, answer, scene);
    const { describedObject, metric: own } = object;
    const words = object.target.averageValue !== undefined ? sharedName(own) : `${describedObject.kind} metric ${own.name}`;
    return { proposal, metric: words, status: { type: "Object", object: { describedObject, metric: own, current } } };
  }
  if (external === undefined) throw new MetricFailure(`unknown metric source type ${JSON.stringify(metric.type)}`);
  const { proposal, current } = ofValue(external.target, answer, scene);
  return {
    proposal,
    metric: sharedName(external.metric),
    status: { type: "External", external: { metric: external.metric, current } },
  };
}

interface OfTarget {
  readonly proposal: Proposal;
  readonly current: V2MetricValueStatus;
}

function ofResource(
  { name, target }: { readonly name: string; readonly target: V2MetricTarget },
  container: string,
  answer: Measured,
  scene: Scene,
): OfTarget {
  const samples = samplesOf(answer);
  const amount = (value: number) => formatQuantity({ amount: value, format: name === "memory" ? "BinarySI" : "DecimalSI" });
  if (target.averageValue !== undefined) {
    const proposal = averageReplicas(scene, samples, { value: milli(target.averageValue), resource: name });
    return { proposal, current: { averageValue: amount(proposal.value) } };
  }
  const { averageUtilization: percent } = target;
  if (percent === undefined)
    throw new MetricFailure(
      "invalid resource metric source: neither an average utilization target nor an average value (usage) target was set",
    );
  const proposal = utilizationReplicas(scene, samples, { percent, resource: name, container });
  const { utilization = 0, value } = proposal;
  return { proposal, current: { averageUtilization: utilization, averageValue: amount(value) } };
}

/** A value of its own, or one that the Pods share. */
function ofValue(target: V2MetricTarget, answer: Measured, scene: Scene): OfTarget {
  const value = "value" in answer ? answer.value : 0;
  if (target.averageValue !== undefined) {
    const proposal = sharedReplicas(scene, value, milli(target.averageValue));
    return { proposal, current: { averageValue: decimal(proposal.value) } };
  }
  const proposal = valueReplicas(scene, value, milli(target.value));
  return { proposal, current: { value: decimal(proposal.value) } };
}

function samplesOf(answer: Measured): Samples {
  return "samples" in answer ? answer.samples : new Map();
}

function utilizationOf(resource: string, words: string): string {
  return `${resource} ${words} utilization (percentage of request)`;
}

function sharedName({ name, selector }: V2MetricIdentifier): string {
  return `external metric ${name}(${goSelectorText(selector)})`;
}

function milli(text: string | undefined): number {
  return quantityMilliValue(parseQuantity(text ?? "0"));
}

function decimal(value: number): string {
  return formatQuantity({ amount: value, format: "DecimalSI" });
}
