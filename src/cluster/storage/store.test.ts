import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "#cluster/api/objects.ts";
import { Simulation } from "#sim/simulation.ts";
import type { StoreEvent } from "./events.ts";
import { Store } from "./store.ts";

function start() {
  const simulation = new Simulation({ startMs: 0, seed: 1 });
  const store = new Store(simulation);
  return { simulation, store, table: store.table("configmaps") };
}

function object(key: string, value: string): KubeObject {
  const [namespace = "", name = ""] = key.split("/");
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: { value } };
}

const keys = ["a/x", "a/y", "ab/x", "b/x", "b/z"];
const write = fc.record({
  key: fc.constantFrom(...keys),
  act: fc.constantFrom("put", "put", "remove"),
  value: fc.string({ maxLength: 2 }),
});

describe("the store", () => {
  it("keeps the present and the past, in the order of keys, as a plain list of states would", () => {
    fc.assert(
      fc.property(
        fc.array(write, { maxLength: 40 }),
        fc.nat(40),
        fc.constantFrom("", "a", "ab", "b", "c"),
        (writes, at, namespace) => {
          const { store, table } = start();
          const past: [number, ReadonlyMap<string, KubeObject>][] = [[store.revision, new Map()]];
          for (const { key, act, value } of writes) {
            const now = new Map(past.at(-1)?.[1]);
            if (act === "put") now.set(key, store.put(table, key, object(key, value)));
            else {
              const old = table.get(key);
              if (old === undefined) continue;
              store.remove(table, key, old);
              now.delete(key);
            }
            past.push([store.revision, now]);
          }
          const shown = (state: ReadonlyMap<string, KubeObject>) =>
            [...state.keys()]
              .filter((key) => namespace === "" || key.startsWith(`${namespace}/`))
              .sort()
              .map((key) => state.get(key));
          const [revision, then] = past[at % past.length] as (typeof past)[number];
          expect(table.listAt(namespace, revision)).toEqual(shown(then));
          expect(table.list(namespace)).toEqual(shown(past.at(-1)?.[1] as ReadonlyMap<string, KubeObject>));
          expect(table.size).toBe(past.at(-1)?.[1].size);
          expect(table.eventsAfter(revision).map((event) => event.revision)).toEqual(
            past.map(([version]) => version).filter((version) => version > revision),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("hands every write after a watch began to it, once, in the order of revisions", () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 30 }), fc.nat(30), fc.nat(30), (writes, begin, pause) => {
        const { simulation, store, table } = start();
        const seen: number[] = [];
        const expected: number[] = [];
        let watching = false;
        for (const [index, { key, act, value }] of writes.entries()) {
          if (index === begin) {
            watching = true;
            const handler = { onStart: () => {}, onEvent: (event: StoreEvent) => seen.push(event.revision) };
            store.watches.subscribe({ table, interest: undefined, ...handler });
          }
          if (index === pause) simulation.run({ untilMs: simulation.nowMs });
          const old = table.get(key);
          if (act === "put") store.put(table, key, object(key, value));
          else if (old !== undefined) store.remove(table, key, old);
          else continue;
          if (watching) expected.push(store.revision);
        }
        simulation.run({ untilMs: simulation.nowMs });
        expect(seen).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it("forgets what was compacted, and nothing else", () => {
    const { store, table } = start();
    for (const value of ["1", "2", "3", "4"]) store.put(table, "a/x", object("a/x", value));
    store.compact(3);
    expect([store.compactedRevision, table.eventsAfter(0).map(({ revision }) => revision)]).toEqual([3, [4, 5]]);
    expect(table.list("").map((one) => one["data"])).toEqual([{ value: "4" }]);
  });

  it("compacts every five minutes to where it was five minutes before", () => {
    const { simulation, store, table } = start();
    const put = (): number => {
      store.put(table, "a/x", object("a/x", String(simulation.nowMs)));
      return store.revision;
    };
    const wait = (ms: number): void => {
      simulation.run({ untilMs: simulation.nowMs + ms });
    };
    put();
    wait(299_000);
    const last = put();
    wait(2_000);
    put();
    expect(store.compactedRevision).toBe(0);
    wait(299_000);
    put();
    expect(store.compactedRevision).toBe(last);
  });
});
