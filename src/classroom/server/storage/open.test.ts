import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase, StorageError } from "./open.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "classroom-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openDatabase({ dataFolder: join(folder, "data"), databaseUrl: undefined });

test("a database is made on first start and found again on the next", async () => {
  const first = await open();
  await first.insertInto("teachers").values({ id: "t", name: "Ada", name_key: "ada", password: "x", made_at: 5 }).execute();
  await first.destroy();
  const second = await open();
  expect(await second.selectFrom("teachers").selectAll().execute()).toEqual([
    { id: "t", name: "Ada", name_key: "ada", password: "x", made_at: 5 },
  ]);
  await second.destroy();
});

test("what belongs to a class or a learner goes with it", async () => {
  const database = await open();
  await database.insertInto("teachers").values({ id: "t", name: "Ada", name_key: "ada", password: "x", made_at: 5 }).execute();
  const made = { name: "A", locale: "fr", code: "c", plan: "[]", is_open: 1, revision: 1, by_teacher: "t", made_at: 5 };
  await database
    .insertInto("classes")
    .values({ id: "c", ...made })
    .execute();
  const learner = { id: "l", class_id: "c", name: "L", name_key: "l", word: "w", joined_at: 6, seen_at: 6 };
  await database.insertInto("learners").values(learner).execute();
  await database.insertInto("work").values({ learner_id: "l", lesson: "x", done: "{}", changed_at: 7 }).execute();
  await database.deleteFrom("classes").where("id", "=", "c").execute();
  expect(await database.selectFrom("work").selectAll().execute()).toEqual([]);
  await database.destroy();
});

test("a database of a newer version is refused", async () => {
  const database = await open();
  await sql`insert into kysely_migration (name, timestamp) values ('0002-later', '2027-01-01T00:00:00Z')`.execute(database);
  await database.destroy();
  await expect(open()).rejects.toThrow(
    new StorageError("the database was made by a newer version of Pilothouse (it has 0002-later); start that version"),
  );
});

test("a data folder that cannot be made is said so", async () => {
  writeFileSync(join(folder, "data"), "");
  await expect(open()).rejects.toThrow(/classroom\.sqlite cannot be opened/);
});

test("an address without a database is said so", async () => {
  const databaseUrl = "postgres://nobody@127.0.0.1:9/none";
  await expect(openDatabase({ dataFolder: folder, databaseUrl })).rejects.toThrow(
    /the database cannot be used: connect ECONNREFUSED/,
  );
});
