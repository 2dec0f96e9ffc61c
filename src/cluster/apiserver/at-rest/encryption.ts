// What the API server does to values on their way to etcd and back, as its configuration says. The store keeps objects; which key sealed
// which of them stands beside it, and outlives the configuration.

import { internalError } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Encryption } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Bytes } from "#sim/bytes.ts";
import { ciphers, type Seal } from "./ciphers.ts";

/** The seals of stored objects; an object without one lies there in plain. */
export type Seals = WeakMap<KubeObject, Seal>;

/** In the order in which they are tried; the first writes. */
export type Provider = { readonly identity: true } | ({ readonly identity: false } & Seal);

/** Providers by `secrets`, `deployments.apps`, `*.apps`, `*.` or `*.*`. */
export type Rules = ReadonlyMap<string, readonly Provider[]>;

const plain: readonly Provider[] = [{ identity: true }];

export class EncryptionAtRest implements Encryption {
  readonly #rules: Rules;
  readonly seals: Seals;
  readonly #keyOf: (table: Table, object: KubeObject) => string;

  /** `keyOf`: an object's key in etcd. */
  constructor(rules: Rules, seals: Seals, keyOf: (table: Table, object: KubeObject) => string) {
    this.#rules = rules;
    this.seals = seals;
    this.#keyOf = keyOf;
  }

  seal(table: Table, stored: KubeObject): void {
    const [first] = this.#providersOf(table);
    if (first?.identity === false) this.seals.set(stored, first);
  }

  isStale(table: Table, stored: KubeObject | undefined): boolean {
    if (stored === undefined) return false;
    const [first] = this.#providersOf(table);
    const seal = this.seals.get(stored);
    return first === undefined || first.identity ? seal !== undefined : seal === undefined || !isSame(first, seal);
  }

  open(table: Table, stored: KubeObject): void {
    const fault = this.#fault(table, stored);
    if (fault !== undefined) throw internalError(fault);
  }

  openAll(table: Table, stored: readonly KubeObject[]): void {
    for (const object of stored) {
      const fault = this.#fault(table, object);
      if (fault !== undefined)
        throw internalError(`unable to transform key ${JSON.stringify(this.#keyOf(table, object))}: ${fault}`);
    }
  }

  #fault(table: Table, stored: KubeObject): string | undefined {
    const seal = this.seals.get(stored);
    if (seal === undefined) return undefined;
    const providers = this.#providersOf(table);
    if (providers === plain) return "identity transformer tried to read encrypted data";
    const same = providers.filter((provider) => !provider.identity && provider.cipher === seal.cipher) as readonly Seal[];
    if (same.length === 0) return "no matching prefix found";
    if (same.some((provider) => isSame(provider, seal))) return undefined;
    const { noMatch, wrongKey } = ciphers[seal.cipher];
    return same.some(({ keyName }) => keyName === seal.keyName) ? wrongKey : noMatch;
  }

  /** A table has the name by which a rule names its resource. */
  #providersOf({ resource }: Table): readonly Provider[] {
    const dot = resource.indexOf(".");
    const group = dot < 0 ? "" : resource.slice(dot + 1);
    const rules = this.#rules;
    return rules.get(resource) ?? rules.get(`*.${group}`) ?? rules.get("*.*") ?? plain;
  }
}

function isSame(one: Seal, other: Seal): boolean {
  return one.cipher === other.cipher && one.keyName === other.keyName && equalBytes(one.secret, other.secret);
}

function equalBytes(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
