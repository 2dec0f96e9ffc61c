// Who is asking: a session's token is in a cookie that scripts cannot read, its hash in the database.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Selectable } from "kysely";
import type { OpenSession } from "../../wire.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
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
/** How long after a launch its session stands for the password or word of who has none. */
const freshMs = 600_000;
/** A token is 43 characters. */
const isToken = /^[A-Za-z0-9_-]{43}$/;
/** What a session is called by: of no use as its token. */
const shortHash = (hash: string): string => hash.slice(0, 16);

export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Over HTTPS, `__Host-` binds the cookie to this host, which browsers take at the root only, `__Secure-` to HTTPS. */
  get cookie(): string {
    const { secure, base } = this.#options;
    if (!secure) return "pilothouse";
    return base === "/" ? "__Host-pilothouse" : "__Secure-pilothouse";
  }

  /** The session that this browser had until now ends. */
  async begin(request: FastifyRequest, reply: FastifyReply, role: Role, person: string): Promise<void> {
    const { database, now, base, secure } = this.#options;
    const before = this.#hash(request);
    if (before !== undefined) await database.deleteFrom("sessions").where("token_hash", "=", before).execute();
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
    const hash = this.#hash(request);
    if (hash !== undefined) await database.deleteFrom("sessions").where("token_hash", "=", hash).execute();
    void reply.clearCookie(this.cookie, { path: base, httpOnly: true, secure, sameSite: "strict" });
  }

  async endAllOf(person: string, database = this.#options.database): Promise<void> {
    await database.deleteFrom("sessions").where("person", "=", person).execute();
  }

  /** The sessions of who asks, the last used one first. */
  async list(request: FastifyRequest, { id, role }: Person): Promise<readonly OpenSession[]> {
    const { database, now } = this.#options;
    const at = now();
    const rows = await database
      .selectFrom("sessions")
      .selectAll()
      .where("person", "=", id)
      .where("expires_at", ">", at)
      .where("used_at", ">", at - idleMs[role])
      .orderBy("used_at", "desc")
      .orderBy("token_hash")
      .execute();
    const own = this.#hash(request);
    return rows.map((row) => ({
      id: shortHash(row.token_hash),
      begunAt: row.made_at,
      usedAt: row.used_at,
      isThis: row.token_hash === own,
    }));
  }

  /** Ends one of the sessions of who asks, or all but the one that asks. @returns how many. */
  async endOthers(request: FastifyRequest, person: string, session: string | null): Promise<number> {
    const { database } = this.#options;
    const rows = await database.selectFrom("sessions").select("token_hash").where("person", "=", person).execute();
    const own = this.#hash(request);
    const ended = rows
      .map(({ token_hash }) => token_hash)
      .filter((hash) => (session === null ? hash !== own : shortHash(hash) === session));
    if (ended.length > 0) await database.deleteFrom("sessions").where("token_hash", "in", ended).execute();
    return ended.length;
  }

  async forgetOld(): Promise<void> {
    await this.#options.database.deleteFrom("sessions").where("expires_at", "<=", this.#options.now()).execute();
  }

  /** Undefined when nobody is signed in. */
  async person(request: FastifyRequest): Promise<Person | undefined> {
    const { database, now } = this.#options;
    const session = await this.#open(request);
    if (session === undefined) return undefined;
    const at = now();
    if (session.used_at + touchMs <= at)
      await database.updateTable("sessions").set({ used_at: at }).where("token_hash", "=", session.token_hash).execute();
    return session.role === "teacher" ? this.#teacher(session.person) : this.#learner(session.person);
  }

  /** Whether who asks has come in just now. Without a password or word there is no way in but a launch. */
  async isFresh(request: FastifyRequest): Promise<boolean> {
    const session = await this.#open(request);
    return session !== undefined && this.#options.now() - session.made_at < freshMs;
  }

  /** Whether the session that a request came with goes on still; asking is no use of it. */
  async goesOn(request: FastifyRequest): Promise<boolean> {
    return (await this.#open(request)) !== undefined;
  }

  async #open(request: FastifyRequest): Promise<Selectable<Tables["sessions"]> | undefined> {
    const hash = this.#hash(request);
    if (hash === undefined) return undefined;
    const { database, now } = this.#options;
    const session = await database.selectFrom("sessions").selectAll().where("token_hash", "=", hash).executeTakeFirst();
    const at = now();
    const isOver = session === undefined || session.expires_at <= at || session.used_at + idleMs[session.role] <= at;
    return isOver ? undefined : session;
  }

  #hash(request: FastifyRequest): string | undefined {
    const token = request.cookies[this.cookie];
    return token !== undefined && isToken.test(token) ? tokenHash(token) : undefined;
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
