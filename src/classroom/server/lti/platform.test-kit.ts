// A learning platform as the standards have it: signs who somebody is, serves its keys, gives tokens against assertions, keeps a gradebook.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LightMyRequestResponse } from "fastify";
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { afterEach, beforeEach } from "vitest";
import { Browser, TestClassroom } from "../app.test-kit.ts";
import type { Platform } from "./platforms.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const scope = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
export const root = "https://k.example/";

export interface Received {
  readonly userId: string;
  readonly scoreGiven: number;
  readonly scoreMaximum: number;
  readonly timestamp: string;
  readonly activityProgress: string;
  readonly gradingProgress: string;
}

export interface Visit {
  readonly subject?: string;
  readonly name?: string | undefined;
  readonly role?: string;
  readonly course?: string | undefined;
  readonly lab?: string;
  readonly exam?: string;
  readonly lineItem?: string;
  /** Claims that are other than usual; undefined leaves one out. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

export class TestPlatform {
  readonly #server: Server;
  readonly #now: () => number;
  #signing!: { readonly privateKey: CryptoKey; readonly kid: string };
  #published: readonly JWK[] = [];
  /** Of the course's server. */
  toolKeys: () => Promise<JSONWebKeySet> = () => Promise.resolve({ keys: [] });
  isDown = false;
  /** Answers to the next posts of scores, in the place of what is right. */
  readonly statuses: number[] = [];
  /** Takes the score, and the answer is lost on the way. */
  losesAnswer = false;
  /** By column and user, each score that was taken. */
  readonly gradebook = new Map<string, Received[]>();
  /** Pages of the platform's own, where a browser comes to it; HTML. */
  page: (url: URL, body: string) => Promise<string | undefined> = () => Promise.resolve(undefined);
  posts = 0;
  tokens = 0;
  keyQuestions = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    await this.newKey();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get settings(): Platform {
    const { origin } = this;
    return {
      name: "Moodle",
      issuer: "https://lms.example",
      clientId: "client",
      deployments: ["1"],
      login: `${origin}/auth?tenant=a`,
      token: `${origin}/token`,
      keys: `${origin}/keys`,
      frames: ["https://lms.example"],
    };
  }

