// RBAC's answers with their reasons (plugin/pkg/auth/authorizer/rbac/rbac.go): for reviews, for refusals and for people who look at an
// allowed request, not for every request.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import type { RbacV1Subject } from "#cluster/api/generated/types.ts";
import { ruleAllowsPath } from "#cluster/api/policy-rules.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Decision, PathAttributes, ResourceAttributes } from "./attributes.ts";
import type { Grant, UserGrants } from "./grants.ts";

export function decideResource(grants: UserGrants, attributes: ResourceAttributes): Decision {
  return decisionOf(grants.allowing(attributes), grants.in(attributes.namespace));
}

export function decidePath(grants: UserGrants, { verb, path }: PathAttributes): Decision {
  const ofCluster = grants.in("");
  const allowing = ofCluster.find((grant) => grant.rules?.some((rule) => ruleAllowsPath(rule, verb, path)) === true);
  return decisionOf(allowing, ofCluster);
}

/** Why a request was allowed, as the annotation `authorization.k8s.io/reason` of an audit event has it; "" where upstream says nothing. */
export function allowedReason(grant: Grant | undefined): string {
  return grant === undefined ? "" : `RBAC: allowed by ${describeGrant(grant)}`;
}

function decisionOf(allowing: Grant | undefined, all: readonly Grant[]): Decision {
  if (allowing !== undefined) return { allowed: true, reason: allowedReason(allowing) };
  const errors = all.filter(({ rules }) => rules === undefined).map(missingRole);
  return { allowed: false, reason: errors.length === 0 ? "" : `RBAC: ${aggregateText(errors)}` };
}

/** `role.rbac.authorization.k8s.io "x" not found` */
export function missingRole({ binding }: Pick<Grant, "binding">): string {
  const { kind, name } = binding.roleRef;
  return `${asciiLowerCase(kind)}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`;
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
