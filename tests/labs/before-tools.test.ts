// What a browser's worker does before the tools have come: a world without a single late program, in the labs' own clusters.

import { describe, expect, it, vi } from "vitest";
import { labFromSources, labIds } from "#lab/catalog.ts";
import { type LabDefinition, readLab } from "#lab/definition.ts";
import { savedFormat, type WorkerMessage } from "#lab/protocol.ts";
import { FakeWall } from "#lab/wall.test-kit.ts";
import { readLabSources } from "../../src/server/lab-files.ts";

// The set-up of all tests provides the tools; modules that are loaded anew know nothing of them.
vi.resetModules();
const { LabHost } = await import("#lab/lab-host.ts");

const startMs = Date.UTC(2026, 0, 15, 9);
const saved = { format: savedFormat, seed: 5, startMs, nowMs: startMs, entries: [], hints: {}, solutions: [] };
const hourMs = 3_600_000;

/** One lab for each cluster that starts without tools. */
function labsThatStart(): readonly LabDefinition[] {
  const sources = readLabSources();
  const byCluster = new Map<string, LabDefinition>();
  for (const id of labIds(sources)) {
    const lab = labFromSources(sources, id);
    const key = JSON.stringify([lab.cluster, lab.traffic]);
    if (!byCluster.has(key) && open(lab).messages.length > 0) byCluster.set(key, lab);
  }
  return [...byCluster.values()];
}

function open(lab: LabDefinition) {
  const wall = new FakeWall();
  const messages: WorkerMessage[] = [];
  const host = new LabHost({ wall, awaitsTools: true, post: (message) => messages.push(message) });
  host.receive({ kind: "open", lab, saved });
  return { wall, messages, host };
}

describe("before the tools have come", () => {
  it.each(labsThatStart().map((lab) => [lab.id, lab] as const))("%s shows a prompt and runs for an hour", (_id, lab) => {
    const { wall, messages, host } = open(lab);
    host.receive({ kind: "input", input: { kind: "terminal-open", terminal: "1", columns: 80, rows: 24 } });
    host.receive({ kind: "speed", speed: 60 });
    wall.pass(hourMs / 60 + 1000);
    const decoder = new TextDecoder();
    const screen = messages.map((message) => (message.kind === "output" ? decoder.decode(message.bytes) : "")).join("");
    const clocks = messages.flatMap((message) => (message.kind === "clock" ? [message.clock.nowMs] : []));
    expect(messages.filter(({ kind }) => kind === "failed")).toEqual([]);
    expect(screen).toMatch(/\$ /);
    expect((clocks.at(-1) ?? 0) - startMs).toBeGreaterThanOrEqual(hourMs);
  });

  it.each([
    ["a cluster in a cloud", "cloud: true"],
    ["one with a machine beside it", "hosts: [{name: db, address: 192.0.2.42, image: nginx:1.27}]"],
    ["one with an Ingress controller", "addons: [ingress-controller]"],
  ])("%s waits for them", (_what, key) => {
    const { messages, host } = open(readLab("waiting", "lab.yaml", `sandbox: true\n${key}\n`, {}));
    expect(host.waitsForTools).toBe(true);
    expect(messages).toEqual([]);
  });
});
