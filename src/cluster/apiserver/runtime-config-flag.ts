// What is written behind `--runtime-config`: read, and held against what there is. Most command lines have none, so it comes late.

import { groupVersionOf } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { isStable, type RuntimeConfig } from "./runtime-config.ts";

const flag = "--runtime-config";
/** Keys that stand for many versions, in the order in which later ones win. */
const wide: { readonly [key: string]: (version: string) => boolean } = {
  "api/all": () => true,
  "api/ga": isStable,
  "api/beta": (version) => version.includes("beta"),
  "api/alpha": (version) => version.includes("alpha"),
};
/** Groups that upstream's server knows and this one has no kind of. */
const unsimulatedGroups: ReadonlySet<string> = new Set([
  "admission.k8s.io",
  "extensions",
  "imagepolicy.k8s.io",
  "internal.apiserver.k8s.io",
  "storagemigration.k8s.io",
]);

class WrittenVersions implements RuntimeConfig {
  readonly values: ReadonlyMap<string, boolean>;

  constructor(values: ReadonlyMap<string, boolean>) {
    this.values = values;
  }

  serves(definition: ResourceDefinition): boolean {
    const { group, version, plural, schemaType } = definition;
    if (schemaType === undefined) return true;
    let served = isStable(version);
    for (const [key, matches] of Object.entries(wide)) if (matches(version)) served = this.values.get(key) ?? served;
    // The core group's version is written as a group of its own: `api/v1`.
    const groupVersion = group === "" ? `api/${version}` : groupVersionOf(definition);
    served = this.values.get(groupVersion) ?? served;
    return this.values.get(`${groupVersion}/${plural}`) ?? served;
  }
}

/** Keys that do nothing here: versions that are not stable, of which this server has no kind. Throws Error for what upstream refuses. */
export function unsimulatedVersions({ values }: RuntimeConfig, definitions: readonly ResourceDefinition[]): readonly string[] {
  const builtIn = definitions.filter(({ schemaType }) => schemaType !== undefined);
  const groups = new Set(builtIn.map(({ group }) => group));
  const versions = new Set(builtIn.map(groupVersionOf));
  // `api/…` are versions of the core group, and the keys that stand for many.
  const named = [...values.keys()].map((key) => ({ key, parts: key.split("/") })).filter(({ parts }) => parts[0] !== "api");
  const wrong = named.find(({ parts }) => parts.length !== 2 && parts.length !== 3);
  if (wrong !== undefined) throw new Error(`runtime-config invalid key ${wrong.key}`);
  const asked = named.map(({ key, parts: [group = "", version = ""] }) => ({ key, group, version, of: `${group}/${version}` }));
  const strangers = asked.filter(({ group }) => !groups.has(group) && !unsimulatedGroups.has(group)).map(({ of }) => of);
  if (strangers.length > 0) throw new Error(`unknown api groups ${[...new Set(strangers)].sort().join(",")}`);
  const absent = asked.filter(({ of }) => !versions.has(of));
  const never = absent.find(({ version }) => !/^v\d+(alpha|beta)\d+$/.test(version));
  if (never !== undefined) throw new Error(`group version ${never.of} that has not been registered`);
  return absent.map(({ key }) => key);
}

/** Out of a command line; the flag may occur several times. Throws Error for a value that is no boolean. */
export function runtimeConfigOf(argv: readonly string[]): RuntimeConfig {
  const values = new Map<string, boolean>();
  for (const [index, argument] of argv.entries()) {
    let text: string | undefined;
    if (argument === flag) text = argv[index + 1];
    else if (argument.startsWith(`${flag}=`)) text = argument.slice(flag.length + 1);
    for (const pair of (text ?? "").split(",")) {
      const [key = "", value = "true"] = pair.split("=").map((part) => part.trim());
      if (key !== "") values.set(key, booleanOf(key, value));
    }
  }
  return new WrittenVersions(values);
}

/** A key without a value is switched on, as one that ends in `=`. Those that stand for many take no other words. */
function booleanOf(key: string, value: string): boolean {
  if (key in wide) {
    if (value === "true" || value === "false") return value === "true";
    throw new Error(`invalid value ${key}=${value}`);
  }
  if (value === "" || /^(1|t|T|true|True|TRUE)$/.test(value)) return true;
  if (/^(0|f|F|false|False|FALSE)$/.test(value)) return false;
  throw new Error(`invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
}
