// etcd's keys as its clients see them: what the API server keeps, and what somebody has put there by hand.

import { type StoredKey, StoredKeys } from "#cluster/apiserver/at-rest/stored-keys.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { type OwnKeys, ownKeysOf } from "./own-keys.ts";

/** What nobody can be served here; etcd itself would. */
export class NotSimulated extends Error {}

/** Below it the API server keeps its objects. */
const registryFolder = "/registry/";

export class Keyspace {
  readonly stored: StoredKeys;
  readonly own: OwnKeys;
  readonly #store: Store;

  constructor(store: Store, registry: Registry) {
    this.stored = new StoredKeys(store, registry);
    this.own = ownKeysOf(store);
    this.#store = store;
  }

  get revision(): number {
    return this.#store.revision;
  }

  /** In order. */
  within(range: KeyRange): readonly StoredKey[] {
    const found = [...this.stored.all(), ...this.own.all()].filter(({ key }) => isWithin(range, key));
    return found.sort((a, b) => compareTexts(a.key, b.key));
  }

  /** Throws NotSimulated for keys of the API server's. */
  put(key: string, value: Bytes): void {
    if (key.startsWith(registryFolder)) throw new NotSimulated(`put below ${registryFolder}`);
    this.own.put(key, value);
  }
}

/** From a key up to another, without it; without an end that one key. "\0" as the end: all that follow. */
export interface KeyRange {
  readonly first: string;
  readonly end: string | undefined;
}

export function isWithin({ first, end }: KeyRange, key: string): boolean {
  return end === undefined ? key === first : key >= first && (end === "\0" || key < end);
}

/** As requests have it, in base64. */
export function rangeOf({ key = "", range_end: end = "" }: { readonly key?: string; readonly range_end?: string }): KeyRange {
  return { first: textOf(key), end: end === "" ? undefined : textOf(end) };
}

function textOf(base64: string): string {
  return decodeUtf8(decodeBase64(base64).bytes);
}

/** As the JSON of etcd's API has it: keys and values in base64, numbers of 64 bits as texts. */
export function wireKey({ key, createRevision, modRevision, version, value }: StoredKey, keysOnly: boolean): object {
  return {
    key: encodeBase64(key),
    create_revision: String(createRevision),
    mod_revision: String(modRevision),
    version: String(version),
    ...(keysOnly ? {} : { value: encodeBase64(value()) }),
  };
}
