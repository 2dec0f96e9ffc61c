// Secrets: random ids and tokens, and how passwords and words are kept. scrypt as OWASP's cheat sheet sets it: a teacher's
// password 2^17 once, a learner's word 2^14 five times (a class of 200 joins within half a minute on two cores).

import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";

export function newId(): string {
  return randomBytes(12).toString("base64url");
}

/** 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is kept of a token: whoever reads the database cannot use it. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Without letters and digits that are taken for each other when read from a board. */
const codeLetters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/** Letters of a group. */
const groupLength = 4;
/** A certificate's tells what it holds to whoever has it: 31¹² are not guessed. */
const groups = { class: 2, certificate: 3 } as const;

/** A class's code, as `KXFM-2P7H`; a certificate's has a group more. */
export function newCode(of: keyof typeof groups = "class"): string {
  const letters = Array.from({ length: groups[of] * groupLength }, () => codeLetters[randomInt(codeLetters.length)]);
  return grouped(letters.join(""));
}

/** As a code is compared: however it was typed. */
export function codeKey(code: string): string {
  return grouped(
    code
      .normalize("NFKC")
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, ""),
  );
}

function grouped(letters: string): string {
  return (letters.match(/.{1,4}/g) ?? []).join("-");
}

/** As names are compared: two that look alike are one. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

export interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const usualCosts: { readonly teacher: Cost; readonly learner: Cost } = {
  teacher: { N: 2 ** 17, r: 8, p: 1 },
  learner: { N: 2 ** 14, r: 8, p: 5 },
};
const keyLength = 32;

/** `scrypt$N$r$p$salt$key`. */
export async function hashSecret(secret: string, cost: Cost): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(secret, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Whether a hash was made at another cost than this one. */
export function isOfOtherCost(hash: string, { N, r, p }: Cost): boolean {
  return !hash.startsWith(`scrypt$${N}$${r}$${p}$`);
}

export async function isSecret(secret: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = "", key = ""] = hash.split("$");
  const expected = Buffer.from(key, "base64url");
  const given = await derive(secret, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) });
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Each takes tens of megabytes: no more than these at once. */
const mostAtOnce = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function derive(secret: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await new Promise((resolve, reject) => {
      const options = { N, r, p, maxmem: 256 * N * r };
      scrypt(secret.normalize("NFKC"), salt, keyLength, options, (error, key) => (error === null ? resolve(key) : reject(error)));
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
