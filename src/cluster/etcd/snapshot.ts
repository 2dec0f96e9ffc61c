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

/** Bytes in base64. */
interface SavedSeal {
  readonly cipher: Seal["cipher"];
  readonly keyName: string;
  readonly secret: string;
  /** Of a KMS plugin's: the secret as the plugin has encrypted it. */
  readonly source?: SavedSource;
}

interface SavedSource {
  readonly ciphertext: string;
  readonly keyId: string;
  readonly annotations: { readonly [key: string]: string };
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
  if (seal === undefined) return {};
  const saved = { cipher: seal.cipher, keyName: seal.keyName, secret: encodeBase64(seal.secret) };
  if (seal.cipher !== "kms") return { seal: saved };
  const { ciphertext, keyId, annotations } = seal.source;
  const texts = Object.fromEntries([...annotations].map(([key, value]) => [key, encodeBase64(value)]));
  return { seal: { ...saved, source: { ciphertext: encodeBase64(ciphertext), keyId, annotations: texts } } };
}

function sealFrom({ cipher, keyName, secret, source }: SavedSeal): Seal {
  const bytes = (text: string): Bytes => decodeBase64(text).bytes;
  if (cipher !== "kms") return { cipher, keyName, secret: bytes(secret) };
  const { ciphertext = "", keyId = "", annotations = {} } = source ?? {};
  const values = new Map(Object.entries(annotations).map(([key, value]) => [key, bytes(value)]));
  return { cipher, keyName, secret: bytes(secret), source: { ciphertext: bytes(ciphertext), keyId, annotations: values } };
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
  // They lie there as they did, whatever seals new ones.
  const { encryption } = store;
  store.encryption = undefined;
  for (const [resource, entries] of Object.entries(snapshot.tables)) {
    const table = store.table(resource);
    for (const { key, object, seal } of entries) {
      if (table.get(key)?.metadata.resourceVersion === object.metadata.resourceVersion) continue;
      const stored = store.put(table, key, object);
      if (encryption instanceof EncryptionAtRest && seal !== undefined) encryption.seals.set(stored, sealFrom(seal));
    }
  }
  store.encryption = encryption;
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
