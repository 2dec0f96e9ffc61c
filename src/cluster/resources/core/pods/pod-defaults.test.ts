import { describe, expect, it } from "vitest";
import { podOf, withContainer } from "./pod-case.test-kit.ts";
import { podTemplateDefaults } from "./pod-defaults.ts";

const stored = (fields: object) => podOf(withContainer(fields)).spec?.containers[0];

describe("what a pod is without being told", () => {
  it("[POD-118] [POD-119] has the policies, times and names that are written for it", () => {
    expect(podOf(withContainer({ ports: [{ containerPort: 80 }] })).spec).toEqual({
      containers: [
        {
          name: "c",
          image: "nginx:1.27",
          imagePullPolicy: "IfNotPresent",
          ports: [{ containerPort: 80, protocol: "TCP" }],
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        },
      ],
      dnsPolicy: "ClusterFirst",
      enableServiceLinks: true,
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  it.each([
    ["[POD-007] a digest", "nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000", "IfNotPresent"],
    ["[POD-008] the tag latest", "nginx:latest", "Always"],
    ["[POD-009] no tag", "registry.example:5000/nginx", "Always"],
    ["[POD-010] another tag", "nginx:1.27", "IfNotPresent"],
  ])("%s makes the pull policy", (_title, image, policy) => {
    expect(stored({ image })?.imagePullPolicy).toBe(policy);
  });

  it("[POD-011] the pull policy is written into templates too", () => {
    const { spec } = podTemplateDefaults({ spec: { containers: [{ name: "c", image: "nginx" }] } });
    expect(spec?.containers[0]?.imagePullPolicy).toBe("Always");
  });

  it("[POD-222] probes have times, hits and misses", () => {
    expect(stored({ livenessProbe: { httpGet: { port: 80 } } })?.livenessProbe).toEqual({
      httpGet: { path: "/", port: 80, scheme: "HTTP" },
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    });
  });

  it("a negative grace period is one second, in templates it stays", () => {
    const spec = { containers: [{ name: "c", image: "nginx" }], terminationGracePeriodSeconds: -1 };
    expect(podOf({ spec }).spec?.terminationGracePeriodSeconds).toBe(1);
    expect(podTemplateDefaults({ spec }).spec?.terminationGracePeriodSeconds).toBe(-1);
  });

  it("[POD-446] [POD-528] a limit alone is the request too, a request alone stays alone", () => {
    expect(stored({ resources: { limits: { cpu: "1", "example.com/foo": "2" } } })?.resources).toEqual({
      limits: { cpu: "1", "example.com/foo": "2" },
      requests: { cpu: "1", "example.com/foo": "2" },
    });
    expect(stored({ resources: { requests: { cpu: "1" } } })?.resources).toEqual({ requests: { cpu: "1" } });
  });

  it("[POD-441] amounts finer than a thousandth are rounded up", () => {
    expect(stored({ resources: { requests: { cpu: "100u" } } })?.resources).toEqual({ requests: { cpu: "1m" } });
  });

  it("a pod's own resources follow from its limits and containers", () => {
    const { spec } = podOf(
      withContainer({ resources: { requests: { cpu: "200m" } } }, { resources: { limits: { cpu: "1", memory: "1Gi" } } }),
    );
    expect(spec?.resources).toEqual({ limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "200m", memory: "1Gi" } });
  });

  it("the old name of the service account stands beside the new one", () => {
    const { spec } = podOf({ spec: { serviceAccount: "builder" } });
    expect([spec?.serviceAccountName, spec?.serviceAccount]).toEqual(["builder", "builder"]);
  });

  it("[POD-115] the stop signal, behind a gate that is off, is dropped", () => {
    expect(stored({ lifecycle: { stopSignal: "SIGUSR1", preStop: { sleep: { seconds: 1 } } } })?.lifecycle).toEqual({
      preStop: { sleep: { seconds: 1 } },
    });
  });

  it("[POD-434] keys of labels become requirements with the pod's own values", () => {
    const constraint = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", matchLabelKeys: ["version", "none"] };
    const { spec } = podOf({
      metadata: { labels: { version: "2" } },
      spec: { topologySpreadConstraints: [{ ...constraint, labelSelector: { matchLabels: { app: "web" } } }] },
    });
    expect(spec?.topologySpreadConstraints?.[0]?.labelSelector).toEqual({
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "version", operator: "In", values: ["2"] }],
    });
  });

  it("[POD-142] [POD-144] starts pending, without conditions unless it is behind gates", () => {
    expect(podOf({}).status).toEqual({ phase: "Pending", qosClass: "BestEffort" });
    expect(podOf({ spec: { schedulingGates: [{ name: "example.com/wait" }] } }).status?.conditions).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      },
    ]);
  });

  it.each([
    ["[POD-484] Guaranteed", { limits: { cpu: "1", memory: "1Gi" } }, "Guaranteed"],
    ["[POD-485] BestEffort", { requests: { "ephemeral-storage": "1Gi" } }, "BestEffort"],
    ["[POD-486] Burstable", { requests: { cpu: "1" } }, "Burstable"],
  ])("[POD-483] %s is decided on creation", (_title, resources, qosClass) => {
    expect(podOf(withContainer({ resources })).status?.qosClass).toBe(qosClass);
  });
});
