// What is kept up to date as Pods, nodes and namespaces come and go is what a walk over all of them would find.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LabelSelector, Pod, PodAffinityTerm } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { WishKind } from "./affinity-counts.ts";
import { SchedulerCache } from "./cache.ts";
import { PodInfo, type PodTerm } from "./pod-info.ts";

const base = { resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
const topologyKeys = ["kubernetes.io/hostname", "topology.kubernetes.io/zone", "rack"];
const namespaces = ["default", "shop", "bank"];

const term: fc.Arbitrary<PodAffinityTerm> = fc.record(
  {
    topologyKey: fc.constantFrom(...topologyKeys),
    labelSelector: fc.constantFrom<LabelSelector[]>(
      {},
      { matchLabels: { app: "a" } },
      { matchExpressions: [{ key: "app", operator: "NotIn", values: ["b"] }] },
    ),
    namespaces: fc.constantFrom([], ["shop"], ["default", "bank"]),
    namespaceSelector: fc.constantFrom({}, { matchLabels: { team: "x" } }),
    matchLabelKeys: fc.constant(["version"]),
  },
  { requiredKeys: ["topologyKey"] },
);
const terms = fc.array(term, { minLength: 1, maxLength: 2 });
const weighted = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 100 }), podAffinityTerm: term }), {
  minLength: 1,
  maxLength: 2,
});
const sides = fc.record(
  { requiredDuringSchedulingIgnoredDuringExecution: terms, preferredDuringSchedulingIgnoredDuringExecution: weighted },
  { requiredKeys: [] },
);
const affinity = fc.record({ podAffinity: sides, podAntiAffinity: sides });
const labels = fc.record({ app: fc.constantFrom("a", "b"), version: fc.constantFrom("1", "2") }, { requiredKeys: [] });
const nodeLabels = fc.record(
  { "topology.kubernetes.io/zone": fc.constantFrom("z1", "z2"), rack: fc.constantFrom("r1", "r2") },
  { requiredKeys: [] },
);
const index = fc.nat({ max: 4 });
const pod = fc.record({ name: index, namespace: fc.constantFrom(...namespaces), labels, affinity });

type Step =
  | { readonly kind: "place"; readonly pod: PodShape; readonly node: number }
  | { readonly kind: "remove"; readonly name: number }
  | { readonly kind: "node"; readonly node: number; readonly labels: object }
  | { readonly kind: "removeNode"; readonly node: number }
  | { readonly kind: "namespace"; readonly name: string; readonly team: string | undefined }
  | { readonly kind: "removeNamespace"; readonly name: string };
type PodShape = typeof pod extends fc.Arbitrary<infer Shape> ? Shape : never;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("place" as const), pod, node: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), name: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("node" as const), node: index, labels: nodeLabels }) },
  fc.record({ kind: fc.constant("removeNode" as const), node: index }),
  fc.record({
    kind: fc.constant("namespace" as const),
    name: fc.constantFrom(...namespaces),
    team: fc.constantFrom("x", "y", undefined),
  }),
  fc.record({ kind: fc.constant("removeNamespace" as const), name: fc.constantFrom(...namespaces) }),
);

function stored(shape: PodShape): Stored<Pod> {
  const name = `pod-${shape.name}`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...base, name, uid: name, namespace: shape.namespace, labels: shape.labels as { [key: string]: string } },
    spec: { containers: [{ name: "main" }], affinity: shape.affinity },
  };
}

function take(cache: SchedulerCache, taken: Step): void {
  switch (taken.kind) {
    case "place":
      cache.setPod(stored(taken.pod), `node-${taken.node}`);
      break;
    case "remove":
      cache.removePod(`pod-${taken.name}`);
      break;
    case "node": {
      const name = `node-${taken.node}`;
      const metadata = { ...base, name, uid: name, labels: { "kubernetes.io/hostname": name, ...taken.labels } };
      cache.setNode({ apiVersion: "v1", kind: "Node", metadata });
      break;
    }
    case "removeNode":
      cache.removeNode(`node-${taken.node}`);
      break;
    case "namespace":
      cache.setNamespace(taken.name, taken.team === undefined ? undefined : { team: taken.team });
      break;
    case "removeNamespace":
      cache.removeNamespace(taken.name);
      break;
  }
}

type Sums = { readonly [topologyKey: string]: { readonly [value: string]: number } };

/** Sums and how many they are of, by topology key and value; what is 0 in all is left out. */
class Walk {
  readonly sums: { [topologyKey: string]: { [value: string]: number } } = {};

  add(topologyKey: string, value: string | undefined, by: number): void {
    if (value === undefined) return;
    const domains = this.sums[topologyKey] ?? {};
    this.sums[topologyKey] = domains;
    domains[value] = (domains[value] ?? 0) + by;
  }
}

function walkMatching(cache: SchedulerCache, wanted: readonly PodTerm[], topologyKey: string): Sums {
  const walk = new Walk();
  for (const node of cache.nodes)
    for (const { pod: placed } of node.pods.values())
      if (wanted.every((one) => one.matches(placed, cache.namespaces))) walk.add(topologyKey, node.domain(topologyKey), 1);
  return walk.sums;
}

function walkWishes(cache: SchedulerCache, kind: WishKind, of: Stored<Pod>): Sums {
  const walk = new Walk();
  for (const node of cache.nodes)
    for (const placed of node.pods.values())
      for (const wish of placed.terms[kind])
        if (wish.matches(of, cache.namespaces)) walk.add(wish.topologyKey, node.domain(wish.topologyKey), wish.weight);
  return walk.sums;
}

function keptMatching(cache: SchedulerCache, wanted: readonly PodTerm[], topologyKey: string): Sums {
  const walk = new Walk();
  const { byValue, additions } = cache.affinity.matching(wanted, topologyKey);
  for (const [value, sum] of byValue) if (sum !== 0) walk.add(topologyKey, value, sum);
  expect(additions).toBe([...byValue.values()].reduce((total, sum) => total + sum, 0));
  return walk.sums;
}

function keptWishes(cache: SchedulerCache, kind: WishKind, of: Stored<Pod>): Sums {
  const walk = new Walk();
  for (const { topologyKey, byValue } of cache.affinity.wishesOf(kind, of))
    for (const [value, sum] of byValue) if (sum !== 0) walk.add(topologyKey, value, sum);
  return walk.sums;
}

const kinds: readonly WishKind[] = ["requiredAffinity", "requiredAntiAffinity", "preferredAffinity", "preferredAntiAffinity"];

describe("inter-Pod affinity, kept up to date", () => {
  it("counts what a walk over all placed Pods counts, whatever comes and goes", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), pod, (steps, asking) => {
        const cache = new SchedulerCache();
        const incoming = new PodInfo(stored({ ...asking, name: 99 }));
        for (const taken of steps) {
          take(cache, taken);
          for (const kind of kinds) {
            const walked = walkWishes(cache, kind, incoming.pod);
            expect(keptWishes(cache, kind, incoming.pod)).toEqual(walked);
            compared += Object.keys(walked).length;
            const own = incoming.terms[kind];
            for (const wanted of [...own.map((one) => [one]), ...(own.length > 1 ? [own] : [])])
              for (const { topologyKey } of wanted)
                expect(keptMatching(cache, wanted, topologyKey)).toEqual(walkMatching(cache, wanted, topologyKey));
          }
        }
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(1000);
  });
});
