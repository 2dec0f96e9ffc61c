// What the server says no with. Every refusal has a status and one of the words of wire.ts; whatever else goes wrong is ours.

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Refusal, RefusalWord } from "../../wire.ts";

const statuses: Readonly<Record<RefusalWord, number>> = {
  "bad-request": 400,
  "unknown-code": 404,
  "class-closed": 403,
  "class-full": 403,
  "name-taken": 403,
  "wrong-password": 403,
  "common-password": 400,
  "guessable-password": 400,
  "bad-invitation": 403,
  "not-signed-in": 401,
  forbidden: 403,
  "not-found": 404,
  "changed-meanwhile": 409,
  gap: 409,
  elsewhere: 409,
  "too-large": 413,
  "too-many-requests": 429,
  "not-open": 403,
  over: 403,
  unavailable: 503,
  failed: 500,
};

export class Refused extends Error {
  readonly word: RefusalWord;
  readonly detail: string | undefined;

  constructor(word: RefusalWord, detail?: string) {
    super(detail ?? word);
    this.word = word;
    this.detail = detail;
  }
}

/** The value, or a refusal where there is none. */
export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Refused("not-found");
  return value;
}

/** Refusals that whoever tries what they may not do would come to. */
const telling: readonly RefusalWord[] = [
  "bad-request",
  "unknown-code",
  "bad-invitation",
  "forbidden",
  "too-large",
  "too-many-requests",
];

export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error as FastifyError, request);
    if (telling.includes(refusal.word)) logRefusal(request, refusal.word);
    send(reply, refusal);
  });
  app.setNotFoundHandler((_request, reply) => send(reply, new Refused("not-found")));
}

function send(reply: FastifyReply, { word, detail }: Refused): void {
  const body: Refusal = { error: word, ...(detail === undefined ? {} : { detail }) };
  void reply.code(statuses[word]).header("cache-control", "no-store").send(body);
}

/** The route, not the address asked for: that may hold anything. */
function logRefusal({ log, person, method, routeOptions, ip }: FastifyRequest, refused: RefusalWord): void {
  const who = person === undefined ? "" : `${person.role} ${person.id}`;
  log.info({ refused, who, route: `${method} ${routeOptions.url ?? ""}`, address: ip });
}

function refusalOf(error: FastifyError | Refused, request: FastifyRequest): Refused {
  if (error instanceof Refused) return error;
  if (error.validation !== undefined) return new Refused("bad-request", error.message);
  if (error.statusCode === 429) return new Refused("too-many-requests");
  if (error.statusCode === 413) return new Refused("too-large");
  // Fastify's own refusals of what it cannot read.
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refused("bad-request", error.message);
  request.log.error(error);
  return isAway(error) ? new Refused("unavailable") : new Refused("failed");
}

/** The database does not answer, its disk is full, it takes no more writers, or two writes were in each other's way: later it may. */
function isAway(error: { readonly code?: unknown; readonly errcode?: unknown; readonly message: string }): boolean {
  if (typeof error.code === "string" && /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|57P0|53|08|40)/.test(error.code)) return true;
  // SQLite: busy, locked, read-only, input or output failed, corrupt, full, cannot be opened.
  if (typeof error.errcode === "number" && [5, 6, 8, 10, 11, 13, 14].includes(error.errcode & 0xff)) return true;
  return /timeout exceeded when trying to connect|Connection terminated/.test(error.message);
}
