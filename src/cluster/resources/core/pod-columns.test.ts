import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import { podRow } from "./pod-columns.ts";

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
    ["a pod that waits for a node", { status: { phase: "Pending" } }, ["0/1", "Pending", "0"]],
    [
      "one held by a gate",
      { status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] } },
      ["0/1", "SchedulingGated", "0"],
    ],
    ["one that runs", { status: { containerStatuses: [container(running, { ready: true })] } }, ["1/1", "Running", "0"]],
    [
      "one whose image cannot be pulled",
      { status: { phase: "Pending", containerStatuses: [container({ waiting: { reason: "ImagePullBackOff" } })] } },
      ["0/1", "ImagePullBackOff", "0"],
    ],
    [
      "one that was restarted",
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
      "one that was killed by a signal",
      { status: { phase: "Failed", containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })] } },
      ["0/1", "Signal:9", "0"],
    ],
    [
      "one that is going",
      {
        metadata: { deletionTimestamp: "2026-01-01T01:00:30Z" },
        status: { containerStatuses: [container(running, { ready: true })] },
      },
      ["1/1", "Terminating", "0"],
    ],
    [
      "one whose first of two init containers runs",
      {
        spec: { initContainers: [{ name: "a" }, { name: "b" }] },
        status: { phase: "Pending", initContainerStatuses: [container(running, { name: "a" })] },
      },
      ["0/1", "Init:0/2", "0"],
    ],
    [
      "one whose init container failed",
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
      "one with a sidecar",
      {
        spec: { initContainers: [{ name: "a", restartPolicy: "Always" }] },
        status: {
          initContainerStatuses: [container(running, { name: "a", started: true, ready: true })],
          containerStatuses: [container(running, { ready: true })],
        },
      },
      ["2/2", "Running", "0"],
    ],
  ])("%s", (_title, pod, expected) => {
    expect(cells(pod)).toEqual(expected);
  });
});
