// Nobody gives away more than they have: whoever writes a role or a binding must hold every right that it gives, or the right
// to `escalate` or to `bind` (pkg/registry/rbac/*/policybased). Comes after mutating admission and before validation.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
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
  if (old !== undefined && changesOnlyGarbageFields(object, old)) return;
  const isRole = definition.kind === "Role" || definition.kind === "ClusterRole";
  if (isRole && isAllowed(authorizer, request, "escalate", definition.plural, request.name)) return;
  // No part of a cluster comes so far by itself.
  if (isRole) lateRequests.code.requireHeld(authorizer, request, object, old);
  else lateRequests.code.requireBindable(authorizer, request, object);
}

export function isAllowed(authorizer: Authorizer, request: ResourceRequest, verb: string, resource: string, name: string): boolean {
  const { user, namespace } = request;
  return authorizer.decide({ user, verb, group: rbacGroup, resource, subresource: "", namespace, name }).allowed;
}

/** The garbage collector may take away owners and finalizers of roles that it could not write. */
function changesOnlyGarbageFields(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...metadata } = object.metadata;
  const { ownerReferences: _oldOwners, finalizers: _oldFinalizers, managedFields: _oldFields, ...oldMetadata } = old.metadata;
  return semanticDeepEqual({ ...object, metadata }, { ...old, metadata: oldMetadata });
}
