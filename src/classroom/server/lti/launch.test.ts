// Launches of a learning platform: who comes in, and who does not.

import { describe, expect, test } from "vitest";
import { Browser, startMs, TestClassroom } from "../app.test-kit.ts";
import {
  asForm,
  atEachTest,
  beginLogin,
  comeBack,
  crossSite,
  form,
  root,
  TestPlatform,
  type Visit,
  visit,
} from "./platform.test-kit.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
let classroom: TestClassroom;
let platform: TestPlatform;
atEachTest((made) => {
  ({ classroom, platform } = made);
});

const instructor: Visit = { subject: "t1", name: "Ada Lovelace", role: "Instructor" };
const lea: Visit = { subject: "s1", name: "Léa", lab: "pod-phases" };
const come = (who: Visit) => visit(classroom, platform, who);
const reasonIn = (body: string): string | undefined => /<code>([a-z-]+)<\/code>/.exec(body)?.[1];
const acts = async () =>
  (await classroom.services.database.selectFrom("audit").select(["what", "about"]).orderBy("at").execute()).map(
    ({ what, about }) => `${what} ${about}`,
  );

describe("a login", () => {
  test("sends the browser to the platform, bound to what it will come back with", async () => {
    const browser = new Browser(classroom.app);
    const { reply, state, nonce } = await beginLogin(browser);
    expect(reply.statusCode).toBe(303);
    const to = new URL(String(reply.headers.location));
    expect(Object.fromEntries(to.searchParams)).toEqual({
      tenant: "a",
      scope: "openid",
      response_type: "id_token",
      response_mode: "form_post",
      prompt: "none",
      client_id: "client",
      redirect_uri: `${root}api/lti/launch`,
      login_hint: "h",
      lti_message_hint: "m",
      state,
      nonce,
    });
    expect(reply.headers["set-cookie"]).toMatch(
      /^__Host-pilothouse-launch=[A-Za-z0-9_-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
    );
    const kept = JSON.stringify(await classroom.services.database.selectFrom("lti_flows").selectAll().execute());
    for (const secret of [state, browser.cookies["__Host-pilothouse-launch"] ?? "-"]) expect(kept).not.toContain(secret);
  });

  test("may also come by an address, and need not say which client it means where there is one", async () => {
    const asked = form({ iss: "https://lms.example", login_hint: "h", target_link_uri: `${root}fr/`, canvas_region: "x" });
    expect((await new Browser(classroom.app).get(`/lti/login?${asked}`)).statusCode).toBe(303);
  });

  test.each([
    ["of another platform", { iss: "https://other.example" }, "unknown-platform"],
    ["of another client", { client_id: "other" }, "unknown-platform"],
    ["of another deployment", { lti_deployment_id: "9" }, "unknown-deployment"],
    ["that leads elsewhere", { target_link_uri: "https://k.example.evil/" }, "bad-message"],
  ])("%s is refused", async (_title, over, reason) => {
    const { reply } = await beginLogin(new Browser(classroom.app), over);
    expect([reply.statusCode, reasonIn(reply.body)]).toEqual([403, reason]);
  });
});

describe("a launch", () => {
  test("of an instructor opens the course's class, and the same one again", async () => {
    const { browser, reply } = await come(instructor);
    const [made] = (await browser.get("/classes")).json();
    expect(made).toMatchObject({ name: "Cours c1", locale: "fr", open: true, learners: 0 });
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `${root}fr/class/#class/${made.id}`]);
    expect((await browser.get("/me")).json()).toMatchObject({ role: "teacher", name: "Ada Lovelace" });
    const again = await come({ ...instructor, name: "Ada L." });
    expect(again.reply.headers.location).toBe(reply.headers.location);
    expect((await again.browser.get("/me")).json()).toEqual((await browser.get("/me")).json());
    expect((await browser.get("/classes")).json()).toHaveLength(1);
    const colleague = await come({ subject: "t2", name: "Ada Lovelace", role: "Instructor" });
    expect((await colleague.browser.get("/me")).json()).toMatchObject({ name: "Ada Lovelace (2)" });
    expect(await acts()).toContainEqual(expect.stringMatching(/^launched teacher \S+ class \S+$/));
  });

  test("of a learner joins that class without a code or a word, at the lab of the link", async () => {
    const teacher = (await come(instructor)).browser;
    const first = await come(lea);
    expect([first.reply.statusCode, first.reply.headers.location]).toEqual([303, `${root}fr/join/#in=pods/pod-phases`]);
    const me = (await first.browser.get("/me")).json();
    expect(me).toMatchObject({ role: "learner", name: "Léa", class: { name: "Cours c1" } });
    expect((await (await come(lea)).browser.get("/me")).json()).toEqual(me);
    // Somebody else of the same name.
    const other = await come({ ...lea, subject: "s2" });
    expect((await other.browser.get("/me")).json()).toMatchObject({ name: "Léa (2)" });
    expect((await teacher.get("/classes")).json()).toMatchObject([{ learners: 2 }]);
  });

  test("of a learner by an exam's link leads to the exam's page", async () => {
    const teacher = (await come(instructor)).browser;
    const [{ id: classId }] = (await teacher.get("/classes")).json();
    const exam = { title: "Examen", labs: ["labels"], opensAt: startMs, closesAt: startMs + 60_000, minutes: 60 };
    const { id } = (await teacher.post(`/classes/${classId}/exams`, exam)).json();
    const { reply } = await come({ subject: "s1", name: "Léa", exam: id });
    expect(reply.headers.location).toBe(`${root}fr/join/#in=exam/${id}`);
  });

  test("of a learner does not take over a name that somebody joined with by the code", async () => {
    const teacher = (await come(instructor)).browser;
    const [made] = (await teacher.get("/classes")).json();
    const byCode = await classroom.learner(made, "Léa");
    const { browser } = await come(lea);
    expect((await browser.get("/me")).json().id).not.toBe((await byCode.get("/me")).json().id);
  });

  test.each([
    ["too long", "N".repeat(300), "N".repeat(40)],
    ["of two lines", "Léa\n\u202eAdmin", "Léa Admin"],
    ["of spaces", " \u200b ", "#"],
    ["withheld", undefined, "#"],
  ])("takes a name that is %s as far as it is one", async (_title, name, expected) => {
    await come(instructor);
    const { browser } = await come({ ...lea, name });
    expect((await browser.get("/me")).json().name.replace(/^#.{6}$/, "#")).toBe(expected);
  });

  test("of another course is another class; a learner of both is two", async () => {
    for (const course of ["c1", "c2"]) await come({ ...instructor, course });
    const [one, two] = [await come(lea), await come({ ...lea, course: "c2" })];
    const [a, b] = [(await one.browser.get("/me")).json(), (await two.browser.get("/me")).json()];
    expect([a.class.name, b.class.name, a.id === b.id]).toEqual(["Cours c1", "Cours c2", false]);
  });

  test("in a frame has a window opened, by a ticket that serves once and soon", async () => {
    await come(instructor);
    const browser = new Browser(classroom.app);
    const { state, nonce } = await beginLogin(browser);
    const reply = await comeBack(browser, { state, id_token: await platform.sign(platform.idToken(nonce, lea)) }, "iframe");
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('action="https://k.example/api/lti/enter" target="_blank"');
    expect(reply.headers["content-security-policy"]).toMatch(
      /^default-src 'none';style-src 'sha256-[^']+';form-action 'self';base-uri 'none';frame-ancestors https:\/\/lms\.example$/,
    );
    expect(reply.headers["x-frame-options"]).toBeUndefined();
    // Other pages stay out of frames.
    expect((await classroom.app.inject("/fr/")).headers["content-security-policy"]).toMatch(/frame-ancestors 'none'/);
    expect(Object.keys(browser.cookies)).toEqual(["__Host-pilothouse-launch"]);
    const ticket = /name="ticket" value="([^"]+)"/.exec(reply.body)?.[1] ?? "";
    const enter = () => browser.ask("POST", "/lti/enter", form({ ticket }), asForm);
    const elsewhere = await browser.ask("POST", "/lti/enter", form({ ticket }), { ...asForm, ...crossSite });
    expect(elsewhere.json()).toMatchObject({ error: "forbidden" });
    const entered = await enter();
    expect([entered.statusCode, entered.headers.location]).toEqual([303, `${root}fr/join/#in=pods/pod-phases`]);
    expect((await browser.get("/me")).json()).toMatchObject({ role: "learner", name: "Léa" });
    expect(reasonIn((await enter()).body)).toBe("not-begun");
  });

  test("whose browser kept no cookie begins again in a window of its own", async () => {
    const { state, nonce } = await beginLogin(new Browser(classroom.app));
    const token = await platform.sign(platform.idToken(nonce, lea));
    const reply = await comeBack(new Browser(classroom.app), { state, id_token: token }, "iframe");
    expect(reply.statusCode).toBe(200);
    const address = /href="([^"]+)" target="_blank"/.exec(reply.body)?.[1]?.replaceAll("&#38;", "&") ?? "";
    const { pathname, search } = new URL(address);
    const again = await new Browser(classroom.app).get(`${pathname.slice("/api".length)}${search}`);
    expect([pathname, again.statusCode]).toEqual(["/api/lti/login", 303]);
    expect(new URL(String(again.headers.location)).searchParams.get("lti_message_hint")).toBe("m");
    expect(await classroom.services.database.selectFrom("sessions").selectAll().execute()).toEqual([]);
  });

  const hour = 3600;
  const seconds = Math.floor(startMs / 1000);
  test.each([
    ["for somebody else", { aud: "other" }, "wrong-audience"],
    ["for several, without saying whom it means", { aud: ["client", "other"] }, "wrong-audience"],
    ["for several, meaning another", { aud: ["client", "other"], azp: "other" }, "wrong-audience"],
    ["of another issuer", { iss: "https://other.example" }, "wrong-audience"],
    ["that is over", { exp: seconds - 31 }, "expired"],
    ["that is old, though it says that it still holds", { iat: seconds - 2 * hour, exp: seconds + hour }, "expired"],
    ["that will be", { iat: seconds + hour, exp: seconds + 2 * hour }, "expired"],
    ["without an end", { exp: undefined }, "bad-message"],
    ["without anybody", { sub: undefined }, "bad-message"],
    ["with another nonce", { nonce: "n" }, "wrong-nonce"],
    ["of a deployment that is not known", { [`${claim}/deployment_id`]: "2" }, "unknown-deployment"],
    ["of LTI 1.1", { [`${claim}/version`]: "1.1" }, "bad-message"],
    ["of another message", { [`${claim}/message_type`]: "LtiSubmissionReviewRequest" }, "bad-message"],
    ["without a course", { [`${claim}/context`]: undefined }, "no-course"],
    ["without a role", { [`${claim}/roles`]: [] }, "no-role"],
    [
      "of an administrator of the platform who is nothing in the course",
      { [`${claim}/roles`]: ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"] },
      "no-role",
    ],
  ])("with a token %s is refused", async (_title, claims, reason) => {
    await come(instructor);
    const { browser, reply } = await come({ ...lea, claims });
    expect([reply.statusCode, reasonIn(reply.body)]).toEqual([403, reason]);
    expect((await browser.get("/me")).json().role).toBe("nobody");
    expect((await acts()).some((act) => act.startsWith(`launch-refused ${reason}`))).toBe(true);
  });

  test.each([
    ["client and others, meaning us", { aud: ["client", "other"], azp: "client" }],
    ["a clock half a minute ahead", { iat: seconds + 29 }],
  ])("with a token for %s is good", async (_title, claims) => {
    await come(instructor);
    expect((await come({ ...lea, claims })).reply.statusCode).toBe(303);
  });

  test("signed by somebody else, or by nobody, is refused", async () => {
    await come(instructor);
    const stranger = new TestPlatform(() => classroom.nowMs);
    await stranger.start();
    const browser = new Browser(classroom.app);
    const first = await beginLogin(browser);
    const token = await stranger.sign(platform.idToken(first.nonce, lea));
    expect(reasonIn((await comeBack(browser, { state: first.state, id_token: token })).body)).toBe("bad-signature");
    const second = await beginLogin(browser);
    const [head = "", body = ""] = ['{"alg":"none"}', JSON.stringify(platform.idToken(second.nonce, lea))].map((part) =>
      Buffer.from(part).toString("base64url"),
    );
    const unsigned = await comeBack(browser, { state: second.state, id_token: `${head}.${body}.` });
    expect(reasonIn(unsigned.body)).toBe("bad-signature");
    await stranger.stop();
  });

  test("is used once: neither its state nor its token comes in a second time", async () => {
    await come(instructor);
    const browser = new Browser(classroom.app);
    const { state, nonce } = await beginLogin(browser);
    const id_token = await platform.sign(platform.idToken(nonce, lea));
    expect((await comeBack(browser, { state, id_token })).statusCode).toBe(303);
    expect(reasonIn((await comeBack(browser, { state, id_token })).body)).toBe("not-begun");
    const later = await beginLogin(browser);
    expect(reasonIn((await comeBack(browser, { state: later.state, id_token })).body)).toBe("wrong-nonce");
  });

  test("does not come in with another browser's state", async () => {
    await come(instructor);
    const [own, others] = [new Browser(classroom.app), new Browser(classroom.app)];
    await beginLogin(own);
    const { state, nonce } = await beginLogin(others);
    const id_token = await platform.sign(platform.idToken(nonce, lea));
    expect(reasonIn((await comeBack(own, { state, id_token })).body)).toBe("other-browser");
    // It is used up: the one it was stolen from begins again.
    expect(reasonIn((await comeBack(others, { state, id_token })).body)).toBe("not-begun");
  });

  test("is over ten minutes after it was begun", async () => {
    await come(instructor);
    const browser = new Browser(classroom.app);
    const { state, nonce } = await beginLogin(browser);
    classroom.nowMs += 600_000;
    const id_token = await platform.sign(platform.idToken(nonce, lea));
    expect(reasonIn((await comeBack(browser, { state, id_token })).body)).toBe("not-begun");
  });

  test("that the platform itself refuses comes to nothing", async () => {
    const browser = new Browser(classroom.app);
    const { state } = await beginLogin(browser);
    expect(reasonIn((await comeBack(browser, { state, error: "login_required" })).body)).toBe("platform-said-no");
  });

  test("with a key that the platform has taken back is refused within five minutes; a new key is known at once", async () => {
    await come(instructor);
    const browser = new Browser(classroom.app);
    const before = await beginLogin(browser);
    const old = await platform.sign(platform.idToken(before.nonce, lea));
    await platform.newKey();
    classroom.nowMs += 299_000;
    // A launch with the new key makes the server ask again.
    expect((await come({ ...lea, subject: "s3" })).reply.statusCode).toBe(303);
    expect(reasonIn((await comeBack(browser, { state: before.state, id_token: old })).body)).toBe("bad-signature");
    const asked = platform.keyQuestions;
    expect((await come(lea)).reply.statusCode).toBe(303);
    expect(platform.keyQuestions).toBe(asked);
  });

  test("while the platform's keys cannot be had is said to be for later", async () => {
    const browser = new Browser(classroom.app);
    const { state, nonce } = await beginLogin(browser);
    const id_token = await platform.sign(platform.idToken(nonce, instructor));
    platform.isDown = true;
    const reply = await comeBack(browser, { state, id_token });
    expect([reply.statusCode, reasonIn(reply.body)]).toEqual([503, "platform-away"]);
    platform.isDown = false;
    expect((await come(instructor)).reply.statusCode).toBe(303);
  });

  test("of a learner before any instructor's waits for one; a closed class takes nobody new", async () => {
    expect(reasonIn((await come(lea)).reply.body)).toBe("class-not-there");
    const teacher = (await come(instructor)).browser;
    await come(lea);
    const [{ id, revision, name, locale, plan }] = (await teacher.get("/classes")).json();
    await teacher.put(`/classes/${id}`, { revision, name, locale, plan, open: false });
    expect((await come(lea)).reply.statusCode).toBe(303);
    expect(reasonIn((await come({ ...lea, subject: "s2" })).reply.body)).toBe("class-closed");
  });

  test("says why not in the reader's language, without anything of the token's", async () => {
    const browser = new Browser(classroom.app);
    const { state, nonce } = await beginLogin(browser);
    const id_token = await platform.sign(platform.idToken(nonce, { ...lea, name: "<script>", claims: { aud: "<b>" } }));
    const headers = { ...asForm, ...crossSite, "accept-language": "ja-JP,ja;q=0.9" };
    const reply = await browser.ask("POST", "/lti/launch", form({ state, id_token }), headers);
    expect(reply.body).toContain('<html lang="ja">');
    expect(reply.body).not.toMatch(/<script>|<b>/);
  });
});

test("what is removed takes its ties to the platform along", async () => {
  const teacher = (await come(instructor)).browser;
  await come(lea);
  const [{ id }] = (await teacher.get("/classes")).json();
  await teacher.ask("DELETE", `/classes/${id}`);
  const { database } = classroom.services;
  for (const table of ["lti_contexts", "lti_learners", "lti_line_items", "lti_scores"] as const)
    expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([]);
});

test("without a platform there is no way in by one", async () => {
  const alone = new TestClassroom();
  await alone.start();
  expect((await alone.browser().ask("POST", "/lti/launch", {})).json()).toEqual({ error: "not-found" });
  await alone.stop();
});
