// May this user do this? Answers with upstream's wording. This slice has a bootstrap policy instead of RBAC: see README.

import { forbidden, otherFailure } from "#cluster/api/errors.ts";
import type { UserInfo } from "#cluster/client/client.ts";

export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Groups whose members may do everything here. */
const trustedGroups: ReadonlySet<string> = new Set([
  "system:masters",
  "kubeadm:cluster-admins",
  "system:nodes",
  "system:serviceaccounts:kube-system",
]);

/** Components that act under names of their own. */
const trustedUsers: ReadonlySet<string> = new Set([
  "system:apiserver",
  "system:kube-controller-manager",
  "system:kube-scheduler",
  "system:kube-proxy",
]);

/** Paths that anyone may read (ClusterRole system:public-info-viewer). */
const publicPaths: ReadonlySet<string> = new Set(["/healthz", "/livez", "/readyz", "/version", "/version/"]);

/** What everyone who is known may read (ClusterRole system:discovery). */
const discoveryPath = /^\/(api|apis|openapi|healthz|livez|readyz|version)(\/.*)?$/;

export function authorizeResource(attributes: AuthorizationAttributes): void {
  if (isTrusted(attributes.user) || isReview(attributes)) return;
  const { group, resource, subresource, name, user, verb, namespace } = attributes;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const scope = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  throw forbidden(
    { group, resource },
    name,
    `User "${user.name}" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`,
  );
}

export function authorizePath(user: UserInfo, verb: string, path: string): void {
  if (isTrusted(user)) return;
  if (verb === "get" && publicPaths.has(path)) return;
  if (verb === "get" && user.groups.includes("system:authenticated") && discoveryPath.test(path)) return;
  throw otherFailure(403, "Forbidden", `forbidden: User "${user.name}" cannot ${verb} path "${path}"`, {});
}

function isTrusted(user: UserInfo): boolean {
  return trustedUsers.has(user.name) || user.groups.some((group) => trustedGroups.has(group));
}

/** Everyone who is known may ask about themselves (ClusterRole system:basic-user). */
function isReview({ user, group, verb, resource }: AuthorizationAttributes): boolean {
  if (!user.groups.includes("system:authenticated") || verb !== "create") return false;
  if (group === "authorization.k8s.io") return resource === "selfsubjectaccessreviews" || resource === "selfsubjectrulesreviews";
  return group === "authentication.k8s.io" && resource === "selfsubjectreviews";
}
