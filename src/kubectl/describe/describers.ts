// Which kind is described by what.

import type { KubeObject } from "#cluster/api/objects.ts";
import { describeDeployment } from "./deployment.ts";
import type { Describer } from "./describer.ts";
import { describeGeneric } from "./generic.ts";
import { describeNode } from "./node.ts";
import { describePod } from "./pod.ts";
import { describeBinding, describeRole } from "./rbac.ts";
import { describeReplicaSet } from "./replicaset.ts";
import { describeService } from "./service.ts";
import { describeServiceAccount } from "./service-account.ts";

/** By `Kind.group`; objects come from the API server, so each describer gets its own kind. */
const describers: ReadonlyMap<string, Describer<never>> = new Map<string, Describer<never>>([
  ["Pod.", describePod],
  ["Node.", describeNode],
  ["Service.", describeService],
  ["ServiceAccount.", describeServiceAccount],
  ["Role.rbac.authorization.k8s.io", describeRole],
  ["ClusterRole.rbac.authorization.k8s.io", describeRole],
  ["RoleBinding.rbac.authorization.k8s.io", describeBinding],
  ["ClusterRoleBinding.rbac.authorization.k8s.io", describeBinding],
  ["Deployment.apps", describeDeployment],
  ["ReplicaSet.apps", describeReplicaSet],
]);

export function describerFor(kind: string, group: string): Describer<KubeObject> {
  return (describers.get(`${kind}.${group}`) as Describer<KubeObject> | undefined) ?? describeGeneric;
}
