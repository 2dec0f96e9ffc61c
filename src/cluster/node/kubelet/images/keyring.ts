// Registry credentials. No cluster begins with any: how they are read comes late (`late-keyring.ts`).

import type { RegistryCredentials } from "#cluster/images/image.ts";

/** The Secret that credentials come from. */
export interface SecretSource {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** Credentials, and whose they are: without a source they are the node's own, for all of its Pods. */
export interface TrackedCredentials extends RegistryCredentials {
  readonly source?: SecretSource | undefined;
}

interface KeyringEntry {
  /** `registry.example:5000/team`; labels of the host may hold globs. */
  readonly key: string;
  readonly credentials: TrackedCredentials;
}

export type Keyring = readonly KeyringEntry[];

/** A configuration that cannot be read; the message is that of Go's decoder. */
export class KeyringError extends Error {}
