// PEM (RFC 7468): binary structures as text between BEGIN and END lines.

import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import type { Bytes } from "#sim/bytes.ts";

export interface PemBlock {
  /** `CERTIFICATE`, `RSA PRIVATE KEY` … */
  readonly label: string;
  readonly bytes: Bytes;
}

const lineWidth = 64;

export function pem(label: string, bytes: Bytes): string {
  const lines = encodeBase64(bytes).match(new RegExp(`.{1,${lineWidth}}`, "g")) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** The blocks of a text in order; blocks that are not base64 are left out, as Go's and OpenSSL's readers do. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const [, label, body] of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)) {
    const base64 = (body as string).replace(/\s/g, "");
    if (base64 === "" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) continue;
    blocks.push({ label: label as string, bytes: decodeBase64(base64).bytes });
  }
  return blocks;
}
