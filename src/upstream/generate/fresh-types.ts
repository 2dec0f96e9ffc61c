// Which types a cluster needs before anybody asks anything of it: those of the objects that its own parts write.

import type { Model } from "./models.ts";
import { referred } from "./type-facts.ts";

const written = [
  "APIService",
  "AuthenticationV1TokenRequest",
  "ConfigMap",
  "CoreV1Event",
  "DaemonSet",
  "Deployment",
  "EndpointSlice",
  "Endpoints",
  "Lease",
  "Namespace",
  "Node",
  "Pod",
  "ReplicaSet",
  "Secret",
  "Service",
  "ServiceAccount",
  "Status",
];

/** With all types that their fields have. Throws when one of them is not there. */
export function freshTypes(models: readonly Model[]): ReadonlySet<string> {
  const byName = new Map(models.map((model) => [model.name, model]));
  const found = new Set(written);
  for (const name of found) {
    const model = byName.get(name);
    if (model === undefined) throw new Error(`generate: there is no type ${name}`);
    for (const { type } of model.fields) {
      const next = referred(type);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}
