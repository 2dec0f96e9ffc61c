// The objects of a cluster as two runs of a lab can be compared: what people and their manifests said, without what changes by itself.

import { keyOf } from "#cluster/api/objects.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import { controllerOf } from "#cluster/controllers/ownership.ts";
import { refOf } from "#history/object-keys.ts";
import type { ObjectRef } from "#history/questions.ts";
import type { StoredObjects } from "#world/happenings.ts";

export interface ComparedObject {
  readonly ref: ObjectRef;
  readonly kind: string;
  readonly yaml: string;
}

/** Records of what happened, not of what is wanted. */
const passingKinds = new Set([
  "events",
  "events.events.k8s.io",
  "leases.coordination.k8s.io",
  "endpoints",
  "ipaddresses.networking.k8s.io",
  "certificatesigningrequests.certificates.k8s.io",
]);

/** Chosen by the cluster when the author of an object leaves them open. */
const chosenFields = new Set([
  "status",
  "metadata.uid",
  "metadata.resourceVersion",
  "metadata.generation",
  "metadata.creationTimestamp",
  "metadata.managedFields",
  "metadata.selfLink",
  "metadata.deletionTimestamp",
  "spec.clusterIP",
  "spec.clusterIPs",
  "spec.nodeName",
  "spec.volumeName",
  "spec.healthCheckNodePort",
  "spec.ports.nodePort",
  "spec.claimRef.resourceVersion",
]);

const chosenAnnotations =
  /^(kubectl\.kubernetes\.io\/|deployment\.kubernetes\.io\/|deprecated\.daemonset\.template\.generation$|pv\.kubernetes\.io\/|volume\.(beta\.)?kubernetes\.io\/|batch\.kubernetes\.io\/job-tracking$)/;
const uidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Named by whoever made them for another object: a claim's volume. */
const madeName = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A Pod has these from its node. */
const placeLabel = /^topology\.kubernetes\.io\//;
const tokenVolume = /^kube-api-access-/;

/** In the order of kinds and names. Left out: what a controller keeps, what was named by the cluster. */
export function comparedObjects(objects: StoredObjects): readonly ComparedObject[] {
  const found: ComparedObject[] = [];
  for (const resource of objects.resources) {
    const kind = objects.kindOf(resource);
    if (kind === undefined || passingKinds.has(resource)) continue;
    for (const object of objects.list(resource)) {
      const { generateName = "", name = "" } = object.metadata;
      if (controllerOf(object) !== undefined || generateName !== "" || madeName.test(name)) continue;
      const wire = withoutPlace(kind.wire(object) as JsonObject);
      found.push({ ref: refOf(resource, keyOf(object)), kind: kind.kind, yaml: writeYaml(withoutChosen(wire, "") ?? {}) });
    }
  }
  return found.sort((a, b) => compare(`${a.ref.resource}/${keyText(a.ref)}`, `${b.ref.resource}/${keyText(b.ref)}`));
}

/** Undefined for a value that does not count, and for what is empty without such values. */
function withoutChosen(value: JsonValue, path: string): JsonValue | undefined {
  if (typeof value === "string") return uidPattern.test(value) ? undefined : value;
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isTokenVolume(item)).flatMap((item) => withoutChosen(item, path) ?? []);
    return items.length === 0 && value.length > 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, field]): readonly (readonly [string, JsonValue])[] => {
    const at = path === "" ? name : `${path}.${name}`;
    if (chosenFields.has(at) || (path === "metadata.annotations" && chosenAnnotations.test(name))) return [];
    const kept = withoutChosen(field, at);
    return kept === undefined ? [] : [[name, kept]];
  });
  return entries.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(entries);
}

function withoutPlace(object: JsonObject): JsonObject {
  const { kind, metadata } = object;
  if (kind !== "Pod" || !isObject(metadata) || !isObject(metadata["labels"])) return object;
  const labels = Object.entries(metadata["labels"]).filter(([name]) => !placeLabel.test(name));
  return { ...object, metadata: { ...metadata, labels: Object.fromEntries(labels) } };
}

function isTokenVolume(item: JsonValue): boolean {
  return isObject(item) && tokenVolume.test(String(item["name"] ?? ""));
}

function keyText({ namespace, name }: ObjectRef): string {
  return `${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
