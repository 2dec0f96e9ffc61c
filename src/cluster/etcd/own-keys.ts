// Keys that somebody has put into etcd by hand, beside those of the API server. Kept with the store: whoever asks another member sees the
// same.

import type { StoredKey } from "#cluster/apiserver/at-rest/stored-keys.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Bytes } from "#sim/bytes.ts";
import { Listeners } from "#sim/listeners.ts";

interface OwnKey {
  readonly value: Bytes;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

export class OwnKeys {
  /** Told of every write; without a value the key is gone. */
  readonly onWrite = new Listeners<{ readonly key: string; readonly revision: number; readonly stored: StoredKey | undefined }>();
  readonly #store: Store;
  readonly #keys = new Map<string, OwnKey>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** In no order. */
  all(): readonly StoredKey[] {
    return [...this.#keys].map(([key, own]) => this.#stored(key, own));
  }

  put(key: string, value: Bytes): void {
    const before = this.#keys.get(key);
    const revision = this.#store.advance();
    const own = {
      value,
      createRevision: before?.createRevision ?? revision,
      modRevision: revision,
      version: (before?.version ?? 0) + 1,
    };
    this.#keys.set(key, own);
    this.onWrite.tell({ key, revision, stored: this.#stored(key, own) });
  }

  remove(key: string): void {
    if (this.#keys.delete(key)) this.onWrite.tell({ key, revision: this.#store.advance(), stored: undefined });
  }

  #stored(key: string, own: OwnKey): StoredKey {
    return { ...own, key, value: () => own.value, remove: () => this.remove(key) };
  }
}

const ofStores = new WeakMap<Store, OwnKeys>();

export function ownKeysOf(store: Store): OwnKeys {
  const own = ofStores.get(store) ?? new OwnKeys(store);
  ofStores.set(store, own);
  return own;
}
