// What clients of workloads meet beside the objects: scale, eviction, deletion, versions.

import { describe, expect, it } from "vitest";
import type { JsonValue, ObjectMeta } from "#cluster/api/objects.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
import type { ApiServer } from "../server.ts";
import { startServer } from "../test-server.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };

const merge = { "content-type": "application/merge-patch+json" };
const asTable = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx:1.27" }] } };
const core = "/api/v1/namespaces/default";
const apps = "/apis/apps/v1/namespaces/default";
const batch = "/apis/batch/v1/namespaces/default";
const policy = "/apis/policy/v1/namespaces/default";

function make(server: ApiServer, path: string, body: Fields): Fields {
  const reply = exchange(server, "POST", path, { metadata: { name: "web" }, ...body } as JsonValue);
  expect([reply.status, reply.status < 300 ? "" : reply.text]).toEqual([201, ""]);
  return json(reply);
}

const summary = (reply: ReturnType<typeof exchange>): readonly unknown[] => [reply.status, json(reply)["message"]];

describe("scale", () => {
  const path = `${core}/replicationcontrollers/web/scale`;

  it("reads and writes the replicas of a ReplicationController", () => {
    const { server } = startServer();
    make(server, `${core}/replicationcontrollers`, { spec: { replicas: 2, template } });
    const scale = json(exchange(server, "GET", path));
    expect(scale).toMatchObject({
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      spec: { replicas: 2 },
      status: { replicas: 0, selector: "app=web" },
    });
    expect(json(exchange(server, "PUT", path, { ...scale, spec: { replicas: 5 } }))["spec"]).toEqual({ replicas: 5 });
    expect(json(exchange(server, "PATCH", path, { spec: { replicas: 3 } }, merge))["spec"]).toEqual({ replicas: 3 });
    expect(json(exchange(server, "GET", `${core}/replicationcontrollers/web`))["spec"]).toMatchObject({ replicas: 3 });
  });

  it("is applied: who owns the workload's number owns the Scale's", () => {
    const { server } = startServer();
    const at = "/apis/apps/v1/namespaces/default/deployments";
    const spec = { replicas: 2, selector: { matchLabels: { app: "web" } }, template };
    exchange(server, "POST", `${at}?fieldManager=maker`, { metadata: { name: "web" }, spec });
    const apply = (manager: string, replicas: number, force = "") => {
      const scale = { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name: "web" }, spec: { replicas } };
      const headers = { "content-type": "application/apply-patch+yaml" };
      return exchange(server, "PATCH", `${at}/web/scale?fieldManager=${manager}${force}`, scale, headers);
    };
    const owners = () => {
      const { metadata } = json(exchange(server, "GET", `${at}/web`)) as { readonly metadata: ObjectMeta };
      return (metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
        manager,
        operation,
        subresource,
        JSON.stringify(fieldsV1).includes("f:replicas"),
      ]);
    };
    expect(summary(apply("scaler", 3))).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "maker" using autoscaling/v1: .spec.replicas',
    ]);
    expect(apply("scaler", 2).status).toBe(200);
    expect(owners()).toEqual([
      ["scaler", "Apply", "scale", true],
      ["maker", "Update", undefined, true],
    ]);
    expect(json(apply("scaler", 3, "&force=true"))["spec"]).toEqual({ replicas: 3 });
    expect(owners()).toEqual([
      ["scaler", "Apply", "scale", true],
      ["maker", "Update", undefined, false],
    ]);
    // Zero is as good as absent in a Scale, so whoever names it sets it.
    expect(apply("scaler", 0).status).toBe(200);
    expect(apply("other", 0).status).toBe(409);
    expect(summary(apply("other", 4))[1]).toContain('conflict with "scaler" with subresource "scale": .spec.replicas');
  });

  it("prints as a table of its own", () => {
    const { server } = startServer();
    make(server, `${core}/replicationcontrollers`, { spec: { replicas: 2, template } });
    const table = json(exchange(server, "GET", path, undefined, asTable));
    expect((table["columnDefinitions"] as readonly Fields[]).map(({ name }) => name)).toEqual([
      "Name",
      "Desired",
      "Available",
      "Age",
    ]);
    expect((table["rows"] as readonly Fields[]).map(({ cells }) => cells)).toEqual([["web", 2, 0, "0s"]]);
  });

  it.each<[string, Fields, readonly unknown[]]>([
    [
      "another object's",
      { metadata: { name: "api" } },
      [400, "the name of the object (api) does not match the name on the URL (web)"],
    ],
    ["nobody's", {}, [400, "the name of the object (web based on URL) was undeterminable: name must be provided"]],
    [
      "another namespace's",
      { metadata: { name: "web", namespace: "prod" } },
      [400, "the namespace of the object (prod) does not match the namespace on the request (default)"],
    ],
    [
      "less than none",
      { metadata: { name: "web" }, spec: { replicas: -1 } },
      [422, 'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      "an old one's",
      { metadata: { name: "web", resourceVersion: "1" }, spec: { replicas: 1 } },
      [
        409,
        'Operation cannot be fulfilled on replicationcontrollers "web": the object has been modified; please apply your changes to the latest version and try again',
      ],
    ],
  ])("refuses %s", (_title, scale, expected) => {
    const { server } = startServer();
    make(server, `${core}/replicationcontrollers`, { spec: { template } });
    expect(summary(exchange(server, "PUT", path, scale))).toEqual(expected);
  });
});

