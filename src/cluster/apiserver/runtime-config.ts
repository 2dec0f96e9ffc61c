// `--runtime-config`: which group versions and resources the server answers for (apiserver's resourceconfig). What is
// switched off is gone from paths and documents; stored objects stay, and the cluster's own components still see them.

import { groupVersionOf } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";

const flag = "--runtime-config";

/** Keys that stand for many versions, in the order in which later ones win. */
const wide: { readonly [key: string]: (version: string) => boolean } = {
  "api/all": () => true,
  "api/ga": (version) => /^v\d+$/.test(version),
  "api/beta": (version) => version.includes("beta"),
  "api/alpha": (version) => version.includes("alpha"),
};

export class RuntimeConfig {
  readonly #values: ReadonlyMap<string, boolean>;

  constructor(values: ReadonlyMap<string, boolean> = new Map()) {
    this.#values = values;
  }

  get isDefault(): boolean {
    return this.#values.size === 0;
  }

  serves(definition: ResourceDefinition): boolean {
    if (this.isDefault) return true;
    const { group, version, plural } = definition;
    let served = true;
    for (const [key, matches] of Object.entries(wide)) if (matches(version)) served = this.#values.get(key) ?? served;
    // The core group's version is written as a group of its own: `api/v1`.
    const groupVersion = group === "" ? `api/${version}` : groupVersionOf(definition);
    served = this.#values.get(groupVersion) ?? served;
    return this.#values.get(`${groupVersion}/${plural}`) ?? served;
  }
}

/** Out of a command line; the flag may occur several times. Throws Error for a value that is no boolean. */
export function runtimeConfigOf(argv: readonly string[]): RuntimeConfig {
  const values = new Map<string, boolean>();
  for (const [index, argument] of argv.entries()) {
    let text: string | undefined;
    if (argument === flag) text = argv[index + 1];
    else if (argument.startsWith(`${flag}=`)) text = argument.slice(flag.length + 1);
    for (const pair of (text ?? "").split(",")) {
      const [key = "", value = ""] = pair.split("=").map((part) => part.trim());
      if (key !== "") values.set(key, booleanOf(key, value));
    }
  }
  return new RuntimeConfig(values);
}

/** A key without a value is switched on. */
function booleanOf(key: string, value: string): boolean {
  if (value === "" || /^(1|t|true)$/i.test(value)) return true;
  if (/^(0|f|false)$/i.test(value)) return false;
  throw new Error(`invalid value of ${key}=${value}, should be a boolean`);
}
