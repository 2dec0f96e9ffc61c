// Roles of the system namespaces and who has them (bootstrappolicy/namespace_policy.go of v1.36).

import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { on, read, writesEvents } from "./rules.ts";

const system = "kube-system";
const leaderLocking: readonly PolicyRule[] = [
  on("coordination.k8s.io", "leases", "create get list update watch"),
  on("coordination.k8s.io", "leasecandidates", "create get list update watch"),
];

/** Subjects are written `User:NAME`, `Group:NAME`, `ServiceAccount:NAME` (of kube-system). */
export interface NamespaceRoleRow {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** The name of the binding, where that is not the role's. */
  readonly binding?: string;
  readonly subjects: readonly string[];
}

export const namespaceRoleRows: readonly NamespaceRoleRow[] = [
  {
    namespace: system,
    name: "extension-apiserver-authentication-reader",
    rules: [on("core", "configmaps", read, "extension-apiserver-authentication")],
    binding: "system::extension-apiserver-authentication-reader",
    subjects: ["User:system:kube-controller-manager", "User:system:kube-scheduler"],
  },
  {
    namespace: system,
    name: "system:controller:bootstrap-signer",
    rules: [on("core", "secrets", read)],
    subjects: ["ServiceAccount:bootstrap-signer"],
  },
  {
    namespace: system,
    name: "system:controller:cloud-provider",
    rules: [on("core", "configmaps", "create get list watch")],
    subjects: ["ServiceAccount:cloud-provider"],
  },
  {
    namespace: system,
    name: "system:controller:token-cleaner",
    rules: [on("core", "secrets", "delete get list watch"), writesEvents],
    subjects: ["ServiceAccount:token-cleaner"],
  },
  {
    namespace: system,
    name: "system::leader-locking-kube-controller-manager",
    rules: leaderLocking,
    subjects: [
      "User:system:kube-controller-manager",
      "ServiceAccount:kube-controller-manager",
      "ServiceAccount:leader-election-controller",
    ],
  },
  {
    namespace: system,
    name: "system::leader-locking-kube-scheduler",
    rules: leaderLocking,
    subjects: ["User:system:kube-scheduler", "ServiceAccount:kube-scheduler"],
  },
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    rules: [on("core", "configmaps", read), on("core", "configmaps", "update", "cluster-info"), writesEvents],
    subjects: ["ServiceAccount:bootstrap-signer"],
  },
];