describe("deletion", () => {
  const childPods =
    '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';
  const job = { spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "pi", image: "perl" }] } } } };

  it("[WRK-245] [WRK-293] of a Job orphans its pods unless told otherwise, and warns of it", () => {
    const { server } = startServer();
    make(server, `${batch}/jobs`, job);
    const reply = exchange(server, "DELETE", `${batch}/jobs/web`);
    expect([reply.status, reply.headers["warning"]]).toEqual([200, childPods]);
    expect((json(reply)["metadata"] as Fields)["finalizers"]).toEqual(["orphan"]);
  });

  it("[WRK-245] of a Job warns of nothing when it is told what to do", () => {
    const { server } = startServer();
    make(server, `${batch}/jobs`, job);
    const reply = exchange(server, "DELETE", `${batch}/jobs/web?propagationPolicy=Background`);
    expect([reply.status, reply.headers["warning"], json(reply)["status"]]).toEqual([200, undefined, "Success"]);
  });

  it("[WRK-245] of several Jobs warns once", () => {
    const { server } = startServer();
    for (const name of ["a", "b"]) make(server, `${batch}/jobs`, { ...job, metadata: { name } });
    expect(exchange(server, "DELETE", `${batch}/jobs`).headers["warning"]).toBe(childPods);
  });

  it.each<[string, string, Fields, readonly string[] | undefined]>([
    ["[WRK-062] [WRK-293] a ReplicationController", `${core}/replicationcontrollers`, { spec: { template } }, ["orphan"]],
    ["[WRK-293] a Deployment", `${apps}/deployments`, { spec: { selector: { matchLabels: { app: "web" } }, template } }, undefined],
    ["[WRK-293] a CronJob", `${batch}/cronjobs`, { spec: { schedule: "* * * * *", jobTemplate: job } }, undefined],
  ])("of %s", (_title, path, body, finalizers) => {
    const { server } = startServer();
    make(server, path, body);
    const reply = json(exchange(server, "DELETE", `${path}/web`));
    expect((reply["metadata"] as Fields)["finalizers"]).toEqual(finalizers);
    expect(exchange(server, "GET", `${path}/web`).status).toBe(finalizers === undefined ? 404 : 200);
  });

  it("[WRK-292] answers the object when it stays, and a Status when it is gone", () => {
    const { server } = startServer();
    const body = { spec: { selector: { matchLabels: { app: "web" } }, template } };
    const answers = ["Foreground", "Orphan", "Background"].map((policyName, index) => {
      make(server, `${apps}/deployments`, { ...body, metadata: { name: `d${index}` } });
      return json(exchange(server, "DELETE", `${apps}/deployments/d${index}?propagationPolicy=${policyName}`))["kind"];
    });
    expect(answers).toEqual(["Deployment", "Deployment", "Status"]);
  });
});

