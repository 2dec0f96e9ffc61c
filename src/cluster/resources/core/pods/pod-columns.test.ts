import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import { podColumns, podRow } from "./pod-columns.ts";

const nowMs = Date.parse("2026-01-01T01:00:00Z");
const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const container = (state: object, extra: object = {}) => ({
  name: "web",
  image: "nginx",
  imageID: "",
  ready: false,
  restartCount: 0,
  state,
  ...extra,
});

function cells(pod: { readonly spec?: object; readonly status?: object; readonly metadata?: object }): readonly unknown[] {
  const whole = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", creationTimestamp: "2026-01-01T00:00:00Z", ...pod.metadata },
    spec: { containers: [{ name: "web" }], ...pod.spec },
    status: { phase: "Running", ...pod.status },
  };
  return podRow(whole as Pod & typeof whole, { nowMs }).slice(1, 4);
}

describe("the columns READY, STATUS and RESTARTS of pods", () => {
  it.each<[string, Parameters<typeof cells>[0], readonly unknown[]]>([
    ["[POD-189] a pod that waits for a node", { status: { phase: "Pending" } }, ["0/1", "Pending", "0"]],
    [
      "one held by a gate",
      { status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] } },
      ["0/1", "SchedulingGated", "0"],
    ],
    ["one that runs", { status: { containerStatuses: [container(running, { ready: true })] } }, ["1/1", "Running", "0"]],
    [
      "[POD-189] one whose image cannot be pulled",
      { status: { phase: "Pending", containerStatuses: [container({ waiting: { reason: "ImagePullBackOff" } })] } },
      ["0/1", "ImagePullBackOff", "0"],
    ],
    [
      "[POD-195] one that was restarted",
      {
        status: {
          containerStatuses: [
            container(running, {
              ready: true,
              restartCount: 2,
              lastState: { terminated: { exitCode: 1, finishedAt: "2026-01-01T00:59:55Z" } },
            }),
          ],
        },
      },
      ["1/1", "Running", "2 (5s ago)"],
    ],
    [
      "one that ended well",
      { status: { phase: "Succeeded", containerStatuses: [container({ terminated: { exitCode: 0, reason: "Completed" } })] } },
      ["0/1", "Completed", "0"],
    ],
    [
      "[POD-193] one that was killed by a signal",
      { status: { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] } },
      ["0/1", "Signal:9", "0"],
    ],
    [
      "[POD-192] one that is going",
      {
        metadata: { deletionTimestamp: "2026-01-01T01:00:30Z" },
        status: { containerStatuses: [container(running, { ready: true })] },
      },
      ["1/1", "Terminating", "0"],
    ],
    [
      "[POD-190] one whose first of two init containers runs",
      {
        spec: { initContainers: [{ name: "a" }, { name: "b" }] },
        status: { phase: "Pending", initContainerStatuses: [container(running, { name: "a" })] },
      },
      ["0/1", "Init:0/2", "0"],
    ],
    [
      "[POD-190] one whose init container failed",
      {
        spec: { initContainers: [{ name: "a" }] },
        status: {
          phase: "Pending",
          initContainerStatuses: [container({ terminated: { exitCode: 1, reason: "Error" } }, { name: "a" })],
        },
      },
      ["0/1", "Init:Error", "0"],
    ],
    [
      "[POD-194] one with a sidecar",
      {
        spec: { initContainers: [{ name: "a", restartPolicy: "Always" }] },
        status: {
          initContainerStatuses: [container(running, { name: "a", started: true, ready: true })],
          containerStatuses: [container(running, { ready: true })],
        },
      },
      ["2/2", "Running", "0"],
    ],
    [
      "[POD-330] one whose sidecar has not started yet",
      {
        spec: { initContainers: [{ name: "a", restartPolicy: "Always" }] },
        status: { phase: "Pending", initContainerStatuses: [container(running, { name: "a", started: false })] },
      },
      ["0/2", "Init:0/1", "0"],
    ],
    [
      "[POD-190] one whose init container is tried again later",
      {
        spec: { initContainers: [{ name: "a" }] },
        status: {
          phase: "Pending",
          initContainerStatuses: [container({ waiting: { reason: "CrashLoopBackOff" } }, { name: "a", restartCount: 3 })],
        },
      },
      ["0/1", "Init:CrashLoopBackOff", "3"],
    ],
    [
      "[POD-190] one whose init container ended with a code only",
      {
        spec: { initContainers: [{ name: "a" }] },
        status: { phase: "Pending", initContainerStatuses: [container({ terminated: { exitCode: 4 } }, { name: "a" })] },
      },
      ["0/1", "Init:ExitCode:4", "0"],
    ],
    [
      "[POD-193] one that ended with a code only",
      { status: { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 4 } })] } },
      ["0/1", "ExitCode:4", "0"],
    ],
    [
      "[POD-189] the first container that has something to say",
      {
        spec: { containers: [{ name: "a" }, { name: "b" }] },
        status: {
          containerStatuses: [
            container({ waiting: { reason: "CrashLoopBackOff" } }, { name: "a" }),
            container({ waiting: { reason: "ErrImagePull" } }, { name: "b" }),
          ],
        },
      },
      ["0/2", "CrashLoopBackOff", "0"],
    ],
    ...(["True", "False"] as const).map((ready): [string, Parameters<typeof cells>[0], readonly unknown[]] => [
      `[POD-191] one of two containers is done, Ready ${ready}`,
      {
        spec: { containers: [{ name: "a" }, { name: "b" }] },
        status: {
          conditions: [{ type: "Ready", status: ready }],
          containerStatuses: [
            container({ terminated: { exitCode: 0, reason: "Completed" } }, { name: "a" }),
            container(running, { name: "b", ready: true }),
          ],
        },
      },
      ["1/2", ready === "True" ? "Running" : "NotReady", "0"],
    ]),
    [
      "[POD-192] one that is going from a node that is lost",
      { metadata: { deletionTimestamp: "2026-01-01T01:00:30Z" }, status: { reason: "NodeLost" } },
      ["0/1", "Unknown", "0"],
    ],
    [
      "[POD-192] one that is going and has ended",
      { metadata: { deletionTimestamp: "2026-01-01T01:00:30Z" }, status: { phase: "Failed", reason: "Evicted" } },
      ["0/1", "Evicted", "0"],
    ],
    ["[POD-198] one that was evicted", { status: { phase: "Failed", reason: "Evicted" } }, ["0/1", "Evicted", "0"]],
    [
      "[POD-198] one whose container died of it",
      {
        status: {
          phase: "Failed",
          reason: "Evicted",
          containerStatuses: [container({ terminated: { exitCode: 137, reason: "Error" } })],
        },
      },
      ["0/1", "Error", "0"],
    ],
  ])("%s", (_title, pod, expected) => {
    expect(cells(pod)).toEqual(expected);
  });
});

describe("the wide columns of pods", () => {
  const wide = (spec: object, status: object) => {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [], ...spec }, status };
    return podRow(pod as Pod & typeof pod, { nowMs }).slice(5);
  };

  it("[POD-196] [POD-173] are the address, the node, the node promised and the gates", () => {
    expect(podColumns.filter((column) => column.priority === 1).map(({ name }) => name)).toEqual([
      "IP",
      "Node",
      "Nominated Node",
      "Readiness Gates",
    ]);
    expect(wide({}, {})).toEqual(["<none>", "<none>", "<none>", "<none>"]);
    const readinessGates = [{ conditionType: "example.com/a" }, { conditionType: "example.com/b" }];
    const conditions = [{ type: "example.com/b", status: "True" }];
    expect(wide({ nodeName: "n", readinessGates }, { podIPs: [{ ip: "10.0.0.1" }], nominatedNodeName: "m", conditions })).toEqual([
      "10.0.0.1",
      "n",
      "m",
      "1/2",
    ]);
  });
});
