// All kinds that the API server serves. Custom resources come and go at run time; everything else is fixed.

import { qualifiedResource } from "#cluster/api/objects.ts";
import { builtInResources } from "./built-in.ts";
import type { ResourceDefinition } from "./definition.ts";

export class Registry {
  readonly #byPath = new Map<string, ResourceDefinition>();
  /** By group, version and plural: what every request asks for, without making a text of them. */
  readonly #byPlural = new Map<string, Map<string, Map<string, ResourceDefinition>>>();
  readonly #byKind = new Map<string, ResourceDefinition>();

  constructor(definitions: readonly ResourceDefinition[] = builtInResources) {
    for (const definition of definitions) this.add(definition);
  }

  /** All definitions in the order of discovery. */
  get all(): readonly ResourceDefinition[] {
    return [...this.#byPath.values()];
  }

  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.#byPlural.get(group)?.get(version)?.get(plural);
  }

  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Whether any kind is served in a group version. */
  hasVersion(group: string, version: string): boolean {
    const prefix = `${group}/${version}/`;
    for (const path of this.#byPath.keys()) if (path.startsWith(prefix)) return true;
    return false;
  }

  add(definition: ResourceDefinition): void {
    const { group, version, plural, kind } = definition;
    this.#byPath.set(`${group}/${version}/${plural}`, definition);
    this.#pluralsOf(group, version).set(plural, definition);
    this.#byKind.set(`${group}/${version}/${kind}`, definition);
  }

  remove(definition: ResourceDefinition): void {
    const { group, version, plural, kind } = definition;
    this.#byPath.delete(`${group}/${version}/${plural}`);
    this.#pluralsOf(group, version).delete(plural);
    this.#byKind.delete(`${group}/${version}/${kind}`);
  }

  /** The name of the table that holds a kind's objects. */
  storageOf(definition: ResourceDefinition): string {
    return definition.storage ?? qualifiedResource(definition);
  }

  #pluralsOf(group: string, version: string): Map<string, ResourceDefinition> {
    let versions = this.#byPlural.get(group);
    if (versions === undefined) {
      versions = new Map();
      this.#byPlural.set(group, versions);
    }
    let plurals = versions.get(version);
    if (plurals === undefined) {
      plurals = new Map();
      versions.set(version, plurals);
    }
    return plurals;
  }
}
