// `--runtime-config`: which group versions and resources the server answers for (apiserver's resourceconfig). What is
// switched off is gone from paths and documents; stored objects stay, and the cluster's own components still see them.
// Versions that are not stable are off unless they are switched on. Custom kinds have their own switches.

import type { ResourceDefinition } from "#cluster/resources/definition.ts";

export interface RuntimeConfig {
  /** What was written, by key: a version, a resource of one, or what stands for many. */
  readonly values: ReadonlyMap<string, boolean>;
  serves(definition: ResourceDefinition): boolean;
}

export function isStable(version: string): boolean {
  return /^v\d+$/.test(version);
}

/** Without the flag; `runtime-config-flag.ts` reads what is written there. */
export const usualVersions: RuntimeConfig = {
  values: new Map(),
  serves: ({ version, schemaType }) => schemaType === undefined || isStable(version),
};
