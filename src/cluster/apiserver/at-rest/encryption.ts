// What the API server does to values on their way to etcd and back, as its configuration says. The store keeps objects; which key sealed
// which of them stands beside it, and outlives the configuration.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { internalError } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Encryption } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Bytes } from "#sim/bytes.ts";
import type { Simulation } from "#sim/simulation.ts";
import { ciphers, type KeySeal, type Seal } from "./ciphers.ts";
import type { KmsProvider, OpenFault } from "./kms-provider.ts";
import { type Reloads, reloadMetrics } from "./reload-metrics.ts";

/** The seals of stored objects; an object without one lies there in plain. */
export type Seals = WeakMap<KubeObject, Seal>;

/** In the order in which they are tried; the first writes. */
export type Provider =
  | { readonly kind: "identity" }
  | { readonly kind: "key"; readonly seal: KeySeal }
  | { readonly kind: "kms"; readonly kms: KmsProvider };

/** Providers by `secrets`, `deployments.apps`, `*.apps`, `*.` or `*.*`. */
export type Rules = ReadonlyMap<string, readonly Provider[]>;

/** What a file says. */
export interface EncryptionConfiguration {
  readonly rules: Rules;
  /** Each once, in the order of the file. */
  readonly kms: readonly KmsProvider[];
  /** Of the file: `sha256:…`. */
  readonly hash: string;
}

export const noEncryption: EncryptionConfiguration = { rules: new Map(), kms: [], hash: "" };

interface Surroundings {
  readonly simulation: Simulation;
  /** As its Lease has it. */
  readonly serverId: string;
  /** An object's key in etcd. */
  readonly keyOf: (table: Table, object: KubeObject) => string;
  /** Whether the file is read again when it changes. */
  readonly reloads: boolean;
}

const plain: readonly Provider[] = [{ kind: "identity" }];
const kmsCheck = "kms-providers";
const reloadCheck = "poststarthook/start-encryption-provider-config-automatic-reload";

export class EncryptionAtRest implements Encryption {
  readonly seals: Seals;
  /** What became of reloads of the file. */
  reloads: Reloads | undefined;
  readonly #around: Surroundings;
  #configuration: EncryptionConfiguration;

  constructor(configuration: EncryptionConfiguration, seals: Seals, around: Surroundings) {
    this.#configuration = configuration;
    this.seals = seals;
    this.#around = around;
  }

  /** From now on another configuration counts. */
  use(configuration: EncryptionConfiguration): void {
    this.end();
    this.#configuration = configuration;
  }

  get hash(): string {
    return this.#configuration.hash;
  }

  /** Plugins are not asked any more. */
  end(): void {
    for (const provider of this.#configuration.kms) provider.stop();
  }

  seal(table: Table, stored: KubeObject): void {
    const [first] = this.#providersOf(table);
    if (first?.kind === "key") this.seals.set(stored, first.seal);
    if (first?.kind !== "kms") return;
    const seal = first.kms.seal();
    if (typeof seal === "string") throw internalError(seal);
    this.seals.set(stored, seal);
  }

  isStale(table: Table, stored: KubeObject | undefined): boolean {
    if (stored === undefined) return false;
    const [first] = this.#providersOf(table);
    const seal = this.seals.get(stored);
    if (first === undefined || first.kind === "identity") return seal !== undefined;
    if (seal === undefined) return true;
    if (first.kind === "key") return seal.cipher === "kms" || !isSame(first.seal, seal);
    return seal.cipher !== "kms" || seal.keyName !== first.kms.name || !first.kms.isCurrent(seal);
  }

  open(table: Table, stored: KubeObject): void {
    const fault = this.#fault(table, stored);
    if (fault !== undefined) throw this.#refusal(fault, "");
  }

  openAll(table: Table, stored: readonly KubeObject[]): void {
    for (const object of stored) {
      const fault = this.#fault(table, object);
      if (fault !== undefined)
        throw this.#refusal(fault, `unable to transform key ${JSON.stringify(this.#around.keyOf(table, object))}: `);
    }
  }

  checksOf(endpoint: string, usual: readonly string[]): readonly string[] {
    const { reloads } = this.#around;
    const hasKms = (reloads || this.#configuration.kms.length > 0) && endpoint !== "livez";
    const last = usual.findLastIndex((check) => check.startsWith("etcd"));
    return usual.flatMap((check, index) => {
      if (index === last && hasKms) return [check, kmsCheck];
      return reloads && check === "poststarthook/start-apiserver-admission-initializer" ? [check, reloadCheck] : [check];
    });
  }

  failure(check: string): string | undefined {
    return check === kmsCheck ? kmsFault(this.#configuration) : undefined;
  }

  metrics(): readonly string[] {
    return reloadMetrics(this.#around.serverId, this.reloads, this.hash);
  }

  /** A plugin that is away is waited for: the request is made once more when upstream's client would give up. */
  #refusal({ text, waitMs }: OpenFault, before: string): Error {
    const refusal = internalError(before + text);
    if (waitMs === undefined) return refusal;
    const begin = (resume: () => void): void => void this.#around.simulation.after(waitMs, resume);
    return new AnsweredLater(refusal.status, { begin, tries: 2, isRefusedMeanwhile: false });
  }

  #fault(table: Table, stored: KubeObject): OpenFault | undefined {
    const seal = this.seals.get(stored);
    if (seal === undefined) return undefined;
    const providers = this.#providersOf(table);
    if (providers === plain) return { text: "identity transformer tried to read encrypted data" };
    if (seal.cipher === "kms") {
      const found = providers.find((provider) => provider.kind === "kms" && provider.kms.name === seal.keyName);
      return found?.kind === "kms" ? found.kms.openFault(seal) : { text: "no matching prefix found" };
    }
    const same = providers.flatMap((provider) =>
      provider.kind === "key" && provider.seal.cipher === seal.cipher ? [provider.seal] : [],
    );
    if (same.length === 0) return { text: "no matching prefix found" };
    if (same.some((one) => isSame(one, seal))) return undefined;
    const { noMatch, wrongKey } = ciphers[seal.cipher];
    return { text: same.some(({ keyName }) => keyName === seal.keyName) ? wrongKey : noMatch };
  }

  /** A table has the name by which a rule names its resource. */
  #providersOf({ resource }: Table): readonly Provider[] {
    const dot = resource.indexOf(".");
    const group = dot < 0 ? "" : resource.slice(dot + 1);
    const { rules } = this.#configuration;
    return rules.get(resource) ?? rules.get(`*.${group}`) ?? rules.get("*.*") ?? plain;
  }
}

/** What the health check of all plugins says. */
export function kmsFault({ kms }: EncryptionConfiguration): string | undefined {
  const faults = kms.flatMap((provider, index) => {
    const fault = provider.check();
    return fault === undefined ? [] : [`kms-provider-${index}: ${fault}`];
  });
  return faults.length === 0 ? undefined : aggregateText(faults);
}

function isSame(one: KeySeal, other: KeySeal): boolean {
  return one.cipher === other.cipher && one.keyName === other.keyName && equalBytes(one.secret, other.secret);
}

function equalBytes(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
