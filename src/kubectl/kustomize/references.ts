// Names by which objects refer to each other: they follow when a name is changed.

import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject, type JsonObject, textAt } from "../documents.ts";
import { kindOf, nameOf, type Resource, withObject } from "./resource.ts";

/** Field of a parent → where the name is, and the kind that is meant; "" takes the kind from the field `kind` beside it. */
const fields: { readonly [parent: string]: readonly (readonly [field: string, kind: string])[] } = {
  configMapKeyRef: [["name", "ConfigMap"]],
  configMapRef: [["name", "ConfigMap"]],
  configMap: [["name", "ConfigMap"]],
  secretKeyRef: [["name", "Secret"]],
  secretRef: [["name", "Secret"]],
  secret: [
    ["secretName", "Secret"],
    ["name", "Secret"],
  ],
  imagePullSecrets: [["name", "Secret"]],
  tls: [["secretName", "Secret"]],
  service: [["name", "Service"]],
  persistentVolumeClaim: [["claimName", "PersistentVolumeClaim"]],
  roleRef: [["name", ""]],
  subjects: [["name", ""]],
  scaleTargetRef: [["name", ""]],
  spec: [
    ["serviceName", "Service"],
    ["serviceAccountName", "ServiceAccount"],
    ["serviceAccount", "ServiceAccount"],
    ["volumeName", "PersistentVolume"],
    ["priorityClassName", "PriorityClass"],
    ["storageClassName", "StorageClass"],
    ["ingressClassName", "IngressClass"],
  ],
};

/** Old name → new name, by kind. */
export type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>;

export function renamesOf(before: readonly Resource[], after: readonly Resource[]): Renames {
  const renames = new Map<string, Map<string, string>>();
  for (const [index, old] of before.entries()) {
    const next = after[index];
    if (next === undefined || nameOf(old) === nameOf(next)) continue;
    const own = renames.get(kindOf(old)) ?? new Map<string, string>();
    own.set(nameOf(old), nameOf(next));
    renames.set(kindOf(old), own);
  }
  return renames;
}

export function withReferences(resource: Resource, renames: Renames): Resource {
  if (renames.size === 0) return resource;
  const { metadata, ...rest } = resource.object;
  const followed = follow(rest, "", renames);
  return withObject(resource, { ...(isObject(followed) ? followed : {}), ...(metadata === undefined ? {} : { metadata }) });
}

function follow(value: JsonValue, parent: string, renames: Renames): JsonValue {
  if (isArray(value)) return value.map((item) => follow(item, parent, renames));
  if (!isObject(value)) return value;
  const result: { [name: string]: JsonValue } = {};
  for (const [name, field] of Object.entries(value)) result[name] = follow(field, name, renames);
  for (const [field, kind] of fields[parent] ?? []) {
    const name = result[field];
    if (typeof name !== "string") continue;
    const renamed = renames.get(kind === "" ? textAt(value as JsonObject, "kind") : kind)?.get(name);
    if (renamed !== undefined) result[field] = renamed;
  }
  return result;
}
