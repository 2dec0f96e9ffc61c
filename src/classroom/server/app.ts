// The classroom's server: the built course, and below `api/` what makes a class of its readers.

import cookie from "@fastify/cookie";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { sql } from "kysely";
import { siteHandler } from "../../tools/serve.mjs";
import type { Keeping } from "../wire.ts";
import type { Bus } from "./bus.ts";
import { type GuardedRoute, guardRoutes } from "./http/guard.ts";
import { inlineScripts, secureHeaders } from "./http/headers.ts";
import { answerRefusals, Refused } from "./http/refusals.ts";
import { accountRoutes } from "./people/account.ts";
import { Failures } from "./people/failures.ts";
import { joinRoute } from "./people/learners.ts";
import { ownDataRoutes } from "./people/own-data.ts";
import { sessionRoutes } from "./people/routes.ts";
import { Sessions } from "./people/sessions.ts";
import { teacherRoutes } from "./people/teachers.ts";
import type { Services } from "./services.ts";
import type { Database } from "./storage/open.ts";
import { presenceRoutes } from "./study/presence.ts";
import { type Replay, Results } from "./study/results.ts";
import { runRoutes } from "./study/runs.ts";
import { workRoutes } from "./study/work.ts";
import { classRoutes, learnerRoutes } from "./teaching/classes.ts";
import { examRoutes } from "./teaching/exams.ts";
import { keepingRoutes } from "./teaching/keeping.ts";
import { boardRoutes, messageRoutes } from "./teaching/routes.ts";
import { examRunRoutes, sittingRoutes } from "./teaching/sittings.ts";

export interface AppOptions {
  readonly database: Database;
  readonly bus: Bus;
  readonly replay: Replay;
  readonly now: () => number;
  /** Folder of the built site. */
  readonly site: string;
  /** Path of the site, with a slash at its end. */
  readonly base: string;
  /** People come over HTTPS. */
  readonly secure: boolean;
  /** A proxy says who asks. */
  readonly behindProxy: boolean;
  /** Certificate and key, PEM; undefined where the server itself speaks plain HTTP. */
  readonly tls: { readonly certificate: string; readonly key: string } | undefined;
  /** What the hashes of passwords and words cost. */
  readonly costs: Services["costs"];
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** How long things are kept; who deletes them is `storage/deletion-by-age.ts`. */
  readonly keeping: Keeping;
}

export interface ClassroomApp {
  readonly app: FastifyInstance;
  readonly services: Services;
  /** Of the API, as it was made. */
  readonly routes: readonly GuardedRoute[];
}

/** With forward secrecy and authenticated encryption, as Mozilla's intermediate settings; the first three are TLS 1.3's. */
const ciphers = [
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "TLS_AES_128_GCM_SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
].join(":");
const bodyBytes = 512 * 1024;
const minuteMs = 60_000;
/** Of one session; a page asks some twenty times a minute. */
const requestsOfOne = 600;
/** Of one address without a session: a class comes in from behind one. */
const requestsOfAddress = 1200;

export async function makeApp(options: AppOptions): Promise<ClassroomApp> {
  const { database, bus, now, base, secure, site, replay, costs, keeping } = options;
  const app = Fastify(serverOptions(options)) as unknown as FastifyInstance;
  const sessions = new Sessions({ database, now, base, secure });
  const complain = (error: unknown): void => app.log.error(error);
  const results = new Results({ database, now, bus, replay, complain });
  const services: Services = { database, now, sessions, failures: new Failures(now), bus, results, log: app.log, costs, keeping };
  answerRefusals(app);
  await secureHeaders(app, inlineScripts(site), secure);
  await app.register(cookie);
  const routes: GuardedRoute[] = [];
  await app.register(api(services, routes), { prefix: `${base}api` });
  serveSite(app, site, base);
  return { app, services, routes };
}

function serverOptions({ tls, behindProxy, logLevel }: AppOptions): FastifyServerOptions {
  return {
    ...(tls === undefined ? {} : { https: { cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2", ciphers } }),
    // Who asks is whom the proxy has added: what the header held before, anybody can have written.
    trustProxy: behindProxy && ((_address: string, hop: number) => hop === 0),
    bodyLimit: bodyBytes,
    // Events go on for ever: at the end they are cut.
    forceCloseConnections: true,
    requestTimeout: minuteMs,
    logger: logLevel === "silent" ? false : { level: logLevel, redact: ["req.headers.cookie"] },
    // What was done is in the audit log; each request of each page would be noise.
    logController: new LogController({ disableRequestLogging: true }),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: false } },
  } as FastifyServerOptions;
}

function api(services: Services, routes: GuardedRoute[]): (app: FastifyInstance) => Promise<void> {
  const { database, sessions } = services;
  return async (app) => {
    guardRoutes(app, sessions, routes);
    await app.register(rateLimit, {
      timeWindow: minuteMs,
      hook: "preHandler",
      max: ({ person }) => (person === undefined ? requestsOfAddress : requestsOfOne),
      keyGenerator: ({ person, ip }) => person?.id ?? ip,
      errorResponseBuilder: () => Object.assign(new Error("too many requests"), { statusCode: 429 }),
    });
    app.addHook("onSend", async (_request, reply) => void reply.header("cache-control", "no-store"));
    app.get("/live", { config: { for: "anyone" } }, () => ({ ok: true }));
    app.get("/ready", { config: { for: "anyone" } }, async () => {
      await sql`select 1`.execute(database);
      return { ok: true };
    });
    app.all("/*", { config: { for: "anyone" } }, () => {
      throw new Refused("not-found");
    });
    sessionRoutes(app, services);
    teacherRoutes(app, services);
    accountRoutes(app, services);
    joinRoute(app, services);
    ownDataRoutes(app, services);
    workRoutes(app, services);
    runRoutes(app, services);
    presenceRoutes(app, services);
    classRoutes(app, services);
    learnerRoutes(app, services);
    boardRoutes(app, services);
    messageRoutes(app, services);
    examRoutes(app, services);
    sittingRoutes(app, services);
    examRunRoutes(app, services);
    keepingRoutes(app, services);
  };
}

function serveSite(app: FastifyInstance, folder: string, base: string): void {
  const serve = siteHandler({ folder, base });
  app.route({
    method: ["GET", "HEAD"],
    url: "/*",
    handler: (request, reply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      serve(request.raw, reply.raw);
    },
  });
}
