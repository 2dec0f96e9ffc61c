// Certificates: what they tell is what holds, and whoever checks one learns whether it still does.

import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CertificateRow, CheckedCertificate, Class, HeldCertificate } from "../../wire.ts";
import { type Browser, part, startMs, TestClassroom } from "../app.test-kit.ts";
import { DeletionByAge, dayMs } from "../storage/deletion-by-age.ts";
import { SigningKeys } from "./signing-keys.ts";

let classroom: TestClassroom;
let teacher: Browser;
let learner: Browser;
let made: Class;
let learnerId: string;
const minuteMs = 60_000;
const root = "https://k.example/";
beforeEach(async () => {
  classroom = new TestClassroom();
  await classroom.start({ origin: "https://k.example", school: "Lycée Ada" });
  teacher = await classroom.teacher();
  made = await classroom.class(teacher);
  learner = await classroom.learner(made);
  learnerId = (await learner.get("/me")).json().id;
  await pass("/runs/pod-phases", { claims: ["one"] });
});
afterEach(() => classroom.stop());

const pass = async (path: string, over: object): Promise<void> => {
  classroom.replay = () => Promise.resolve({ ok: true, steps: [{ id: "one", points: 9, openedMs: 0, passedMs: 1 }] });
  await learner.put(path, part(over));
  await classroom.services.results.settled();
};
const path = () => `/classes/${made.id}/learners/${learnerId}/certificates`;
const make = (over: object = {}) => teacher.post(path(), { locale: "ja", labs: ["pod-phases"], exams: [], ...over });
const makeOne = async (): Promise<string> => (await make()).json().code;
const byCode = async (code: string): Promise<CheckedCertificate> => (await classroom.browser().get(`/certificates/${code}`)).json();
const check = async (credential: string): Promise<CheckedCertificate> =>
  (await classroom.browser().post("/certificates/check", { credential })).json();
const credentialOf = async (code: string): Promise<string> => {
  const checked = await byCode(code);
  return "credential" in checked ? checked.credential : "";
};
const listed = async (): Promise<readonly string[]> => {
  const { revokedCredential } = (await classroom.browser().get("/withdrawn-certificates")).json();
  return revokedCredential.map(({ id }: { readonly id: string }) => id.split("/").at(-1));
};
const text = {
  learner: "Léa",
  school: "Lycée Ada",
  name: "PilothouseのKubernetesコース",
  description: "Lycée Adaのクラスルームで得た、Kubernetesのハンズオンの成績です。",
  criteria: "クラスルームのサーバーが各ハンズオンを再現し、サーバー自身のクラスターで完了したステップだけを数えています。",
  locale: "ja",
  from: startMs,
  until: startMs,
  madeAt: startMs,
  items: [{ kind: "lab", title: "pod-phases, TP (ja)", points: 9, most: 20 }],
};

test("a teacher makes one of what holds; the learner finds it, anybody with its code checks it", async () => {
  const [row] = (await teacher.get(`/classes/${made.id}/certificates`)).json() as CertificateRow[];
  expect(row).toEqual({ learner: learnerId, name: "Léa", labs: [{ lab: "pod-phases", points: 9 }], exams: [], certificates: [] });
  const reply = await make();
  expect(reply.statusCode).toBe(201);
  const held: HeldCertificate = reply.json();
  expect(held).toEqual({
    code: expect.stringMatching(/^([A-Z2-9]{4}-){2}[A-Z2-9]{4}$/),
    locale: "ja",
    madeAt: startMs,
    withdrawnAt: null,
  });
  expect((await learner.get("/certificates")).json()).toEqual([held]);
  const checked = await byCode(held.code.toLowerCase().replaceAll("-", " "));
  expect(checked).toEqual({ state: "good", code: held.code, credential: expect.any(String), text, withdrawnAt: null });
  expect(await check(await credentialOf(held.code))).toEqual(checked);
});

