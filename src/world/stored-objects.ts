// What a world's API server holds, for whoever asks about it: of each kind the version that kubectl shows.

import type { KubeObject } from "#cluster/api/objects.ts";
import { allowedReason } from "#cluster/apiserver/authorization/rbac.ts";
import { wireObject } from "#cluster/apiserver/encoding.ts";
import { presented } from "#cluster/apiserver/machinery.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import { compareVersions } from "#cluster/resources/apiextensions/versions.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Cluster } from "./cluster.ts";
import type { RecordedRequest, StoredKind, StoredObjects } from "./happenings.ts";
import type { World } from "./world.ts";

export function storedObjects({ cluster }: World): StoredObjects {
  return new ServedObjects(cluster);
}

class ServedObjects implements StoredObjects {
  readonly #cluster: Cluster;
  /** By API version and kind: those who ask ask for many objects of few kinds. */
  readonly #resources = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  get #server(): ApiServer {
    return this.#cluster.apiServer;
  }

  get nowMs(): number {
    return this.#server.simulation.nowMs;
  }

  get resources(): readonly string[] {
    return [...this.#server.store.tables.keys()];
  }

  get(resource: string, key: string): KubeObject | undefined {
    return this.#server.store.tables.get(resource)?.get(key);
  }

  list(resource: string): readonly KubeObject[] {
    return this.#server.store.tables.get(resource)?.list("") ?? [];
  }

  kindOf(resource: string): StoredKind | undefined {
    const definition = this.#definitionOf(resource);
    return definition === undefined ? undefined : storedKind(definition);
  }

  resourceOf(apiVersion: string, kind: string): string {
    const key = `${apiVersion}/${kind}`;
    let resource = this.#resources.get(key);
    if (resource === undefined) {
      resource = this.#tableOf(apiVersion, kind);
      this.#resources.set(key, resource);
    }
    return resource;
  }

  reasonOf({ allowedBy }: RecordedRequest): string {
    return allowedReason(allowedBy);
  }

  /** The kind's best version; of Events those of the core group. */
  #definitionOf(resource: string): ResourceDefinition | undefined {
    const { registry } = this.#server;
    let best: ResourceDefinition | undefined;
    for (const definition of registry.all) {
      if (registry.storageOf(definition) !== resource) continue;
      if (best === undefined || isBetter(definition, best)) best = definition;
    }
    return best;
  }

  #tableOf(apiVersion: string, kind: string): string {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    const definition = this.#server.registry.findKind(group, apiVersion.slice(slash + 1), kind);
    return definition === undefined ? "" : this.#server.registry.storageOf(definition);
  }
}

function isBetter(definition: ResourceDefinition, best: ResourceDefinition): boolean {
  if (definition.group !== best.group) return definition.group === "";
  return compareVersions(definition.version, best.version) < 0;
}

function storedKind(definition: ResourceDefinition): StoredKind {
  const { kind, namespaced, shortNames = [] } = definition;
  return {
    kind,
    namespaced,
    shortNames,
    wire: (stored) => wireObject(definition, presented(definition, stored)),
    columns: (stored, nowMs) => {
      const cells = definition.row(presented(definition, stored), { nowMs });
      return definition.columns.map(({ name }, index) => ({ name, value: textOfCell(cells[index]) }));
    },
  };
}

function textOfCell(cell: unknown): string {
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? String(cell) : "";
}
