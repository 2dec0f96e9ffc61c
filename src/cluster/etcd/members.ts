// Members and the numbers by which etcd calls them: 64 bits of a hash of where they are.

import { sha1 } from "@noble/hashes/legacy.js";
import { encodeUtf8 } from "#sim/bytes.ts";

export interface Member {
  readonly name: string;
  readonly address: string;
}

export function memberId({ name, address }: Member): string {
  return hashed(`https://${address}:2380${name}`);
}

export function clusterId(members: readonly Member[]): string {
  return hashed(members.map(memberId).join());
}

function hashed(text: string): string {
  const bytes = sha1(encodeUtf8(text));
  return String(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
}

/** As tables show it. */
export function hexId(id: string): string {
  return BigInt(id).toString(16);
}
