// How tokens of service accounts are signed (RS256), and the key set by which clients verify them (RFC 7517).

import { encodeUtf8 } from "#sim/bytes.ts";
import { once } from "#sim/late.ts";
import { octetsOf } from "#x509/der.ts";
import { privateKeyOf, type RsaPrivateKey, sign } from "#x509/rsa.ts";
import { keyId } from "./signed-tokens.ts";

/** All simulated clusters have this key in common, as they have four others: it protects nothing. In base 36. */
const primes = [
  "13yu6tvwfw4cb179qwg79w7seizo5iicq22cxovn8lzhy9drw4bhc22geyyy7jpx6w265dxcagusuzujtqx30iq8mg3ooelxit4jn9zbx971db0j0fm1iv9l4ytyidaz9jdjw1vgw9rvih2buaimcqqa2egictq6m3e1dn2na90h25gzs98v64n9tlxipkdbou2ibh1",
  "zrkc6jvczdcomqx7bvjvgi7warh81q98w3evrsimt9plvkksufr6lauwdx66015bmih0nro95t5m1bbji42f8m821rmrp8oo7a34p54tneyvsha0ykxgafevw1qjaf8241dcv02jxorr9hqqbik8n1yyd80ifq6bxhysbzyc05m1mx9ycg32901iy4wjy35jye9ggp",
] as const;

const base = 36n;

/** `sa.key` of the control plane. */
export const signingKey: () => RsaPrivateKey = once(() => {
  const [p, q] = primes.map((digits) =>
    [...digits].reduce((value, digit) => value * base + BigInt(Number.parseInt(digit, 36)), 0n),
  );
  return privateKeyOf(p as bigint, q as bigint);
});

/** A signature takes some milliseconds, and the same tokens are looked at again and again. */
const known = new Map<string, string>();
const knownLimit = 256;

/** Of `header.payload`, in base64 for URLs. */
export function signatureOf(text: string): string {
  let signature = known.get(text);
  if (signature === undefined) {
    signature = base64Url(sign(signingKey(), encodeUtf8(text)));
    if (known.size >= knownLimit) known.clear();
    known.set(text, signature);
  }
  return signature;
}

export interface KeySet {
  readonly keys: readonly { readonly [member: string]: string }[];
}

export function keySet(): KeySet {
  const { modulus, exponent } = signingKey();
  const bytes = (value: bigint): string => base64Url(octetsOf(value, Math.ceil(value.toString(16).length / 2)));
  return { keys: [{ use: "sig", kty: "RSA", kid: keyId, alg: "RS256", n: bytes(modulus), e: bytes(exponent) }] };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
