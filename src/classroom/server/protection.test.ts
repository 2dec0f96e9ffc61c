// What every answer carries, what is logged of refusals, and what ends with a session.

import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { makeCertificates } from "../../server/certificates.ts";
import { type Browser, TestClassroom } from "./app.test-kit.ts";
import { invite } from "./people/teachers.ts";

let classroom: TestClassroom;
afterEach(() => classroom.stop());

async function begin(...over: Parameters<TestClassroom["start"]>): Promise<void> {
  classroom = new TestClassroom();
  await classroom.start(...over);
}

describe("headers", () => {
  test.each([
    ["a page", "GET", "/fr/", 200, "text/html; charset=utf-8"],
    ["a page that is not there", "GET", "/nothing", 404, "text/html; charset=utf-8"],
    ["an answer", "GET", "/api/me", 200, "application/json; charset=utf-8"],
    ["a refusal", "GET", "/api/classes", 401, "application/json; charset=utf-8"],
    ["a path that the API does not have", "POST", "/api/nothing", 404, "application/json; charset=utf-8"],
    ["a method that the site does not have", "POST", "/fr/", 404, "application/json; charset=utf-8"],
    ["a body that is no JSON", "POST", "/api/session", 400, "application/json; charset=utf-8"],
  ] as const)("%s comes with them all", async (_title, method, url, status, type) => {
    await begin({ secure: true });
    const body = status === 400 ? "{" : "{}";
    const payload = method === "POST" ? { payload: body, headers: { "content-type": "application/json" } } : {};
    const { statusCode, headers } = await classroom.app.inject({ method, url, ...payload });
    expect([statusCode, headers["content-type"]]).toEqual([status, type]);
    expect(headers["content-security-policy"]).toMatch(/object-src 'none';base-uri 'none';.*frame-ancestors 'none'/);
    expect(headers).toMatchObject({
      "strict-transport-security": "max-age=31536000",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": url.startsWith("/api") || method === "POST" ? "no-store" : "no-cache",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("below a path the cookie is bound to HTTPS", async () => {
    await begin({ secure: true, base: "/course/" });
    const { token } = await invite(classroom.services, null);
    const payload = { invitation: token, name: "Ada", password: "twelve letters at least" };
    const reply = await classroom.app.inject({ method: "POST", url: "/course/api/teachers", payload });
    expect(reply.headers["set-cookie"]).toMatch(
      /^__Secure-pilothouse=\S+; Max-Age=\d+; Path=\/course\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test("an address of two slashes leads to no other host", async () => {
    await begin();
    expect((await classroom.app.inject("/fr")).headers.location).toBe("/fr/");
    expect((await classroom.app.inject("/%2Ffr")).statusCode).toBe(404);
  });

  test("over HTTPS the cookie is bound to this host", async () => {
    await begin({ secure: true });
    const made = await classroom.class(await classroom.teacher());
    const reply = await classroom.browser().post("/join", { code: made.code, name: "Léa", word: "jonquille", locale: "fr" });
    expect(reply.headers["set-cookie"]).toMatch(/^__Host-pilothouse=\S+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  });

  test("signing out has the browser forget pages that it would show again", async () => {
    await begin();
    const reply = await (await classroom.teacher()).ask("DELETE", "/session");
    expect([reply.statusCode, reply.headers["clear-site-data"]]).toEqual([204, '"cache"']);
  });

  test.each(["TRACE", "OPTIONS"] as const)("%s gives nothing", async (method) => {
    await begin();
    const reply = await classroom.app.inject({ method: method as "OPTIONS", url: "/api/me" });
    expect(reply.statusCode).toBeGreaterThanOrEqual(400);
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("over HTTPS", () => {
  const shake = (options: ConnectionOptions): Promise<string | null> => {
    const { port } = classroom.app.server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options }, () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.end();
      });
      socket.once("error", reject);
    });
  };

  test("TLS is 1.3, or 1.2 with forward secrecy, and nothing older or weaker", async () => {
    const { certificatePem: certificate, keyPem: key } = makeCertificates(["127.0.0.1"], Date.now()).serving;
    await begin({ secure: true, tls: { certificate, key } });
    await classroom.app.listen({ host: "127.0.0.1", port: 0 });
    expect(await shake({})).toBe("TLSv1.3 TLS_AES_256_GCM_SHA384");
    expect(await shake({ maxVersion: "TLSv1.2" })).toMatch(/^TLSv1\.2 ECDHE-RSA-(AES(256|128)-GCM|CHACHA20)/);
    const older = { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256:AES256-SHA256:ECDHE-RSA-AES128-SHA256" } as const;
    await expect(shake(older)).rejects.toThrow(/handshake failure/);
    const oldest = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expect(shake(oldest)).rejects.toThrow(/protocol version|unsupported protocol/);
  });
});

test.each(["__proto__", "constructor"])("a body that would change what objects are (%s) is refused", async (key) => {
  await begin();
  const payload = `{"name":"Ada","password":"x","${key}":{"prototype":{}}}`;
  const headers = { "content-type": "application/json" };
  const reply = await classroom.app.inject({ method: "POST", url: "/api/session", payload, headers });
  expect([reply.statusCode, reply.json().error]).toEqual([400, "bad-request"]);
});

describe("who asks, behind a proxy,", () => {
  const wrong = (forwarded: string) =>
    classroom
      .browser()
      .ask("POST", "/join", { code: "AAAA-AAAA", name: "A", word: "jonquille", locale: "fr" }, { "x-forwarded-for": forwarded });

  test("is whom the proxy has named, whatever the request said before", async () => {
    await begin({ behindProxy: true });
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(`10.0.0.${tries}, 192.0.2.7`)).statusCode).toBe(404);
    expect((await wrong("10.0.0.99, 192.0.2.7")).statusCode).toBe(429);
    expect((await wrong("192.0.2.8")).statusCode).toBe(404);
  });

  test("is who holds the connection where there is none", async () => {
    await begin();
    for (let tries = 0; tries < 10; tries += 1) expect((await wrong(`192.0.2.${tries}`)).statusCode).toBe(404);
    expect((await wrong("192.0.2.99")).statusCode).toBe(429);
  });
});

describe("an open board", () => {
  /** @returns the status, and what ends with the stream. */
  const openBoard = async (
    teacher: Browser,
    classId: string,
  ): Promise<{ status: number; type: string | undefined; ended: Promise<void>; stop(): void }> => {
    if (classroom.app.server.address() === null) await classroom.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = classroom.app.server.address() as AddressInfo;
    const cookie = Object.entries(teacher.cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
    return new Promise((resolve, reject) => {
      const asked = request({ port, path: `/api/classes/${classId}/board/events`, headers: { cookie } }, (reply) => {
        const ended = new Promise<void>((over) => reply.once("close", over));
        reply.once("data", () =>
          resolve({ status: reply.statusCode ?? 0, type: reply.headers["content-type"], ended, stop: () => asked.destroy() }),
        );
      });
      asked.once("error", reject).end();
    });
  };

  test("ends with the session: who has signed out is told nothing more", async () => {
    await begin();
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    const { type, ended } = await openBoard(teacher, made.id);
    expect(type).toBe("text/event-stream; charset=utf-8");
    await teacher.ask("DELETE", "/session");
    await classroom.learner(made);
    await ended;
  });

  test("is one of thirty at most", async () => {
    await begin();
    const teacher = await classroom.teacher();
    const made = await classroom.class(teacher);
    const boards = await Promise.all(Array.from({ length: 30 }, () => openBoard(teacher, made.id)));
    const one = await openBoard(teacher, made.id);
    expect(one.status).toBe(429);
    boards[0]?.stop();
    await expect
      .poll(async () => {
        const again = await openBoard(teacher, made.id);
        again.stop();
        return again.status;
      })
      .toBe(200);
  });
});
