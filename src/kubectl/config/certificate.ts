// Certificates in PEM files. The simulation has no cryptography: a PEM block carries the certificate's facts as JSON.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Certificate } from "#sim/net.ts";
import { decodeBase64 } from "../base64.ts";
import { isArray, isObject, type JsonObject, textAt, valueAt } from "../documents.ts";

function texts(body: JsonObject, field: string): readonly string[] {
  const list = body[field];
  return isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** The certificates of a PEM text, in order; blocks that are none are left out. */
export function readCertificates(pem: string): readonly Certificate[] {
  const result: Certificate[] = [];
  for (const match of pem.matchAll(/-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/g)) {
    let body: unknown;
    try {
      body = JSON.parse(decodeUtf8(decodeBase64(match[1] as string)));
    } catch {
      continue;
    }
    if (!isObject(body)) continue;
    result.push({
      commonName: textAt(body, "commonName"),
      organizations: texts(body, "organizations"),
      alternativeNames: texts(body, "alternativeNames"),
      issuer: textAt(body, "issuer"),
      notBeforeMs: Number(valueAt(body, "notBeforeMs") ?? 0),
      notAfterMs: Number(valueAt(body, "notAfterMs") ?? 0),
    });
  }
  return result;
}
