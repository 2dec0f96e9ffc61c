// Whatever comes in, the API answers without a fault of its own.

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, part, TestClassroom } from "./app.test-kit.ts";
import { type PostgresServer, postgresPrograms, startPostgres } from "./postgres.test-kit.ts";

const lesson = { steps: ["a"], questions: [1], done: true, doneDay: 20_000, recalls: [{ question: 1, box: 2, day: 5 }] };
/** Bodies that are right, to be spoilt. */
const bodies: Readonly<Record<string, object>> = {
  "/teachers": { invitation: "x", name: "Ada", password: "twelve letters at least" },
  "/session": { name: "Ada", password: "twelve letters at least" },
  // Wrong ones: the teacher stays signed in.
  "/password": { old: "not this one", password: "twelve other letters" },
  "/sessions/end": { password: "not this one", session: null },
  "/teachers/:teacher/end": { password: "not this one" },
  "/own/end": { word: "not this one" },
  "/join": { code: "AAAA-AAAA", name: "Léa", word: "jonquille", locale: "fr" },
  "/work": { lessons: { "pod-phases": lesson }, last: "pods/pod-phases" },
  "/runs/:lab": part({ hints: { one: 1 }, solutions: ["one"], claims: ["one"] }),
  "/presence": { place: "pods/pod-phases", lab: "pod-phases", step: "one", attempts: 1, hints: 0, active: true },
  "/classes": { name: "Terminale", locale: "ja", plan: [{ lesson: "pod-phases", from: 5, until: null }] },
  "/classes/:class": { revision: 1, name: "Terminale", locale: "ja", plan: [], open: true },
  "/classes/:class/learners/:learner/word": { word: "tulipe" },
  "/classes/:class/exams": { title: "Examen", labs: ["labels"], opensAt: 0, closesAt: 2 ** 50, minutes: 600 },
  "/exams/:exam/runs/:lab": part({ claims: ["one"] }),
  "/classes/:class/learners/:learner/certificates": { locale: "ja", labs: ["labels"], exams: [] },
  "/certificates/check": { credential: "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.e30.AAAA" },
  "/lti/login": { iss: "https://lms.example", login_hint: "h", target_link_uri: "https://k.example/" },
  "/lti/launch": { state: "x", id_token: "a.b.c" },
  "/lti/enter": { ticket: "A".repeat(43) },
  "/lti/choice": { ticket: "A".repeat(43), target: ["class"] },
  "/classes/:class/messages": { to: null, text: "Pause !" },
};
/** Nothing answers there. */
const platform = {
  name: "L",
  issuer: "https://lms.example",
  clientId: "c",
  deployments: ["1"],
  login: "https://lms.example/auth",
  token: "http://127.0.0.1:9/token",
  keys: "http://127.0.0.1:9/keys",
};
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    "",
    "\u0000",
    "\ud800",
    "a\u0000b",
    "__proto__",
    "constructor",
    "\u2028",
    "‮",
    "x".repeat(5000),
    -1,
    1e308,
    2 ** 53,
    -0,
    0.5,
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** A right body with one of its values, at any depth, replaced, removed or doubled under another name. */
function spoil(body: object, at: number, value: unknown, how: "keep" | "replace" | "remove" | "add"): object {
  const copy = structuredClone(body);
  if (how === "keep") return copy;
  const places: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const walk = (holder: unknown): void => {
    if (typeof holder !== "object" || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push({ holder: holder as Record<string, unknown>, key });
      walk((holder as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const { holder, key } = places[at % places.length] as (typeof places)[number];
  if (how === "remove") delete holder[key];
  else holder[how === "add" ? String(value).slice(0, 40) : key] = value;
  return copy;
}

const word = fc.oneof(
  fc.constantFrom("c", "%00", "ABCD-EFGH-JKMN", "..%2f", "%ff", "x".repeat(300), "pod-phases", "%F0%9F%98%80"),
  fc.webSegment().filter((text) => text !== ""),
);

async function askAnything(databaseUrl: string | undefined, numRuns: number): Promise<void> {
  const classroom = new TestClassroom(databaseUrl);
  await classroom.start({ platforms: [platform], origin: "https://k.example" });
  try {
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    const learner = await classroom.learner(made);
    const { id } = (await learner.get("/me")).json();
    const exam = (await teacher.post(`/classes/${made.id}/exams`, bodies["/classes/:class/exams"])).json().id as string;
    // Streams go on for ever, and signing out ends what the rest needs.
    const routes = classroom.routes.filter(
      ({ url, method }) => !url.endsWith("events") && !(method === "DELETE" && !url.includes(":learner")),
    );
    const nobody = new Browser(classroom.app);
    const comingIn = ["/api/teachers", "/api/session", "/api/join"];
    const asked = fc.record({
      route: fc.constantFrom(...routes),
      who: fc.constantFrom(teacher, learner, nobody),
      names: fc.array(word, { minLength: 3, maxLength: 3 }),
      isReal: fc.boolean(),
      at: fc.nat(),
      how: fc.constantFrom("keep", "replace", "replace", "remove", "add"),
      value: odd,
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ route, who, names, isReal, at, how, value }) => {
        let next = 0;
        const real: Readonly<Record<string, string>> = {
          ":class": made.id,
          ":learner": route.method === "GET" ? id : "nobody",
          ":lab": "labels",
          ":exam": route.method === "DELETE" ? "none" : exam,
        };
        const known = bodies[route.url.slice("/api".length)];
        const body = known === undefined ? value : spoil(known, at, value, how);
        const path = route.url
          .slice("/api".length)
          .replace(/:[a-z]+|\*/g, (name) => (isReal ? (real[name] ?? "x") : (names[next++] ?? "x")));
        // Requests of the same minute would be refused for their number.
        classroom.nowMs += 1000;
        const method = route.method as "GET";
        // Who comes in is somebody else from then on.
        const asker = comingIn.includes(route.url) ? new Browser(classroom.app) : who;
        const reply = await asker.ask(method, path, ["GET", "HEAD"].includes(method) ? undefined : body);
        expect(reply.statusCode, `${method} ${path} ${JSON.stringify(body)} ${reply.body}`).toBeLessThan(500);
      }),
      { numRuns },
    );
  } finally {
    await classroom.stop();
  }
}

test("no request makes a fault of the server's", () => askAnything(undefined, 500), 120_000);

const programs = postgresPrograms();
describe.skipIf(programs === undefined)("on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs as string);
  }, 60_000);
  afterAll(() => server.stop());

  test("neither there", async () => askAnything(await server.newDatabase(), 300), 120_000);
});
