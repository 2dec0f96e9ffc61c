import { describe, expect, it } from "vitest";
import { created, createFaults, type Draft, shown, statusFaults, testFacts, updated, updateFaults } from "../strategy.test-kit.ts";
import { deployments } from "./deployments.ts";
import { replicaSets } from "./replicasets.ts";

const container = { name: "main", image: "nginx:1.27" };
const labels = { tier: "frontend" };
const selector = { matchLabels: labels };

function template(spec: object = {}, podLabels: object = labels): object {
  return { metadata: { labels: podLabels }, spec: { containers: [container], ...spec } };
}

function draft(spec: object = {}): Draft {
  return { spec: { selector, template: template(), ...spec } };
}

const doesNotMatch = "`selector` does not match template `labels`";

describe("ReplicaSets", () => {
  it("[WRK-042] have one replica, and complete templates", () => {
    const { spec, status } = created(replicaSets, draft());
    expect(spec).toMatchObject({ replicas: 1, template: { spec: { restartPolicy: "Always", dnsPolicy: "ClusterFirst" } } });
    expect(status).toEqual({ replicas: 0 });
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", {}, []],
    ["[WRK-042] replicas below 0", { replicas: -1 }, ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"]],
    [
      "minReadySeconds below 0",
      { minReadySeconds: -1 },
      ["spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      "[WRK-043] no selector, which selects nothing",
      { selector: undefined },
      ["spec.selector: Required value", `spec.template.metadata.labels: Invalid value: {"tier":"frontend"}: ${doesNotMatch}`],
    ],
    [
      "[WRK-044] labels that do not match",
      { template: template({}, { tier: "backend" }) },
      [`spec.template.metadata.labels: Invalid value: {"tier":"backend"}: ${doesNotMatch}`],
    ],
    [
      "[WRK-044] a template without labels",
      { template: { spec: { containers: [container] } } },
      [`spec.template.metadata.labels: Invalid value: null: ${doesNotMatch}`],
    ],
    // Upstream's text says "deployment" for ReplicaSets, too.
    [
      "[WRK-045] an empty selector",
      { selector: {} },
      ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"],
    ],
    [
      "a selector that cannot be read",
      { selector: { matchExpressions: [{ key: "tier", operator: "Is", values: ["a"] }] } },
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
        'spec.selector: Invalid value: {"matchExpressions":[{"key":"tier","operator":"Is","values":["a"]}]}: invalid label selector',
      ],
    ],
    [
      "operators and values that do not go together",
      {
        selector: {
          matchLabels: labels,
          matchExpressions: [
            { key: "tier", operator: "In" },
            { key: "tier", operator: "Exists", values: ["a"] },
          ],
        },
      },
      [
        "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        `spec.selector: Invalid value: ${JSON.stringify({
          matchLabels: labels,
          matchExpressions: [
            { key: "tier", operator: "In" },
            { key: "tier", operator: "Exists", values: ["a"] },
          ],
        })}: invalid label selector`,
      ],
    ],
    [
      "[POD-216] [WRK-047] pods that end",
      { template: template({ restartPolicy: "Never" }) },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      "[WRK-048] a deadline",
      { template: template({ activeDeadlineSeconds: 10 }) },
      ["spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported"],
    ],
    [
      "ephemeral containers",
      { template: template({ ephemeralContainers: [{ name: "debug", image: "busybox" }] }) },
      ["spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"],
    ],
    [
      "no template at all",
      { template: undefined },
      [`spec.template.metadata.labels: Invalid value: null: ${doesNotMatch}`, "spec.template.spec.containers: Required value"],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(replicaSets, draft(spec))).toEqual(faults);
  });

  it("[WRK-046] keep their selector", () => {
    const other = { selector: { matchLabels: { tier: "x" } }, template: template({}, { tier: "x" }) };
    expect(updateFaults(replicaSets, draft(), draft(other))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"tier":"x"}}: field is immutable',
    ]);
  });

  it("cannot be said to have more ready replicas than replicas", () => {
    expect(
      statusFaults(replicaSets, draft(), { replicas: 1, readyReplicas: 2, availableReplicas: 3, fullyLabeledReplicas: -1 }),
    ).toEqual([
      "status.fullyLabeledReplicas: Invalid value: -1: must be greater than or equal to 0",
      "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas",
    ]);
  });

  it("[WRK-050] show what is wanted, there and ready", () => {
    const set = {
      ...draft({ replicas: 3 }),
      status: { replicas: 2, readyReplicas: 1 },
      metadata: { creationTimestamp: "1970-01-01T00:00:00Z" },
    };
    expect(shown(replicaSets, set, { wide: true, nowMs: 65_000 })).toEqual([
      ["NAME", "web"],
      ["DESIRED", 3],
      ["CURRENT", 2],
      ["READY", 1],
      ["AGE", "65s"],
      ["CONTAINERS", "main"],
      ["IMAGES", "nginx:1.27"],
      ["SELECTOR", "tier=frontend"],
    ]);
  });
});

describe("Deployments", () => {
  it("[WRK-078] roll by a quarter, remember ten templates, and take ten minutes at most", () => {
    expect(created(deployments, draft())).toMatchObject({
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      },
    });
    expect(created(deployments, draft({ strategy: { type: "Recreate" } }))).toMatchObject({
      spec: { strategy: { type: "Recreate" } },
    });
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", {}, []],
    [
      "[WRK-154] nothing at all",
      { selector: undefined, template: undefined },
      [
        "spec.selector: Required value",
        `spec.template.metadata.labels: Invalid value: null: ${doesNotMatch}`,
        "spec.template.spec.containers: Required value",
      ],
    ],
    [
      "[WRK-096] a rollout that may neither add nor take",
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      ["spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"],
    ],
    [
      "[WRK-097] a rollout that is told to recreate",
      { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      "[WRK-098] more unavailable than there are",
      { strategy: { rollingUpdate: { maxSurge: "150%", maxUnavailable: "101%" } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      "shares that are none",
      { strategy: { rollingUpdate: { maxSurge: "5", maxUnavailable: -1 } } },
      [
        "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0",
        "spec.strategy.rollingUpdate.maxSurge: Invalid value: \"5\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ],
    ],
    [
      "a strategy that nobody knows, as Go prints it",
      { strategy: { type: "BlueGreen" } },
      [
        'spec.strategy: Unsupported value: {"Type":"BlueGreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      "[WRK-145] a deadline before pods count as available",
      { progressDeadlineSeconds: 5, minReadySeconds: 5 },
      ["spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"],
    ],
    [
      "numbers below 0, in order",
      { minReadySeconds: -1, revisionHistoryLimit: -2, progressDeadlineSeconds: -3 },
      [
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.revisionHistoryLimit: Invalid value: -2: must be greater than or equal to 0",
        "spec.progressDeadlineSeconds: Invalid value: -3: must be greater than or equal to 0",
        "spec.progressDeadlineSeconds: Invalid value: -3: must be greater than minReadySeconds",
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(deployments, draft(spec))).toEqual(faults);
  });

  it("[WRK-155] keep their selector", () => {
    const other = { selector: { matchLabels: { tier: "x" } }, template: template({}, { tier: "x" }) };
    expect(updateFaults(deployments, draft(), draft(other))).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"tier":"x"}}: field is immutable',
    ]);
  });

  it("count a change of annotations as one of the specification", () => {
    const old = created(deployments, draft());
    const noted = updated(deployments, old, { ...draft(), metadata: { annotations: { note: "x" } } });
    expect([old.metadata.generation, noted.metadata.generation]).toEqual([1, 2]);
    const labelled = updated(deployments, old, { ...draft(), metadata: { labels: { a: "b" } } });
    expect(labelled.metadata.generation).toBe(1);
  });

  it("let nobody label them by way of the status", () => {
    const old = created(deployments, { ...draft(), metadata: { labels: { a: "b" } } });
    const { metadata } =
      deployments.prepareForStatusUpdate?.({ ...old, metadata: { ...old.metadata, labels: { a: "c" } } }, old, testFacts) ?? old;
    expect(metadata.labels).toEqual({ a: "b" });
  });

  it("cannot have their collisions forgotten", () => {
    expect(
      statusFaults(
        deployments,
        { ...draft(), status: { collisionCount: 2 } },
        { collisionCount: 1, replicas: 1, updatedReplicas: 2 },
      ),
    ).toEqual([
      "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.collisionCount: Invalid value: 1: cannot be decremented",
    ]);
  });

  it("warn of names that pods cannot have", () => {
    const named = created(deployments, { ...draft(), metadata: { name: "a.b" } });
    expect(deployments.warnings?.(named, undefined)).toEqual([
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
    expect(deployments.warnings?.(named, named)).toEqual([]);
  });

  it("[WRK-076] [WRK-077] show how many of them are ready, new and available", () => {
    const deployment = {
      ...draft({ replicas: 3 }),
      status: { replicas: 4, readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
      metadata: { creationTimestamp: "1970-01-01T00:00:00Z" },
    };
    expect(shown(deployments, deployment, { wide: true, nowMs: 18_000 })).toEqual([
      ["NAME", "web"],
      ["READY", "2/3"],
      ["UP-TO-DATE", 1],
      ["AVAILABLE", 2],
      ["AGE", "18s"],
      ["CONTAINERS", "main"],
      ["IMAGES", "nginx:1.27"],
      ["SELECTOR", "tier=frontend"],
    ]);
    expect(shown(deployments, deployment).length).toBe(5);
  });
});
