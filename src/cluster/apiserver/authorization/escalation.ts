// Nobody gives away more than they have: whoever writes a role or a binding must hold every right that it gives, or the right
// to `escalate` or to `bind` (pkg/registry/rbac/*/policybased). Comes after mutating admission and before validation.

import type { KubeObject } from "#cluster/api/objects.ts";
import { lateRequests } from "../late-requests.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { Authorizer } from "./authorizer.ts";

export const rbacGroup = "rbac.authorization.k8s.io";
const superusers = "system:masters";

/** Throws Forbidden, and NotFound for a binding to a role that is not there. `old` is undefined for a create. */
export function requireNoEscalation(
  authorizer: Authorizer,
  request: ResourceRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): void {
  const { definition, user } = request;
  if (user.groups.includes(superusers)) return;
  const isRole = definition.kind === "Role" || definition.kind === "ClusterRole";
  if (isRole && isAllowed(authorizer, request, "escalate", definition.plural, request.name)) return;
  // No part of a cluster comes so far by itself.
  lateRequests.code.requireHeldRights(authorizer, request, object, old);
}

export function isAllowed(authorizer: Authorizer, request: ResourceRequest, verb: string, resource: string, name: string): boolean {
  const { user, namespace } = request;
  return authorizer.decide({ user, verb, group: rbacGroup, resource, subresource: "", namespace, name }).allowed;
}
