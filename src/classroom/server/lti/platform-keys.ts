// The public keys of learning platforms, asked for when needed and kept for some minutes: a key that a platform takes back is not taken
// for longer.

import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { askPlatform, PlatformTrouble } from "./ask.ts";
import type { Platform } from "./platforms.ts";

const freshMs = 5 * 60_000;
/** A key that is not known makes us ask again, no more often than this. */
const cooldownMs = 30_000;

interface Kept {
  readonly get: ReturnType<typeof createLocalJWKSet>;
  readonly askedAt: number;
}

export class PlatformKeys {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The function throws PlatformTrouble where the keys cannot be had. */
  of({ keys }: Platform): JWTVerifyGetKey {
    return async (header, token) => {
      const kept = await this.#read(keys, freshMs);
      try {
        return await kept.get(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await this.#read(keys, cooldownMs)).get(header, token);
      }
    };
  }

  async #read(address: string, mostMs: number): Promise<Kept> {
    const kept = this.#kept.get(address);
    if (kept !== undefined && this.#now() - kept.askedAt < mostMs) return kept;
    const text = await askPlatform(address, { headers: { accept: "application/json" } });
    try {
      const read = { get: createLocalJWKSet(JSON.parse(text) as JSONWebKeySet), askedAt: this.#now() };
      this.#kept.set(address, read);
      return read;
    } catch {
      throw new PlatformTrouble("what should be keys is none");
    }
  }
}
