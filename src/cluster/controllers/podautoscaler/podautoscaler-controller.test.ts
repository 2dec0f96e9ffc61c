// The controller with Deployments and ReplicaSets; what metrics' servers answer is given by the test.

import { describe, expect, it, vi } from "vitest";
import type { V2HorizontalPodAutoscalerSpec, V2MetricSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { deploymentController } from "../deployment/deployment-controller.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import { type AutoscalingSettings, usualAutoscaling } from "./autoscaling-settings.ts";
import { podAutoscalerController } from "./podautoscaler-controller.ts";

const namespace = "default";
const key = { namespace, name: "web" };

/** A cluster with a Deployment `web` of Pods that request 100m. */
function scene({ replicas = 2, settings = usualAutoscaling }: { replicas?: number; settings?: AutoscalingSettings } = {}) {
  const definitions = [deploymentController, replicaSetController, podAutoscalerController(settings)];
  const plane = startControlPlane({ definitions });
  const { client, server, simulation } = plane;
  const questions: string[] = [];
  /** By path, without the query. */
  const answers = new Map<string, () => JsonValue>();
  const hooks: { before: (method: string) => void } = { before: () => {} };
  const ask = server.ask.bind(server);
  vi.spyOn(server, "ask").mockImplementation((asker, question, done) => {
    const { method, target } = question;
    questions.push(`${asker.user.name} ${method} ${decodeURIComponent(target)}`);
    hooks.before(method);
    const answer = answers.get(target.split("?")[0] ?? "");
    if (answer === undefined) ask(asker, question, done);
    else simulation.after(2, () => done({ status: 200, text: "", body: answer() }));
  });
  const labels = { app: "web" };
  const container = { name: "web", image: "nginx:1.27", resources: { requests: { cpu: "100m" } } };
  client.create(kinds.deployments, {
    metadata: key,
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  });
  simulation.advance(600_000);
  const podNames = () => client.list(kinds.pods).items.map(({ metadata }) => metadata.name);
  return {
    ...plane,
    answers,
    hooks,
    questions,
    podNames,
    autoscale: (spec: Partial<V2HorizontalPodAutoscalerSpec> = {}, name = "web") =>
      client.create(kinds.horizontalPodAutoscalers, {
        metadata: { namespace, name },
        spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" }, maxReplicas: 10, ...spec },
      }),
    /** From now on each Pod uses so much. */
    use: (cpu: string) => {
      const items = () =>
        podNames().map((name) => ({
          metadata: { name, namespace },
          timestamp: formatTime(simulation.nowMs),
          window: "15s",
          containers: [{ name: "web", usage: { cpu, memory: "1Mi" } }],
        }));
      answers.set(`/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`, () => ({ kind: "PodMetricsList", items: items() }));
    },
    replicas: () => client.get(kinds.deployments, key).spec?.replicas,
    hpa: (name = "web") => client.get(kinds.horizontalPodAutoscalers, { namespace, name }),
    conditions: (name = "web") =>
      client
        .get(kinds.horizontalPodAutoscalers, { namespace, name })
        .status?.conditions?.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`),
    events: () => plane.eventsOf("HorizontalPodAutoscaler"),
  };
}

describe("an autoscaler of a Deployment", () => {
  it("[WRK-157] looks every 15 seconds, first 15 seconds after it was made", () => {
    const { autoscale, use, questions, simulation } = scene();
    use("50m");
    autoscale();
    simulation.advance(14_900);
    expect(questions).toEqual([]);
    simulation.advance(60_000);
    const user = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
    expect(questions.slice(0, 2)).toEqual([
      `${user} GET /apis/apps/v1/namespaces/default/deployments/web/scale`,
      `${user} GET /apis/metrics.k8s.io/v1beta1/namespaces/default/pods?labelSelector=app=web`,
    ]);
    expect(questions.length).toBe(8);
  });

  it("[WRK-160] [WRK-168] writes its scale, tells so, and makes no revision", () => {
    const { autoscale, use, client, simulation, replicas, events, hpa, conditions } = scene();
    autoscale();
    use("200m");
    simulation.advance(16_000);
    expect(replicas()).toBe(4);
    expect(events()).toEqual([
      "SuccessfulRescale New size: 4; reason: cpu resource utilization (percentage of request) above target",
    ]);
    expect(conditions()).toEqual([
      "AbleToScale True SucceededRescale: the HPA controller was able to update the target scale to 4",
      "ScalingActive True ValidMetricFound: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
      "ScalingLimited True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate",
    ]);
    expect(hpa().status).toMatchObject({
      currentReplicas: 2,
      desiredReplicas: 4,
      currentMetrics: [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: 200, averageValue: "200m" } } }],
    });
    const sets = client.list(kinds.replicaSets).items;
    expect(sets.map(({ spec, metadata }) => [spec?.replicas, metadata.annotations?.["deployment.kubernetes.io/revision"]])).toEqual(
      [[4, "1"]],
    );
  });

  it("[WRK-159] [WRK-160] goes down five minutes after the last higher wish", () => {
    const { autoscale, use, simulation, replicas, events } = scene();
    autoscale();
    use("150m");
    simulation.advance(16_000);
    use("0");
    simulation.advance(300_000);
    expect(replicas()).toBe(4);
    simulation.advance(16_000);
    expect(replicas()).toBe(1);
    expect(events().at(-1)).toBe("SuccessfulRescale New size: 1; reason: All metrics below target");
  });

  it.each([
    ["below the least", { minReplicas: 5 }, 5, "New size: 5; reason: Current number of replicas below Spec.MinReplicas"],
    ["above the most", { maxReplicas: 1 }, 1, "New size: 1; reason: Current number of replicas above Spec.MaxReplicas"],
  ])("[WRK-158] does not need metrics where there are Pods %s", (_title, spec, expected, message) => {
    const { autoscale, simulation, replicas, events, hpa } = scene();
    autoscale(spec);
    simulation.advance(16_000);
    expect(replicas()).toBe(expected);
    expect(events()[0]).toBe(`SuccessfulRescale ${message}`);
    expect(hpa().status?.currentMetrics).toBeUndefined();
  });

  it("[WRK-161] leaves alone what somebody scaled to 0", () => {
    const { autoscale, use, client, simulation, replicas, conditions, events } = scene();
    use("200m");
    client.patch(kinds.deployments, key, "merge", { spec: { replicas: 0 } });
    autoscale();
    simulation.advance(120_000);
    expect(replicas()).toBe(0);
    expect(conditions()).toEqual([
      "AbleToScale True SucceededGetScale: the HPA controller was able to get the target's current scale",
      "ScalingActive False ScalingDisabled: scaling is disabled since the replica count of the target is zero",
    ]);
    expect(events()).toEqual([]);
  });

  it("[WRK-161] says that there are no metrics, and scales nothing", () => {
    const { autoscale, simulation, conditions, events, hpa } = scene();
    autoscale();
    simulation.advance(31_000);
    const why =
      "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)";
    expect(conditions()).toEqual([
      "AbleToScale True SucceededGetScale: the HPA controller was able to get the target's current scale",
      `ScalingActive False FailedGetResourceMetric: the HPA was unable to compute the replica count: ${why}`,
    ]);
    expect(events()).toEqual([
      `FailedGetResourceMetric ${why}`,
      `FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    ]);
    expect(hpa().status).toMatchObject({ currentReplicas: 2, desiredReplicas: 0, currentMetrics: [{ type: "" }] });
  });

  it("[WRK-161] says that its target is not there, or cannot be scaled", () => {
    const { autoscale, simulation, conditions, events } = scene();
    autoscale({ scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "gone" } }, "gone");
    autoscale({ scaleTargetRef: { apiVersion: "apps/v1", kind: "DaemonSet", name: "web" } }, "daemons");
    autoscale({ scaleTargetRef: { apiVersion: "example.com/v1", kind: "Shop", name: "web" } }, "unknown");
    simulation.advance(16_000);
    const unable = "AbleToScale False FailedGetScale: the HPA controller was unable to get the target's current scale:";
    expect(conditions("gone")).toEqual([`${unable} deployments.apps "gone" not found`]);
    expect(conditions("daemons")).toEqual([`${unable} the server could not find the requested resource`]);
    expect(conditions("unknown")).toEqual([`${unable} no matches for kind "Shop" in group "example.com"`]);
    expect([...events()].sort()).toEqual([
      'FailedGetScale deployments.apps "gone" not found',
      'FailedGetScale no matches for kind "Shop" in group "example.com"',
      "FailedGetScale the server could not find the requested resource",
    ]);
  });

  it("does nothing where another one has Pods of its target", () => {
    const { autoscale, use, simulation, conditions, events } = scene();
    use("100m");
    autoscale();
    autoscale({}, "second");
    simulation.advance(31_000);
    const why = "pods by selector app=web are controlled by multiple HPAs: [{second default} {web default}]";
    expect(conditions("web")).toContain(`ScalingActive False AmbiguousSelector: ${why}`);
    expect(events()).toContain(`AmbiguousSelector ${why}`);
    expect(events()).toContain(`FailedComputeMetricsReplicas ${why}`);
  });

  it("takes the highest of several metrics, and goes up but not down with one that fails", () => {
    const { autoscale, use, simulation, replicas, hpa } = scene();
    const cpu = (averageUtilization: number): V2MetricSpec => ({
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
    });
    const missing: V2MetricSpec = {
      type: "External",
      external: { metric: { name: "queue" }, target: { type: "Value", value: "5" } },
    };
    use("60m");
    autoscale({ metrics: [missing, cpu(50), cpu(40)] });
    simulation.advance(16_000);
    expect(replicas()).toBe(3);
    expect(hpa().status?.currentMetrics?.map(({ type }) => type)).toEqual(["", "Resource", "Resource"]);
    use("0");
    simulation.advance(400_000);
    expect(replicas()).toBe(3);
  });

  it("scales a target that somebody else writes at the same moment", () => {
    const { autoscale, use, client, hooks, simulation, replicas } = scene();
    use("100m");
    autoscale();
    let isFirst = true;
    hooks.before = (method) => {
      if (method !== "PUT" || !isFirst) return;
      isFirst = false;
      client.patch(kinds.deployments, key, "merge", { metadata: { annotations: { touched: "yes" } } });
    };
    simulation.advance(16_000);
    expect([isFirst, replicas()]).toEqual([false, 3]);
  });

  it("forgets what it recommended when it starts again", () => {
    const { autoscale, use, manager, simulation, replicas } = scene();
    autoscale();
    use("400m");
    simulation.advance(16_000);
    // It wished for ten, and was held back.
    expect(replicas()).toBe(4);
    use("0");
    manager.stop();
    simulation.advance(30_000);
    manager.start();
    simulation.advance(120_000);
    // The size that it finds is the first wish of its new life.
    expect(replicas()).toBe(4);
    simulation.advance(300_000);
    expect(replicas()).toBe(1);
  });

  it("goes by the flags of its process", () => {
    const settings = { ...usualAutoscaling, syncMs: 5000, downscaleStabilizationMs: 20_000, tolerance: 0.5 };
    const { autoscale, use, simulation, replicas } = scene({ settings });
    use("100m");
    autoscale();
    simulation.advance(6000);
    expect(replicas()).toBe(2);
    use("130m");
    simulation.advance(5000);
    expect(replicas()).toBe(4);
    use("0");
    simulation.advance(26_000);
    expect(replicas()).toBe(1);
  });

  it("goes by its own tolerance", () => {
    const { autoscale, use, simulation, replicas } = scene();
    autoscale({ behavior: { scaleUp: { tolerance: "50m" } } });
    use("85m");
    simulation.advance(16_000);
    expect(replicas()).toBe(3);
    use("73m");
    simulation.advance(400_000);
    expect(replicas()).toBe(3);
  });

  it("wakes nobody where there is none", () => {
    const { manager, simulation } = scene();
    const runner = manager.runners.find(({ controller }) => controller.name === "horizontal-pod-autoscaler-controller");
    simulation.advance(3_600_000);
    expect(runner?.passes).toBe(0);
  });
});

