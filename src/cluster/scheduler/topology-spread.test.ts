// Which nodes topology spread constraints leave to a Pod, and which they prefer.

import { describe, expect, it } from "vitest";
import type { Pod, TopologySpreadConstraint } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { SchedulerCache } from "./cache.ts";
import { podTopologySpread } from "./plugins/pod-topology-spread.ts";
import { PodInfo } from "./pod-info.ts";

const base = { uid: "", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
const plugin = podTopologySpread({ selectorFor: () => undefined });

type Extra = Partial<Stored<Pod>["metadata"]> & { readonly phase?: string };

function pod(name: string, spec: Pod["spec"] | object = {}, { phase, ...metadata }: Extra = {}): Stored<Pod> {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...base, name, uid: name, namespace: "default", labels: { foo: "bar" }, ...metadata },
    spec: { containers: [{ name: "main" }], ...spec },
    status: { phase: phase ?? "Running" },
  };
}

interface Place {
  readonly labels: { readonly [key: string]: string };
  readonly taint?: string;
  readonly pods?: readonly Stored<Pod>[];
}

function cacheOf(places: readonly Place[]): SchedulerCache {
  const cache = new SchedulerCache();
  for (const [index, { labels, taint, pods = [] }] of places.entries()) {
    const name = `node${index + 1}`;
    const taints = taint === undefined ? [] : [{ key: taint, effect: "NoSchedule" }];
    cache.setNode({
      apiVersion: "v1",
      kind: "Node",
      metadata: { ...base, name, uid: name, labels: { ...labels, node: name } },
      spec: { taints },
    });
    for (const one of pods) cache.setPod(one, name);
  }
  return cache;
}

const constraint = (topologyKey: string, maxSkew = 1, more: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  maxSkew,
  topologyKey,
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { foo: "bar" } },
  ...more,
});

/** The nodes that are left, as their numbers, with `?` after those that lack a label. */
function left(
  places: readonly Place[],
  constraints: readonly TopologySpreadConstraint[],
  spec: object = {},
  extra: Extra = {},
): string {
  const cache = cacheOf(places);
  const info = new PodInfo(pod("new", { topologySpreadConstraints: constraints, ...spec }, extra));
  const prepared = plugin.prepareFilter?.(info, cache);
  if (prepared?.kind !== "filter") return prepared?.kind ?? "";
  const marks = [...cache.nodes].map((node) => {
    const reason = prepared.filter(node)?.reasons[0];
    if (reason === undefined) return node.name.slice(4);
    return reason.endsWith("(missing required label)") ? `${node.name.slice(4)}?` : "";
  });
  return marks
    .filter((mark) => mark !== "")
    .sort()
    .join(" ");
}

const zone = (value: string, ...names: string[]): Place => ({ labels: { zone: value }, pods: names.map((name) => pod(name)) });
const ssd = (value: string, ...names: string[]): Place => ({ ...zone(value, ...names), labels: { zone: value, disk: "ssd" } });
const example = [zone("A", "p1"), zone("A", "p2"), zone("B", "p3"), zone("B")];
const offZoneC = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "NotIn", values: ["C"] }] }],
      },
    },
  },
};
const other = { labels: { foo: "other" } };
const twoAndOne = [zone("A", "p1", "p2"), zone("B", "p3")];
const tainted: Place = { labels: { zone: "C" }, taint: "dedicated" };