describe("versions and fields", () => {
  it.each(["apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"])("[WRK-049] %s is gone", (version) => {
    const { server } = startServer();
    expect(exchange(server, "GET", `/apis/${version}/namespaces/default/replicasets`).status).toBe(404);
  });

  it.each<[string, string, Fields, string]>([
    [
      "[WRK-125] a rollback as a field",
      `${apps}/deployments`,
      { spec: { rollbackTo: { revision: 1 }, selector: { matchLabels: { app: "web" } }, template } },
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.rollbackTo"',
    ],
    [
      "[WRK-056] a selector of another kind",
      `${core}/replicationcontrollers`,
      { spec: { selector: { matchLabels: { app: "web" } }, template } },
      'ReplicationController in version "v1" cannot be handled as a ReplicationController: json: cannot unmarshal object into Go struct field ReplicationControllerSpec.spec.selector of type string',
    ],
  ])("refuses %s", (_title, path, body, message) => {
    const { server } = startServer();
    expect(summary(exchange(server, "POST", `${path}?fieldValidation=Strict`, { metadata: { name: "web" }, ...body }))).toEqual([
      400,
      message,
    ]);
  });

  it("[WRK-003] an object has one controller at most", () => {
    const { server } = startServer();
    const owner = (name: string): Fields => ({ apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: name, controller: true });
    const pod = { metadata: { name: "web", ownerReferences: [owner("a"), owner("b")] }, spec: template.spec };
    const reply = exchange(server, "POST", `${core}/pods`, pod);
    expect(reply.status).toBe(422);
    expect(json(reply)["message"]).toContain(
      'Only one reference can have Controller set to true. Found "true" in references for ReplicaSet/a and ReplicaSet/b',
    );
  });

  it("[WRK-079] counts changes of the specification", () => {
    const { server } = startServer();
    make(server, `${apps}/deployments`, { spec: { selector: { matchLabels: { app: "web" } }, template } });
    const generations = [
      { metadata: { labels: { a: "b" } } },
      { spec: { replicas: 2 } },
      { metadata: { annotations: { a: "b" } } },
      { spec: { replicas: 3 }, metadata: { annotations: { a: "c" } } },
    ].map(
      (patch) => (json(exchange(server, "PATCH", `${apps}/deployments/web`, patch, merge))["metadata"] as Fields)["generation"],
    );
    expect(generations).toEqual([1, 2, 3, 4]);
  });

  it("tells a Job's faults once, though it looks twice", () => {
    const { server } = startServer();
    const spec = { template: { spec: { restartPolicy: "Never", containers: [{ name: "pi", image: "perl" }] } } };
    make(server, `${batch}/jobs`, { spec });
    const reply = exchange(server, "PATCH", `${batch}/jobs/web`, { spec: { parallelism: -1 } }, merge);
    const text = "spec.parallelism: Invalid value: -1: must be greater than or equal to 0";
    expect(json(reply)["message"]).toBe(`Job.batch "web" is invalid: ${text}`);
    expect(((json(reply)["details"] as Fields)["causes"] as readonly JsonValue[]).length).toBe(2);
  });

  it("[WRK-164] an autoscaler is read and written in either version", () => {
    const { server } = startServer();
    const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    make(server, path("v1"), { spec: { maxReplicas: 5, scaleTargetRef, targetCPUUtilizationPercentage: 50 } });
    expect(json(exchange(server, "GET", `${path("v2")}/web`))).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { minReplicas: 1, metrics: [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization: 50 } } }] },
      status: { desiredReplicas: 0 },
    });
    const memory = { type: "Resource", resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } } };
    expect(exchange(server, "PATCH", `${path("v2")}/web`, { spec: { metrics: [memory] } }, merge).status).toBe(200);
    const first = json(exchange(server, "GET", `${path("v1")}/web`));
    expect(first["metadata"]).toMatchObject({
      annotations: {
        "autoscaling.alpha.kubernetes.io/metrics": '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
      },
    });
    expect(exchange(server, "PATCH", `${path("v1")}/web`, { spec: { targetCPUUtilizationPercentage: 70 } }, merge).status).toBe(
      200,
    );
    const { spec, metadata } = json(exchange(server, "GET", `${path("v2")}/web`)) as { spec: Fields; metadata: Fields };
    expect((spec["metrics"] as readonly unknown[]).length).toBe(2);
    expect(metadata["annotations"]).toBeUndefined();
    const table = json(exchange(server, "GET", `${path("v1")}/web`, undefined, asTable));
    expect((table["rows"] as readonly Fields[])[0]?.["cells"]).toEqual([
      "web",
      "Deployment/web",
      "memory: <unknown>/1Gi, cpu: <unknown>/70%",
      "1",
      5,
      0,
      "0s",
    ]);
  });
});

