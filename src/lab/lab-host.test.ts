// A host whose tools come later: the cluster starts, the prompt shows, and what is typed waits.

import { describe, expect, it } from "vitest";
import type { LabDefinition, StepDefinition } from "./definition.ts";
import { LabHost } from "./lab-host.ts";
import { type PageMessage, type SavedLab, savedFormat, type WorkerMessage } from "./protocol.ts";
import { FakeWall } from "./wall.test-kit.ts";

const labWith = (setup: string): LabDefinition => ({
  id: "one",
  cluster: { nodes: 1 },
  picture: [],
  traffic: [],
  files: {},
  setup,
  steps: [],
});
const stepWith = (id: string, that: string, further: Partial<StepDefinition> = {}): StepDefinition => ({
  id,
  observe: {},
  checks: [{ id: "check", that, values: {} }],
  record: {},
  solution: "true",
  ways: [],
  wrong: [],
  ...further,
});
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
    host.toolsAreThere();
    // Carried out, its answer, and what was typed ahead.
    expect(wall.passUntil(() => /\/etc.*words/s.test(screen().slice(written.length)), 5000)).toBe(true);
  });

  it("shows letters of Latin at once, and wider writing once the tools tell its width", () => {
    const { wall, host, screen } = startHost();
    for (const message of [{ kind: "open", lab: labWith(""), saved: fresh } as const, open]) host.receive(message);
    expect(wall.passUntil(() => screen().includes("$ "), 20_000)).toBe(true);
    host.receive(typing("échõ "));
    expect(wall.passUntil(() => screen().includes("échõ "), 2000)).toBe(true);
    expect(host.waitsForTools).toBe(false);
    host.receive(typing("クラスター"));
    expect(host.waitsForTools).toBe(true);
    host.toolsAreThere();
    expect(wall.passUntil(() => screen().includes("échõ クラスター"), 2000)).toBe(true);
  });

  it.each([
    ["a set-up", "kubectl create namespace shop", fresh],
    ["time that has passed", "", { ...fresh, nowMs: startMs + 5000 }],
    ["a kept journal", "", { ...fresh, nowMs: startMs + 5000, entries: [{ timeMs: startMs, input: open.input }] }],
  ] as const)("does not start a lab with %s before", (_what, setup, saved) => {
    const { messages, host } = startHost();
    host.receive({ kind: "open", lab: labWith(setup), saved: saved as SavedLab });
    expect(messages).toEqual([]);
    expect(host.waitsForTools).toBe(true);
    host.toolsAreThere();
    expect(host.waitsForTools).toBe(false);
    expect(messages.some(({ kind }) => kind === "ready")).toBe(true);
  });

  it("says nothing of the steps' checks before, and how they stand at once then", () => {
    const { messages, host, wall } = startHost();
    const steps = [stepWith("held", "true"), stepWith("open", 'exists("pods", "default", "web")'), stepWith("later", "true")];
    host.receive({ kind: "open", lab: { ...labWith(""), steps }, saved: fresh });
    wall.pass(3000);
    const told = () => messages.flatMap((message) => (message.kind === "steps" ? [message.steps] : []));
    const openedMs = told()[0]?.[0]?.openedMs as number;
    const untouched = { passed: false, unmet: [], met: [], undone: [], openedMs: undefined };
    expect(told()).toEqual([
      [
        { ...untouched, id: "held", openedMs },
        { ...untouched, id: "open" },
        { ...untouched, id: "later" },
      ],
    ]);
    host.toolsAreThere();
    expect(told().slice(1)).toEqual([
      [
        { ...untouched, id: "held", passed: true, openedMs, passedMs: expect.any(Number) },
        {
          ...untouched,
          id: "open",
          unmet: [{ check: "check", values: {}, unknown: false }],
          openedMs: expect.any(Number),
        },
        { ...untouched, id: "later" },
      ],
    ]);
    expect(openedMs).toBe(startMs);
  });

  it("shows a check that cannot be judged as our fault, with its step and in the log, and goes on", () => {
    const wall = new FakeWall();
    const messages: WorkerMessage[] = [];
    const host = new LabHost({ wall, survivesFaults: true, post: (message) => messages.push(message) });
    const lab = { ...labWith(""), steps: [stepWith("one", 'exists("widgets", "default", "web")')] };
    host.receive({ kind: "open", lab, saved: fresh });
    const faults = messages.flatMap((message) => (message.kind === "fault" ? [message.fault] : []));
    expect(faults[0]).toMatchObject({ room: "lab" });
    expect(faults[0]?.detail).toContain('lab one, step one, check check: there is no resource "widgets"');
    const steps = messages.flatMap((message) => (message.kind === "steps" ? message.steps : []));
    expect(steps.at(-1)).toMatchObject({ passed: false, unmet: [], fault: expect.stringContaining("widgets") });
    expect(messages.some(({ kind }) => kind === "ready")).toBe(true);
  });

  it.each<[string, StepDefinition]>([
    ["an observed value", stepWith("one", "true", { observe: { pods: { value: "1", keep: "most", afresh: "" } } })],
    ["a check with a limit", stepWith("one", "true", { checks: [{ id: "check", that: "true", values: {}, withinMs: 1000 }] })],
    ["a check that must last", stepWith("one", "true", { checks: [{ id: "check", that: "true", values: {}, forMs: 1000 }] })],
    ["a page", stepWith("one", 'http("workstation", "http://10.0.0.1").code == 200')],
    ["a name", stepWith("one", 'dns("default", "web").size() > 0')],
    ["steady traffic", stepWith("one", "traffic.web.sentSinceStep > 10")],
  ])("does not start a lab whose first step follows %s before", (_what, step) => {
    const { messages, host } = startHost();
    host.receive({ kind: "open", lab: { ...labWith(""), steps: [step, stepWith("two", "true")] }, saved: fresh });
    expect(messages).toEqual([]);
    host.toolsAreThere();
    expect(messages.some(({ kind }) => kind === "ready")).toBe(true);
  });

  it("fails when the lab turns out to be wrong", () => {
    const { messages, host } = startHost();
    host.receive({ kind: "open", lab: { ...labWith(""), steps: [stepWith("one", "no CEL")] }, saved: fresh });
    host.toolsAreThere();
    expect(messages.at(-1)).toMatchObject({ kind: "failed", detail: expect.stringContaining("lab one, step one, check check") });
  });

  it("passes the same steps at the same times when what was done is done again", () => {
    const steps = [
      stepWith("first", 'history.exists(c, c.line.startsWith("ls"))', { record: { commands: "history.size()" } }),
      stepWith("second", "recorded.commands > 5"),
    ];
    const lab = { ...labWith(""), steps };
    const { messages, host, wall } = startHost();
    host.receive({ kind: "open", lab, saved: fresh });
    host.receive(open);
    wall.pass(3000);
    host.toolsAreThere();
    host.receive(typing("ls\r"));
    wall.pass(3000);
    const lastOf = (told: readonly WorkerMessage[]) => told.findLast(({ kind }) => kind === "steps");
    expect(lastOf(messages)).toMatchObject({ steps: [{ passed: true, openedMs: startMs }, { passed: false }] });

    const entries = messages.flatMap((message) => (message.kind === "journal" ? [message.entry] : []));
    const again = startHost();
    again.host.receive({ kind: "open", lab, saved: { ...fresh, entries, nowMs: startMs + 6000 } });
    again.host.toolsAreThere();
    expect(lastOf(again.messages)).toEqual(lastOf(messages));
  });

  it("does again what was done while copies lagged, and comes to the same at the same times", () => {
    const ready = (replicas: number) => `object("replicasets", "default", "web").?status.?readyReplicas.orValue(0) == ${replicas}`;
    const steps = [
      stepWith("late", ready(2)),
      stepWith("later", ready(1), { watches: { "kube-controller-manager/pods": "30s" } }),
      stepWith("at once", ready(3), { watches: { "kube-controller-manager/pods": "0s" } }),
    ];
    const set =
      '{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"registry.k8s.io/pause:3.10"}]}}}}';
    const lab = { ...labWith("watch-delay kube-controller-manager pods 10s"), steps };
    const { messages, host, wall, screen } = startHost();
    host.receive({ kind: "open", lab, saved: fresh });
    host.receive(open);
    host.toolsAreThere();
    wall.pass(3000);
    host.receive(typing(`echo '${set}' | kubectl apply -f -\r`));
    wall.pass(8000);
    const lastOf = (told: readonly WorkerMessage[]) => told.findLast(({ kind }) => kind === "steps");
    expect(lastOf(messages)).toMatchObject({ steps: [{ passed: false }, { passed: false }, { passed: false }] });
    wall.pass(30_000);
    for (const replicas of [1, 3]) {
      host.receive(typing(`kubectl scale rs web --replicas=${replicas}; watch-delay\r`));
      wall.pass(60_000);
    }
    expect(lastOf(messages)).toMatchObject({ steps: [{ passed: true }, { passed: true }, { passed: true }] });
    expect(screen()).toContain("kube-controller-manager   pods       30s");
    expect(screen()).toContain("Nothing is held up.");

    const entries = messages.flatMap((message) => (message.kind === "journal" ? [message.entry] : []));
    const again = startHost();
    again.host.receive({ kind: "open", lab, saved: { ...fresh, entries, nowMs: startMs + 161_000 } });
    again.host.toolsAreThere();
    expect(lastOf(again.messages)).toEqual(lastOf(messages));
  });
});