test("the credential is an Open Badge that the published key signs for", async () => {
  const code = await makeOne();
  const token = await credentialOf(code);
  const header = decodeProtectedHeader(token);
  expect(header).toEqual({ alg: "ES256", typ: "JWT", kid: expect.stringMatching(/^https:\/\/k\.example\/api\/keys\/[\w-]{43}$/) });
  const keyAt = (await classroom.app.inject(new URL(header.kid ?? "").pathname)).json();
  const set = (await classroom.app.inject("/.well-known/jwks.json")).json();
  expect(set.keys).toContainEqual(keyAt);
  const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [{ ...keyAt, kid: header.kid }] }), {
    issuer: root,
    currentDate: new Date(startMs),
  });
  const id = `${root}api/certificates/${code}`;
  const item = `${root}labs/pod-phases`;
  const now = new Date(startMs).toISOString();
  expect(payload).toEqual({
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id,
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: text.name,
    issuer: { id: root, type: ["Profile"], name: "Lycée Ada", url: root },
    validFrom: now,
    credentialSubject: {
      type: ["AchievementSubject"],
      identifier: [{ type: "IdentityObject", identityType: "name", hashed: false, identityHash: "Léa" }],
      activityStartDate: now,
      activityEndDate: now,
      achievement: {
        id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
        type: ["Achievement"],
        achievementType: "Certificate",
        name: text.name,
        description: text.description,
        criteria: { narrative: text.criteria },
        inLanguage: "ja",
        resultDescription: [
          {
            id: item,
            type: ["ResultDescription"],
            name: "pod-phases, TP (ja)",
            resultType: "RawScore",
            valueMin: "0",
            valueMax: "20",
          },
        ],
      },
      result: [{ type: ["Result"], resultDescription: item, value: "9" }],
    },
    credentialStatus: { id: `${root}api/withdrawn-certificates`, type: "1EdTechRevocationList" },
    iss: root,
    jti: id,
    nbf: startMs / 1000,
  });
});

test("an exam that is over is in it, one that goes on is not", async () => {
  const exam = { title: "Examen", labs: ["labels"], opensAt: startMs, closesAt: startMs + 90 * minuteMs, minutes: 60 };
  const { id } = (await teacher.post(`/classes/${made.id}/exams`, exam)).json();
  const { seeds } = (await learner.post(`/exams/${id}/sitting`)).json().sitting;
  await pass(`/exams/${id}/runs/labels`, { seed: seeds.labels, claims: ["one"] });
  expect((await make({ exams: [id] })).json()).toEqual({
    error: "bad-request",
    detail: `body/exams: ${id} was not sat, or is not over`,
  });
  classroom.nowMs += 71 * minuteMs;
  const { code } = (await make({ exams: [id], labs: [] })).json();
  expect(await byCode(code)).toMatchObject({
    text: {
      from: startMs,
      until: startMs + 60 * minuteMs,
      madeAt: startMs + 71 * minuteMs,
      items: [{ kind: "exam", title: "Examen", points: 9, most: 20 }],
    },
  });
});

test.each([
  ["nothing", { labs: [] }, "body must name a lab or an exam"],
  ["a lab of which nothing holds", { labs: ["labels"] }, "body/labs: nothing of labels holds"],
  ["an exam of nobody's", { exams: ["none"] }, "body/exams: none was not sat, or is not over"],
])("of %s none is made", async (_title, over, detail) => {
  expect((await make(over)).json()).toEqual({ error: "bad-request", detail });
  expect((await learner.get("/certificates")).json()).toEqual([]);
});

