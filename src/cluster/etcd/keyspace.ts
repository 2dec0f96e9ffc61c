// etcd's keys as its clients see them: what the API server keeps, and what somebody has put there by hand.

import { type StoredKey, StoredKeys } from "#cluster/apiserver/at-rest/stored-keys.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import { encodeBase64 } from "#sim/base64.ts";
import type { Bytes } from "#sim/bytes.ts";
import { compareTexts } from "#sim/compare-texts.ts";

interface OwnKey {
  readonly value: Bytes;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

/** What nobody can be served here; etcd itself would. */
export class NotSimulated extends Error {}

/** Kept with the store: whoever asks another member sees the same. */
const ownKeys = new WeakMap<Store, Map<string, OwnKey>>();

/** Below it the API server keeps its objects. */
const registryFolder = "/registry/";

export class Keyspace {
  readonly stored: StoredKeys;
  readonly #store: Store;
  readonly #own: Map<string, OwnKey>;

  constructor(store: Store, registry: Registry) {
    this.stored = new StoredKeys(store, registry);
    this.#store = store;
    this.#own = ownKeys.get(store) ?? new Map();
    ownKeys.set(store, this.#own);
  }

  get revision(): number {
    return this.#store.revision;
  }

  /** Keys from `first` up to `end`, without it, in order; without `end` that one key. "\0" as the end: all that follow. */
  range(first: string, end: string | undefined): readonly StoredKey[] {
    const isIn = (key: string): boolean => (end === undefined ? key === first : key >= first && (end === "\0" || key < end));
    const found = [...this.stored.all(), ...this.#ownKeys()].filter(({ key }) => isIn(key));
    return found.sort((a, b) => compareTexts(a.key, b.key));
  }

  /** Throws NotSimulated for keys of the API server's. */
  put(key: string, value: Bytes): void {
    if (key.startsWith(registryFolder)) throw new NotSimulated(`put below ${registryFolder}`);
    const before = this.#own.get(key);
    const modRevision = this.#store.advance();
    const createRevision = before?.createRevision ?? modRevision;
    this.#own.set(key, { value, createRevision, modRevision, version: (before?.version ?? 0) + 1 });
  }

  *#ownKeys(): Iterable<StoredKey> {
    for (const [key, own] of this.#own) {
      const remove = (): void => {
        this.#own.delete(key);
        this.#store.advance();
      };
      yield { ...own, key, value: () => own.value, remove };
    }
  }
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
