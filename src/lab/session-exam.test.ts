// A lab held as an exam.

import { describe, expect, it } from "vitest";
import { answered, capstone, memoryStorage, names, visit } from "./session.test-kit.ts";

describe("an exam", () => {
  it("begins with a new cluster, helps with nothing, and ends when all steps have passed", async () => {
    const page = visit();
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    expect(page.session.exam.rules.value).toEqual({ minutes: 20, pass: 66 });
    page.session.exam.start({ minutes: 20, pass: 66 });
    await page.begin();
    page.wall.pass(1000);
    page.session.help.showHint("a");
    page.session.help.showSolution("a");
    page.session.journal.resetStep();
    expect(page.session.steps.value[0]).toMatchObject({
      status: "open",
      missing: [],
      hintsShown: [],
      hintsLeft: 0,
      solution: undefined,
    });
    for (const name of names) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    expect(page.session.exam.view.value?.result).toEqual({
      passedSteps: 4,
      steps: 4,
      points: 40,
      most: 40,
      percent: 100,
      good: true,
    });
  });

  it("ends when its time is up, also while the page is closed; what passes later does not count", async () => {
    const storage = memoryStorage();
    const first = visit({ storage });
    const { id } = first.open();
    await first.begin();
    first.session.exam.start({ minutes: 1, pass: 50 });
    await first.begin();
    first.type(id, "kubectl create configmap a", "configmap/a created");
    first.wall.pass(10_000);
    expect(first.session.exam.view.value?.result).toBeUndefined();
    first.session.close();
    const second = visit({ storage });
    second.wall.pass(60_000);
    second.open();
    await second.begin();
    second.wall.pass(1000);
    expect(second.session.exam.view.value?.result).toEqual({
      passedSteps: 1,
      steps: 4,
      points: 10,
      most: 40,
      percent: 25,
      good: false,
    });
    second.type(id, "kubectl create configmap b", "configmap/b created");
    expect(second.session.exam.view.value?.result?.passedSteps).toBe(1);
    expect(second.session.steps.value[2]?.hintsLeft).toBe(3);
    second.session.reset();
    expect(second.session.exam.view.value).toBeUndefined();
  });
});

describe("a capstone", () => {
  it("takes its tasks in any order, counts their points, and gives no help", async () => {
    const page = visit({ load: () => Promise.resolve(capstone) });
    const { id } = page.open();
    await page.begin();
    const { session } = page;
    expect(session.capstone.value).toBe(true);
    session.exam.start({ minutes: 20, pass: 66 });
    await page.begin();
    page.wall.pass(3000);
    expect(session.steps.value.map(({ open, most, hintsLeft }) => [open, most, hintsLeft])).toEqual(
      [5, 10, 15, 20, 25, 30].map((most) => [true, most, 0]),
    );
    for (const name of ["f", "b", "e"]) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    page.wall.pass(1000);
    expect(session.steps.value.map(({ status }) => status)).toEqual(["open", "passed", "open", "open", "passed", "passed"]);
    session.help.showSolution("a");
    expect(session.steps.value[0]?.solution).toBeUndefined();
    page.wall.pass(20 * 60_000);
    session.exam.look();
    expect(session.exam.view.value?.result).toEqual({ passedSteps: 3, steps: 6, points: 65, most: 105, percent: 62, good: false });
    const review = await answered(page, session.review.steps());
    expect(review.map(({ commands }) => commands.map(({ text }) => text.replace("kubectl create configmap ", "")))).toEqual([
      [],
      ["b"],
      [],
      [],
      ["e"],
      ["f"],
    ]);
    session.help.showSolution("a");
    expect(session.steps.value[0]?.solution).toBeUndefined();
  });
});

describe("a class's exam", () => {
  const minute = { id: "e", beganMs: 0, endsMs: 60_000 };

  it("runs from the start, helps with nothing, also when all is done, and has no result of its own", async () => {
    const page = visit({ held: minute });
    const { id } = page.open();
    await page.begin();
    const { session } = page;
    expect([session.exam.on.value, session.exam.rules.value, session.exam.closed.value]).toEqual([true, undefined, false]);
    expect(session.exam.view.value).toEqual({ minutes: 1, pass: 0, endsMs: 60_000, result: undefined });
    session.exam.start({ minutes: 600, pass: 0 });
    session.help.showHint("a");
    session.help.showSolution("a");
    for (const name of names) page.type(id, `kubectl create configmap ${name}`, `configmap/${name} created`);
    page.wall.pass(1000);
    expect(session.steps.value.map(({ status }) => status)).toEqual(names.map(() => "passed"));
    expect(session.journal.current()).toMatchObject({ hints: {}, solutions: [] });
    expect(session.journal.current().exam).toBeUndefined();
    expect([session.exam.on.value, session.review.open.value]).toEqual([true, false]);
    expect(session.steps.value[0]).toMatchObject({ hintsLeft: 0, solution: undefined, why: undefined, missing: [] });
  });

  it("closes at its end: nothing that is typed, saved or begun anew comes into the world, and no time passes there", async () => {
    const page = visit({ held: minute });
    const { id } = page.open();
    await page.begin();
    page.type(id, "kubectl create configmap a", "configmap/a created");
    const { session } = page;
    page.wall.pass(60_000);
    expect(session.exam.closed.value).toBe(true);
    const before = session.journal.current();
    session.runInTerminal("kubectl create configmap b");
    session.clock.skip(600_000);
    session.clock.setPaused(false);
    session.reset();
    await expect(session.saveFile("/root/x", "x")).rejects.toThrow();
    page.wall.pass(20_000);
    expect(session.journal.current()).toEqual(before);
    expect(session.steps.value.map(({ status }) => status)).toEqual(["passed", "open", "open", "open"]);
  });

  it("goes on as another browser has left it, where the class has it so, and there is no way back from there", async () => {
    const other = visit({ held: minute });
    const { id } = other.open();
    await other.begin();
    other.type(id, "kubectl create configmap a", "configmap/a created");
    const page = visit({ held: minute });
    page.open();
    await page.begin();
    const { journal } = page.session;
    const read = { ok: true, saved: other.session.journal.current() } as const;
    // A link is none of the class's.
    journal.offerRun(read, "link");
    journal.answerOffer(true);
    expect(page.session.state.value.kind).toBe("ready");
    journal.offerRun(read, "class");
    journal.answerOffer(true);
    await page.begin();
    page.wall.pass(1000);
    expect(page.session.steps.value.map(({ status }) => status)).toEqual(["passed", "open", "open", "open"]);
    expect([journal.left.value, page.session.exam.on.value]).toEqual([undefined, true]);
  });
});
