// Puts the bootstrap roles and bindings in place at each start of the API server: what is missing is made, what lacks a
// rule or a subject gets it back, unless somebody has opted out (pkg/registry/rbac/reconciliation). Nothing is taken away.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type { ClusterRole, PolicyRule, RbacV1Subject, RoleRef } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "#cluster/api/kinds.ts";
import { type Draft, keyOf, type ObjectMeta, type ResourceType, type Stored } from "#cluster/api/objects.ts";
import { uncoveredRules } from "#cluster/api/policy-rules.ts";
import type { Client } from "#cluster/client/client.ts";
import {
  autoUpdateAnnotation,
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
} from "./policy.ts";

type Named = { readonly metadata: ObjectMeta & { readonly name: string; readonly namespace?: string } };
/** What is to be there, ready to be made. */
type Wanted<T> = T & Draft<T> & Named;
type Role = Pick<ClusterRole, "rules" | "aggregationRule">;
interface Binding {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly RbacV1Subject[];
}

export function reconcileBootstrapPolicy(client: Client): void {
  reconcileAll(client, clusterRoles, bootstrapClusterRoles, completedRole);
  reconcileAll(client, clusterRoleBindings, bootstrapClusterRoleBindings, completedBinding);
  reconcileAll(client, roles, bootstrapRoles, completedRole);
  reconcileAll(client, roleBindings, bootstrapRoleBindings, completedBinding);
}

function reconcileAll<T extends Role | Binding>(
  client: Client,
  type: ResourceType<T>,
  wanted: readonly Wanted<T>[],
  complete: (found: Stored<T>, wanted: T) => Stored<T>,
): void {
  const existing = new Map(client.list(type).items.map((item) => [keyOf(item), item]));
  for (const one of wanted) {
    const found = existing.get(keyOf(one));
    if (found === undefined) unlessRefused(() => client.create(type, one));
    else reconcile(client, type, found, one, complete);
  }
}

function reconcile<T extends Role | Binding>(
  client: Client,
  type: ResourceType<T>,
  found: Stored<T>,
  wanted: T & Named,
  complete: (found: Stored<T>, wanted: T) => Stored<T>,
): void {
  if (found.metadata.annotations?.[autoUpdateAnnotation] === "false") return;
  const completed = withMetadataOf(complete(found, wanted), wanted);
  if (completed !== found) unlessRefused(() => client.update(type, completed));
}

/** A namespace that is going takes its roles with it; the next start tries again. */
function unlessRefused(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function withMetadataOf<T>(object: Stored<T>, { metadata: { labels, annotations } }: Named): Stored<T> {
  const has = (own: ObjectMeta["labels"], wanted: ObjectMeta["labels"]): boolean =>
    Object.keys(wanted ?? {}).every((key) => own?.[key] !== undefined);
  const { metadata } = object;
  if (has(metadata.labels, labels) && has(metadata.annotations, annotations)) return object;
  const completed = {
    ...metadata,
    labels: { ...labels, ...metadata.labels },
    annotations: { ...annotations, ...metadata.annotations },
  };
  return { ...object, metadata: completed };
}

function completedRole<T extends Role>(found: Stored<T>, wanted: T): Stored<T> {
  const { aggregationRule } = wanted;
  if (aggregationRule !== undefined) {
    return semanticDeepEqual(found.aggregationRule, aggregationRule) ? found : { ...found, aggregationRule };
  }
  // The rules of an untouched role are the very list that was stored.
  if (found.rules === wanted.rules) return found;
  const rules: readonly PolicyRule[] = found.rules ?? [];
  const missing = uncoveredRules(rules, wanted.rules ?? []);
  return missing.length === 0 ? found : { ...found, rules: [...rules, ...missing] };
}

function completedBinding<T extends Binding>(found: Stored<T>, wanted: T): Stored<T> {
  if (found.subjects === wanted.subjects) return found;
  const subjects = found.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((own) => semanticDeepEqual(own, subject)));
  return missing.length === 0 ? found : { ...found, subjects: [...subjects, ...missing] };
}
