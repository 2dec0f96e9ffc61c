// All controllers of the process, in upstream's order.

import type { ControllerDefinition } from "./context.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { replicaSetController } from "./replicaset/replicaset-controller.ts";

/** Flags of the process that controllers need. */
export interface ControllerSettings {
  /** Default 10.244.0.0/16. */
  readonly clusterCidr?: string;
}

export function builtInControllers(_settings: ControllerSettings): readonly ControllerDefinition[] {
  return [deploymentController, replicaSetController];
}
