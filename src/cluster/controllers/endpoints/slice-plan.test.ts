import { describe, expect, it } from "vitest";
import type { Endpoint, EndpointSlice } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { type PlannedService, planSlices } from "./slice-plan.ts";

const http = [{ name: "", port: 80, protocol: "TCP" }];
const other = [{ name: "", port: 81, protocol: "TCP" }];

function endpoint(uid: string): Endpoint {
  return { addresses: ["10.0.0.1"], conditions: { ready: true }, targetRef: { kind: "Pod", name: uid, uid } };
}

function uids(from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `p${from + index}`);
}

function slice(name: string, ports: typeof http, pods: readonly string[]): Stored<EndpointSlice> {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
    addressType: "IPv4",
    ports,
    endpoints: pods.map(endpoint),
  };
}

/** The plan in words: `+` a new slice, `~` an update, `*` a recycled one, `-` one that goes, with the numbers of endpoints. */
function plan(existing: readonly Stored<EndpointSlice>[], pods: readonly string[], more: Partial<PlannedService> = {}) {
  const groups = pods.length === 0 ? [] : [{ ports: http, endpoints: new Map(pods.map((uid) => [uid, endpoint(uid)])) }];
  const made = planSlices({ maxEndpoints: 100, existing, groups, isOwned: () => true, hasLabels: () => true, ...more });
  return [
    ...made.create.map(({ endpoints }) => `+ ${endpoints.length}`),
    ...made.update.map((update) => `${update.isRecycled ? "*" : "~"}${update.slice.metadata.name} ${update.endpoints.length}`),
    ...made.delete.map(({ metadata }) => `-${metadata.name}`),
  ];
}

describe("the plan for a Service's slices", () => {
  it("writes nothing when all is right", () => {
    expect(plan([slice("a", http, ["p1", "p2"])], ["p2", "p1"])).toEqual([]);
    expect(plan([slice("a", [], [])], [])).toEqual([]);
  });

  it("makes a placeholder for a Service without endpoints, of a slice that would go if there is one", () => {
    expect(plan([], [])).toEqual(["+ 0"]);
    expect(plan([slice("a", http, ["p1"])], [])).toEqual(["*a 0"]);
    expect(plan([slice("a", http, ["p1"]), slice("b", http, ["p2"])], [])).toEqual(["*a 0", "-b"]);
  });

  it("makes the first slice of the placeholder", () => {
    expect(plan([slice("a", [], [])], ["p1"])).toEqual(["*a 1"]);
    expect(plan([slice("a", [], [])], uids(0, 150))).toEqual(["+ 100", "*a 50"]);
  });

  it("uses slices of other ports, and those whose endpoints are all gone", () => {
    expect(plan([slice("a", other, ["p1"])], ["p1"])).toEqual(["*a 1"]);
    expect(plan([slice("a", http, ["p1"])], ["p2"])).toEqual(["*a 1"]);
  });

  it("leaves slices of an earlier Service of that name alone", () => {
    expect(plan([slice("a", http, ["p1"])], ["p1"], { isOwned: () => false })).toEqual(["+ 1", "-a"]);
  });

  it("fills slices that change anyway, the fullest first", () => {
    const existing = [slice("a", http, uids(0, 50)), slice("b", http, uids(100, 98))];
    expect(plan(existing, [...uids(0, 49), ...uids(100, 97), ...uids(300, 5)])).toEqual(["~a 51", "~b 100"]);
  });

  it("fills the one unchanged slice that is fullest then, and no other", () => {
    const existing = [slice("a", http, uids(0, 50)), slice("b", http, uids(100, 97))];
    const present = [...uids(0, 50), ...uids(100, 97)];
    expect(plan(existing, [...present, ...uids(300, 3)])).toEqual(["~b 100"]);
    expect(plan(existing, [...present, ...uids(300, 4)])).toEqual(["~a 54"]);
    expect(plan(existing, [...present, ...uids(300, 51)])).toEqual(["+ 51"]);
  });

  it("[NET-076] makes a new slice rather than two fuller ones", () => {
    const existing = [slice("a", http, uids(0, 95)), slice("b", http, uids(100, 95))];
    expect(plan(existing, [...uids(0, 95), ...uids(100, 95), ...uids(300, 10)])).toEqual(["+ 10"]);
  });

  it("[NET-077] leaves slices half empty, and none that is empty beside others", () => {
    const existing = [slice("a", http, uids(0, 100)), slice("b", http, uids(100, 100)), slice("c", http, uids(200, 20))];
    expect(plan(existing, [...uids(0, 40), ...uids(100, 30)])).toEqual(["~a 40", "~b 30", "-c"]);
  });

  it("renews labels", () => {
    expect(plan([slice("a", http, ["p1"])], ["p1"], { hasLabels: () => false })).toEqual(["~a 1"]);
    expect(plan([slice("a", [], [])], [], { hasLabels: () => false })).toEqual(["*a 0"]);
  });
});
