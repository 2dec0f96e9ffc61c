// Roles at the API: each route by whom it is for, other people's classes, and requests that other sites make.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClassroom } from "./app.test-kit.ts";

let classroom: TestClassroom;
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start();
});
afterEach(() => classroom.stop());

describe("who may what", () => {
  const forLearners = [
    "GET /work",
    "PUT /work",
    "GET /runs/x",
    "PUT /runs/x",
    "GET /results",
    "PUT /presence",
    "GET /messages",
    "GET /events",
    "GET /own",
    "POST /own/end",
    "GET /exams",
    "GET /certificates",
    "POST /exams/e/sitting",
    "GET /exams/e/runs/x",
    "PUT /exams/e/runs/x",
  ];
  const ofClass = [
    "",
    "/board",
    "/board/events",
    "/figures",
    "/results.csv",
    "/statements.json",
    "/learners/l",
    "/learners/l/runs/x",
    "/exams",
    "/exams/e/results",
    "/lti",
    "/certificates",
    "/exams/e/results.csv",
    "/exams/e/learners/l/runs/x",
    "/events",
    "/keeping",
  ].map((path) => `GET /classes/c${path}`);
  const writes = [
    "POST /classes",
    "PUT /classes/c",
    "DELETE /classes/c",
    "PUT /classes/c/learners/l/word",
    "DELETE /classes/c/learners/l",
    "POST /classes/c/messages",
    "POST /classes/c/exams",
    "DELETE /classes/c/exams/e",
    "POST /classes/c/lti/retry",
    "POST /classes/c/learners/l/certificates",
    "DELETE /classes/c/learners/l/certificates/K",
  ];
  const own = ["PUT /password", "GET /sessions", "POST /sessions/end", "GET /teachers", "POST /teachers/t/end"];
  const forTeachers = ["GET /classes", ...ofClass, ...writes, ...own, "POST /invitations"];

  test.each([...forLearners, ...forTeachers])("%s asks who one is", async (line) => {
    const [method, path] = line.split(" ") as ["GET", string];
    const reply = await classroom.browser().ask(method, path, method === "GET" ? undefined : {});
    expect([reply.statusCode, reply.json()]).toEqual([401, { error: "not-signed-in" }]);
  });

  test("learners have nothing of a teacher's, teachers nothing of a learner's", async () => {
    const teacher = await classroom.teacher();
    const learner = await classroom.learner(await classroom.class(teacher));
    for (const [browser, lines] of [
      [learner, forTeachers],
      [teacher, forLearners],
    ] as const) {
      for (const line of lines) {
        const [method, path] = line.split(" ") as ["GET", string];
        expect((await browser.ask(method, path, method === "GET" ? undefined : {})).json(), line).toEqual({ error: "forbidden" });
      }
    }
  });

  test("the lists above name every route but those for anyone", () => {
    const names: Readonly<Record<string, string>> = {
      ":class": "c",
      ":learner": "l",
      ":lab": "x",
      ":exam": "e",
      ":teacher": "t",
      ":code": "K",
    };
    const listed = classroom.routes
      .filter(({ for: whom, method }) => whom !== "anyone" && method !== "HEAD")
      .map(({ method, url }) => `${method} ${url.slice("/api".length).replace(/:[a-z]+/g, (name) => names[name] ?? name)}`);
    expect(listed.sort()).toEqual([...forLearners, ...forTeachers].sort());
  });

  test("a learner of another class is not found in this one", async () => {
    const teacher = await classroom.teacher();
    const [one, two] = [await classroom.class(teacher, "A"), await classroom.class(teacher, "B")];
    const { id } = (await (await classroom.learner(one)).get("/me")).json();
    expect((await teacher.get(`/classes/${two.id}/learners/${id}`)).statusCode).toBe(404);
    expect((await teacher.post(`/classes/${two.id}/messages`, { to: id, text: "x" })).statusCode).toBe(404);
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a neighbour on the same domain", { "sec-fetch-site": "same-site" }],
    ["another origin", { origin: "http://evil.example" }],
    ["no origin of its own", { origin: "null" }],
  ])("what %s sends changes nothing", async (_title, headers) => {
    const teacher = await classroom.teacher();
    const reply = await teacher.ask("POST", "/classes", { name: "A", locale: "fr" }, headers);
    expect([reply.statusCode, reply.json().error]).toEqual([403, "forbidden"]);
    expect((await teacher.get("/classes")).json()).toEqual([]);
  });

  test("a body that is not JSON is refused", async () => {
    const teacher = await classroom.teacher();
    const reply = await teacher.ask("POST", "/classes", "name=A&locale=fr", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(reply.json().error).toBe("bad-request");
  });
});
