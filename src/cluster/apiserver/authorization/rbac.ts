// RBAC's answers with their reasons (plugin/pkg/auth/authorizer/rbac/rbac.go): for reviews and for refusals, not for every
// request.

import type { RbacV1Subject } from "#cluster/api/generated/types.ts";
import { ruleAllows, ruleAllowsPath } from "#cluster/api/policy-rules.ts";
import { aggregateText } from "../aggregate-text.ts";
import type { Decision, PathAttributes, ResourceAttributes } from "./attributes.ts";
import type { Grant, UserGrants } from "./grants.ts";

export function decideResource(grants: UserGrants, attributes: ResourceAttributes): Decision {
  return decisionOf(grants.in(attributes.namespace), (grant) => grant.rules?.some((rule) => ruleAllows(rule, attributes)) === true);
}

export function decidePath(grants: UserGrants, { verb, path }: PathAttributes): Decision {
  return decisionOf(grants.in(""), (grant) => grant.rules?.some((rule) => ruleAllowsPath(rule, verb, path)) === true);
}

function decisionOf(grants: readonly Grant[], allows: (grant: Grant) => boolean): Decision {
  const grant = grants.find(allows);
  if (grant !== undefined) return { allowed: true, reason: `RBAC: allowed by ${describeGrant(grant)}` };
  const errors = grants.filter(({ rules }) => rules === undefined).map(missingRole);
  return { allowed: false, reason: errors.length === 0 ? "" : `RBAC: ${aggregateText(errors)}` };
}

/** `role.rbac.authorization.k8s.io "x" not found` */
export function missingRole({ binding }: Pick<Grant, "binding">): string {
  const { kind, name } = binding.roleRef;
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`;
}

function describeGrant({ binding, subject }: Grant): string {
  const { name = "", namespace = "" } = binding.metadata;
  const { roleRef } = binding;
  const own = namespace === "" ? name : `${name}/${namespace}`;
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  return `${kind} ${JSON.stringify(own)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}

function describeSubject({ kind, name, namespace }: RbacV1Subject, bindingNamespace: string): string {
  const full = kind === "ServiceAccount" ? `${name}/${namespace || bindingNamespace}` : name;
  return `${kind} ${JSON.stringify(full)}`;
}
