// Serial numbers of certificates.

import type { Random } from "#sim/random.ts";

/** 159 random bits, as openssl draws them. */
export function serialNumber(random: Random): bigint {
  let serial = BigInt(random.uint32() >>> 1);
  for (let words = 0; words < 4; words += 1) serial = (serial << 32n) | BigInt(random.uint32());
  return serial;
}
