// Objects by name, as the store has them: a table and a key.

import { keyOf, splitKey } from "#cluster/api/objects.ts";
import type { ObjectRef } from "./questions.ts";

export function refOf(resource: string, key: string): ObjectRef {
  return { resource, ...splitKey(key) };
}

export function keyOfRef({ namespace, name }: ObjectRef): string {
  return keyOf({ metadata: { namespace, name } });
}