describe("an autoscaler of something else", () => {
  it("[WRK-169] scales a ReplicaSet alike", () => {
    const { autoscale, use, client, simulation, podNames } = scene({ replicas: 0 });
    const labels = { app: "frontend" };
    const container = { name: "web", image: "nginx:1.27", resources: { requests: { cpu: "100m" } } };
    client.create(kinds.replicaSets, {
      metadata: { namespace, name: "frontend" },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    simulation.advance(600_000);
    use("100m");
    autoscale({ scaleTargetRef: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "frontend" } });
    simulation.advance(16_000);
    expect(client.get(kinds.replicaSets, { namespace, name: "frontend" }).spec?.replicas).toBe(4);
    expect(podNames().length).toBe(4);
  });

  it("[WRK-169] and a Deployment take the number away from each other where the set is the Deployment's", () => {
    const { autoscale, use, client, simulation } = scene();
    const set = client.list(kinds.replicaSets).items[0]?.metadata.name ?? "";
    use("300m");
    autoscale({ scaleTargetRef: { apiVersion: "apps/v1", kind: "ReplicaSet", name: set } });
    simulation.advance(61_000);
    expect(client.get(kinds.replicaSets, { namespace, name: set }).spec?.replicas).toBe(2);
  });

  it("scales custom resources with a scale", () => {
    const { autoscale, client, simulation, use } = scene();
    client.create(kinds.customResourceDefinitions, {
      metadata: { name: "shops.example.com" },
      spec: {
        group: "example.com",
        names: { plural: "shops", kind: "Shop" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            subresources: {
              scale: {
                specReplicasPath: ".spec.replicas",
                statusReplicasPath: ".status.replicas",
                labelSelectorPath: ".status.selector",
              },
            },
          },
        ],
      },
    });
    simulation.advance(10_000);
    const shops = client.customTypes().find(({ plural }) => plural === "shops");
    if (shops === undefined) throw new Error("no kind");
    client.create(shops, {
      metadata: { namespace, name: "main" },
      spec: { replicas: 2 },
      status: { replicas: 2, selector: "app=web" },
    } as never);
    use("100m");
    autoscale({ scaleTargetRef: { apiVersion: "example.com/v1", kind: "Shop", name: "main" } });
    simulation.advance(16_000);
    expect(client.get(shops, { namespace, name: "main" })).toMatchObject({ spec: { replicas: 3 } });
  });
});

