import { describe, expect, it } from "vitest";
import type { KubeObject } from "#cluster/api/objects.ts";
import { created, createFaults, type Draft, shown, statusFaults, testFacts, updateFaults } from "../strategy.test-kit.ts";
import { horizontalPodAutoscalersV1 as v1, horizontalPodAutoscalers as v2 } from "./horizontalpodautoscalers.ts";

const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };

function draft(spec: object = {}): Draft {
  return { spec: { maxReplicas: 10, scaleTargetRef, ...spec } };
}

const cpu = (target: object): object => ({ type: "Resource", resource: { name: "cpu", target } });
const half = { type: "Utilization", averageUtilization: 50 };

describe("HorizontalPodAutoscalers", () => {
  it("[WRK-167] keep one pod at least, and the processor at 80 percent", () => {
    expect(created(v2, draft())).toMatchObject({
      spec: { minReplicas: 1, metrics: [cpu({ type: "Utilization", averageUtilization: 80 })] },
      status: { desiredReplicas: 0 },
    });
  });

  it("[WRK-159] have rules for both directions as soon as one is ruled", () => {
    const { spec } = created(v2, draft({ behavior: { scaleUp: { stabilizationWindowSeconds: 30 } } }));
    expect((spec as { behavior: unknown }).behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 30,
        selectPolicy: "Max",
        policies: [
          { type: "Pods", value: 4, periodSeconds: 15 },
          { type: "Percent", value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
    });
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", { minReplicas: 2, metrics: [cpu(half)] }, []],
    [
      "[WRK-158] no least",
      { minReplicas: 0 },
      [
        "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1",
        "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
      ],
    ],
    [
      "[WRK-158] no most",
      { maxReplicas: undefined },
      [
        "spec.maxReplicas: Required value: must be set and greater than 0",
        "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
      ],
    ],
    [
      "[WRK-158] a least above the most",
      { minReplicas: 11 },
      ["spec.maxReplicas: Invalid value: 10: must be greater than or equal to `minReplicas`"],
    ],
    [
      "nothing to scale",
      { scaleTargetRef: { apiVersion: "v1", kind: "", name: "a/b" } },
      [
        "spec.scaleTargetRef.kind: Required value",
        "spec.scaleTargetRef.name: Invalid value: \"a/b\": may not contain '/'",
        'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
      ],
    ],
    [
      "a version of too many parts",
      { scaleTargetRef: { ...scaleTargetRef, apiVersion: "a/b/c" } },
      ['spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
    ],
    [
      "core's one kind that can be scaled",
      { scaleTargetRef: { apiVersion: "v1", kind: "ReplicationController", name: "web" } },
      [],
    ],
    [
      "a metric of no type",
      { metrics: [{ type: "" }] },
      [
        "spec.metrics[0].type: Required value: must specify a metric source type",
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      "a metric of another type than its source",
      { metrics: [{ ...cpu(half), type: "Pods" }] },
      ["spec.metrics[0].pods: Required value: must populate information for the given metric source"],
    ],
    [
      "two sources",
      { metrics: [{ ...cpu(half), pods: { metric: { name: "x" }, target: { type: "AverageValue", averageValue: "1" } } }] },
      ["spec.metrics[0].pods: Forbidden: must populate the given metric source only"],
    ],
    [
      "targets that do not fit",
      {
        metrics: [
          cpu({ type: "Some" }),
          cpu({ type: "Utilization", averageUtilization: 0, averageValue: "0" }),
          { type: "Pods", pods: { metric: { name: "" }, target: { type: "Value", value: "-1" } } },
          { type: "External", external: { metric: { name: "x" }, target: { type: "Value", value: "1", averageValue: "1" } } },
          {
            type: "Object",
            object: { metric: { name: "x" }, describedObject: { kind: "Service", name: "web" }, target: { type: "Value" } },
          },
          { type: "ContainerResource", containerResource: { name: "", container: "A", target: half } },
          { type: "ContainerResource", containerResource: { name: "storage", container: "a", target: half } },
        ],
      },
      [
        'spec.metrics[0].resource.target.type: Invalid value: "Some": must be either Utilization, Value, or AverageValue',
        "spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization",
        'spec.metrics[1].resource.target.averageValue: Invalid value: "0": must be positive',
        "spec.metrics[1].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
        "spec.metrics[1].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
        "spec.metrics[2].pods.metric.name: Required value: must specify a metric name",
        'spec.metrics[2].pods.target.value: Invalid value: "-1": must be positive',
        "spec.metrics[2].pods.target.averageValue: Required value: must specify a positive target averageValue",
        "spec.metrics[3].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
        "spec.metrics[4].object.target.averageValue: Required value: must set either a target value or averageValue",
        "spec.metrics[5].containerResource.name: Required value: must specify a resource name",
        "spec.metrics[5].containerResource.container: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.metrics[6].containerResource.name: Invalid value: "storage": must be a standard resource for containers',
      ],
    ],
    [
      "rules without measure",
      {
        behavior: {
          scaleUp: { stabilizationWindowSeconds: 3601, selectPolicy: "Both", policies: [], tolerance: "-1" },
          scaleDown: { stabilizationWindowSeconds: -1, policies: [{ type: "Nodes", value: 0, periodSeconds: 1801 }] },
        },
      },
      [
        "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600",
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Both": supported values: "Disabled", "Max", "Min"',
        "spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
        'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
        "spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero",
        'spec.behavior.scaleDown.policies[0].type: Unsupported value: "Nodes": supported values: "Percent", "Pods"',
        "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero",
        "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(v2, draft(spec))).toEqual(faults);
  });

  it("may go on pointing where they did", () => {
    const bare = { scaleTargetRef: { kind: "Deployment", name: "web" } };
    expect(updateFaults(v2, draft(bare), draft({ ...bare, maxReplicas: 5 }))).toEqual([]);
  });

  it("cannot be said to have less than no replicas", () => {
    expect(statusFaults(v2, draft(), { currentReplicas: -1, desiredReplicas: -1 })).toEqual([
      "status.currentReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  const value = (averageUtilization: number): object => ({
    type: "Resource",
    resource: { name: "cpu", current: { averageUtilization } },
  });

  it.each<[string, readonly object[], readonly object[], string]>([
    ["nothing known yet", [cpu(half)], [], "cpu: <unknown>/50%"],
    ["a share", [cpu(half)], [value(30)], "cpu: 30%/50%"],
    ["an amount", [cpu({ type: "AverageValue", averageValue: "500m" })], [], "cpu: <unknown>/500m"],
    [
      "three",
      [
        cpu(half),
        { type: "Pods", pods: { metric: { name: "hits" }, target: { averageValue: "1k" } } },
        { type: "External", external: { target: { value: "30" } } },
      ],
      [value(30), { type: "Pods", pods: { current: { averageValue: "20" } } }],
      "cpu: 30%/50%, 20/1k + 1 more...",
    ],
    ["one for each pod", [{ type: "External", external: { target: { averageValue: "30" } } }], [], "<unknown>/30 (avg)"],
  ])("[WRK-163] show %s", (_title, metrics, currentMetrics, targets) => {
    const autoscaler = { ...draft({ minReplicas: 1, metrics }), status: { currentReplicas: 3, currentMetrics } };
    expect(shown(v2, autoscaler)).toEqual([
      ["NAME", "web"],
      ["REFERENCE", "Deployment/web"],
      ["TARGETS", targets],
      ["MINPODS", "1"],
      ["MAXPODS", 10],
      ["REPLICAS", 3],
      ["AGE", "10m"],
    ]);
  });

  it("[WRK-163] show no metric, which defaults leave to none", () => {
    const autoscaler = created(v2, draft());
    const bare = { ...autoscaler, spec: { ...(autoscaler["spec"] as object), metrics: [] } };
    expect(v2.row(bare, testFacts)[2]).toBe("<none>");
  });
});

describe("[WRK-164] autoscaling/v1 and autoscaling/v2", () => {
  const prefix = "autoscaling.alpha.kubernetes.io";
  const stored = (spec: object, status: object = {}): KubeObject => ({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web", annotations: { own: "x" } },
    ...draft({ minReplicas: 1, ...spec }),
    status: { desiredReplicas: 0, ...status },
  });
  const pods = {
    type: "Pods",
    pods: { metric: { name: "hits", selector: { matchLabels: { a: "b" } } }, target: { type: "AverageValue", averageValue: "1k" } },
  };
  const object = {
    type: "Object",
    object: { metric: { name: "hits" }, describedObject: { kind: "Service", name: "web" }, target: { type: "Value", value: "10" } },
  };
  const external = {
    type: "External",
    external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "30" } },
  };
  const memory = { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } };
  const container = { type: "ContainerResource", containerResource: { name: "cpu", container: "main", target: half } };
  const rules = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
  const behavior = { scaleUp: { ...rules, stabilizationWindowSeconds: 0, tolerance: "50m" }, scaleDown: rules };

  it("show the processor as a field", () => {
    expect(v1.fromStorage?.(stored({ metrics: [cpu(half)] }))).toEqual({
      apiVersion: "autoscaling/v1",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web", annotations: { own: "x" } },
      spec: { minReplicas: 1, maxReplicas: 10, scaleTargetRef, targetCPUUtilizationPercentage: 50 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
  });

  it("write down what the first has no field for", () => {
    const shownAsV1 = v1.fromStorage?.(stored({ metrics: [pods, cpu(half), object], behavior }));
    expect(shownAsV1?.metadata.annotations).toEqual({
      own: "x",
      [`${prefix}/metrics`]:
        '[{"type":"Pods","pods":{"metricName":"hits","targetAverageValue":"1k","selector":{"matchLabels":{"a":"b"}}}},{"type":"Object","object":{"target":{"kind":"Service","name":"web"},"metricName":"hits","targetValue":"10"}}]',
      [`${prefix}/behavior`]:
        '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":"50m"},"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Percent","Value":100,"PeriodSeconds":15}],"Tolerance":null}}',
    });
  });

  it.each<[string, KubeObject]>([
    ["the processor alone", stored({ metrics: [cpu(half)] })],
    [
      "other metrics, and the processor last",
      stored({ metrics: [pods, object, external, memory, container, cpu(half)], behavior }),
    ],
    [
      "a status",
      stored(
        { metrics: [cpu(half)] },
        {
          currentReplicas: 3,
          desiredReplicas: 4,
          lastScaleTime: "2026-01-01T00:00:00Z",
          currentMetrics: [
            { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 30, averageValue: "300m" } } },
          ],
          conditions: [
            { type: "AbleToScale", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z", reason: "Ready", message: "ok" },
          ],
        },
      ),
    ],
  ])("are two forms of one object: %s", (_title, whole) => {
    const given = (whole["status"] as { currentReplicas?: number }).currentReplicas;
    const expected = given === undefined ? { ...whole, status: { currentReplicas: 0, desiredReplicas: 0 } } : whole;
    expect(v1.toStorage?.(v1.fromStorage?.(whole) as KubeObject)).toEqual(expected);
  });

  it("fill up what the first leaves open", () => {
    const made = created(v1, draft());
    expect(made).toMatchObject({
      apiVersion: "autoscaling/v1",
      spec: { minReplicas: 1 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
    expect(v1.toStorage?.(made)["spec"]).toMatchObject({ metrics: [cpu({ type: "Utilization", averageUtilization: 80 })] });
  });

  it("refuse alike", () => {
    expect(createFaults(v1, draft({ targetCPUUtilizationPercentage: 0, maxReplicas: 0 }))).toEqual([
      "spec.maxReplicas: Required value: must be set and greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
      "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
    ]);
  });
});
