// The controller of an object, `ReplicaSet/web-5d4f8c7b9`.

import type { ObjectMeta } from "#cluster/api/objects.ts";

export function controllerText(metadata: ObjectMeta): string | undefined {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${owner.kind}/${owner.name}`;
}
