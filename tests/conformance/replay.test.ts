// The law that reload, time travel and exact tests rest on: the same seed and the same inputs give the same world, to the
// byte, however real time cut its run into slices.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInTypes } from "#cluster/api/kinds.ts";
import { Journal, type JournalEntry } from "#sim/journal.ts";
import { RealTimeDriver } from "#sim/real-time.ts";
import type { WorldInput } from "#world/input.ts";
import { World } from "#world/world.ts";

const startMs = Date.UTC(2026, 0, 15, 9);
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: "nginx:1.27"}]}
`;

const commands = [
  "kubectl apply -f web.yaml\r",
  "kubectl get pods -w\r",
  "\u0003",
  "kubectl scale deployment web --replicas=3\r",
  "kubectl delete pods --all --wait=false\r",
  "kubectl logs deploy/web -f\r",
  "for i in 1 2 3; do echo $RANDOM; sleep 1; done\r",
  "ech\t hé 日本\r",
  "kubectl get events\r",
];

interface Observed {
  readonly objects: string;
  readonly screen: string;
  readonly nowMs: number;
  readonly events: number;
}

function makeWorld(seed: number): { readonly world: World; readonly observe: () => Observed } {
  const world = new World({ startMs, seed, nodes: 2, files: { "web.yaml": manifest } });
  const screen: string[] = [];
  world.onTerminalOutput.add((terminal, bytes) => screen.push(`${terminal}:${Buffer.from(bytes).toString("base64")}`));
  world.boot();
  const observe = (): Observed => {
    const lists = builtInTypes.flatMap((type) => {
      try {
        return [world.client.list(type).items];
      } catch {
        return [];
      }
    });
    return {
      objects: JSON.stringify(lists),
      screen: screen.join("\n"),
      nowMs: world.simulation.nowMs,
      events: world.simulation.processedEvents,
    };
  };
  return { world, observe };
}

/** Lives through the inputs with a wall clock that jumps as the thread is given and taken away. */
function live(seed: number, steps: readonly { readonly waitMs: number; readonly command: string }[], jitter: readonly number[]) {
  const { world, observe } = makeWorld(seed);
  const journal = new Journal<WorldInput>(world.simulation, (input) => world.apply(input));
  let wallMs = 0;
  let turn = 0;
  const queue: { readonly atMs: number; readonly callback: () => void }[] = [];
  const driver = new RealTimeDriver(world.simulation, {
    now: () => wallMs,
    schedule: (callback, delayMs) => queue.push({ atMs: wallMs + delayMs, callback }),
  });
  const pass = (durationMs: number): void => {
    const end = wallMs + durationMs;
    while (wallMs < end) {
      wallMs = Math.min(end, wallMs + 1 + (jitter[turn++ % jitter.length] as number));
      for (const due of queue.splice(0).sort((a, b) => a.atMs - b.atMs)) {
        if (due.atMs <= wallMs) due.callback();
        else queue.push(due);
      }
    }
  };
  driver.setPaused(false);
  driver.input(() => journal.record({ kind: "terminal-open", terminal: "1", columns: 90, rows: 30 }));
  for (const { waitMs, command } of steps) {
    pass(waitMs);
    driver.input(() => journal.record({ kind: "terminal-input", terminal: "1", text: command }));
  }
  pass(3000);
  driver.setPaused(true);
  return { observed: observe(), entries: journal.entries };
}

function replay(seed: number, entries: readonly JournalEntry<WorldInput>[], untilMs: number): Observed {
  const { world, observe } = makeWorld(seed);
  new Journal<WorldInput>(world.simulation, (input) => world.apply(input)).replay(entries, untilMs);
  return observe();
}

describe("replay", () => {
  it("rebuilds objects, screens and time to the byte from the seed and the journal", () => {
    const step = fc.record({ waitMs: fc.integer({ min: 0, max: 4000 }), command: fc.constantFrom(...commands) });
    const property = fc.property(
      fc.nat(0xffff),
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(120), { minLength: 1, maxLength: 7 }),
      (seed, steps, jitter) => {
        const { observed, entries } = live(seed, steps, jitter);
        expect(replay(seed, JSON.parse(JSON.stringify(entries)), observed.nowMs)).toEqual(observed);
      },
    );
    fc.assert(property, { numRuns: 12 });
  });

  it("gives another world for another seed", () => {
    const names = (seed: number): string => makeWorld(seed).observe().objects;
    expect(names(1)).not.toBe(names(2));
  });
});
