// `--runtime-config`: which group versions and resources the server answers for (apiserver's resourceconfig). What is
// switched off is gone from paths and documents; stored objects stay, and the cluster's own components still see them.
// Versions that are not stable are off unless they are switched on. Custom kinds have their own switches.

import { groupVersionOf } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";

const stableVersion = /^v\d+$/;
/** Keys that stand for many versions, in the order in which later ones win. */
export const wide: { readonly [key: string]: (version: string) => boolean } = {
  "api/all": () => true,
  "api/ga": (version) => stableVersion.test(version),
  "api/beta": (version) => version.includes("beta"),
  "api/alpha": (version) => version.includes("alpha"),
};

export class RuntimeConfig {
  /** By key: a version, a resource of one, or what stands for many. */
  readonly values: ReadonlyMap<string, boolean>;

  constructor(values: ReadonlyMap<string, boolean> = new Map()) {
    this.values = values;
  }

  serves(definition: ResourceDefinition): boolean {
    const { group, version, plural, schemaType } = definition;
    if (schemaType === undefined) return true;
    let served = stableVersion.test(version);
    if (this.values.size === 0) return served;
    for (const [key, matches] of Object.entries(wide)) if (matches(version)) served = this.values.get(key) ?? served;
    // The core group's version is written as a group of its own: `api/v1`.
    const groupVersion = group === "" ? `api/${version}` : groupVersionOf(definition);
    served = this.values.get(groupVersion) ?? served;
    return this.values.get(`${groupVersion}/${plural}`) ?? served;
  }
}
