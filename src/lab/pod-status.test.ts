import { describe, expect, it } from "vitest";
import type { ContainerState, PodStatus } from "#cluster/api/generated/types.ts";
import { podStatus } from "./pod-status.ts";

interface Case {
  readonly state?: ContainerState;
  readonly init?: ContainerState;
  readonly status?: Partial<PodStatus>;
  readonly deleted?: boolean;
  readonly nodeName?: string;
}

function statusOf({ state, init, status = {}, deleted = false, nodeName = "node-1" }: Case) {
  const container = (name: string, one: ContainerState) => ({
    name,
    image: "nginx",
    imageID: "",
    ready: one.running !== undefined,
    restartCount: 0,
    state: one,
  });
  const { shape, text } = podStatus({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "web",
      namespace: "default",
      uid: "web",
      resourceVersion: "1",
      creationTimestamp: "2026-01-15T09:00:00Z",
      ...(deleted ? { deletionTimestamp: "2026-01-15T09:05:00Z" } : {}),
    },
    spec: {
      nodeName,
      containers: [{ name: "nginx", image: "nginx" }],
      ...(init === undefined ? {} : { initContainers: [{ name: "first", image: "nginx" }] }),
    },
    status: {
      phase: "Pending",
      ...(init === undefined ? {} : { initContainerStatuses: [container("first", init)] }),
      ...(state === undefined ? {} : { containerStatuses: [container("nginx", state)] }),
      ...status,
    },
  });
  return [shape, text];
}

const waiting = (reason: string): ContainerState => ({ waiting: { reason } });
const ended = (reason: string, exitCode = 1): ContainerState => ({ terminated: { reason, exitCode } });

describe("a Pod's sign in the picture", () => {
  it.each([
    ["CrashLoopBackOff", "crashLooping"],
    ["ErrImagePull", "imageFailed"],
    ["ImagePullBackOff", "imageFailed"],
    ["ErrImageNeverPull", "imageFailed"],
    ["InvalidImageName", "imageFailed"],
    ["CreateContainerConfigError", "configFailed"],
    ["CreateContainerError", "configFailed"],
    ["RunContainerError", "configFailed"],
    ["ContainerCreating", "creating"],
    ["PodInitializing", "initializing"],
  ])("while its container waits for %s: %s", (reason, shape) => {
    expect(statusOf({ state: waiting(reason) })).toEqual([shape, reason]);
  });

  it("tells a container that has ended from one that restarts in a loop, and one that was killed for its memory", () => {
    const running = { phase: "Running" };
    expect(statusOf({ state: ended("Error"), status: running })).toEqual(["stopped", "Error"]);
    expect(statusOf({ state: ended("Completed", 0), status: running })).toEqual(["stopped", "Completed"]);
    expect(statusOf({ state: ended("", 3), status: running })).toEqual(["stopped", "ExitCode:3"]);
    expect(statusOf({ state: ended("OOMKilled", 137), status: running })).toEqual(["oomKilled", "OOMKilled"]);
  });

  it("follows init containers", () => {
    expect(statusOf({ init: { running: {} }, state: waiting("PodInitializing") })).toEqual(["initializing", "Init:0/1"]);
    expect(statusOf({ init: waiting("ImagePullBackOff") })).toEqual(["imageFailed", "Init:ImagePullBackOff"]);
    expect(statusOf({ init: waiting("CrashLoopBackOff") })).toEqual(["crashLooping", "Init:CrashLoopBackOff"]);
    expect(statusOf({ init: ended("Error") })).toEqual(["stopped", "Init:Error"]);
    expect(statusOf({ init: ended("OOMKilled", 137) })).toEqual(["oomKilled", "Init:OOMKilled"]);
  });

  it("tells the ends of a Pod apart", () => {
    expect(statusOf({ state: ended("Completed", 0), status: { phase: "Succeeded" } })).toEqual(["succeeded", "Completed"]);
    expect(statusOf({ state: ended("Error"), status: { phase: "Failed" } })).toEqual(["failed", "Error"]);
    expect(statusOf({ state: ended("OOMKilled", 137), status: { phase: "Failed" } })).toEqual(["oomKilled", "OOMKilled"]);
    expect(statusOf({ status: { phase: "Failed", reason: "Evicted" } })).toEqual(["evicted", "Evicted"]);
    expect(statusOf({ deleted: true, state: { running: {} }, status: { phase: "Running" } })).toEqual([
      "terminating",
      "Terminating",
    ]);
  });

  it("knows a Pod without a node, one that is not ready, and one that runs", () => {
    expect(statusOf({ nodeName: "" })).toEqual(["pending", "Pending"]);
    expect(statusOf({ state: { running: {} }, status: { phase: "Running" } })).toEqual(["running", "Running"]);
    expect(statusOf({ status: { phase: "Running" } })).toEqual(["notReady", "Running"]);
  });
});
