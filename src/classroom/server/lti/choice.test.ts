// Deep linking: what a teacher chooses is what the platform's links lead to.

import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { type Browser, startMs, type TestClassroom } from "../app.test-kit.ts";
import { asForm, atEachTest, root, type TestPlatform, visit } from "./platform.test-kit.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const linking = "https://purl.imsglobal.org/spec/lti-dl/claim";
let classroom: TestClassroom;
let platform: TestPlatform;
atEachTest((made) => {
  ({ classroom, platform } = made);
});

const settings = {
  deep_link_return_url: "https://lms.example/back?id=3",
  accept_types: ["ltiResourceLink", "link"],
  accept_multiple: true,
  accept_presentation_document_targets: ["iframe"],
  data: "<opaque & kept>",
};
const choose = (role = "Instructor", over: object = {}) =>
  visit(classroom, platform, {
    role,
    claims: {
      [`${claim}/message_type`]: "LtiDeepLinkingRequest",
      [`${claim}/custom`]: undefined,
      [`${linking}/deep_linking_settings`]: { ...settings, ...over },
    },
  });
const ticketIn = (body: string): string => /name="ticket" value="([^"]+)"/.exec(body)?.[1] ?? "";
const reasonIn = (body: string): string | undefined => /<code>([a-z-]+)<\/code>/.exec(body)?.[1];
const send = (browser: Browser, ticket: string, ...targets: readonly string[]) => {
  const fields = new URLSearchParams({ ticket });
  for (const target of targets) fields.append("target", target);
  return browser.ask("POST", "/lti/choice", fields.toString(), asForm);
};

test("a teacher chooses among the class, its exams and the labs of the course; the platform is told, signed", async () => {
  const { browser } = await visit(classroom, platform, { role: "Instructor" });
  const [{ id: classId }] = (await browser.get("/classes")).json();
  const exam = { title: "Examen <1>", labs: ["labels"], opensAt: startMs, closesAt: startMs + 60_000, minutes: 60 };
  const { id } = (await browser.post(`/classes/${classId}/exams`, exam)).json();
  const { reply } = await choose();
  expect(reply.statusCode).toBe(200);
  const offered = [...reply.body.matchAll(/type="checkbox" name="target" value="([^"]+)"/g)].map(([, value]) => value);
  expect(offered).toEqual(["class", `exam ${id}`, "lab pod-phases", "lab labels"]);
  expect(reply.body).toContain("Examen &#60;1&#62;");
  const ticket = ticketIn(reply.body);
  const back = await send(browser, ticket, "lab labels", `exam ${id}`, "class");
  expect(back.headers["content-security-policy"]).toContain("form-action 'self' https://lms.example;");
  expect(back.body).toContain('<form method="post" action="https://lms.example/back?id=3">');
  const token = /name="JWT" value="([^"]+)"/.exec(back.body)?.[1] ?? "";
  const keys = createLocalJWKSet((await classroom.app.inject("/.well-known/jwks.json")).json());
  const expected = {
    issuer: "client",
    audience: "https://lms.example",
    algorithms: ["RS256"],
    currentDate: new Date(classroom.nowMs),
  };
  const { payload } = await jwtVerify(token, keys, { ...expected, requiredClaims: ["exp", "iat", "nonce"] });
  expect(payload).toMatchObject({
    [`${claim}/deployment_id`]: "1",
    [`${claim}/message_type`]: "LtiDeepLinkingResponse",
    [`${claim}/version`]: "1.3.0",
    [`${linking}/data`]: "<opaque & kept>",
  });
  expect(payload[`${linking}/content_items`]).toEqual([
    {
      type: "ltiResourceLink",
      title: "labels, TP (fr)",
      url: `${root}fr/pods/labels/`,
      custom: { pilothouse: "lab labels" },
      lineItem: { label: "labels, TP (fr)", scoreMaximum: 20, resourceId: "lab labels" },
    },
    {
      type: "ltiResourceLink",
      title: "Examen <1>",
      url: `${root}fr/exam/`,
      custom: { pilothouse: `exam ${id}` },
      lineItem: { label: "Examen <1>", scoreMaximum: 20, resourceId: `exam ${id}` },
    },
    {
      type: "ltiResourceLink",
      title: "Pilothouse",
      url: `${root}fr/`,
      custom: { pilothouse: "" },
      lineItem: { label: "Pilothouse", scoreMaximum: 40, resourceId: "class" },
    },
  ]);
  // The ticket has served.
  expect(reasonIn((await send(browser, ticket, "lab labels")).body)).toBe("not-begun");
});

test("where one is wanted several are not taken, and what there is not neither", async () => {
  const one = { accept_multiple: false };
  const { browser, reply } = await choose("Instructor", one);
  expect(reply.body).not.toContain("checkbox");
  expect(reasonIn((await send(browser, ticketIn(reply.body), "lab labels", "class")).body)).toBe("bad-message");
  const again = await choose("Instructor", one);
  expect(reasonIn((await send(again.browser, ticketIn(again.reply.body), "lab none")).body)).toBe("bad-message");
});

test("nothing goes to an address without encryption, learners choose nothing, other kinds of links are not made", async () => {
  expect(reasonIn((await choose("Instructor", { deep_link_return_url: "http://lms.example/back" })).reply.body)).toBe(
    "bad-message",
  );
  expect(reasonIn((await choose("Instructor", { deep_link_return_url: "javascript:alert(1)" })).reply.body)).toBe("bad-message");
  expect(reasonIn((await choose("Instructor", { accept_types: ["file"] })).reply.body)).toBe("bad-message");
  expect(reasonIn((await choose("Learner")).reply.body)).toBe("no-role");
});

test("a choice is over after an hour", async () => {
  const { browser, reply } = await choose();
  classroom.nowMs += 3_600_000;
  expect(reasonIn((await send(browser, ticketIn(reply.body), "class")).body)).toBe("not-begun");
});