describe("checking", () => {
  test("any changed letter is noticed", async () => {
    const token = await credentialOf(await makeOne());
    const [head = "", body = "", signature = ""] = token.split(".");
    const richer = Buffer.from(Buffer.from(body, "base64url").toString().replace('"value":"9"', '"value":"20"')).toString(
      "base64url",
    );
    expect(await check(`${head}.${richer}.${signature}`)).toEqual({ state: "changed" });
    for (const place of [0, 20, head.length + 1, head.length + 200, token.length - 40]) {
      const letter = token[place] === "A" ? "B" : "A";
      const { state } = await check(`${token.slice(0, place)}${letter}${token.slice(place + 1)}`);
      expect(["changed", "unreadable", "foreign"], `at ${place}`).toContain(state);
    }
  });

  test("what is none, or is signed by somebody else, is said to be so", async () => {
    expect(await check("hello")).toEqual({ state: "unreadable" });
    const stranger = new TestClassroom();
    await stranger.start();
    const foreign = await stranger.services.keys.sign("certificates", { id: "x" });
    expect(await check(foreign)).toEqual({ state: "foreign" });
    await stranger.stop();
    // The key of another use signs no certificate.
    expect(await check(await classroom.services.keys.sign("lti", { id: "x" }))).toEqual({ state: "foreign" });
    const [, body = ""] = (await credentialOf(await makeOne())).split(".");
    const { kid } = decodeProtectedHeader(await credentialOf(await makeOne()));
    const none = Buffer.from(JSON.stringify({ alg: "none", kid })).toString("base64url");
    expect(["unreadable", "changed"]).toContain((await check(`${none}.${body}.`)).state);
  });

  test("one signed with an old key is good still, and says so", async () => {
    const before = await makeOne();
    const { database } = classroom.services;
    await new SigningKeys({ database, now: () => classroom.nowMs }).renew();
    const after = await makeOne();
    expect([(await byCode(before)).state, (await byCode(after)).state]).toEqual(["old-key", "good"]);
    const [one, two] = [await credentialOf(before), await credentialOf(after)].map((token) => decodeProtectedHeader(token).kid);
    expect(one).not.toBe(two);
  });

  test("a withdrawn one tells when it was; it is on the list for other programs, and is withdrawn once", async () => {
    const [kept, code] = [await makeOne(), await makeOne()];
    const token = await credentialOf(code);
    classroom.nowMs += minuteMs;
    expect((await teacher.ask("DELETE", `${path()}/${code}`)).statusCode).toBe(204);
    expect((await teacher.ask("DELETE", `${path()}/${code}`)).statusCode).toBe(404);
    expect(await check(token)).toEqual({ state: "withdrawn", code, credential: token, text, withdrawnAt: startMs + minuteMs });
    expect((await byCode(kept)).state).toBe("good");
    expect((await classroom.browser().get("/withdrawn-certificates")).json()).toEqual({
      id: `${root}api/withdrawn-certificates`,
      issuer: root,
      revokedCredential: [{ id: `${root}api/certificates/${code}`, revoked: true }],
    });
    const acts = await classroom.services.database
      .selectFrom("audit")
      .select(["what", "about"])
      .where("what", "like", "certificate-%")
      .execute();
    expect(acts).toContainEqual({ what: "certificate-withdrawn", about: `${learnerId} ${code}` });
  });

  test.each([
    ["a learner whom the teacher removes", () => teacher.ask("DELETE", `/classes/${made.id}/learners/${learnerId}`)],
    ["a learner who has everything deleted", () => learner.post("/own/end", { word: "jonquille" })],
    ["a class", () => teacher.ask("DELETE", `/classes/${made.id}`)],
  ])("with %s all that is kept of it goes but its code: it is withdrawn, also for other programs", async (_who, remove) => {
    const code = await makeOne();
    const token = await credentialOf(code);
    classroom.nowMs += minuteMs;
    expect((await remove()).statusCode).toBe(204);
    expect(await classroom.services.database.selectFrom("certificates").selectAll().execute()).toEqual([]);
    expect(await classroom.services.database.selectFrom("withdrawn_certificates").selectAll().execute()).toEqual([
      { code, withdrawn_at: startMs + minuteMs },
    ]);
    expect(await byCode(code)).toEqual({ state: "unknown" });
    expect(await check(token)).toMatchObject({ state: "withdrawn", withdrawnAt: startMs + minuteMs });
    expect(await listed()).toEqual([code]);
  });

  test("with a learner who goes by age it is no longer kept, and is not withdrawn; one that was stays so", async () => {
    const [kept, code] = [await makeOne(), await makeOne()];
    const token = await credentialOf(kept);
    await teacher.ask("DELETE", `${path()}/${code}`);
    classroom.nowMs += 2 * dayMs;
    await new DeletionByAge({ ...classroom.services, keeping: { runsDays: null, learnersDays: 1, auditDays: null } }).daily();
    expect(await classroom.services.database.selectFrom("learners").selectAll().execute()).toEqual([]);
    expect((await check(token)).state).toBe("gone");
    expect(await listed()).toEqual([code]);
  });

  test("who tries codes waits after ten", async () => {
    const code = await makeOne();
    const stranger = classroom.browser();
    for (let tries = 0; tries < 10; tries += 1)
      expect((await stranger.get("/certificates/AAAA-AAAA-AAAA")).json()).toEqual({ state: "unknown" });
    expect((await stranger.get("/certificates/AAAA-AAAA-AAAB")).json()).toEqual({ error: "too-many-requests" });
    expect((await byCode(code)).state).toBe("good");
  });
});

test("certificates of a learner of another class are out of reach", async () => {
  const code = await makeOne();
  const other = await classroom.class(teacher, "B");
  expect(
    (await teacher.post(`/classes/${other.id}/learners/${learnerId}/certificates`, { locale: "fr", labs: ["x"], exams: [] }))
      .statusCode,
  ).toBe(404);
  expect((await teacher.ask("DELETE", `/classes/${other.id}/learners/${learnerId}/certificates/${code}`)).statusCode).toBe(404);
  const tom = await classroom.learner(made, "Tom");
  expect((await tom.get("/certificates")).json()).toEqual([]);
});
