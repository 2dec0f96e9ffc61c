import { describe, expect, it } from "vitest";
import type { Observable } from "./checks.ts";
import type { LabDefinition, StepDefinition } from "./definition.ts";
import { LabRun } from "./lab-run.ts";

interface Web {
  readonly ready?: number;
  readonly uid: string;
}

/** A cluster with at most one object, `web`. */
class Cluster implements Observable {
  web: Web | undefined;
  readonly history = [];
  objects(): readonly unknown[] {
    return this.web === undefined ? [] : [this.web];
  }
  object(_resource: string, _namespace: string, name: string): unknown {
    return name === "web" ? this.web : undefined;
  }
  file(): string | undefined {
    return undefined;
  }
}

const web = 'object("deployments", "default", "web")';
const step = (id: string, checks: StepDefinition["checks"], record: StepDefinition["record"] = {}): StepDefinition => ({
  id,
  observe: {},
  checks,
  record,
  solution: "true",
  ways: [],
  wrong: [],
});
const lab: LabDefinition = {
  id: "test",
  cluster: { nodes: 3 },
  files: {},
  setup: "",
  steps: [
    step(
      "create",
      [
        { id: "exists", that: 'exists("deployments", "default", "web")', values: {} },
        { id: "ready", that: `${web}.ready == 3`, values: { ready: `${web}.ready` } },
      ],
      { uid: `${web}.uid` },
    ),
    step("replace", [{ id: "other", that: `${web}.uid != recorded.uid`, values: { uid: "recorded.uid" } }]),
  ],
};

describe("a learner's run through a lab", () => {
  it("says what is missing, and not what cannot be judged yet", () => {
    const cluster = new Cluster();
    const run = new LabRun(lab, cluster);
    expect(run.evaluate()).toBe(true);
    expect(run.steps).toEqual([
      { id: "create", passed: false, unmet: [{ check: "exists", values: {}, unknown: false }] },
      { id: "replace", passed: false, unmet: [] },
    ]);
    expect(run.unmetChecks("create").map(({ check }) => check)).toEqual(["exists", "ready"]);
    cluster.web = { ready: 1, uid: "a" };
    run.evaluate();
    expect(run.steps[0]?.unmet).toEqual([{ check: "ready", values: { ready: "1" }, unknown: false }]);
  });

  it("passes steps in order, keeps what they record, and does not take a pass back", () => {
    const cluster = new Cluster();
    const run = new LabRun(lab, cluster);
    cluster.web = { ready: 3, uid: "a" };
    expect(run.evaluate()).toBe(true);
    expect(run.passedSteps).toBe(1);
    expect(run.recorded).toEqual({ uid: "a" });
    cluster.web = undefined;
    run.evaluate();
    expect(run.passedSteps).toBe(1);
    cluster.web = { uid: "b" };
    run.evaluate();
    expect(run.finished).toBe(true);
    expect(run.evaluate()).toBe(false);
  });

  it("follows values while a step is open, and begins anew where the step says so", () => {
    const cluster = new Cluster();
    const observe: StepDefinition["observe"] = {
      least: { value: `${web}.ready`, keep: "least", afresh: `${web}.uid == "a"` },
      most: { value: `${web}.ready`, keep: "most", afresh: "" },
    };
    const that = `observed.least >= 2 && ${web}.uid == "b"`;
    const steady = { ...step("steady", [{ id: "steady", that, values: { least: "observed.least" } }]), observe };
    const run = new LabRun({ ...lab, steps: [steady, { ...steady, id: "again" }] }, cluster);
    const see = (ready: number, uid: string): boolean => {
      cluster.web = { ready, uid };
      run.observe();
      return run.unmetChecks("steady").length === 0;
    };
    expect(run.unmetChecks("steady")).toEqual([{ check: "steady", values: { least: "–" }, unknown: true }]);
    expect([see(3, "b"), see(1, "b"), see(3, "b")]).toEqual([true, false, false]);
    expect(run.unmetChecks("steady")[0]?.values).toEqual({ least: "1" });
    expect([see(3, "a"), see(2, "b")]).toEqual([false, true]);
    run.evaluate();
    // Each step observes for itself, from its opening on.
    expect(run.passedSteps).toBe(2);
  });

  it("names lab, step and check of an expression that is not CEL", () => {
    const broken = { ...lab, steps: [step("create", [{ id: "exists", that: "exists(", values: {} }])] };
    expect(() => new LabRun(broken, new Cluster())).toThrow(/^lab test, step create, check exists: /);
  });
});