describe("a constraint that must hold", () => {
  it.each<[string, readonly Place[], readonly TopologySpreadConstraint[], object, Extra, string]>([
    ["[POD-424] [POD-428] 1-1-1-0, zones differ by 1", example, [constraint("zone")], {}, {}, "3 4"],
    ["[POD-424] [POD-428] by 2", example, [constraint("zone", 2)], {}, {}, "1 2 3 4"],
    ["[POD-428] nodes by 1", example, [constraint("node")], {}, {}, "4"],
    ["[POD-428] zones and nodes", example, [constraint("zone"), constraint("node")], {}, {}, "4"],
    [
      "[POD-430] both at odds",
      [zone("A", "p1", "p2"), zone("A", "p3"), zone("B", "p4", "p5")],
      [constraint("zone"), constraint("node")],
      {},
      {},
      "",
    ],
    ["[POD-425] a Pod that does not count itself", twoAndOne, [constraint("zone")], {}, other, "1 2"],
    ["[POD-425] nor mends what is askew", [zone("A", "p1", "p2", "p3"), zone("B", "p4")], [constraint("zone")], {}, other, "2"],
    ["[POD-426] an empty zone counts as 0", [...twoAndOne, zone("C")], [constraint("zone")], {}, {}, "3"],
    [
      "[POD-426] [POD-433] [WRK-346] not one that affinity excludes",
      [...twoAndOne, zone("C")],
      [constraint("zone")],
      offZoneC,
      {},
      "2 3",
    ],
    [
      "[POD-426] [WRK-346] nor one that the node selector does",
      [ssd("A", "p1", "p2"), ssd("B", "p3"), zone("C")],
      [constraint("zone")],
      { nodeSelector: { disk: "ssd" } },
      {},
      "2 3",
    ],
    [
      "[POD-426] but with Ignore",
      [...twoAndOne, zone("C")],
      [constraint("zone", 1, { nodeAffinityPolicy: "Ignore" })],
      offZoneC,
      {},
      "3",
    ],
    ["[POD-426] [WRK-346] a tainted one counts", [...twoAndOne, tainted], [constraint("zone")], {}, {}, "3"],
    ["[POD-426] not with Honor", [...twoAndOne, tainted], [constraint("zone", 1, { nodeTaintsPolicy: "Honor" })], {}, {}, "2 3"],
    [
      "[POD-426] unless tolerated",
      [...twoAndOne, tainted],
      [constraint("zone", 1, { nodeTaintsPolicy: "Honor" })],
      { tolerations: [{ operator: "Exists" }] },
      {},
      "3",
    ],
    [
      "[POD-431] a node without the key takes none, and its Pods count nowhere",
      [...example, { labels: {}, pods: [pod("p5"), pod("p6")] }],
      [constraint("zone")],
      {},
      {},
      "3 4 5?",
    ],
    [
      "[POD-430] [POD-431] nor one that lacks one key of two",
      [...example, { labels: { zone: "C" } }],
      [constraint("zone"), constraint("rack")],
      {},
      {},
      "1? 2? 3? 4? 5?",
    ],
    ["[POD-432] a misspelt label is none", [...example, { labels: { "zone-typo": "C" } }], [constraint("zone")], {}, {}, "3 4 5?"],
  ])("%s", (_title, ...row) => {
    const [places, constraints, spec, extra, expected] = row;
    expect(left(places, constraints, spec, extra)).toBe(expected);
  });

  it.each<[string, Stored<Pod>, string]>([
    ["a running one", pod("p2"), "2"],
    ["a waiting one", pod("p2", {}, { phase: "Pending" }), "2"],
    ["not one of another namespace", pod("p2", {}, { namespace: "other" }), "1 2"],
    ["not one that is being deleted", pod("p2", {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }), "1 2"],
    ["not one with other labels", pod("p2", {}, other), "1 2"],
  ])("[POD-427] [WRK-346] counts %s", (_title, second, expected) => {
    expect(left([{ labels: { zone: "A" }, pods: [pod("p1"), second] }, zone("B", "p3")], [constraint("zone")])).toBe(expected);
  });
});

describe("a constraint that is a wish", () => {
  it("[POD-429] [WRK-357] keeps no node away, and gives more points where fewer are", () => {
    const wish = constraint("zone", 1, { whenUnsatisfiable: "ScheduleAnyway" });
    const places = [zone("A", "p1", "p2"), zone("B", "p3"), zone("C")];
    expect(left(places, [wish])).toBe("skip");
    const cache = cacheOf(places);
    const info = new PodInfo(pod("new", { topologySpreadConstraints: [wish] }));
    const nodes = [...cache.nodes].sort((a, b) => a.name.localeCompare(b.name));
    const scorer = plugin.prepareScore?.(info, cache, nodes);
    const scores = nodes.map((node) => scorer?.score(node) ?? -1);
    scorer?.normalize?.(scores, nodes);
    expect(scores).toEqual([0, 33, 100]);
  });
});
