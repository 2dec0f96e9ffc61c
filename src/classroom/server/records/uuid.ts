// Ids made from names: the same name has the same id (UUID version 5, RFC 9562).

import { createHash } from "node:crypto";

/** For names that are addresses, as the RFC gives it. */
const namespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

export function uuidOf(name: string): string {
  const bytes = createHash("sha1").update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
