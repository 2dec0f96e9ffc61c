// Roles and bindings that kubeadm makes: for administrators, for nodes that join, for its add-ons
// (cmd/kubeadm/app/phases/{kubeconfig,bootstraptoken,addons,copycerts,uploadconfig}), and what the pod network needs.

import type { PolicyRule, RbacV1Subject } from "#cluster/api/generated/types.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";

const apiGroup = "rbac.authorization.k8s.io";
const system = "kube-system";
const read = ["get", "list", "watch"];

/** Nodes that join with a token that `kubeadm token create` made. */
const joiningNodes = group("system:bootstrappers:kubeadm:default-node-token");
const nodes = group("system:nodes");

interface ClusterRoleRow {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
}

const clusterRoleRows: readonly ClusterRoleRow[] = [
  { name: "kubeadm:get-nodes", rules: [rule("", "nodes", ["get"])] },
  {
    name: "system:coredns",
    rules: [
      { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs: ["list", "watch"] },
      rule("discovery.k8s.io", "endpointslices", ["list", "watch"]),
    ],
  },
  {
    name: "pod-network",
    rules: [
      { apiGroups: [""], resources: ["nodes", "pods", "namespaces"], verbs: read },
      rule("networking.k8s.io", "networkpolicies", read),
    ],
  },
];

/** Binding → ClusterRole, subjects. */
const clusterBindingRows: readonly (readonly [string, string, readonly RbacV1Subject[]])[] = [
  ["kubeadm:cluster-admins", "cluster-admin", [group("kubeadm:cluster-admins")]],
  ["kubeadm:get-nodes", "kubeadm:get-nodes", [joiningNodes]],
  ["kubeadm:kubelet-bootstrap", "system:node-bootstrapper", [joiningNodes]],
  ["kubeadm:node-autoapprove-bootstrap", "system:certificates.k8s.io:certificatesigningrequests:nodeclient", [joiningNodes]],
  [
    "kubeadm:node-autoapprove-certificate-rotation",
    "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
    [nodes],
  ],
  ["kubeadm:node-proxier", "system:node-proxier", [account("kube-proxy")]],
  ["system:coredns", "system:coredns", [account("coredns")]],
  ["pod-network", "pod-network", [account("pod-network")]],
];

/** Namespace, role and binding → the one ConfigMap that may be read, and by whom. */
const configReaderRows: readonly (readonly [string, string, string, readonly RbacV1Subject[]])[] = [
  ["kube-public", "kubeadm:bootstrap-signer-clusterinfo", "cluster-info", [{ apiGroup, kind: "User", name: "system:anonymous" }]],
  [system, "kubeadm:kubelet-config", "kubelet-config", [nodes, joiningNodes]],
  [system, "kubeadm:nodes-kubeadm-config", "kubeadm-config", [joiningNodes, nodes]],
  [system, "kube-proxy", "kube-proxy", [joiningNodes]],
];

export function applyRoles(client: Client): void {
  for (const { name, rules } of clusterRoleRows) client.create(clusterRoles, { metadata: { name }, rules });
  for (const [name, role, subjects] of clusterBindingRows) {
    client.create(clusterRoleBindings, {
      metadata: { name },
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects,
    });
  }
  for (const [namespace, name, config, subjects] of configReaderRows) {
    const metadata = { namespace, name };
    const rules = [{ ...rule("", "configmaps", ["get"]), resourceNames: [config] }];
    client.create(roles, { metadata, rules });
    client.create(roleBindings, { metadata, roleRef: { apiGroup, kind: "Role", name }, subjects });
  }
}

function rule(apiGroupName: string, resource: string, verbs: readonly string[]): PolicyRule {
  return { apiGroups: [apiGroupName], resources: [resource], verbs };
}

function group(name: string): RbacV1Subject {
  return { apiGroup, kind: "Group", name };
}

function account(name: string): RbacV1Subject {
  return { kind: "ServiceAccount", name, namespace: system };
}
