// Who came by a learning platform has neither a word nor a password: a launch stands for it, for ten minutes.

import { describe, expect, test } from "vitest";
import type { Browser, TestClassroom } from "../app.test-kit.ts";
import { atEachTest, type TestPlatform, type Visit, visit } from "./platform.test-kit.ts";

const minuteMs = 60_000;
let classroom: TestClassroom;
let platform: TestPlatform;
atEachTest((made) => {
  ({ classroom, platform } = made);
});

const instructor: Visit = { subject: "t1", name: "Ada Lovelace", role: "Instructor" };
const lea: Visit = { subject: "s1", name: "Léa", lab: "pod-phases" };
const come = (who: Visit) => visit(classroom, platform, who);

describe("a learner's data, where nobody knows a word", () => {
  const end = (browser: Browser, word: string | null) => browser.post("/own/end", { word });

  test("are deleted soon after a launch, which stands for the word", async () => {
    await come(instructor);
    const { browser } = await come(lea);
    expect((await browser.get("/me")).json()).toMatchObject({ hasWord: false });
    expect((await browser.get("/own")).json().lti_learners).toMatchObject([{ subject: "s1", hasWord: false }]);
    expect((await end(browser, "jonquille")).json()).toEqual({ error: "wrong-password" });
    classroom.nowMs += 10 * minuteMs - 1;
    expect((await end(browser, null)).statusCode).toBe(204);
    expect(await classroom.services.database.selectFrom("learners").selectAll().execute()).toEqual([]);
  });

  test("are not deleted in a browser that came longer ago, though another one has just come", async () => {
    await come(instructor);
    const { browser } = await come(lea);
    classroom.nowMs += 10 * minuteMs;
    const fresh = (await come(lea)).browser;
    const late = await end(browser, null);
    expect([late.statusCode, late.json()]).toEqual([403, { error: "over" }]);
    expect((await end(fresh, null)).statusCode).toBe(204);
  });

  test("are deleted with the word alone once the teacher has told one, and by who joined with one", async () => {
    const teacher = (await come(instructor)).browser;
    const [made] = (await teacher.get("/classes")).json();
    const { id } = (await (await come(lea)).browser.get("/me")).json();
    await teacher.put(`/classes/${made.id}/learners/${id}/word`, { word: "jonquille" });
    const told = (await come(lea)).browser;
    const tom = await classroom.learner(made, "Tom");
    for (const browser of [told, tom]) {
      expect((await browser.get("/me")).json()).toMatchObject({ hasWord: true });
      expect((await end(browser, null)).json()).toEqual({ error: "wrong-password" });
      expect((await end(browser, "jonquille")).statusCode).toBe(204);
    }
  });
});

describe("a teacher of a learning platform, who has no password here,", () => {
  const password = "twelve letters at least";
  const end = async (browser: Browser, id: string, as: string | null) => {
    const reply = await browser.post(`/teachers/${id}/end`, { password: as });
    return reply.statusCode === 204 ? 204 : reply.json().error;
  };
  const endSessions = async (browser: Browser, as: string | null) => {
    const reply = await browser.post("/sessions/end", { password: as, session: null });
    return reply.statusCode === 204 ? 204 : reply.json().error;
  };
  const isIn = async (browser: Browser): Promise<boolean> => (await browser.get("/classes")).statusCode === 200;

  test("is told so, and changes none", async () => {
    const { browser } = await come(instructor);
    expect((await browser.get("/me")).json()).toMatchObject({ role: "teacher", hasPassword: false });
    expect((await (await classroom.teacher("Grace")).get("/me")).json()).toMatchObject({ role: "teacher", hasPassword: true });
    const kept = () => classroom.services.database.selectFrom("teachers").select("password").orderBy("id").execute();
    const before = await kept();
    const reply = await browser.put("/password", { old: password, password: "another twelve letters" });
    expect([reply.statusCode, reply.json().error]).toEqual([403, "forbidden"]);
    expect(await kept()).toEqual(before);
  });

  test("ends other sessions soon after a launch, which stands for a password; later, after another launch only", async () => {
    const school = (await come(instructor)).browser;
    classroom.nowMs += 5 * minuteMs;
    const home = (await come(instructor)).browser;
    expect(await endSessions(home, password)).toBe("wrong-password");
    classroom.nowMs += 5 * minuteMs;
    // The session of school is ten minutes old; that another one is younger does not help it.
    expect(await endSessions(school, null)).toBe("over");
    expect([await isIn(school), await isIn(home)]).toEqual([true, true]);
    classroom.nowMs += 5 * minuteMs - 1;
    expect(await endSessions(home, null)).toBe(204);
    expect([await isIn(school), await isIn(home)]).toEqual([false, true]);
  });

  test("ends a colleague's account so, and not the own one", async () => {
    const { browser } = await come(instructor);
    const grace = await classroom.teacher("Grace");
    const [own, other] = [(await browser.get("/me")).json().id, (await grace.get("/me")).json().id];
    classroom.nowMs += 10 * minuteMs;
    expect(await end(browser, other, null)).toBe("over");
    const fresh = (await come(instructor)).browser;
    expect(await end(fresh, own, null)).toBe("forbidden");
    expect(await end(fresh, other, null)).toBe(204);
    expect([await isIn(grace), await isIn(fresh)]).toEqual([false, true]);
  });

  test("is none of those who have one: they say it, however short ago they signed in", async () => {
    const { browser } = await come(instructor);
    const { id } = (await browser.get("/me")).json();
    const grace = await classroom.teacher("Grace");
    expect([await end(grace, id, null), await endSessions(grace, null)]).toEqual(["wrong-password", "wrong-password"]);
    expect(await isIn(browser)).toBe(true);
    expect(await end(grace, id, password)).toBe(204);
    expect(await isIn(browser)).toBe(false);
  });
});
