// A world with somebody who may do little, for tests of what has to do with RBAC.

import { namespaces, roleBindings, roles } from "#cluster/api/kinds.ts";
import { type KubectlWorld, kubectlWorld } from "./kubectl.test-kit.ts";

/** jane lists pods in team-a and gets the secret `own`; impersonation by the administrator tries it out. */
export function rbacWorld(): KubectlWorld {
  const made = kubectlWorld();
  made.client.create(namespaces, { metadata: { name: "team-a" } });
  made.client.create(roles, {
    metadata: { name: "reader", namespace: "team-a" },
    rules: [
      { verbs: ["list", "get"], apiGroups: [""], resources: ["pods", "pods/log"] },
      { verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["own"] },
      { verbs: ["get"], apiGroups: ["apps"], resources: ["deployments/scale"] },
    ],
  });
  made.client.create(roleBindings, {
    metadata: { name: "reader", namespace: "team-a" },
    roleRef: { kind: "Role", name: "reader" },
    subjects: [{ kind: "User", name: "jane" }],
  });
  return made;
}