describe("metrics that are no resources", () => {
  const custom = "/apis/custom.metrics.k8s.io";
  const selector = { matchLabels: { verb: "GET" } };
  const pods: V2MetricSpec = {
    type: "Pods",
    pods: { metric: { name: "packets", selector }, target: { type: "AverageValue", averageValue: "1k" } },
  };
  const describedObject = { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "main" };
  const object: V2MetricSpec = {
    type: "Object",
    object: { describedObject, metric: { name: "hits" }, target: { type: "Value", value: "2k" } },
  };
  const shared: V2MetricSpec = {
    type: "Object",
    object: { describedObject, metric: { name: "hits" }, target: { type: "AverageValue", averageValue: "500" } },
  };
  const external: V2MetricSpec = {
    type: "External",
    external: { metric: { name: "queue", selector }, target: { type: "AverageValue", averageValue: "30" } },
  };

  it.each<readonly [string, V2MetricSpec, string, string, string]>([
    [
      "of Pods",
      pods,
      "FailedGetPodsMetric",
      "unable to get metric packets: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
      "failed to get pods metric value: ",
    ],
    [
      "of an object",
      object,
      "FailedGetObjectMetric",
      "unable to get metric hits: Ingress on default main/unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
      "failed to get object metric value: ",
    ],
    [
      "of an object, shared",
      shared,
      "FailedGetObjectMetric",
      "unable to get metric hits: Ingress on default main/unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered",
      "failed to get object metric value: failed to get hits object metric: ",
    ],
    [
      "from outside",
      external,
      "FailedGetExternalMetric",
      "unable to get external metric default/queue/&LabelSelector{MatchLabels:map[string]string{verb: GET,},MatchExpressions:[]LabelSelectorRequirement{},}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)",
      "failed to get queue external metric value: failed to get queue external metric: ",
    ],
  ])("[WRK-161] are not there without an adapter: %s", (_title, metric, reason, why, outer) => {
    const { autoscale, simulation, events, conditions } = scene();
    autoscale({ metrics: [metric] });
    simulation.advance(16_000);
    expect(events()).toEqual([
      `${reason} ${why}`,
      `FailedComputeMetricsReplicas invalid metrics (1 invalid out of 1), first error is: ${outer}${why}`,
    ]);
    expect(conditions()?.at(-1)).toBe(`ScalingActive False ${reason}: the HPA was unable to compute the replica count: ${why}`);
  });

  interface Served {
    readonly path: string;
    readonly values: readonly string[];
    readonly replicas: number;
    readonly words: string;
    readonly status: object;
  }

  it.each<readonly [string, V2MetricSpec, Served]>([
    [
      "of Pods",
      pods,
      {
        path: `${custom}/v1beta2/namespaces/default/pods/*/packets?labelSelector=app=web&metricLabelSelector=verb=GET`,
        values: ["1500", "1900"],
        replicas: 4,
        words: "pods metric packets",
        status: { pods: { metric: { name: "packets", selector }, current: { averageValue: "1700" } } },
      },
    ],
    [
      "of an object",
      object,
      {
        path: `${custom}/v1beta2/namespaces/default/ingresses.networking.k8s.io/main/hits`,
        values: ["3k"],
        replicas: 3,
        words: "Ingress metric hits",
        status: { object: { describedObject, metric: { name: "hits" }, current: { value: "3k" } } },
      },
    ],
    [
      "of an object, shared",
      shared,
      {
        path: `${custom}/v1beta2/namespaces/default/ingresses.networking.k8s.io/main/hits`,
        values: ["1900"],
        replicas: 4,
        words: "external metric hits(nil)",
        status: { object: { describedObject, metric: { name: "hits" }, current: { averageValue: "950" } } },
      },
    ],
    [
      "from outside",
      external,
      {
        path: "/apis/external.metrics.k8s.io/v1beta1/namespaces/default/queue?labelSelector=verb=GET",
        values: ["50", "40"],
        replicas: 3,
        words:
          "external metric queue(&LabelSelector{MatchLabels:map[string]string{verb: GET,},MatchExpressions:[]LabelSelectorRequirement{},})",
        status: { external: { metric: { name: "queue", selector }, current: { averageValue: "45" } } },
      },
    ],
  ])("decide where an adapter serves them: %s", (_title, metric, { path, values, replicas: expected, words, status }) => {
    const { autoscale, answers, questions, simulation, podNames, replicas, events, hpa } = scene();
    const groupVersion = "custom.metrics.k8s.io/v1beta2";
    const group = { preferredVersion: { groupVersion, version: "v1beta2" }, versions: [{ groupVersion, version: "v1beta2" }] };
    answers.set(custom, () => ({ kind: "APIGroup", ...group }));
    answers.set(path.split("?")[0] ?? "", () => ({
      items: values.map((value, index) => ({ describedObject: { name: podNames()[index] ?? "" }, value })),
    }));
    autoscale({ metrics: [metric] });
    simulation.advance(16_000);
    expect(questions.some((question) => question.endsWith(path))).toBe(true);
    expect(replicas()).toBe(expected);
    expect(events()).toEqual([`SuccessfulRescale New size: ${expected}; reason: ${words} above target`]);
    expect(hpa().status?.currentMetrics).toEqual([{ type: metric.type, ...status }]);
  });

  it("ask about one container of each Pod", () => {
    const { autoscale, use, simulation, replicas, hpa, events } = scene();
    use("120m");
    const target = { type: "Utilization", averageUtilization: 80 };
    autoscale({ metrics: [{ type: "ContainerResource", containerResource: { name: "cpu", container: "web", target } }] });
    simulation.advance(16_000);
    expect(replicas()).toBe(3);
    expect(events()).toEqual([
      "SuccessfulRescale New size: 3; reason: cpu container resource utilization (percentage of request) above target",
    ]);
    expect(hpa().status?.currentMetrics).toEqual([
      {
        type: "ContainerResource",
        containerResource: { name: "cpu", container: "web", current: { averageUtilization: 120, averageValue: "120m" } },
      },
    ]);
  });
});
