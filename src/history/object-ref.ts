// Objects by name, as texts: `pods/default/web`, `nodes//node-1`.

import { keyOf, splitKey } from "#cluster/api/objects.ts";
import type { ObjectRef } from "./questions.ts";

/** The object of a table with a key of the store. */
export function refOf(resource: string, key: string): ObjectRef {
  return { resource, ...splitKey(key) };
}

export function keyOfRef({ namespace, name }: ObjectRef): string {
  return keyOf({ metadata: { namespace, name } });
}

export function refText({ resource, namespace, name }: ObjectRef): string {
  return `${resource}/${namespace}/${name}`;
}

/** Undefined for a text that names no object. */
export function parseRef(text: string): ObjectRef | undefined {
  const [resource = "", namespace = "", ...rest] = text.split("/");
  const name = rest.join("/");
  return resource === "" || name === "" ? undefined : { resource, namespace, name };
}

export function isSameRef(a: ObjectRef, b: ObjectRef): boolean {
  return a.name === b.name && a.resource === b.resource && a.namespace === b.namespace;
}
