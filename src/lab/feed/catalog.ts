// The kinds by the names of their tables, in the version that kubectl shows.

import { type KubeObject, splitKey } from "#cluster/api/objects.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import { wireObject } from "#cluster/apiserver/encoding.ts";
import { presented, storageKey } from "#cluster/apiserver/machinery.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import { compareVersions } from "#cluster/resources/apiextensions/versions.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { ObjectRef } from "./questions.ts";

/** The definition that shows a table's objects: its kind's best version; of Events those of the core group. */
export function definitionOf(server: ApiServer, resource: string): ResourceDefinition | undefined {
  const { registry } = server;
  let best: ResourceDefinition | undefined;
  for (const definition of registry.all) {
    if (registry.storageOf(definition) !== resource) continue;
    if (best === undefined || isBetter(definition, best)) best = definition;
  }
  return best;
}

function isBetter(definition: ResourceDefinition, best: ResourceDefinition): boolean {
  if (definition.group !== best.group) return definition.group === "";
  return compareVersions(definition.version, best.version) < 0;
}

/** The table of a kind; "" for a kind that is not served. */
export function tableOfKind(server: ApiServer, apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const definition = server.registry.findKind(group, apiVersion.slice(slash + 1), kind);
  return definition === undefined ? "" : server.registry.storageOf(definition);
}

/** As `kubectl get -o yaml` prints it: without managedFields. */
export function yamlOf(definition: ResourceDefinition, stored: KubeObject): string {
  const { metadata, ...rest } = wireObject(definition, presented(definition, stored));
  const { managedFields: _managedFields, ...shown } = metadata;
  return writeYaml({ ...rest, metadata: shown } as JsonValue);
}

export function refOf(resource: string, key: string): ObjectRef {
  return { resource, ...splitKey(key) };
}

export function keyOfRef({ namespace, name }: ObjectRef): string {
  return storageKey(namespace, name);
}
