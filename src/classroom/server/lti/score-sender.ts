// Sends scores to platforms (LTI Assignment and Grade Services 2.0). Several processes may do so: a score that one has taken in hand the
// others leave for a while. What does not come through is tried again, ever more seldom. The same score always carries the same time, so
// that a platform which had taken it changes nothing when it comes once more.

import type { Selectable } from "kysely";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Course } from "../course.ts";
import { newId } from "../people/secrets.ts";
import type { SigningKeys } from "../records/signing-keys.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";
import { askPlatform, PlatformTrouble } from "./ask.ts";
import { scoreScope } from "./id-token.ts";
import { type Platform, platformId } from "./platforms.ts";
import { learnersSince, noteScores } from "./scores.ts";

export interface ScoreSenderOptions {
  readonly database: Database;
  readonly course: Course;
  readonly now: () => number;
  readonly keys: SigningKeys;
  readonly platforms: readonly Platform[];
}

type Score = Selectable<Tables["lti_scores"]> & { readonly platform: string; readonly subject: string };

const atOnce = 50;
const leaseMs = 2 * 60_000;
const firstWaitMs = 30_000;
const longestWaitMs = 6 * 3_600_000;
/** Clocks of processes that share a database may differ by this. */
const overlapMs = 60_000;
const assertionSeconds = 300;
/** Before its end, so that a token is not used at its last moment. */
const tokenMarginMs = 60_000;
const tokenShape = Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Optional(Type.Number()) });

/** How long until the next try, after so many. */
export function waitAfter(tries: number): number {
  return Math.min(firstWaitMs * 2 ** Math.max(0, tries - 1), longestWaitMs);
}

export class ScoreSender {
  readonly #options: ScoreSenderOptions;
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>();
  #lookedAt = 0;
  #running: Promise<void> | undefined;

  constructor(options: ScoreSenderOptions) {
    this.#options = options;
  }

  /** Looks for points that are new, and sends what is due; one call at a time. */
  tick(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** When what is being sent has been sent, or could not be. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  async #run(): Promise<void> {
    const { now, platforms } = this.#options;
    if (platforms.length === 0) return;
    const at = now();
    for (const learner of await learnersSince(this.#options, this.#lookedAt)) await noteScores(this.#options, learner);
    this.#lookedAt = at - overlapMs;
    for (const score of await this.#due()) if (await this.#takeInHand(score)) await this.#send(score);
  }

  #due(): Promise<readonly Score[]> {
    return this.#options.database
      .selectFrom("lti_scores")
      .innerJoin("lti_line_items", "lti_line_items.url", "lti_scores.line_item")
      .innerJoin("lti_learners", (join) =>
        join
          .onRef("lti_learners.learner_id", "=", "lti_scores.learner_id")
          .onRef("lti_learners.platform", "=", "lti_line_items.platform"),
      )
      .selectAll("lti_scores")
      .select(["lti_line_items.platform", "lti_learners.subject"])
      .where("lti_scores.due_at", "<=", this.#options.now())
      .orderBy("lti_scores.due_at")
      .limit(atOnce)
      .execute();
  }

  async #takeInHand({ line_item, learner_id, due_at, tries }: Score): Promise<boolean> {
    const { database, now } = this.#options;
    const taken = await database
      .updateTable("lti_scores")
      .set({ due_at: now() + leaseMs, tries: tries + 1 })
      .where("line_item", "=", line_item)
      .where("learner_id", "=", learner_id)
      .where("due_at", "=", due_at)
      .where("tries", "=", tries)
      .executeTakeFirst();
    return taken.numUpdatedRows === 1n;
  }

  async #send(score: Score): Promise<void> {
    const platform = this.#options.platforms.find((one) => platformId(one) === score.platform);
    if (platform === undefined) return this.#failed(score, "unknown platform", true);
    try {
      await this.#post(platform, score);
      await this.#taken(score);
    } catch (error) {
      if (!(error instanceof PlatformTrouble)) throw error;
      const { status } = error;
      // It has this score, or a later one.
      if (status === 409) return this.#taken(score);
      if (status === 401) this.#tokens.delete(score.platform);
      const isFinal = status !== undefined && status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status);
      await this.#failed(score, error.message, isFinal);
    }
  }

  async #post(platform: Platform, { line_item, subject, given, most, scored_at }: Score): Promise<void> {
    const token = await this.#token(platform);
    const body = {
      timestamp: new Date(scored_at).toISOString(),
      scoreGiven: given,
      scoreMaximum: most,
      activityProgress: given === most ? "Completed" : "InProgress",
      gradingProgress: "FullyGraded",
      userId: subject,
    };
    await askPlatform(scoresAddress(line_item), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/vnd.ims.lis.v1.score+json" },
      body: JSON.stringify(body),
    });
  }

  /** By an assertion that we sign (RFC 7523), as the 1EdTech Security Framework has it. */
  async #token(platform: Platform): Promise<string> {
    const { now, keys } = this.#options;
    const id = platformId(platform);
    const kept = this.#tokens.get(id);
    if (kept !== undefined && now() < kept.until) return kept.token;
    const seconds = Math.floor(now() / 1000);
    const { clientId, token: address, audience = address } = platform;
    const assertion = await keys.sign("lti", {
      iss: clientId,
      sub: clientId,
      aud: audience,
      iat: seconds,
      exp: seconds + assertionSeconds,
      jti: newId(),
    });
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
      scope: scoreScope,
    });
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const given = await this.#askToken(address, { method: "POST", headers, body: form.toString() });
    this.#tokens.set(id, { token: given.access_token, until: now() + (given.expires_in ?? 0) * 1000 - tokenMarginMs });
    return given.access_token;
  }

  async #askToken(address: string, init: RequestInit): Promise<{ readonly access_token: string; readonly expires_in?: number }> {
    try {
      const given: unknown = JSON.parse(await askPlatform(address, init));
      if (Value.Check(tokenShape, given)) return given;
    } catch (error) {
      // A platform that does not know us today may tomorrow: no reason to give a score up.
      if (error instanceof PlatformTrouble) throw new PlatformTrouble(`no token: ${error.message}`);
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new PlatformTrouble("no token: the answer holds none");
  }

  async #taken({ line_item, learner_id, scored_at }: Score): Promise<void> {
    const row = this.#options.database
      .updateTable("lti_scores")
      .where("line_item", "=", line_item)
      .where("learner_id", "=", learner_id);
    await row.set({ sent_scored_at: scored_at }).execute();
    // A newer one that came meanwhile is due still.
    await row.set({ due_at: null, tries: 0, trouble: null }).where("scored_at", "=", scored_at).execute();
  }

  async #failed({ line_item, learner_id, scored_at, tries }: Score, trouble: string, isFinal: boolean): Promise<void> {
    const { database, now } = this.#options;
    await database
      .updateTable("lti_scores")
      .set({ due_at: isFinal ? null : now() + waitAfter(tries + 1), trouble })
      .where("line_item", "=", line_item)
      .where("learner_id", "=", learner_id)
      .where("scored_at", "=", scored_at)
      .execute();
  }
}

/** Below the line item's path; what stands behind `?` stays there. */
export function scoresAddress(lineItem: string): string {
  const address = new URL(lineItem);
  address.pathname = `${address.pathname.replace(/\/$/, "")}/scores`;
  return address.href;
}
