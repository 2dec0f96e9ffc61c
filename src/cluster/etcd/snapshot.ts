// Snapshots of everything that a store holds, and the way back. The file is this world's own form, not etcd's database.

import { readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Seal } from "#cluster/apiserver/at-rest/ciphers.ts";
import { EncryptionAtRest } from "#cluster/apiserver/at-rest/encryption.ts";
import { managed } from "#cluster/apiserver/field-management.ts";
import type { Store } from "#cluster/storage/store.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { ownKeysOf } from "./own-keys.ts";

interface SavedSeal {
  readonly cipher: Seal["cipher"];
  readonly keyName: string;
  /** Base64. */
  readonly secret: string;
}

interface SavedEntry {
  readonly key: string;
  readonly object: KubeObject;
  readonly seal?: SavedSeal;
}

interface Snapshot {
  readonly revision: number;
  readonly tables: { readonly [resource: string]: readonly SavedEntry[] };
  /** Keys put by hand, with their values in base64. */
  readonly own: { readonly [key: string]: string };
}

export interface SnapshotFacts {
  readonly revision: number;
  readonly keys: number;
}

const opening = "pilothouse etcd snapshot\n";

export function snapshotOf(store: Store): Bytes {
  const tables: { [resource: string]: readonly SavedEntry[] } = {};
  for (const [resource, table] of store.tables)
    if (table.size > 0)
      tables[resource] = table.entries.map(({ key, object }) => ({ key, object: managed(object), ...sealOf(store, object) }));
  const own = Object.fromEntries(
    ownKeysOf(store)
      .all()
      .map(({ key, value }) => [key, encodeBase64(value())]),
  );
  const snapshot: Snapshot = { revision: store.revision, tables, own };
  return encodeUtf8(opening + jsonText(snapshot as unknown as JsonValue));
}

function sealOf({ encryption }: Store, object: KubeObject): { readonly seal?: SavedSeal } {
  const seal = encryption instanceof EncryptionAtRest ? encryption.seals.get(object) : undefined;
  return seal === undefined ? {} : { seal: { ...seal, secret: encodeBase64(seal.secret) } };
}

/** Undefined for what is no snapshot. */
export function factsOf(content: Bytes): SnapshotFacts | undefined {
  const snapshot = read(content);
  if (snapshot === undefined) return undefined;
  const all = [...Object.values(snapshot.tables), Object.keys(snapshot.own)];
  return { revision: snapshot.revision, keys: all.reduce((sum, { length }) => sum + length, 0) };
}

function read(content: Bytes): Snapshot | undefined {
  const text = decodeUtf8(content);
  return text.startsWith(opening) ? (readJson(text.slice(opening.length)) as unknown as Snapshot) : undefined;
}

/** Makes the store hold what the snapshot holds. What differs is written anew, so that whoever watches hears of it. */
export function load(store: Store, content: Bytes): boolean {
  const snapshot = read(content);
  if (snapshot === undefined) return false;
  for (const [resource, table] of store.tables) {
    const kept = new Set((snapshot.tables[resource] ?? []).map(({ key }) => key));
    for (const { key, object } of [...table.entries]) if (!kept.has(key)) store.remove(table, key, object);
  }
  for (const [resource, entries] of Object.entries(snapshot.tables)) {
    const table = store.table(resource);
    for (const { key, object, seal } of entries) {
      if (table.get(key)?.metadata.resourceVersion === object.metadata.resourceVersion) continue;
      const stored = store.put(table, key, object);
      if (!(store.encryption instanceof EncryptionAtRest)) continue;
      if (seal === undefined) store.encryption.seals.delete(stored);
      else store.encryption.seals.set(stored, { ...seal, secret: decodeBase64(seal.secret).bytes });
    }
  }
  const own = ownKeysOf(store);
  for (const { key, value, remove } of own.all()) {
    const saved = snapshot.own[key];
    if (saved === undefined) remove();
    else if (saved !== encodeBase64(value())) own.put(key, decodeBase64(saved).bytes);
  }
  const kept = new Set(own.all().map(({ key }) => key));
  for (const [key, value] of Object.entries(snapshot.own)) if (!kept.has(key)) own.put(key, decodeBase64(value).bytes);
  return true;
}
