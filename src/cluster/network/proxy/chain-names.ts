// Names of kube-proxy's chains: a prefix and 16 characters of a hash of what the chain is for.

import { sha256 } from "@noble/hashes/sha2.js";
import { encodeUtf8 } from "#sim/bytes.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The first 16 characters of base32 of the SHA-256 of a text. */
export function chainHash(text: string): string {
  const digest = sha256(encodeUtf8(text));
  let result = "";
  let bits = 0;
  let value = 0;
  for (const byte of digest) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5 && result.length < 16) {
      bits -= 5;
      result += alphabet[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
    if (result.length === 16) break;
  }
  return result;
}

/** `servicePort` is `namespace/name`, or `namespace/name:port`; `protocol` in lower case. */
export function servicePortHash(servicePort: string, protocol: string): string {
  return chainHash(servicePort + protocol);
}

/** `KUBE-SEP-…`; `endpoint` is `address:port`. */
export function endpointChain(servicePort: string, protocol: string, endpoint: string): string {
  return `KUBE-SEP-${chainHash(servicePort + protocol + endpoint)}`;
}
