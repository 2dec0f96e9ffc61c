// A teacher's password and sessions.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OpenSession } from "../wire.ts";
import { type Browser, startMs, TestClassroom } from "./app.test-kit.ts";
import { hashSecret, isOfOtherCost } from "./people/secrets.ts";
import { invite } from "./people/teachers.ts";

const password = "twelve letters at least";
const other = "another twelve letters";
const hourMs = 3_600_000;
let classroom: TestClassroom;
let teacher: Browser;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
  teacher = await classroom.teacher("Ada Lovelace");
});
afterEach(() => classroom.stop());

const signIn = async (as: string, browser = classroom.browser()): Promise<Browser> => {
  await browser.post("/session", { name: "Ada Lovelace", password: as });
  return browser;
};
const isIn = async (browser: Browser): Promise<boolean> => (await browser.get("/classes")).statusCode === 200;
const acts = async (): Promise<readonly string[]> => {
  const rows = await classroom.services.database.selectFrom("audit").select(["what", "who", "about"]).orderBy("at").execute();
  return rows.map(({ what }) => what);
};
const sessionsOf = async (browser: Browser): Promise<readonly OpenSession[]> => (await browser.get("/sessions")).json();

describe("a password that changes", () => {
  test("is the new one from then on; other sessions end, and this browser has a new one", async () => {
    const home = await signIn(password);
    const before = teacher.cookies;
    expect((await teacher.ask("PUT", "/password", { old: password, password: other })).statusCode).toBe(204);
    expect(await isIn(teacher)).toBe(true);
    expect(teacher.cookies).not.toEqual(before);
    expect(await isIn(home)).toBe(false);
    expect(await isIn(await signIn(password))).toBe(false);
    expect(await isIn(await signIn(other))).toBe(true);
    expect((await classroom.services.database.selectFrom("sessions").selectAll().execute()).length).toBe(2);
    expect(await acts()).toContain("password-changed");
  });

  test("stays as it is without the old one; ten wrong ones, and it waits as signing in does", async () => {
    for (let tries = 0; tries < 10; tries += 1)
      expect((await teacher.ask("PUT", "/password", { old: "wrong", password: other })).json()).toEqual({
        error: "wrong-password",
      });
    const late = await teacher.ask("PUT", "/password", { old: password, password: other });
    expect([late.statusCode, late.json()]).toEqual([429, { error: "too-many-requests" }]);
    expect((await classroom.browser().post("/session", { name: "Ada Lovelace", password })).statusCode).toBe(429);
    classroom.nowMs += 600_000;
    expect(await isIn(await signIn(password))).toBe(true);
  });

  test.each([
    ["that many have", "1qaz2wsx3edc", "common-password"],
    ["that many have, in capitals", "QwertyUiop123", "common-password"],
    ["of the product's name and a number", "Pilothouse-2026", "guessable-password"],
    ["of words of the course", "kubernetes kubectl", "guessable-password"],
    ["of the own name", "ada.lovelace.ADA", "guessable-password"],
    ["of the own name written as one", "adalovelace123", "guessable-password"],
    ["that is short", "eleven char", "bad-request"],
  ])("is not one %s", async (_title, easy, error) => {
    const reply = await teacher.ask("PUT", "/password", { old: password, password: easy });
    expect([reply.statusCode, reply.json().error]).toEqual([400, error]);
    expect(await isIn(await signIn(password))).toBe(true);
  });

  test.each([
    ["of signs alone", "#$%&/()=?!{}"],
    ["of another script", "合言葉はあんぜんなもので"],
    ["with a known word among others", "ada hides four red kites"],
    ["of 200 letters", "kites".repeat(40)],
  ])("may be one %s", async (_title, fine) => {
    expect((await teacher.ask("PUT", "/password", { old: password, password: fine })).statusCode).toBe(204);
    expect(await isIn(await signIn(fine))).toBe(true);
  });
});

