// What is begun and must be ended soon, once: a login at a platform, coming in, a choice. Whoever brings the token ends it.

import { newToken, tokenHash } from "../people/secrets.ts";
import type { Services } from "../services.ts";
import type { Tables } from "../storage/tables.ts";
import type { Choosing } from "./id-token.ts";

type Kind = Tables["lti_flows"]["kind"];

export interface FlowData {
  readonly login: {
    readonly platform: string;
    readonly nonce: string;
    /** Hash of the cookie of the browser that began. */
    readonly browser: string;
    /** What the platform began with, to begin again. */
    readonly begun: Readonly<Record<string, string>>;
  };
  readonly entry: { readonly role: "teacher" | "learner"; readonly person: string; readonly to: string };
  readonly choice: {
    readonly platform: string;
    readonly deployment: string;
    readonly teacher: string;
    readonly classId: string;
    readonly choosing: Choosing;
  };
}

/** A login waits for a person who signs in at the platform; a choice for one who looks through a course. */
const lifeMs: Readonly<Record<Kind, number>> = { login: 10 * 60_000, entry: 2 * 60_000, choice: 60 * 60_000 };
const mostOpen = 10_000;

type Held = Pick<Services, "database" | "now">;

/** Undefined when too many are open. */
export async function beginFlow<K extends Kind>({ database, now }: Held, kind: K, data: FlowData[K]): Promise<string | undefined> {
  await forgetFlows({ database, now });
  const open = await database
    .selectFrom("lti_flows")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(open.count) >= mostOpen) return undefined;
  const token = newToken();
  const row = { token_hash: tokenHash(token), kind, data: JSON.stringify(data), expires_at: now() + lifeMs[kind] };
  await database.insertInto("lti_flows").values(row).execute();
  return token;
}

/** It is over with that, also for who comes at the same moment. */
export async function endFlow<K extends Kind>({ database, now }: Held, kind: K, token: string): Promise<FlowData[K] | undefined> {
  const row = await database
    .deleteFrom("lti_flows")
    .where("token_hash", "=", tokenHash(token))
    .where("kind", "=", kind)
    .returningAll()
    .executeTakeFirst();
  return row === undefined || row.expires_at <= now() ? undefined : (JSON.parse(row.data) as FlowData[K]);
}

export async function forgetFlows({ database, now }: Held): Promise<void> {
  await database.deleteFrom("lti_flows").where("expires_at", "<=", now()).execute();
}
