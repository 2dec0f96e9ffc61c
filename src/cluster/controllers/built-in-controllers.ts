// All controllers of the process, in upstream's order.

import { policyStatusController } from "./admission/policy-status.ts";
import type { ControllerDefinition } from "./context.ts";
import { daemonSetController } from "./daemonset/daemonset-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { endpointSliceController } from "./endpoints/endpointslice-controller.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaceController } from "./namespace/namespace-controller.ts";
import { rootCaPublisher } from "./namespace/root-ca-publisher.ts";
import { serviceAccountController } from "./namespace/service-accounts.ts";
import { nodeIpamController } from "./nodes/node-ipam.ts";
import { nodeLifecycleController } from "./nodes/node-lifecycle-controller.ts";
import { podGarbageCollector } from "./nodes/pod-garbage-collector.ts";
import { taintEvictionController } from "./nodes/taint-eviction-controller.ts";
import { replicaSetController } from "./replicaset/replicaset-controller.ts";

/** Flags of the process that controllers need. */
export interface ControllerSettings {
  /** `--cluster-cidr`, default 10.244.0.0/16. */
  readonly clusterCidr?: string;
  /** `--root-ca-file`: the CA bundle in PEM that namespaces get; "" (the default) publishes an empty one. */
  readonly rootCa?: string;
  /** `--terminated-pod-gc-threshold`, default 12500. */
  readonly terminatedPodThreshold?: number;
}

export function builtInControllers(settings: ControllerSettings): readonly ControllerDefinition[] {
  return [
    endpointsController,
    endpointSliceController,
    podGarbageCollector(settings.terminatedPodThreshold ?? 12_500),
    namespaceController,
    serviceAccountController,
    garbageCollector,
    daemonSetController,
    deploymentController,
    replicaSetController,
    nodeIpamController(settings.clusterCidr ?? "10.244.0.0/16"),
    nodeLifecycleController,
    taintEvictionController,
    rootCaPublisher(settings.rootCa ?? ""),
    policyStatusController,
  ];
}
