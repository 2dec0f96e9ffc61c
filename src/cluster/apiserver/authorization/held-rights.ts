// Which rights somebody lacks who would give them away by a role or a binding, and how that is said (pkg/registry/rbac/*/policybased).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { forbidden, notFound } from "#cluster/api/errors.ts";
import type { ClusterRole, PolicyRule, RoleRef } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { compactRules, formatRule, quoted, uncoveredRules } from "#cluster/api/policy-rules.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { type Authorizer, everything } from "./authorizer.ts";
import { isAllowed } from "./escalation.ts";

/** Of who may not `escalate`. `old` is undefined for a create. */
export function requireHeldRights(
  authorizer: Authorizer,
  request: ResourceRequest,
  object: KubeObject,
  old: KubeObject | undefined,
): void {
  if (old !== undefined && changesOnlyGarbageFields(object, old)) return;
  const { kind } = request.definition;
  if (kind === "Role" || kind === "ClusterRole") requireHeld(authorizer, request, object, old);
  else requireBindable(authorizer, request, object);
}

function requireHeld(authorizer: Authorizer, request: ResourceRequest, role: KubeObject, old: KubeObject | undefined): void {
  const name = role.metadata.name ?? "";
  const refusal = escalationBy(authorizer, request.user, request.namespace, rulesOf(role));
  const aggregates = hasAggregation(role) || (old !== undefined && hasAggregation(old));
  if (refusal !== undefined) throw forbidden(subjectOf(request), name, refusal);
  if (aggregates && escalationBy(authorizer, request.user, "", everything) !== undefined) {
    throw forbidden(subjectOf(request), name, "must have cluster-admin privileges to use the aggregationRule");
  }
}

const roleResources = new Map([
  ["Role", "roles"],
  ["ClusterRole", "clusterroles"],
]);

function requireBindable(authorizer: Authorizer, request: ResourceRequest, binding: KubeObject): void {
  const roleRef = binding["roleRef"] as RoleRef | undefined;
  if (roleRef === undefined) return;
  const plural = roleResources.get(roleRef.kind);
  if (plural === undefined || isAllowed(authorizer, request, "bind", plural, roleRef.name)) return;
  const rules = authorizer.rbac.rulesOf(roleRef, request.namespace);
  if (rules === undefined) throw notFound(subjectOf(request), roleRef.name);
  const refusal = escalationBy(authorizer, request.user, request.namespace, rules);
  if (refusal !== undefined) throw forbidden(subjectOf(request), binding.metadata.name ?? "", refusal);
}

/** What is said of the rights that the user lacks; undefined when none is missing. */
function escalationBy(authorizer: Authorizer, user: UserInfo, namespace: string, rules: readonly PolicyRule[]): string | undefined {
  const missing = uncoveredRules(authorizer.grantsOf(user).rulesIn(namespace), rules);
  if (missing.length === 0) return undefined;
  const lines = [...new Set(compactRules(missing).map(formatRule))].sort();
  return `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}`;
}

function hasAggregation(role: KubeObject): boolean {
  const rule = role["aggregationRule"] as ClusterRole["aggregationRule"];
  return (rule?.clusterRoleSelectors?.length ?? 0) > 0;
}

function rulesOf(role: KubeObject): readonly PolicyRule[] {
  return (role["rules"] as readonly PolicyRule[] | null | undefined) ?? [];
}

function subjectOf({ definition }: ResourceRequest): { readonly group: string; readonly resource: string } {
  return { group: definition.group, resource: definition.plural };
}

/** The garbage collector may take away owners and finalizers of roles that it could not write. */
function changesOnlyGarbageFields(object: KubeObject, old: KubeObject): boolean {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...metadata } = object.metadata;
  const { ownerReferences: _oldOwners, finalizers: _oldFinalizers, managedFields: _oldFields, ...oldMetadata } = old.metadata;
  return semanticDeepEqual({ ...object, metadata }, { ...old, metadata: oldMetadata });
}
