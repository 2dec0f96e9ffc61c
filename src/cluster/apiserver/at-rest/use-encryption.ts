// Encryption as a server's process begins it.

import type { GivenFlags } from "#cluster/component-flags.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Process } from "#sim/program.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import { serverId } from "../identity-lease.ts";
import { AutomaticReload } from "./automatic-reload.ts";
import { EncryptionAtRest, type EncryptionConfiguration, noEncryption } from "./encryption.ts";
import { readEncryptionConfiguration } from "./encryption-configuration.ts";
import { KmsProvider } from "./kms-provider.ts";
import { keyOf } from "./stored-keys.ts";

interface Server {
  readonly store: Store;
  readonly registry: Registry;
  readonly simulation: Simulation;
  readonly random: Random;
}

const file = "encryption-provider-config";
const reload = "encryption-provider-config-automatic-reload";

/** @returns why the server cannot start. */
export function useEncryption(
  self: Process,
  { store, registry, simulation, random }: Server,
  given: GivenFlags,
): string | undefined {
  const path = given.get(file)?.at(-1) ?? "";
  const reloadText = given.get(reload)?.at(-1) ?? "false";
  const reloads = /^(1|t|true)$/i.test(reloadText);
  if (!reloads && !/^(0|f|false)$/i.test(reloadText))
    return `invalid argument ${JSON.stringify(reloadText)} for "--${reload}" flag: strconv.ParseBool: parsing ${JSON.stringify(reloadText)}: invalid syntax`;
  if (reloads && path === "") return `--${reload} must be set with --${file}`;
  const load = (): EncryptionConfiguration | { readonly fault: string } => {
    const kmsOf = (settings: ConstructorParameters<typeof KmsProvider>[0]): KmsProvider =>
      new KmsProvider(settings, { self, simulation, random });
    const read = readEncryptionConfiguration(self, path, { reload: reloads, kmsOf });
    if ("rules" in read) for (const provider of read.kms) provider.start();
    return read;
  };
  const configuration = path === "" ? noEncryption : load();
  if ("fault" in configuration) return configuration.fault;
  const before = store.encryption instanceof EncryptionAtRest ? store.encryption : undefined;
  before?.end();
  const seals = before?.seals ?? new WeakMap();
  const around = { simulation, serverId: serverId(self.hostname), reloads, keyOf: keyOf.bind(undefined, registry) };
  const encryption = new EncryptionAtRest(configuration, seals, around);
  store.encryption = encryption;
  if (reloads) {
    const reloading = new AutomaticReload({ self, simulation, path, encryption, load });
    encryption.reloads = reloading.reloads;
    reloading.start();
  }
  return undefined;
}
