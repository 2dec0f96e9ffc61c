// Objects by name, as texts: `pods/default/web`, `nodes//node-1`. Pages use it: it imports no code.

import type { ObjectRef } from "./questions.ts";

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
