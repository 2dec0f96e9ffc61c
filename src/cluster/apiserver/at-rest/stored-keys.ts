// What lies in etcd, as etcd's own clients see it: keys, and bytes that the API server writes. Built-in kinds are protobuf, those of
// extensions JSON (apiserver, pkg/server/storage); what is sealed is sealed.

import { jsonText } from "#cluster/api/json-write.ts";
import { groupVersionOf, type KubeObject } from "#cluster/api/objects.ts";
import { writeEnvelope } from "#cluster/api/protobuf/envelope.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { StoreEvent } from "#cluster/storage/events.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { StoredEntry, Table } from "#cluster/storage/table.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { wireObject } from "../encoding.ts";
import { etcdFolder, isStoredByGroup, storageKey } from "../machinery.ts";
import { sealed } from "./ciphers.ts";
import { EncryptionAtRest } from "./encryption.ts";

export interface StoredKey {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  value(): Bytes;
  /** As if it had never been asked whether it may: no finalizer is waited for. */
  remove(): void;
}

/** An object's key in etcd. */
export function keyOf(registry: Registry, table: Table, { metadata }: KubeObject): string {
  const definition = definitionOf(registry, table);
  const folder = definition === undefined ? `/registry/${table.resource}/` : etcdFolder(definition);
  return folder + storageKey(metadata.namespace ?? "", metadata.name ?? "");
}

/** The one whose version is stored. */
function definitionOf(registry: Registry, table: Table): ResourceDefinition | undefined {
  const all = registry.all.filter(
    (definition) => definition.isReview !== true && registry.storageOf(definition) === table.resource,
  );
  return all.find(({ toStorage }) => toStorage === undefined) ?? all[0];
}

export class StoredKeys {
  readonly #store: Store;
  readonly #registry: Registry;

  constructor(store: Store, registry: Registry) {
    this.#store = store;
    this.#registry = registry;
  }

  get revision(): number {
    return this.#store.revision;
  }

  /** All of them, in no order. */
  *all(): Iterable<StoredKey> {
    for (const table of this.#store.tables.values()) {
      // Their states are asked for, and lie nowhere.
      if (table.resource === "componentstatuses") continue;
      const definition = table.size === 0 ? undefined : definitionOf(this.#registry, table);
      if (definition === undefined) continue;
      const folder = etcdFolder(definition);
      for (const entry of table.entries) yield this.#stored(table, definition, folder, entry);
    }
  }

  /** What a write has stored, or taken away; undefined for what is no object of a kind. */
  ofEvent({ key, object, revision }: StoreEvent, table: Table): StoredKey | undefined {
    const definition = definitionOf(this.#registry, table);
    if (definition === undefined) return undefined;
    const { createRevision = revision, version = 1 } = table.entry(key) ?? {};
    return this.#stored(table, definition, etcdFolder(definition), { key, object, createRevision, version });
  }

  #stored(table: Table, definition: ResourceDefinition, folder: string, entry: StoredEntry): StoredKey {
    const { key, object, createRevision, version } = entry;
    const modRevision = Number(object.metadata.resourceVersion);
    return {
      key: folder + key,
      createRevision,
      modRevision,
      version,
      value: () => this.#value(definition, folder + key, object),
      remove: () => this.#store.remove(table, key, object),
    };
  }

  #value(definition: ResourceDefinition, key: string, object: KubeObject): Bytes {
    const value = plainValue(definition, object);
    const { encryption } = this.#store;
    const seal = encryption instanceof EncryptionAtRest ? encryption.seals.get(object) : undefined;
    return seal === undefined ? value : sealed(seal, `${key}@${object.metadata.resourceVersion}`, key, value);
  }
}

/** The revision is etcd's own and does not lie in the value. */
function plainValue(definition: ResourceDefinition, object: KubeObject): Bytes {
  const { metadata, ...rest } = wireObject(definition, object);
  const { resourceVersion: _revision, ...kept } = metadata;
  const value = { ...rest, apiVersion: groupVersionOf(definition), kind: definition.kind, metadata: kept } as unknown as JsonObject;
  const written = isStoredByGroup(definition) ? undefined : writeEnvelope(value);
  return written ?? encodeUtf8(`${jsonText(value)}\n`);
}
