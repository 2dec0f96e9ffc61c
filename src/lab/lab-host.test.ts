// A host whose tools come later: the cluster starts, the prompt shows, and what is typed waits.

import { describe, expect, it } from "vitest";
import type { LabDefinition } from "./definition.ts";
import { FakeWall } from "./fake-wall.ts";
import { LabHost } from "./lab-host.ts";
import { type PageMessage, type SavedLab, savedFormat, type WorkerMessage } from "./protocol.ts";

const labWith = (setup: string): LabDefinition => ({ id: "one", cluster: { nodes: 1 }, traffic: [], files: {}, setup, steps: [] });
const startMs = Date.UTC(2026, 0, 15, 9);
const fresh: SavedLab = { format: savedFormat, seed: 11, startMs, nowMs: startMs, entries: [], hints: {}, solutions: [] };
const open: PageMessage = {
  kind: "input",
  input: { kind: "terminal-open", terminal: "one", columns: 100, rows: 30 },
};
const typing = (text: string): PageMessage => ({ kind: "input", input: { kind: "terminal-input", terminal: "one", text } });

function startHost() {
  const wall = new FakeWall();
  const messages: WorkerMessage[] = [];
  const host = new LabHost({ wall, awaitsTools: true, post: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  const screen = () => messages.map((message) => (message.kind === "output" ? decoder.decode(message.bytes) : "")).join("");
  return { wall, messages, host, screen };
}

describe("a host that waits for its tools", () => {
  it("starts a cluster and shows a prompt that is written at; a line is carried out once the tools are there", () => {
    const { wall, host, screen } = startHost();
    for (const message of [{ kind: "open", lab: labWith(""), saved: fresh } as const, open]) host.receive(message);
    expect(wall.passUntil(() => screen().includes("$ "), 20_000)).toBe(true);
    for (const text of ["ls -d", " /etc"]) host.receive(typing(text));
    expect(wall.passUntil(() => screen().includes("ls -d /etc"), 2000)).toBe(true);
    const written = screen();
    for (const text of ["\r", "words"]) host.receive(typing(text));
    wall.pass(2000);
    expect(screen()).toBe(written);
    host.provideTools();
    // Carried out, its answer, and what was typed ahead.
    expect(wall.passUntil(() => /\/etc.*words/s.test(screen().slice(written.length)), 5000)).toBe(true);
  });

  it.each([
    ["a set-up", "kubectl create namespace shop", fresh],
    ["a kept journal", "", { ...fresh, nowMs: startMs + 5000, entries: [{ timeMs: startMs, input: open.input }] }],
  ] as const)("does not start a lab with %s before", (_what, setup, saved) => {
    const { messages, host } = startHost();
    host.receive({ kind: "open", lab: labWith(setup), saved: saved as SavedLab });
    expect(messages).toEqual([]);
    host.provideTools();
    expect(messages.some(({ kind }) => kind === "ready")).toBe(true);
  });
});
