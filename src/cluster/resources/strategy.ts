// What most kinds do with their status: a create and an update cannot set it, an update of the status subresource can
// set nothing else (registry's rest strategies).

import type { KubeObject } from "#cluster/api/objects.ts";

/** `object` with the named fields as `source` has them. */
export function withFieldsOf<O extends KubeObject>(object: O, source: O, ...names: readonly (keyof O & string)[]): O {
  const result: { [name: string]: unknown } = { ...object };
  for (const name of names) {
    if (source[name] === undefined) delete result[name];
    else result[name] = source[name];
  }
  return result as O;
}

/** The strategy of kinds with spec and status; spread it into a declaration. */
export const specAndStatus = {
  prepareForCreate: <O extends KubeObject>(object: O): O => ({ ...object, status: {} }),
  prepareForUpdate: <O extends KubeObject>(object: O, old: O): O => withFieldsOf(object, old, "status"),
  prepareForStatusUpdate: <O extends KubeObject>(object: O, old: O): O => withFieldsOf(object, old, "spec"),
} as const;