test("a teacher does not come in with an easy password; the invitation stays good", async () => {
  const { token } = await invite(classroom.services, null);
  const come = async (name: string, as: string) =>
    (await classroom.browser().post("/teachers", { invitation: token, name, password: as })).json();
  expect(await come("Grace", "qwertyuiop123")).toEqual({ error: "common-password" });
  expect(await come("Grace Hopper", "gracehopper1")).toEqual({ error: "guessable-password" });
  expect(await come("Grace", "hoppers on grass")).toMatchObject({ role: "teacher" });
});

describe("sessions", () => {
  test("a teacher sees the own ones: when they began and were last used", async () => {
    await classroom.teacher("Grace");
    classroom.nowMs += hourMs;
    const home = await signIn(password);
    const seen = await sessionsOf(home);
    const [first, second] = seen;
    expect(seen).toEqual([
      { id: first?.id, begunAt: startMs + hourMs, usedAt: startMs + hourMs, isThis: true },
      { id: second?.id, begunAt: startMs, usedAt: startMs, isThis: false },
    ]);
    // What names a session does not open it.
    expect(Object.values(home.cookies)[0]).not.toContain(first?.id);
    classroom.nowMs += 3 * hourMs;
    expect((await sessionsOf(home)).map(({ isThis }) => isThis)).toEqual([true]);
  });

  test("one ends by its id, or all others at once, and only with the password", async () => {
    const [school, home] = [await signIn(password), await signIn(password)];
    const end = async (body: object) => (await teacher.post("/sessions/end", body)).statusCode;
    const ofSchool = (await sessionsOf(school)).find(({ isThis }) => isThis)?.id;
    expect((await teacher.post("/sessions/end", { password: "wrong", session: ofSchool })).json()).toEqual({
      error: "wrong-password",
    });
    expect(await isIn(school)).toBe(true);
    expect(await end({ password, session: ofSchool })).toBe(204);
    expect([await isIn(school), await isIn(home)]).toEqual([false, true]);
    expect(await end({ password, session: ofSchool })).toBe(404);
    expect(await end({ password, session: null })).toBe(204);
    expect([await isIn(home), await isIn(teacher)]).toEqual([false, true]);
    expect((await acts()).filter((what) => what === "sessions-ended")).toHaveLength(2);
  });

  test("a session ends after a day, however much it is used", async () => {
    for (let hours = 3; hours < 24; hours += 3) {
      classroom.nowMs += 3 * hourMs;
      expect(await isIn(teacher)).toBe(true);
    }
    classroom.nowMs += 3 * hourMs;
    expect(await isIn(teacher)).toBe(false);
  });

  test("nobody ends another teacher's", async () => {
    const grace = await classroom.teacher("Grace");
    const [own] = await sessionsOf(teacher);
    expect((await grace.post("/sessions/end", { password, session: own?.id })).statusCode).toBe(404);
    expect((await grace.post("/sessions/end", { password, session: null })).statusCode).toBe(204);
    expect(await isIn(teacher)).toBe(true);
  });

  test("signing in again in the same browser ends the session that was there", async () => {
    const before = teacher.cookies;
    await signIn(password, teacher);
    const stolen = await classroom.app.inject({ url: "/api/classes", cookies: { ...before } });
    expect(stolen.statusCode).toBe(401);
    expect(await sessionsOf(teacher)).toHaveLength(1);
  });
});

