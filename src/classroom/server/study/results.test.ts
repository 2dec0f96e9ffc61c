// What becomes of replays that fail by a mistake of ours.

import { afterEach, beforeEach, expect, test } from "vitest";
import { part, TestClassroom } from "../app.test-kit.ts";
import { type Replayed, Results } from "./results.ts";

let classroom: TestClassroom;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
});
afterEach(() => classroom.stop());

test("whoever runs the server is told why a run could not be replayed, and of no run that is refused for itself", async () => {
  const made = await classroom.class(await classroom.teacher());
  const learner = await classroom.learner(made);
  await learner.put("/runs/labels", part());
  const { id } = (await learner.get("/me")).json();
  const told: string[] = [];
  const answers: Replayed[] = [
    { ok: false, reason: "failed", detail: "Cannot find native binding" },
    { ok: false, reason: "outdated", detail: "it was made in a world that the lab labels does not have now" },
  ];
  const results = new Results({
    ...classroom.services,
    replay: () => Promise.resolve(answers.shift() ?? { ok: true, steps: [] }),
    complain: (error) => void told.push((error as Error).message),
  });
  for (const _run of [1, 2]) {
    await results.look({ learner: id, classId: made.id, lab: "labels", exam: "" }, ["one"]);
    await results.settled();
  }
  expect(told).toEqual(["a run of labels could not be replayed: Cannot find native binding"]);
  expect((await learner.get("/results")).json()).toMatchObject([{ refusal: "outdated" }]);
});