describe("eviction", () => {
  /** A pod that runs on a node, ready or not. */
  function run(server: ApiServer, name: string, ready = true, labels: Fields = { app: "web" }): void {
    make(server, `${core}/pods`, { metadata: { name, labels }, spec: { ...template.spec, nodeName: "node-1" } });
    const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
    exchange(server, "PATCH", `${core}/pods/${name}/status`, { status: { phase: "Running", conditions } }, merge);
  }

  function budget(server: ApiServer, status: Fields, spec: Fields = {}, name = "web"): void {
    make(server, `${policy}/poddisruptionbudgets`, {
      metadata: { name },
      spec: { minAvailable: 2, selector: { matchLabels: { app: "web" } }, ...spec },
    });
    const counts = { observedGeneration: 1, desiredHealthy: 2, currentHealthy: 2, expectedPods: 2, disruptionsAllowed: 0 };
    const reply = exchange(
      server,
      "PATCH",
      `${policy}/poddisruptionbudgets/${name}/status`,
      { status: { ...counts, ...status } },
      merge,
    );
    expect(reply.status).toBe(200);
  }

  const evict = (server: ApiServer, name: string, options: Fields = {}): ReturnType<typeof exchange> =>
    exchange(server, "POST", `${core}/pods/${name}/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name },
      ...options,
    });

  const refused = "Cannot evict pod as it would violate the pod's disruption budget.";

  it("[POD-169] [POD-170] [POD-385] marks the pod and ends it with grace", () => {
    const { server } = startServer();
    run(server, "a");
    expect(evict(server, "a").status).toBe(201);
    const pod = json(exchange(server, "GET", `${core}/pods/a`)) as { metadata: Fields; status: { conditions: readonly Fields[] } };
    expect(pod.metadata["deletionTimestamp"]).toBe("2026-01-01T00:00:30Z");
    expect(pod.status.conditions.at(-1)).toEqual({
      type: "DisruptionTarget",
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: "2026-01-01T00:00:00Z",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
    });
  });

  it("[POD-386] is refused by a budget that is spent", () => {
    const { server } = startServer();
    run(server, "a");
    budget(server, {});
    const reply = evict(server, "a");
    expect(json(reply)).toMatchObject({
      code: 429,
      reason: "TooManyRequests",
      message: refused,
      details: {
        causes: [{ reason: "DisruptionBudget", message: "The disruption budget web needs 2 healthy pods and has 2 currently" }],
      },
    });
  });

  it.each<[string, Fields, number, unknown]>([
    [
      "that nobody has looked at yet",
      { observedGeneration: 0 },
      429,
      {
        retryAfterSeconds: 10,
        causes: [{ reason: "DisruptionBudget", message: "The disruption budget web is still being processed by the server." }],
      },
    ],
    [
      "that could not be worked out",
      {
        conditions: [
          {
            type: "DisruptionAllowed",
            status: "False",
            reason: "SyncFailed",
            message: "no scale",
            lastTransitionTime: "2026-01-01T00:00:00Z",
          },
        ],
      },
      429,
      {
        causes: [
          {
            reason: "DisruptionBudget",
            message: "The disruption budget web does not allow evicting pods currently because it failed sync: no scale",
          },
        ],
      },
    ],
    [
      "that allows none though enough are there",
      { desiredHealthy: 0, currentHealthy: 1 },
      429,
      { causes: [{ reason: "DisruptionBudget", message: "The disruption budget web does not allow evicting pods currently" }] },
    ],
  ])("is refused by a budget %s", (_title, status, code, details) => {
    const { server } = startServer();
    run(server, "a");
    budget(server, status);
    const reply = evict(server, "a");
    expect([reply.status, json(reply)["details"]]).toEqual([code, details]);
  });

  it.each<[string, Fields]>([
    ["waits", { phase: "Pending" }],
    ["has ended", { phase: "Succeeded" }],
  ])("[POD-387] asks no budget for a pod that %s", (_title, status) => {
    const { server } = startServer();
    run(server, "a");
    budget(server, {});
    exchange(server, "PATCH", `${core}/pods/a/status`, { status }, merge);
    expect(evict(server, "a").status).toBe(201);
  });

  it.each<[string, Fields, Fields, number]>([
    ["when the others suffice", {}, {}, 201],
    ["not when they do not", { currentHealthy: 1 }, {}, 429],
    ["always where the policy says so", { currentHealthy: 1 }, { unhealthyPodEvictionPolicy: "AlwaysAllow" }, 201],
  ])("[POD-388] lets a pod go that is not ready %s", (_title, status, spec, code) => {
    const { server } = startServer();
    run(server, "a", false);
    budget(server, status, spec);
    expect(evict(server, "a").status).toBe(code);
  });

  it("[POD-389] does not know what to do with two budgets", () => {
    const { server } = startServer();
    run(server, "a");
    budget(server, { disruptionsAllowed: 1 });
    budget(server, { disruptionsAllowed: 1 }, {}, "other");
    expect(summary(evict(server, "a"))).toEqual([
      500,
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    ]);
  });

  it("[POD-383] a budget that selects all has no say over a pod without labels", () => {
    const { server } = startServer();
    run(server, "a", true, {});
    budget(server, {}, { selector: {} });
    expect(evict(server, "a").status).toBe(201);
  });

  it("[POD-390] spends a disruption, and leaves the budget alone in a dry run", () => {
    const { server } = startServer();
    run(server, "a");
    run(server, "b");
    budget(server, { disruptionsAllowed: 1, currentHealthy: 3 });
    const read = (): Fields => json(exchange(server, "GET", `${policy}/poddisruptionbudgets/web`))["status"] as Fields;
    const before = read();
    expect(evict(server, "a", { deleteOptions: { dryRun: ["All"] } }).status).toBe(201);
    expect(read()).toEqual(before);
    expect(evict(server, "a").status).toBe(201);
    expect(read()).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { a: "2026-01-01T00:00:00Z" },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", observedGeneration: 1 }],
    });
    expect(evict(server, "b").status).toBe(429);
  });

  it("is refused when the pod is not the one that is meant", () => {
    const { server } = startServer();
    run(server, "a");
    const stale = evict(server, "a", { deleteOptions: { preconditions: { resourceVersion: "1" } } });
    expect(stale.status).toBe(409);
    expect(summary(evict(server, "a", { metadata: { name: "b" } }))).toEqual([
      400,
      "name in URL does not match name in Eviction object",
    ]);
    expect(JSON.stringify(json(exchange(server, "GET", `${core}/pods/a`))["status"])).not.toContain("DisruptionTarget");
  });

  it("a budget is not overwritten without being read", () => {
    const { server } = startServer();
    make(server, `${policy}/poddisruptionbudgets`, { spec: { minAvailable: 1 } });
    const reply = exchange(server, "PUT", `${policy}/poddisruptionbudgets/web`, {
      metadata: { name: "web" },
      spec: { minAvailable: 2 },
    });
    expect(summary(reply)).toEqual([
      422,
      'poddisruptionbudgets.policy "web" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });
});
