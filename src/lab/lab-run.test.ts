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
  nowMs = 1000;
  traffic: Observable["traffic"] = {};
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
  managers(): undefined {
    return undefined;
  }
  requests(): readonly unknown[] {
    return [];
  }
  events(): readonly unknown[] {
    return [];
  }
  logs(): string | undefined {
    return undefined;
  }
  http(): unknown {
    return undefined;
  }
  dns(): undefined {
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
  picture: [],
  traffic: [],
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
      {
        id: "create",
        passed: false,
        unmet: [{ check: "exists", values: {}, unknown: false }],
        met: [],
        undone: [],
        openedMs: 1000,
      },
      { id: "replace", passed: false, unmet: [], met: [], undone: [], openedMs: undefined },
    ]);
    expect(run.unmetChecks("create").map(({ check }) => check)).toEqual(["exists", "ready"]);
    cluster.web = { ready: 1, uid: "a" };
    run.evaluate();
    expect(run.steps[0]?.unmet).toEqual([{ check: "ready", values: { ready: "1" }, unknown: false }]);
    expect(run.steps[0]?.met).toEqual(["exists"]);
  });

  it("shows a dash for a value that is empty, so that no sentence has a hole", () => {
    const values = { none: `""`, nobody: "[]", nothing: `${web}.gone`, some: `["a", "b"]` };
    const empty = step("empty", [{ id: "never", that: "false", values }]);
    const run = new LabRun({ ...lab, steps: [empty] }, new Cluster());
    expect(run.unmetChecks("empty")[0]?.values).toEqual({ none: "–", nobody: "–", nothing: "–", some: "a, b" });
  });

  it("keeps what of earlier steps was gone when a step's turn came, in what outlasts a step", () => {
    const cluster = new Cluster();
    const third: LabDefinition = {
      ...lab,
      steps: [
        ...lab.steps.slice(0, 1),
        step("shrink", [
          { id: "fewer", that: `${web}.ready < 3`, values: {} },
          { id: "quiet", that: "traffic.all(name, traffic[name].failed == 0)", values: {} },
        ]),
        step("end", [{ id: "never", that: "false", values: {} }]),
      ],
    };
    const run = new LabRun(third, cluster);
    cluster.web = { ready: 3, uid: "a" };
    run.evaluate();
    expect(run.steps[1]?.undone).toEqual([]);
    cluster.web = { ready: 2, uid: "a" };
    run.evaluate();
    expect(run.steps[2]?.undone).toEqual([{ step: "create", check: "ready", values: { ready: "2" } }]);
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

  it("remembers whether a condition has held at every write since it first did", () => {
    const cluster = new Cluster();
    const always = { value: `${web}.ready >= 2`, keep: "always", afresh: `${web}.uid == "anew"` } as const;
    const steady = { ...step("steady", [{ id: "steady", that: "observed.always", values: {} }]), observe: { always } };
    const run = new LabRun({ ...lab, steps: [steady] }, cluster);
    const see = (seen: Web | undefined): boolean | undefined => {
      cluster.web = seen;
      run.observe();
      const [unmet] = run.unmetChecks("steady");
      return unmet?.unknown === true ? undefined : unmet === undefined;
    };
    const uid = "a";
    expect([see(undefined), see({ ready: 1, uid }), see({ ready: 2, uid }), see({ ready: 3, uid })]).toEqual([
      undefined,
      undefined,
      true,
      true,
    ]);
    // What cannot be evaluated any more does not hold.
    expect([see(undefined), see({ ready: 3, uid })]).toEqual([false, false]);
    expect([see({ ready: 1, uid: "anew" }), see({ ready: 2, uid })]).toEqual([undefined, true]);
  });

  describe("timed checks", () => {
    const start = (timing: object) => {
      const cluster = new Cluster();
      const check = { id: "timed", that: `${web}.ready == 3`, values: {}, ...timing };
      const run = new LabRun({ ...lab, steps: [step("one", [check]), step("two", [check])] }, cluster);
      run.evaluate();
      return (seconds: number, ready: number, uid = "a"): number => {
        cluster.nowMs = 1000 + seconds * 1000;
        cluster.web = { ready, uid };
        run.evaluate();
        nextLook.seconds = run.nextLookMs === undefined ? undefined : (run.nextLookMs - 1000) / 1000;
        return run.passedSteps;
      };
    };
    const nextLook: { seconds: number | undefined } = { seconds: undefined };

    it("hold for a time without a break, and say when to look again", () => {
      const see = start({ forMs: 30_000 });
      expect([see(0, 3), nextLook.seconds, see(20, 2), nextLook.seconds, see(25, 3), nextLook.seconds]).toEqual([
        0,
        30,
        0,
        undefined,
        0,
        55,
      ]);
      expect([see(54, 3), see(55, 3)]).toEqual([0, 1]);
    });

    it("say for how long they have to hold while time alone is missing, and nothing of it while another check fails", () => {
      const cluster = new Cluster();
      const held = { id: "held", that: `${web}.ready == 3`, values: {}, forMs: 30_000 };
      const soon = { id: "soon", that: `${web}.ready == 3`, values: {}, forMs: 5000, withinMs: 10_000 };
      const run = new LabRun(
        { ...lab, steps: [step("one", [held, { ...held, id: "other", that: `${web}.uid == "b"` }, soon])] },
        cluster,
      );
      const see = (seconds: number, ready: number, uid: string) => {
        cluster.nowMs = 1000 + seconds * 1000;
        cluster.web = { ready, uid };
        run.evaluate();
        return run.steps[0]?.unmet.map(({ check, lastsMs }) => [check, lastsMs]);
      };
      expect(see(0, 2, "a")).toEqual([
        ["held", undefined],
        ["other", undefined],
        ["soon", undefined],
      ]);
      expect(see(20, 3, "a")).toEqual([
        ["other", undefined],
        ["soon", undefined],
      ]);
      expect(see(21, 2, "a")?.length).toBe(3);
      const fine = new LabRun({ ...lab, steps: [step("one", [held])] }, cluster);
      cluster.web = { ready: 3, uid: "a" };
      fine.evaluate();
      expect(fine.steps[0]?.unmet).toMatchObject([{ check: "held", lastsMs: 30_000 }]);
    });

    it("come true within a time from the step's opening", () => {
      const see = start({ withinMs: 60_000 });
      expect([see(59, 2), see(61, 3), see(70, 3)]).toEqual([0, 0, 0]);
      const again = start({ withinMs: 60_000 });
      // The second step is opened at 60 s, with the condition as it is.
      expect([again(60, 3)]).toEqual([2]);
    });

    it("come true within a time from when something else did, as often as that does", () => {
      const see = start({ withinMs: 10_000, since: `${web}.uid == "new"` });
      expect([see(100, 3), see(105, 2, "new"), see(120, 3, "new")]).toEqual([0, 0, 0]);
      expect([see(130, 2), see(140, 2, "new"), see(150, 3, "new")]).toEqual([0, 0, 2]);
    });
  });

  it("counts steady clients from the step's opening", () => {
    const cluster = new Cluster();
    cluster.traffic = { web: { sent: 5, failed: 2 } };
    const quiet = { id: "quiet", that: "traffic.web.sentSinceStep >= 4 && traffic.web.failedSinceStep == 0", values: {} };
    const run = new LabRun({ ...lab, steps: [step("one", [quiet]), step("two", [quiet])] }, cluster);
    const see = (sent: number, failed: number): number => {
      cluster.traffic = { web: { sent, failed } };
      run.evaluate();
      return run.passedSteps;
    };
    expect([see(8, 2), see(9, 2), see(13, 3)]).toEqual([0, 1, 1]);
  });

  it("names lab, step and check of an expression that is not CEL", () => {
    const broken = { ...lab, steps: [step("create", [{ id: "exists", that: "exists(", values: {} }])] };
    expect(() => new LabRun(broken, new Cluster())).toThrow(/^lab test, step create, check exists: /);
  });
});

