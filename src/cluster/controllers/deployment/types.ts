// The stored forms that this folder works on.

import type { DeploymentStatus, Deployment as DeploymentWire, ReplicaSet as ReplicaSetWire } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";

export type Deployment = Stored<DeploymentWire>;
export type ReplicaSet = Stored<ReplicaSetWire>;
export type { IntOrString } from "#cluster/api/wire.ts";
export type { DeploymentStatus };
