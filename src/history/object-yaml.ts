// A stored object's text.

import type { KubeObject } from "#cluster/api/objects.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import type { StoredKind } from "#world/happenings.ts";

/** As `kubectl get -o yaml` prints it: without managedFields. */
export function yamlOf(kind: StoredKind, stored: KubeObject): string {
  const { metadata, ...rest } = kind.wire(stored);
  const { managedFields: _managedFields, ...shown } = metadata;
  return writeYaml({ ...rest, metadata: shown } as JsonValue);
}
