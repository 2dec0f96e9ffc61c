// A Service `web` in front of a ReplicaSet's Pods, with both endpoint controllers.

import type { Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { replicaSetController } from "../replicaset/replicaset-controller.ts";
import type { Tuning } from "../tuning.ts";
import { endpointsController } from "./endpoints-controller.ts";
import { endpointSliceController } from "./endpointslice-controller.ts";

export const key = { namespace: "default", name: "web" };

/** `replicas`: "none" without the ReplicaSet, which would take Pods made by hand for its own. */
export function startEndpoints(
  replicas: number | "none",
  service: Partial<NonNullable<Service["spec"]>> = {},
  tuning: Partial<Tuning> = {},
) {
  const plane = startControlPlane({ definitions: [endpointsController, endpointSliceController, replicaSetController], tuning });
  const { client } = plane;
  for (const name of ["node-1", "node-2", "node-3"]) client.create(kinds.nodes, { metadata: { name } });
  const selector = { app: "web" };
  const containers = [{ name: "main", image: "nginx", ports: [{ name: "http", containerPort: 8080 }] }];
  client.create(kinds.services, { metadata: key, spec: { selector, ports: [{ port: 80, targetPort: "http" }], ...service } });
  if (replicas !== "none")
    client.create(kinds.replicaSets, {
      metadata: key,
      spec: { replicas, selector: { matchLabels: selector }, template: { metadata: { labels: selector }, spec: { containers } } },
    });
  plane.settle();
  return {
    ...plane,
    endpoints: () => client.get(kinds.endpoints, key),
    slices: () => client.list(kinds.endpointSlices, { labelSelector: "kubernetes.io/service-name=web" }).items,
    pods: () => client.list(kinds.pods).items,
  };
}
