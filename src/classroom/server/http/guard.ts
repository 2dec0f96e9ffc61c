// Who may ask for what: every route of the API says for whom it is, and one that does not is a mistake found at start.

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Person, Sessions } from "../people/sessions.ts";
import { Refused } from "./refusals.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    readonly for?: "anyone" | "learner" | "teacher";
    /** Pages of learning platforms send forms here; who does is seen by what they sign. */
    readonly fromOtherSites?: boolean;
  }
  interface FastifyRequest {
    person: Person | undefined;
  }
}

export interface GuardedRoute {
  readonly method: string;
  readonly url: string;
  readonly for: "anyone" | "learner" | "teacher";
}

/** Methods that change nothing. */
const reads = ["GET", "HEAD"];

/** `routes` is filled with what is made from now on. */
export function guardRoutes(app: FastifyInstance, sessions: Sessions, routes: GuardedRoute[]): void {
  app.addHook("onRoute", ({ config, url, method }) => {
    if (config?.for === undefined) throw new Error(`the route ${String(method)} ${url} does not say for whom it is`);
    for (const one of [method].flat()) routes.push({ method: one, url, for: config.for });
  });
  app.decorateRequest("person", undefined);
  app.addHook("onRequest", async (request) => {
    const { fromOtherSites = false } = request.routeOptions.config;
    if (!reads.includes(request.method) && !fromOtherSites) refuseForeignOrigins(request);
    request.person = await sessions.person(request);
    const wanted = request.routeOptions.config.for ?? "anyone";
    if (wanted === "anyone" || request.is404) return;
    if (request.person === undefined) throw new Refused("not-signed-in");
    if (request.person.role !== wanted) throw new Refused("forbidden");
  });
}

/** Browsers say where a request that changes something comes from; other programs hold no one's cookie. */
function refuseForeignOrigins({ headers, host }: FastifyRequest): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw new Refused("forbidden", "the request comes from another site");
  const { origin } = headers;
  if (origin !== undefined && hostOf(origin) !== host) throw new Refused("forbidden", "the request comes from another site");
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}

/** The learner who asks; a route for learners has one. */
export function learnerOf(request: FastifyRequest): Person & { readonly classId: string } {
  const { person } = request;
  if (person?.classId === undefined) throw new Refused("not-signed-in");
  return { ...person, classId: person.classId };
}

export function teacherOf(request: FastifyRequest): Person {
  const { person } = request;
  if (person?.role !== "teacher") throw new Refused("not-signed-in");
  return person;
}
