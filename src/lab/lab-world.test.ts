import { describe, expect, it } from "vitest";
import type { LabDefinition, StepDefinition } from "./definition.ts";
import { labRun, startWorld } from "./lab-world.ts";

const name = "registry.lab.example/app";
const step = (id: string, more: Partial<StepDefinition> = {}): StepDefinition => ({
  id,
  observe: {},
  checks: [{ id: "there", that: `exists("namespaces", "", "${id}")`, values: {} }],
  record: {},
  solution: `kubectl create namespace ${id}`,
  ways: [],
  wrong: [],
  ...more,
});
const lab: LabDefinition = {
  id: "test",
  cluster: {
    nodes: 1,
    registries: [{ host: "registry.lab.example", images: { "app:v1": { from: "nginx:1.27" }, "app:v2": { from: "nginx:1.28" } } }],
  },
  picture: [],
  traffic: [],
  files: {},
  setup: "",
  steps: [step("one"), step("two", { tags: { [`${name}:v1`]: `${name}:v2` } }), step("three")],
};

describe("a lab's run in its world", () => {
  it("moves tags when a step's turn comes", () => {
    const world = startWorld(lab, { startMs: Date.UTC(2026, 0, 15, 9), seed: 7 });
    const run = labRun(world, lab);
    const digest = (tag: string): string => {
      const pulled = world.cluster.registry.pull(`${name}:${tag}`, undefined);
      return pulled.ok ? pulled.image.digest : pulled.message;
    };
    const before = digest("v1");
    run.evaluate();
    expect(digest("v1")).toBe(before);
    world.runSetup("kubectl create namespace one");
    run.evaluate();
    expect(run.passedSteps).toBe(1);
    expect(digest("v1")).toBe(digest("v2"));
    expect(digest("v2")).not.toBe(before);
  });

  it("pulls the plug of a node when a step's turn comes, and puts it back", () => {
    const steps = [step("one"), step("two", { power: { "node-1": "off" } }), step("three", { power: { "node-1": "on" } })];
    const world = startWorld({ ...lab, steps }, { startMs: Date.UTC(2026, 0, 15, 9), seed: 7 });
    const run = labRun(world, { ...lab, steps });
    const state = () => world.cluster.powerOf("node-1")?.state;
    run.evaluate();
    expect(state()).toBe("on");
    world.runSetup("kubectl create namespace one");
    run.evaluate();
    expect(state()).toBe("off");
    world.runSetup("kubectl create namespace two");
    run.evaluate();
    expect(state()).toBe("booting");
  });

  it("lets a component's copy lag from a step's turn on, until another one's", () => {
    const copy = "kube-controller-manager/pods";
    const steps = [step("one"), step("two", { watches: { [copy]: "10s" } }), step("three", { watches: { [copy]: "0s" } })];
    const world = startWorld({ ...lab, steps }, { startMs: Date.UTC(2026, 0, 15, 9), seed: 7 });
    const run = labRun(world, { ...lab, steps });
    const lag = () => Object.fromEntries(world.cluster.watchDelays.get("kube-controller-manager")?.all ?? []);
    run.evaluate();
    expect(lag()).toEqual({});
    world.runSetup("kubectl create namespace one");
    run.evaluate();
    expect(lag()).toEqual({ pods: 10_000 });
    world.runSetup("kubectl create namespace two");
    run.evaluate();
    expect(lag()).toEqual({});
  });
});
