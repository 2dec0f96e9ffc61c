// Encryption as a server's process begins it.

import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Process } from "#sim/program.ts";
import { EncryptionAtRest, type Rules } from "./encryption.ts";
import { readEncryptionConfiguration } from "./encryption-configuration.ts";
import { keyOf } from "./stored-keys.ts";

const noRules: Rules = new Map();

/** @param path what --encryption-provider-config names, if it is given. @returns why the server cannot start. */
export function useEncryption(
  self: Process,
  { store, registry }: { readonly store: Store; readonly registry: Registry },
  path: string | undefined,
): string | undefined {
  const read = path === undefined ? { rules: noRules } : readEncryptionConfiguration(self, path);
  if ("fault" in read) return read.fault;
  const { seals } = store.encryption instanceof EncryptionAtRest ? store.encryption : { seals: new WeakMap() };
  store.encryption = new EncryptionAtRest(read.rules, seals, (table, object) => keyOf(registry, table, object));
  return undefined;
}