describe("another teacher's account", () => {
  let grace: Browser;
  let graceId: string;
  beforeEach(async () => {
    classroom.nowMs += hourMs;
    grace = await classroom.teacher("Grace");
    graceId = (await grace.get("/me")).json().id;
  });
  const end = async (browser: Browser, id: string, as = password) => {
    const reply = await browser.post(`/teachers/${id}/end`, { password: as });
    return reply.statusCode === 204 ? 204 : reply.json().error;
  };

  test("is one of those that all teachers see, in the order in which they came", async () => {
    const { id } = (await teacher.get("/me")).json();
    expect((await grace.get("/teachers")).json()).toEqual([
      { id, name: "Ada Lovelace", madeAt: startMs, isThis: false },
      { id: graceId, name: "Grace", madeAt: startMs + hourMs, isThis: true },
    ]);
  });

  test("ends with the own password: its sessions, its invitations; its classes stay, and go on", async () => {
    const { token } = (await grace.post("/invitations")).json();
    const made = await classroom.class(grace);
    const learner = await classroom.learner(made);
    expect(await end(teacher, graceId, "wrong")).toBe("wrong-password");
    expect(await isIn(grace)).toBe(true);
    expect(await end(teacher, graceId)).toBe(204);
    expect(await isIn(grace)).toBe(false);
    expect((await grace.post("/session", { name: "Grace", password })).json()).toEqual({ error: "wrong-password" });
    const come = { invitation: token, name: "Eve", password };
    expect((await classroom.browser().post("/teachers", come)).json()).toEqual({ error: "bad-invitation" });
    expect((await teacher.get("/classes")).json()).toMatchObject([{ id: made.id, learners: 1 }]);
    expect((await learner.get("/work")).statusCode).toBe(200);
    expect(await end(teacher, graceId)).toBe("not-found");
    const { id } = (await teacher.get("/me")).json();
    const line = classroom.services.database.selectFrom("audit").select(["who", "about"]).where("what", "=", "teacher-removed");
    expect(await line.execute()).toEqual([{ who: `teacher ${id}`, about: graceId }]);
  });

  test("is not the own one, so that somebody is always left; and ten wrong passwords wait as at signing in", async () => {
    expect(await end(grace, graceId)).toBe("forbidden");
    expect(await isIn(grace)).toBe(true);
    const { id } = (await teacher.get("/me")).json();
    for (let tries = 0; tries < 10; tries += 1) expect(await end(grace, id, "wrong")).toBe("wrong-password");
    expect(await end(grace, id)).toBe("too-many-requests");
  });

  test("of two who end each other's at the same moment, one is left", async () => {
    const { id } = (await teacher.get("/me")).json();
    const ends = await Promise.all([end(teacher, graceId), end(grace, id)]);
    expect(ends.filter((one) => one === 204)).toHaveLength(1);
    expect(await classroom.services.database.selectFrom("teachers").select("id").execute()).toHaveLength(1);
  });
});

test("the audit log holds no name that nobody has: it may be a password in the wrong field", async () => {
  await classroom.browser().post("/session", { name: "my secret password", password: "x" });
  await classroom.browser().post("/session", { name: "Ada Lovelace", password: "x" });
  const { id } = (await teacher.get("/me")).json();
  const failed = classroom.services.database.selectFrom("audit").select("about").where("what", "=", "sign-in-failed");
  expect((await failed.execute()).map(({ about }) => about).sort()).toEqual(["", id]);
});

test("hashes of another cost are made anew when their owners come back", async () => {
  const learner = await classroom.class(teacher);
  await classroom.learner(learner);
  const { database, costs } = classroom.services;
  const old = { N: 8, r: 1, p: 1 };
  await database
    .updateTable("teachers")
    .set({ password: await hashSecret(password, old) })
    .execute();
  await database
    .updateTable("learners")
    .set({ word: await hashSecret("jonquille", old) })
    .execute();
  for (const _time of [1, 2]) {
    expect(await isIn(await signIn(password))).toBe(true);
    expect((await (await classroom.learner(learner)).get("/work")).statusCode).toBe(200);
    const [kept] = await database.selectFrom("teachers").select("password").execute();
    const [word] = await database.selectFrom("learners").select("word").execute();
    expect(isOfOtherCost(kept?.password ?? "", costs.teacher)).toBe(false);
    expect(isOfOtherCost(word?.word ?? "", costs.learner)).toBe(false);
  }
});