  /** The one before is taken back. */
  async newKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = `key-${this.#published.length}-${Math.random()}`;
    this.#signing = { privateKey, kid };
    this.#published = [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }];
  }

  /** Signs with the key of now. */
  async sign(payload: JWTPayload): Promise<string> {
    const { privateKey, kid } = this.#signing;
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid, typ: "JWT" }).sign(privateKey);
  }

  idToken(
    nonce: string,
    { subject = "u1", name, role = "Learner", course = "c1", lab, exam, lineItem, claims = {} }: Visit = {},
  ): JWTPayload {
    const seconds = Math.floor(this.#now() / 1000);
    const ofExam = exam && `exam ${exam}`;
    const target = lab === undefined ? ofExam : `lab ${lab}`;
    const columns = lineItem === undefined ? {} : { lineitem: `${this.origin}/lineitems/${lineItem}?type=1` };
    const usual = {
      iss: "https://lms.example",
      aud: "client",
      sub: subject,
      iat: seconds,
      exp: seconds + 300,
      nonce,
      name,
      [`${claim}/version`]: "1.3.0",
      [`${claim}/message_type`]: "LtiResourceLinkRequest",
      [`${claim}/deployment_id`]: "1",
      [`${claim}/target_link_uri`]: root,
      [`${claim}/resource_link`]: { id: "r1" },
      [`${claim}/roles`]: [`${membership}#${role}`],
      [`${claim}/context`]: course && { id: course, title: `Cours ${course}`, type: [] },
      [`${claim}/custom`]: target === undefined ? {} : { pilothouse: target },
      [`${claim}/launch_presentation`]: { locale: "fr", document_target: "iframe" },
      "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": { scope: [scope], ...columns },
    };
    return JSON.parse(JSON.stringify({ ...usual, ...claims })) as JWTPayload;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.isDown) {
      request.socket.destroy();
      return;
    }
    let body = "";
    for await (const piece of request) body += String(piece);
    const json = (status: number, value: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const url = new URL(request.url ?? "/", this.origin);
    if (url.pathname === "/keys") {
      this.keyQuestions += 1;
      return json(200, { keys: this.#published });
    }
    if (url.pathname === "/token") return json(...(await this.#token(body)));
    const html = await this.page(url, body);
    if (html !== undefined) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
      return;
    }
    const column = /^\/lineitems\/([^/]+)\/scores$/.exec(url.pathname)?.[1];
    if (column === undefined || url.search !== "?type=1") return json(404, {});
    this.posts += 1;
    const status = this.statuses.shift() ?? this.#take(request, column, body);
    if (this.losesAnswer) request.socket.destroy();
    else json(status, {});
  }

  async #token(body: string): Promise<readonly [number, unknown]> {
    const form = new URLSearchParams(body);
    try {
      if (form.get("grant_type") !== "client_credentials" || form.get("scope") !== scope) throw new Error("what is asked for");
      const keys = createLocalJWKSet(await this.toolKeys());
      const expected = {
        issuer: "client",
        subject: "client",
        audience: `${this.origin}/token`,
        currentDate: new Date(this.#now()),
      };
      await jwtVerify(form.get("client_assertion") ?? "", keys, { ...expected, requiredClaims: ["jti", "exp", "iat"] });
    } catch (error) {
      return [401, { error: "invalid_client", error_description: String(error) }];
    }
    this.tokens += 1;
    return [200, { access_token: `token-${this.tokens}`, token_type: "Bearer", expires_in: 3600, scope }];
  }

  #take({ headers, method }: IncomingMessage, column: string, body: string): number {
    if (method !== "POST" || headers.authorization !== `Bearer token-${this.tokens}`) return 401;
    if (headers["content-type"] !== "application/vnd.ims.lis.v1.score+json") return 415;
    const score = JSON.parse(body) as Received;
    const key = `${column} ${score.userId}`;
    const taken = this.gradebook.get(key) ?? [];
    const last = taken.at(-1);
    // As the standard has it: nothing that is not newer.
    if (last !== undefined && Date.parse(score.timestamp) <= Date.parse(last.timestamp)) return 409;
    this.gradebook.set(key, [...taken, score]);
    return 200;
  }
}

export const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
export const asForm = { "content-type": "application/x-www-form-urlencoded" };
export const crossSite = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };

/** The first half of a launch. @returns what the platform is asked. */
export async function beginLogin(
  browser: Browser,
  over: Readonly<Record<string, string>> = {},
): Promise<{ readonly reply: LightMyRequestResponse; readonly state: string; readonly nonce: string }> {
  const asked = {
    iss: "https://lms.example",
    client_id: "client",
    login_hint: "h",
    target_link_uri: root,
    lti_message_hint: "m",
    ...over,
  };
  const reply = await browser.ask("POST", "/lti/login", form(asked), { ...asForm, ...crossSite });
  const to = String(reply.headers.location ?? "http://none");
  const { searchParams } = new URL(to);
  return { reply, state: searchParams.get("state") ?? "", nonce: searchParams.get("nonce") ?? "" };
}

/** The second half: the platform has the browser post. */
export function comeBack(browser: Browser, fields: Readonly<Record<string, string>>, dest = "document") {
  const headers = { ...asForm, ...crossSite, origin: "https://lms.example", "sec-fetch-dest": dest };
  return browser.ask("POST", "/lti/launch", form(fields), headers);
}

/** A whole launch in a window of its own. */
export async function visit(
  classroom: TestClassroom,
  platform: TestPlatform,
  who: Visit,
): Promise<{ readonly browser: Browser; readonly reply: LightMyRequestResponse }> {
  const browser = new Browser(classroom.app);
  const { state, nonce } = await beginLogin(browser);
  const reply = await comeBack(browser, { state, id_token: await platform.sign(platform.idToken(nonce, who)) });
  return { browser, reply };
}

/** A classroom and a platform that it knows, for each test anew. */
export function atEachTest(use: (made: { readonly classroom: TestClassroom; readonly platform: TestPlatform }) => void): void {
  let stop: () => Promise<void>;
  beforeEach(async () => {
    const classroom = new TestClassroom();
    const platform = new TestPlatform(() => classroom.nowMs);
    stop = async () => {
      await classroom.stop();
      await platform.stop();
    };
    await platform.start();
    await classroom.start({ origin: "https://k.example", secure: true, platforms: [platform.settings] });
    use({ classroom, platform });
  });
  afterEach(() => stop());
}
