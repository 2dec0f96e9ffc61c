import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { startServer, testStartMs } from "#cluster/apiserver/test-server.test-kit.ts";
import { Simulation } from "#sim/simulation.ts";
import { InformerFactory } from "./informer-factory.ts";
import { DelayLine, WatchDelays } from "./watch-delays.ts";

describe("what is under way to a copy", () => {
  function start() {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    const delay = { ms: 0 };
    const line = new DelayLine(simulation, () => delay.ms);
    const arrived: string[] = [];
    const send = (name: string) => line.send(() => arrived.push(`${name} ${simulation.nowMs}`));
    const change = (ms: number) => {
      delay.ms = ms;
      line.look();
    };
    return { simulation, line, arrived, send, change };
  }

  it.each([
    ["arrives at once without a delay", [0], ["a 0", "b 100", "c 200"]],
    ["arrives as much later as the delay says", [1000], ["a 1000", "b 1100", "c 1200"]],
    ["waits longer when the delay grows", [1000, 3000], ["a 3000", "b 3100", "c 3200"]],
    ["goes on at once when the delay shrinks to what it has waited", [1000, 400], ["a 500", "b 500", "c 600"]],
    ["arrives in its order when the delay ends", [1000, 0], ["a 500", "b 500", "c 500"]],
    ["is no faster than what was sent before it, where there was no delay any more", [1000, 0, 1000], ["a 500", "b 500", "c 500"]],
  ] as const)("%s", (_title, delays, expected) => {
    const { simulation, arrived, send, change } = start();
    const [first, ...later] = delays;
    change(first);
    for (const name of ["a", "b", "c"]) {
      send(name);
      simulation.advance(100);
    }
    simulation.advance(200);
    for (const ms of later) {
      change(ms);
      simulation.advance(1);
    }
    simulation.advance(10_000);
    expect(arrived).toEqual(expected);
  });

  it("is lost with whom it is under way to, and one that fails keeps nothing else", () => {
    const { simulation, line, arrived, send, change } = start();
    change(1000);
    send("a");
    line.clear();
    line.send(() => {
      throw new Error("b");
    });
    send("c");
    expect(() => simulation.advance(5000)).toThrow("b");
    simulation.advance(5000);
    expect(arrived).toEqual(["c 1000"]);
  });
});

describe("a copy that lags", () => {
  it("is at every moment as the server was before the delay, lists and all, while a single read is live", () => {
    const { simulation, server, client } = startServer();
    const delays = new WatchDelays();
    const factory = new InformerFactory(simulation, client, delays);
    const maps = factory.informer(kinds.configMaps);
    const nodes = factory.informer(kinds.nodes);
    expect(delays.kept).toEqual(["configmaps", "nodes"]);
    delays.set("configmaps", 5000);
    const key = { namespace: "default", name: "one" };
    const write = (value: string) => client.patch(kinds.configMaps, key, "merge", { data: { value } });
    client.create(kinds.configMaps, { metadata: key, data: { value: "0" } });
    factory.start();
    expect([maps.hasSynced, nodes.hasSynced]).toEqual([false, true]);
    const seen: string[] = [];
    maps.addHandler(({ data }) => seen.push(`${data?.["value"]} ${simulation.nowMs - testStartMs}`));
    for (const value of ["1", "2", "3"]) {
      simulation.advance(1000);
      write(value);
    }
    simulation.advance(1);
    // The watch ends, and what was written meanwhile comes by a list.
    server.stop();
    server.start();
    write("4");
    simulation.advance(60_000);
    expect(seen.slice(0, 4)).toEqual(["0 5000", "1 6000", "2 7000", "3 8000"]);
    expect(seen.at(-1)).toMatch(/^4 1[34]\d{3}$/);
    write("5");
    expect([client.get(kinds.configMaps, key).data?.["value"], maps.get("default/one")?.data?.["value"]]).toEqual(["5", "4"]);
    expect(Number(maps.lastVersion)).toBeLessThan(Number(client.get(kinds.configMaps, key).metadata.resourceVersion));
    delays.set("configmaps", 0);
    simulation.advance(1);
    expect(maps.get("default/one")?.data?.["value"]).toBe("5");
    factory.stop();
  });

  it("is waited for before a component begins, and by nobody who was stopped", () => {
    const { simulation, client } = startServer();
    const delays = new WatchDelays();
    const begin = (): { readonly factory: InformerFactory; readonly begun: string[] } => {
      const factory = new InformerFactory(simulation, client, delays);
      factory.informer(kinds.pods);
      const begun: string[] = [];
      factory.whenDelayedHaveCome(() => begun.push(`${simulation.nowMs - testStartMs}`));
      return { factory, begun };
    };
    const first = begin();
    expect(first.begun).toEqual(["0"]);
    delays.set("pods", 2000);
    const second = begin();
    const third = begin();
    third.factory.stop();
    simulation.advance(10_000);
    expect([second.begun, third.begun]).toEqual([["2000"], []]);
  });
});