describe("a mistake of ours", () => {
  const faulty = step("faulty", [
    { id: "broken", that: `${web}.uid > 3`, values: {} },
    { id: "other", that: `${web}.ready == 2`, values: {} },
  ]);

  it("is thrown where nobody takes it, so that the proof of the lab fails", () => {
    const cluster = new Cluster();
    cluster.web = { ready: 1, uid: "a" };
    const run = new LabRun({ ...lab, steps: [faulty] }, cluster);
    expect(() => run.evaluate()).toThrow(/^lab test, step faulty, check broken: no such overload/);
  });

  it("is told, shown with its step and not as something that the learner has to do; the step goes on without it once it can be judged", () => {
    const cluster = new Cluster();
    const run = new LabRun({ ...lab, steps: [faulty] }, cluster);
    const told: string[] = [];
    run.onFault.add(({ message }) => told.push(message));
    run.evaluate();
    expect([run.steps[0]?.fault, run.steps[0]?.unmet.map(({ check }) => check)]).toEqual([undefined, ["broken", "other"]]);
    cluster.web = { ready: 1, uid: "a" };
    expect(run.evaluate()).toBe(true);
    const [state] = run.steps;
    expect(state?.fault).toMatch(/^lab test, step faulty, check broken: no such overload/);
    expect([state?.passed, state?.unmet]).toEqual([false, [{ check: "other", values: {}, unknown: false }]]);
    expect(told).toEqual([state?.fault]);
    cluster.web = { ready: 2, uid: 4 as unknown as string };
    run.evaluate();
    expect([run.finished, run.steps[0]?.fault, told.length]).toEqual([true, undefined, 1]);
  });

  it.each<[string, StepDefinition, RegExp]>([
    ["a condition that is none", step("one", [{ id: "text", that: '"yes"', values: {} }]), /check text: it is no bool$/],
    [
      "a value for a sentence",
      step("one", [{ id: "no", that: "false", values: { share: "1 / 0" } }]),
      /check no, value share: division by zero/,
    ],
    [
      "something to keep that is not there",
      step("one", [], { uid: `${web}.uid` }),
      /record uid: it is no value, when the step passes$/,
    ],
    [
      "an observation that is no number",
      { ...step("one", []), observe: { most: { value: '"a"', keep: "most", afresh: "" } } },
      /observation most: it is no number$/,
    ],
    [
      "the beginning of a time",
      step("one", [{ id: "soon", that: "true", values: {}, since: "1", withinMs: 1000 }]),
      /check soon, since: it is no bool$/,
    ],
  ])("is found in %s", (_where, one, message) => {
    const run = new LabRun({ ...lab, steps: [one] }, new Cluster());
    expect(() => run.evaluate()).toThrow(message);
  });
});

