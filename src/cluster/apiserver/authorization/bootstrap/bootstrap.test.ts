import { describe, expect, it } from "vitest";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "#cluster/api/kinds.ts";
import { startServer } from "../../test-server.test-kit.ts";
import { bootstrapClusterRoles } from "./policy.ts";

const key = (name: string) => ({ namespace: "", name });
const metadata = {
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
};

describe("the bootstrap policy", () => {
  it("has the cluster roles of v1.36", () => {
    const { client } = startServer();
    const names = client.list(clusterRoles).items.map((role) => role.metadata.name);
    expect(names.filter((name) => !name.startsWith("system:controller:"))).toEqual([
      "admin",
      "cluster-admin",
      "edit",
      "system:aggregate-to-admin",
      "system:aggregate-to-edit",
      "system:aggregate-to-view",
      "system:auth-delegator",
      "system:basic-user",
      "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
      "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
      "system:certificates.k8s.io:kube-apiserver-client-approver",
      "system:certificates.k8s.io:kube-apiserver-client-kubelet-approver",
      "system:certificates.k8s.io:kubelet-serving-approver",
      "system:certificates.k8s.io:legacy-unknown-approver",
      "system:discovery",
      "system:heapster",
      "system:kube-aggregator",
      "system:kube-controller-manager",
      "system:kube-dns",
      "system:kube-scheduler",
      "system:kubelet-api-admin",
      "system:monitoring",
      "system:node",
      "system:node-bootstrapper",
      "system:node-problem-detector",
      "system:node-proxier",
      "system:persistent-volume-provisioner",
      "system:public-info-viewer",
      "system:service-account-issuer-discovery",
      "system:volume-scheduler",
      "view",
    ]);
  });

  it("binds each controller's role to the controller's account", () => {
    const { client } = startServer();
    const prefix = "system:controller:";
    const roles = bootstrapClusterRoles.filter(({ metadata }) => metadata.name.startsWith(prefix));
    expect(roles.length).toBeGreaterThan(30);
    for (const {
      metadata: { name },
      rules,
    } of roles) {
      const account = name.slice(prefix.length);
      expect(client.get(clusterRoles, key(name)).rules).toBe(rules);
      expect(client.get(clusterRoleBindings, key(name))).toMatchObject({
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
        subjects: [{ kind: "ServiceAccount", name: account, namespace: "kube-system" }],
      });
    }
  });

  it("labels, annotates and aggregates as upstream", () => {
    const { client } = startServer();
    const { metadata: editMetadata, aggregationRule, rules } = client.get(clusterRoles, key("edit"));
    expect({ editMetadata, aggregationRule, rules }).toMatchObject({
      editMetadata: {
        ...metadata,
        labels: { ...metadata.labels, "rbac.authorization.k8s.io/aggregate-to-admin": "true" },
      },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "rbac.authorization.k8s.io/aggregate-to-edit": "true" } }] },
      rules: undefined,
    });
  });

  it("has the roles of the system namespaces", () => {
    const { client } = startServer();
    const names = (items: readonly { readonly metadata: { readonly namespace?: string; readonly name: string } }[]) =>
      items.map((item) => `${item.metadata.namespace}/${item.metadata.name}`);
    expect([names(client.list(roles).items), names(client.list(roleBindings).items)]).toEqual([
      [
        "kube-public/system:controller:bootstrap-signer",
        "kube-system/extension-apiserver-authentication-reader",
        "kube-system/system::leader-locking-kube-controller-manager",
        "kube-system/system::leader-locking-kube-scheduler",
        "kube-system/system:controller:bootstrap-signer",
        "kube-system/system:controller:cloud-provider",
        "kube-system/system:controller:token-cleaner",
      ],
      [
        "kube-public/system:controller:bootstrap-signer",
        "kube-system/system::extension-apiserver-authentication-reader",
        "kube-system/system::leader-locking-kube-controller-manager",
        "kube-system/system::leader-locking-kube-scheduler",
        "kube-system/system:controller:bootstrap-signer",
        "kube-system/system:controller:cloud-provider",
        "kube-system/system:controller:token-cleaner",
      ],
    ]);
  });

  it("writes nothing at a start at which all is there", () => {
    const { server } = startServer();
    const { revision } = server.authorizer.rbac;
    server.stop();
    server.start();
    expect(server.authorizer.rbac.revision).toBe(revision);
  });

  it("gives back at the next start what was taken away, and keeps what was added", () => {
    const { server, client } = startServer();
    const discovery = client.get(clusterRoleBindings, key("system:discovery"));
    const added = { kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" };
    client.update(clusterRoleBindings, { ...discovery, subjects: [added] });
    client.delete(clusterRoles, key("system:node-proxier"));
    const dns = client.get(clusterRoles, key("system:kube-dns"));
    client.update(clusterRoles, { ...dns, rules: [{ verbs: ["list"], apiGroups: [""], resources: ["services"] }] });
    server.stop();
    server.start();
    expect([
      client.get(clusterRoleBindings, key("system:discovery")).subjects,
      client.get(clusterRoles, key("system:node-proxier")).metadata.name,
      client.get(clusterRoles, key("system:kube-dns")).rules,
    ]).toEqual([
      [added, { kind: "Group", name: "system:authenticated", apiGroup: "rbac.authorization.k8s.io" }],
      "system:node-proxier",
      [
        { verbs: ["list"], apiGroups: [""], resources: ["services"] },
        { apiGroups: [""], resources: ["endpoints"], verbs: ["list"] },
        { apiGroups: [""], resources: ["endpoints"], verbs: ["watch"] },
        { apiGroups: [""], resources: ["services"], verbs: ["watch"] },
      ],
    ]);
  });

  it("leaves alone what opted out", () => {
    const { server, client } = startServer();
    const dns = client.get(clusterRoles, key("system:kube-dns"));
    const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
    client.update(clusterRoles, { ...dns, metadata: { ...dns.metadata, annotations }, rules: [] });
    server.stop();
    server.start();
    expect(client.get(clusterRoles, key("system:kube-dns")).rules).toEqual([]);
  });
});
