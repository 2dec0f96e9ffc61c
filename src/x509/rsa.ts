// RSA (RFC 8017): key pairs, and signatures of the PKCS #1 v1.5 kind. Keys come from the world's own random source, so
// they protect nothing and the same seed makes the same key: this is for learning how certificates fit together.

import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, concatBytes } from "#sim/bytes.ts";
import type { Random } from "#sim/random.ts";
import { nothing, numberOf, objectIdentifier, octetString, octetsOf, sequence } from "./der.ts";

export interface RsaPublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
}

/** With the two primes everything else can be worked out. */
export interface RsaPrivateKey extends RsaPublicKey {
  readonly secret: bigint;
  readonly primes: readonly [bigint, bigint];
}

const publicExponent = 65_537n;
const sha256Identifier = "2.16.840.1.101.3.4.2.1";
/** Rounds of Miller and Rabin's test; a candidate has passed trial division before. */
const primalityRounds = 4;

export function privateKeyOf(p: bigint, q: bigint): RsaPrivateKey {
  const primes: readonly [bigint, bigint] = p > q ? [p, q] : [q, p];
  const secret = inverse(publicExponent, leastCommonMultiple(p - 1n, q - 1n));
  return { modulus: p * q, exponent: publicExponent, secret, primes };
}

export function bitsOf(key: RsaPublicKey): number {
  return key.modulus.toString(2).length;
}

/** A new pair of `bits` bits; takes some tenths of a second for 2048. */
export function generateKey(bits: number, random: Random): RsaPrivateKey {
  const half = Math.ceil(bits / 2);
  for (;;) {
    const p = randomPrime(half, random);
    const q = randomPrime(bits - half, random);
    if (p !== q && (p * q).toString(2).length === bits) return privateKeyOf(p, q);
  }
}

/** Signature of the SHA-256 of a message. */
export function sign(key: RsaPrivateKey, message: Bytes): Bytes {
  const length = octetCount(key);
  const padded = numberOf(paddedDigest(message, length));
  const [p, q] = key.primes;
  // By the Chinese remainder theorem: two powers of half the size.
  const byP = power(padded % p, key.secret % (p - 1n), p);
  const byQ = power(padded % q, key.secret % (q - 1n), q);
  const difference = (((byP - byQ) * inverse(q, p)) % p) + p;
  return octetsOf(byQ + (difference % p) * q, length);
}

export function verify(key: RsaPublicKey, message: Bytes, signature: Bytes): boolean {
  const length = octetCount(key);
  if (signature.length !== length) return false;
  return power(numberOf(signature), key.exponent, key.modulus) === numberOf(paddedDigest(message, length));
}

function octetCount(key: RsaPublicKey): number {
  return Math.ceil(bitsOf(key) / 8);
}

/** EMSA-PKCS1-v1_5 (RFC 8017, 9.2). */
function paddedDigest(message: Bytes, length: number): Bytes {
  const digest = sequence(sequence(objectIdentifier(sha256Identifier), nothing), octetString(sha256(message)));
  const filling = new Uint8Array(length - digest.length - 3).fill(0xff);
  return concatBytes([Uint8Array.of(0, 1), filling, Uint8Array.of(0), digest]);
}

const smallPrimes = primesBelow(2_000);

function primesBelow(bound: number): readonly number[] {
  const found: number[] = [];
  for (let candidate = 3; candidate < bound; candidate += 2) {
    if (found.every((prime) => prime * prime > candidate || candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

/** A prime with its two highest bits set, so that a product of two has its full length. */
function randomPrime(bits: number, random: Random): bigint {
  for (;;) {
    const start = randomNumber(bits, random) | (3n << BigInt(bits - 2)) | 1n;
    const remainders = smallPrimes.map((prime) => Number(start % BigInt(prime)));
    // Go up from a random odd number in steps of two, far enough to meet a prime as a rule.
    for (let offset = 0; offset < bits * 8; offset += 2) {
      if (remainders.some((remainder, index) => (remainder + offset) % (smallPrimes[index] as number) === 0)) continue;
      const candidate = start + BigInt(offset);
      if (candidate.toString(2).length === bits && (candidate - 1n) % publicExponent !== 0n && isPrime(candidate, random))
        return candidate;
    }
  }
}

function randomNumber(bits: number, random: Random): bigint {
  let value = 0n;
  for (let got = 0; got < bits; got += 32) value = (value << 32n) | BigInt(random.uint32());
  return value & ((1n << BigInt(bits)) - 1n);
}

function isPrime(candidate: bigint, random: Random): boolean {
  let odd = candidate - 1n;
  let twos = 0;
  while ((odd & 1n) === 0n) {
    odd >>= 1n;
    twos += 1;
  }
  for (let round = 0; round < primalityRounds; round += 1) {
    const base = 2n + (randomNumber(64, random) % (candidate - 3n));
    let value = power(base, odd, candidate);
    if (value === 1n || value === candidate - 1n) continue;
    let isComposite = true;
    for (let step = 1; step < twos && isComposite; step += 1) {
      value = (value * value) % candidate;
      isComposite = value !== candidate - 1n;
    }
    if (isComposite) return false;
  }
  return true;
}

/** base^exponent mod modulus, four bits of the exponent at a time. */
function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  const table = [1n, base % modulus];
  for (let index = 2; index < 16; index += 1) table.push(((table[index - 1] as bigint) * (table[1] as bigint)) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let square = 0; square < 4; square += 1) result = (result * result) % modulus;
    const value = Number.parseInt(digit, 16);
    if (value > 0) result = (result * (table[value] as bigint)) % modulus;
  }
  return result;
}

/** value⁻¹ mod modulus; the two have no common divisor. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, ((value % modulus) + modulus) % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
