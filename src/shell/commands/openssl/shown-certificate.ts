// What a server shows, encoded. Some servers' own certificates are known by what stands in them only: they get a key when somebody looks.

import { once } from "#sim/late.ts";
import type { Certificate } from "#sim/net.ts";
import { Random } from "#sim/random.ts";
import { X509Certificate } from "#x509/certificate.ts";
import { alternativeNames, basicConstraints, keyUsage } from "#x509/extensions.ts";
import { publicKeyOf } from "#x509/keys.ts";
import type { DistinguishedName } from "#x509/names.ts";
import { generateKey } from "#x509/rsa.ts";

const keyBits = 2048;
/** The same for all of them, and in every world. */
const key = once(() => generateKey(keyBits, new Random(1)));

export function encoded(certificate: Certificate): X509Certificate {
  if (certificate instanceof X509Certificate) return certificate;
  const subject: DistinguishedName = [
    ...certificate.organizations.map((value) => ({ type: "O", value })),
    { type: "CN", value: certificate.commonName },
  ];
  const isOwn = certificate.issuer === certificate.commonName;
  const publicKey = publicKeyOf(key());
  return X509Certificate.sign(
    {
      serial: BigInt(certificate.notBeforeMs),
      subject,
      publicKey,
      notBeforeMs: certificate.notBeforeMs,
      notAfterMs: certificate.notAfterMs,
      extensions: [
        keyUsage(["digitalSignature", "keyEncipherment"]),
        basicConstraints({ isAuthority: false }),
        alternativeNames(certificate.alternativeNames.map((value) => ({ kind: /^[\d.]+$/u.test(value) ? "ip" : "dns", value }))),
      ],
    },
    { name: isOwn ? subject : [{ type: "CN", value: certificate.issuer }], publicKey, key: key() },
  );
}
