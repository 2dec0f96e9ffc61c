// What is told of a run when the lab is over, and what beginning a step again cannot bring back.

import { describe, expect, it } from "vitest";
import { commandsByStep, stepAt } from "./review.ts";
import { answered, names, passed, visit } from "./session.test-kit.ts";

describe("the review of a lab", () => {
  it("is closed while the lab goes on", async () => {
    const page = visit();
    page.open();
    await page.begin();
    expect(page.session.review.open.value).toBe(false);
    await expect(page.session.review.steps()).rejects.toThrow("a lab is reviewed when it is over");
    await expect(page.session.review.differences()).rejects.toThrow("a lab is reviewed when it is over");
  });

  it("tells what was typed in each step beside its solution, and where the cluster differs from the reference's", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap extra", "configmap/extra created");
    page.type(id, "kubectl create configmap a --from-literal=x=1", "configmap/a created");
    page.type(id, "kubectl get pods", "No resources");
    for (const name of ["b", "c", "d"]) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    expect(page.session.review.open.value).toBe(true);
    const steps = await answered(page, page.session.review.steps());
    expect(steps.map(({ commands }) => commands.map(({ text }) => text))).toEqual([
      ["kubectl create configmap extra", "kubectl create configmap a --from-literal=x=1"],
      ["kubectl get pods", "kubectl create configmap b"],
      ["kubectl create configmap c"],
      ["kubectl create configmap d"],
    ]);
    expect(steps[0]).toMatchObject({ passed: true, points: 10, solution: "kubectl create configmap a", whyHtml: "<p>s</p>" });
    const differences = await answered(page, page.session.review.differences());
    expect(differences.map(({ kind, ref, reference }) => `${kind} ${ref.name} ${reference !== ""}`)).toEqual([
      "ConfigMap a true",
      "ConfigMap extra false",
    ]);
    expect(differences[0]?.mine).toContain('x: "1"');
    // The learner's own world was not touched by it.
    expect(passed(page)).toEqual(names);
  });

  it("opens when an exam's time is up, with what was missing", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.session.exam.start({ minutes: 1, pass: 50 });
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    expect(page.session.review.open.value).toBe(false);
    page.wall.pass(61_000);
    expect(page.session.exam.view.value?.result).toBeDefined();
    const steps = await answered(page, page.session.review.steps());
    expect(steps.map(({ passed, reached }) => [passed, reached])).toEqual([
      [true, true],
      [false, true],
      [false, false],
      [false, false],
    ]);
    expect(steps[1]?.missing).toEqual([{ check: "there", text: "2 sur 4" }]);
  });
});

describe("commands of a step", () => {
  it("are those that began while it was open, files among them", () => {
    const line = (text: string, startedMs: number) => ({ text, code: 0, startedMs, endedMs: startedMs + 50 });
    const states = [0, 100, undefined].map((openedMs) => ({ openedMs, passedMs: undefined }));
    const commands = commandsByStep(
      stepAt(states, false),
      3,
      [line("one\n", 10), line("two", 99), line("three", 100)],
      [{ timeMs: 50, input: { kind: "file-write", path: "web.yaml", text: "" } }],
    );
    expect(commands.map((step) => step.map(({ kind, text }) => `${kind} ${text}`))).toEqual([
      ["command one", "file web.yaml", "command two"],
      ["command three"],
      [],
    ]);
  });

  it("of a capstone are those since the last task that passed, whatever the order; the last ones are the open task's", () => {
    const passes = [300, undefined, 100, undefined].map((passedMs) => ({ openedMs: 0, passedMs }));
    expect([10, 100, 101, 300, 301].map(stepAt(passes, true))).toEqual([2, 2, 0, 0, 1]);
    const all = [300, 100].map((passedMs) => ({ openedMs: 0, passedMs }));
    expect([10, 200, 400].map(stepAt(all, true))).toEqual([1, 0, 0]);
  });
});

describe("beginning a step again", () => {
  it("says what was gone even at its opening, and from which step it comes back", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.type(id, "kubectl create configmap b", "configmap/b created");
    page.type(id, "kubectl delete configmap a; kubectl create configmap c", "configmap/c created");
    page.session.journal.resetStep();
    await page.begin();
    await answered(page, Promise.resolve());
    expect(passed(page)).toEqual(["a", "b", "c"]);
    expect(page.session.journal.undone.value).toEqual({
      missing: [{ check: "there", text: "3 sur 4" }],
      step: { id: "c", title: "c" },
    });
    page.session.journal.resetStep("c");
    await page.begin();
    page.wall.pass(1000);
    expect(passed(page)).toEqual(["a", "b"]);
    page.type(id, "kubectl get configmaps -o name", "configmap/a");
    expect(page.session.journal.undone.value).toBeUndefined();
  });

  it("says nothing where everything was in place", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    page.type(id, "kubectl delete configmap a", "deleted");
    page.session.journal.resetStep();
    await page.begin();
    await answered(page, Promise.resolve());
    expect(page.session.journal.undone.value).toBeUndefined();
    page.type(id, "kubectl get configmaps -o name", "configmap/a");
  });
});