describe("a capstone", () => {
  const ready = (count: number): string => `${web}.ready == ${count}`;
  const capstone: LabDefinition = {
    ...lab,
    capstone: true,
    steps: [
      step("three", [{ id: "ready", that: ready(3), values: {} }]),
      step("steady", [{ id: "held", that: `exists("deployments", "default", "web")`, values: {}, forMs: 5000 }]),
      step("quiet", [{ id: "sent", that: "traffic.shop.sentSinceStep >= 2", values: { sent: "traffic.shop.sentSinceStep" } }]),
    ],
  };

  it("opens all its tasks at once, and says of each what is missing", () => {
    const cluster = new Cluster();
    cluster.traffic = { shop: { sent: 7, failed: 0 } };
    const run = new LabRun(capstone, cluster);
    run.evaluate();
    expect(run.steps.map(({ openedMs }) => openedMs)).toEqual([1000, 1000, 1000]);
    expect(run.steps.map(({ unmet }) => unmet.map(({ check }) => check))).toEqual([["ready"], ["held"], ["sent"]]);
    expect(run.steps[2]?.unmet[0]?.values).toEqual({ sent: "0" });
  });

  it("passes them in the order in which they are solved, and tells when", () => {
    const cluster = new Cluster();
    cluster.traffic = { shop: { sent: 0, failed: 0 } };
    const run = new LabRun(capstone, cluster);
    const opened: string[] = [];
    run.onOpen.add(({ id }) => opened.push(id));
    run.evaluate();
    cluster.nowMs = 2000;
    cluster.traffic = { shop: { sent: 2, failed: 0 } };
    cluster.web = { ready: 1, uid: "a" };
    run.evaluate();
    expect(run.passedSteps).toBe(1);
    expect(run.hasPassed("quiet")).toBe(true);
    expect(run.nextLookMs).toBe(7000);
    cluster.nowMs = 7000;
    run.evaluate();
    expect(run.finished).toBe(false);
    cluster.nowMs = 8000;
    cluster.web = { ready: 3, uid: "a" };
    run.evaluate();
    expect(run.steps.map(({ passedMs }) => passedMs)).toEqual([8000, 7000, 2000]);
    expect(run.finished).toBe(true);
    expect(opened).toEqual([]);
  });
});
