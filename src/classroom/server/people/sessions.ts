// Who is asking: a session's token is in a cookie that scripts cannot read, its hash in the database.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../storage/open.ts";
import { newToken, tokenHash } from "./secrets.ts";

export type Role = "teacher" | "learner";

export interface Person {
  readonly role: Role;
  readonly id: string;
  readonly name: string;
  /** Of a learner. */
  readonly classId: string | undefined;
}

export interface SessionOptions {
  readonly database: Database;
  readonly now: () => number;
  /** The site's path, with a slash at its end. */
  readonly base: string;
  /** The cookie goes over HTTPS only. */
  readonly secure: boolean;
}

const dayMs = 86_400_000;
/** A teacher signs in each day; a learner's browser comes back for a school year, and is out after a term without a visit. */
const longestMs: Readonly<Record<Role, number>> = { teacher: dayMs, learner: 365 * dayMs };
const idleMs: Readonly<Record<Role, number>> = { teacher: 4 * 3_600_000, learner: 120 * dayMs };
/** A session's last use is written down no more often than this. */
const touchMs = 600_000;
/** A token is 43 characters. */
const isToken = /^[A-Za-z0-9_-]{43}$/;

export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** `__Host-` binds the cookie to this host; browsers take it over HTTPS and at the root only. */
  get cookie(): string {
    return this.#options.secure && this.#options.base === "/" ? "__Host-pilothouse" : "pilothouse";
  }

  async begin(reply: FastifyReply, role: Role, person: string): Promise<void> {
    const { database, now, base, secure } = this.#options;
    const token = newToken();
    const at = now();
    const session = { token_hash: tokenHash(token), role, person, made_at: at, used_at: at, expires_at: at + longestMs[role] };
    await database.insertInto("sessions").values(session).execute();
    void reply.setCookie(this.cookie, token, {
      path: base,
      httpOnly: true,
      secure,
      sameSite: "strict",
      maxAge: longestMs[role] / 1000,
    });
  }

  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { database, base, secure } = this.#options;
    const token = request.cookies[this.cookie];
    if (token !== undefined) await database.deleteFrom("sessions").where("token_hash", "=", tokenHash(token)).execute();
    void reply.clearCookie(this.cookie, { path: base, httpOnly: true, secure, sameSite: "strict" });
  }

  async endAllOf(person: string): Promise<void> {
    await this.#options.database.deleteFrom("sessions").where("person", "=", person).execute();
  }

  async forgetOld(): Promise<void> {
    await this.#options.database.deleteFrom("sessions").where("expires_at", "<=", this.#options.now()).execute();
  }

  /** Undefined when nobody is signed in. */
  async person(request: FastifyRequest): Promise<Person | undefined> {
    const token = request.cookies[this.cookie];
    if (token === undefined || !isToken.test(token)) return undefined;
    const { database, now } = this.#options;
    const hash = tokenHash(token);
    const session = await database.selectFrom("sessions").selectAll().where("token_hash", "=", hash).executeTakeFirst();
    const at = now();
    if (session === undefined || session.expires_at <= at || session.used_at + idleMs[session.role] <= at) return undefined;
    if (session.used_at + touchMs <= at)
      await database.updateTable("sessions").set({ used_at: at }).where("token_hash", "=", hash).execute();
    return session.role === "teacher" ? this.#teacher(session.person) : this.#learner(session.person);
  }

  async #teacher(id: string): Promise<Person | undefined> {
    const teacher = await this.#options.database.selectFrom("teachers").select("name").where("id", "=", id).executeTakeFirst();
    return teacher && { role: "teacher", id, name: teacher.name, classId: undefined };
  }

  async #learner(id: string): Promise<Person | undefined> {
    const columns = ["name", "class_id"] as const;
    const learner = await this.#options.database.selectFrom("learners").select(columns).where("id", "=", id).executeTakeFirst();
    return learner && { role: "learner", id, name: learner.name, classId: learner.class_id };
  }
}
