import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { part, TestClassroom } from "../app.test-kit.ts";
import { backUp, restore } from "./backup.ts";
import { type Database, openDatabase } from "./open.ts";

let classroom: TestClassroom;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
});
afterEach(() => classroom.stop());

const other = (name: string): Promise<Database> =>
  openDatabase({ dataFolder: join(classroom.folder, name), databaseUrl: undefined });
const file = (name: string): string => join(classroom.folder, name);

test("what was backed up is there again in another database, runs byte for byte", async () => {
  const teacher = await classroom.teacher();
  const made = await classroom.class(teacher);
  const learner = await classroom.learner(made, "李雷");
  await learner.put("/runs/pod-phases", part());
  await learner.put("/work", { lessons: { a: { steps: ["x"], questions: [], done: true, doneDay: 1, recalls: [] } }, last: "a/a" });
  const { database } = classroom.services;
  const rows = await backUp(database, file("b.gz"));
  const copy = await other("copy");
  expect(await restore(copy, file("b.gz"))).toBe(rows);
  for (const table of ["teachers", "classes", "learners", "work", "last_places", "runs", "run_pieces", "audit"] as const) {
    const all = await database.selectFrom(table).selectAll().execute();
    expect(all.length, table).toBeGreaterThan(0);
    expect(JSON.stringify(await copy.selectFrom(table).selectAll().execute()), table).toBe(JSON.stringify(all));
  }
  expect(await copy.selectFrom("sessions").selectAll().execute()).toEqual([]);
  await copy.destroy();
});

test("a database that has somebody in it is not written over", async () => {
  await classroom.teacher();
  await backUp(classroom.services.database, file("b.gz"));
  await expect(restore(classroom.services.database, file("b.gz"))).rejects.toThrow(
    "the database is not empty; restore into a new data folder or a new database",
  );
});

test.each([
  ["something else", "hello", "the backup cannot be read: incorrect header check"],
  ["other lines", gzipSync('{"a":1}\n'), "the file is no backup of a classroom"],
  [
    "a later version",
    gzipSync('{"kind":"pilothouse-classroom","version":2}\n'),
    "the backup was made by another version of Pilothouse",
  ],
  ["nothing", gzipSync(""), "the file is empty"],
  [
    "an unknown table",
    gzipSync('{"kind":"pilothouse-classroom","version":1}\n["users",{}]\n'),
    "the backup holds users, which this version does not know",
  ],
])("%s is no backup, and nothing is written", async (name, content, sentence) => {
  mkdirSync(file(name), { recursive: true });
  writeFileSync(file(`${name}.gz`), content);
  const empty = await other(name);
  await expect(restore(empty, file(`${name}.gz`))).rejects.toThrow(sentence);
  await empty.destroy();
});

test("a backup that is cut off leaves nothing behind", async () => {
  await classroom.class(await classroom.teacher());
  await backUp(classroom.services.database, file("b.gz"));
  const whole = readFileSync(file("b.gz"));
  writeFileSync(file("cut.gz"), whole.subarray(0, whole.length - 20));
  const empty = await other("cut");
  await expect(restore(empty, file("cut.gz"))).rejects.toThrow("the backup cannot be read: unexpected end of file");
  expect(await empty.selectFrom("teachers").selectAll().execute()).toEqual([]);
  await empty.destroy();
});
