import { describe, expect, it } from "vitest";
import { proportionalSizes } from "./scaling.ts";
import type { Deployment, ReplicaSet } from "./types.ts";

const metadata = { name: "x", uid: "x", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };

function deployment(replicas: number): Deployment {
  const strategy = { type: "RollingUpdate", rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
  const spec = { replicas, strategy, selector: {}, template: {} };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata, spec };
}

function set(name: string, replicas: number, max: number): ReplicaSet {
  const annotations = { "deployment.kubernetes.io/max-replicas": String(max) };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { ...metadata, name, annotations },
    spec: { replicas, selector: {} },
  };
}

describe("proportional scaling", () => {
  it.each([
    ["[WRK-131] up from 10 to 15 with surge 3", 15, [8, 5], 13, [11, 7]],
    ["[WRK-130] to nothing", 0, [8, 5], 13, [0, 0]],
  ])("%s", (_title, replicas, current, max, wanted) => {
    const sets = current.map((size, index) => set(`set-${index}`, size, max));
    expect(proportionalSizes(deployment(replicas), sets).map(([, size]) => size)).toEqual(wanted);
  });
});
