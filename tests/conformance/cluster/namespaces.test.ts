// Namespaces: what a new one has, what ends with it, and what holds it up.

import { beforeAll, describe, expect, it } from "vitest";
import { configMaps, namespaces, serviceAccounts } from "#cluster/api/kinds.ts";
import { WholeCluster } from "../whole-cluster.test-kit.ts";

let cluster: WholeCluster;
beforeAll(() => {
  cluster = new WholeCluster(1);
});

describe("a namespace", () => {
  it("[API-191] is Active and held by Kubernetes, with its name as a label", () => {
    cluster.sh("kubectl create namespace team-a");
    const { metadata, spec, status } = cluster.get(namespaces, "team-a");
    expect([spec?.finalizers, status?.phase, metadata.labels]).toEqual([
      ["kubernetes"],
      "Active",
      { "kubernetes.io/metadata.name": "team-a" },
    ]);
  });

  it("gets its default account and the cluster's certificate", () => {
    cluster.secondsUntil(() => cluster.find(serviceAccounts, "default", "team-a") !== undefined, 5);
    cluster.secondsUntil(() => cluster.find(configMaps, "kube-root-ca.crt", "team-a") !== undefined, 5);
    expect(cluster.get(configMaps, "kube-root-ca.crt", "team-a").data?.["ca.crt"]).toMatch(/^-----BEGIN CERTIFICATE-----\n/);
  });

  it("[API-192] goes with everything in it", () => {
    cluster.sh(
      "kubectl -n team-a create deployment web --image=nginx:1.27; kubectl -n team-a create configmap c --from-literal=a=b; kubectl -n team-a create secret generic s --from-literal=a=b",
    );
    cluster.advance(10);
    const content = (): number => Number(cluster.sh("kubectl get all,configmaps,secrets -A --no-headers | grep -c '^team-a '"));
    // Deployment, ReplicaSet, Pod, the ConfigMap made here and the one of every namespace, Secret.
    expect(content()).toBe(6);
    cluster.sh("kubectl delete namespace team-a --wait=false");
    expect(cluster.get(namespaces, "team-a").status?.phase).toBe("Terminating");
    cluster.secondsUntil(() => cluster.find(namespaces, "team-a") === undefined, 60);
    expect(content()).toBe(0);
  });

  it("[API-194] must be there before anything is made in it", () => {
    expect(cluster.sh("kubectl -n nope create configmap x --from-literal=a=b")).toBe(
      'error: failed to create configmap: namespaces "nope" not found\n',
    );
  });

  it("[API-195] that the system needs cannot be deleted", () => {
    for (const name of ["default", "kube-system", "kube-public"]) {
      expect(cluster.sh(`kubectl delete namespace ${name}`)).toBe(
        `Error from server (Forbidden): namespaces "${name}" is forbidden: this namespace may not be deleted\n`,
      );
    }
  });

  it("[API-193] [API-196] [API-197] waits for finalizers of its content, says for which, and takes nothing new", () => {
    cluster.sh("kubectl create namespace held");
    cluster.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: stays, namespace: held, finalizers: [example.com/hold]}");
    cluster.sh("kubectl delete namespace held --wait=false");
    cluster.advance(10);
    const conditions = cluster.get(namespaces, "held").status?.conditions ?? [];
    expect(conditions.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
      ["NamespaceDeletionDiscoveryFailure", "False", "ResourcesDiscovered", "All resources successfully discovered"],
      ["NamespaceDeletionGroupVersionParsingFailure", "False", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
      [
        "NamespaceDeletionContentFailure",
        "False",
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
      ],
      [
        "NamespaceContentRemaining",
        "True",
        "SomeResourcesRemain",
        "Some resources are remaining: configmaps. has 1 resource instances",
      ],
      [
        "NamespaceFinalizersRemaining",
        "True",
        "SomeFinalizersRemain",
        "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
      ],
    ]);
    const refused = cluster.sh("kubectl -n held create configmap x --from-literal=a=b -v=0");
    expect(refused).toBe(
      'error: failed to create configmap: configmaps "x" is forbidden: unable to create new content in namespace held because it is being terminated\n',
    );
    cluster.sh('kubectl -n held patch configmap stays --type=merge -p \'{"metadata":{"finalizers":null}}\'');
    cluster.secondsUntil(() => cluster.find(namespaces, "held") === undefined, 60);
  });
});
