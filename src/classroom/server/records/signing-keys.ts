// The school's own pairs of keys: one signs certificates, one what learning platforms are told. Made at first use and kept in the database,
// which several processes may share. A retired one signs nothing more; what it has signed can still be checked.

import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import type { Database } from "../storage/open.ts";

export type KeyUse = "certificates" | "lti";

/** Learning platforms know RS256 for certain. */
const algorithms: Readonly<Record<KeyUse, string>> = { certificates: "ES256", lti: "RS256" };

export interface PublicKey {
  readonly use: KeyUse;
  readonly jwk: JWK;
  readonly retiredAt: number | null;
}

interface SigningKeysOptions {
  readonly database: Database;
  readonly now: () => number;
}

export class SigningKeys {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #making = new Map<KeyUse, Promise<void>>();

  constructor({ database, now }: SigningKeysOptions) {
    this.#database = database;
    this.#now = now;
  }

  /** `keyName` makes of the key's id what the header calls it.
   * @returns a JSON Web Token in its compact form. */
  async sign(use: KeyUse, payload: JWTPayload, keyName = (id: string): string => id): Promise<string> {
    const { id, private_jwk } = await this.#current(use);
    const alg = algorithms[use];
    const key = await importJWK(JSON.parse(private_jwk) as JWK, alg);
    return new SignJWT(payload).setProtectedHeader({ alg, typ: "JWT", kid: keyName(id) }).sign(key);
  }

  async find(id: string): Promise<PublicKey | undefined> {
    const row = await this.#database.selectFrom("signing_keys").selectAll().where("id", "=", id).executeTakeFirst();
    return row && { use: row.use, jwk: JSON.parse(row.public_jwk) as JWK, retiredAt: row.retired_at };
  }

  /** All of them, the retired ones too: a JSON Web Key Set (RFC 7517). */
  async publicSet(): Promise<{ readonly keys: readonly JWK[] }> {
    for (const use of ["certificates", "lti"] as const) await this.#current(use);
    const rows = await this.#database
      .selectFrom("signing_keys")
      .select("public_jwk")
      .orderBy("made_at", "desc")
      .orderBy("id")
      .execute();
    return { keys: rows.map(({ public_jwk }) => JSON.parse(public_jwk) as JWK) };
  }

  /** From now on others sign. @returns how many were retired. */
  async renew(): Promise<number> {
    const done = await this.#database
      .updateTable("signing_keys")
      .set({ retired_at: this.#now() })
      .where("retired_at", "is", null)
      .executeTakeFirst();
    return Number(done.numUpdatedRows);
  }

  async #current(use: KeyUse): Promise<{ readonly id: string; readonly private_jwk: string }> {
    const find = () =>
      this.#database
        .selectFrom("signing_keys")
        .select(["id", "private_jwk"])
        .where("use", "=", use)
        .where("retired_at", "is", null)
        .executeTakeFirst();
    const kept = await find();
    if (kept !== undefined) return kept;
    // Many may ask for the first one at once.
    const making = this.#making.get(use) ?? this.#make(use).finally(() => void this.#making.delete(use));
    this.#making.set(use, making);
    await making;
    const made = await find();
    if (made === undefined) throw new Error(`no key for ${use}`);
    return made;
  }

  async #make(use: KeyUse): Promise<void> {
    const alg = algorithms[use];
    const pair = await generateKeyPair(alg, { extractable: true });
    const [secret, open] = await Promise.all([exportJWK(pair.privateKey), exportJWK(pair.publicKey)]);
    const id = await calculateJwkThumbprint(open);
    const row = {
      id,
      use,
      private_jwk: JSON.stringify({ ...secret, kid: id, alg, use: "sig" }),
      public_jwk: JSON.stringify({ ...open, kid: id, alg, use: "sig" }),
      made_at: this.#now(),
      retired_at: null,
    };
    // Another process may have made one meanwhile: that one is it.
    await this.#database
      .insertInto("signing_keys")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
