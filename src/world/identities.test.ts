// The components of a whole cluster act as themselves, with the rights that upstream gives them and no others.

import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { anonymousPeer, exchangeAs, json } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { World } from "./world.ts";

function booted(): World {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files: {} });
  world.boot();
  return world;
}

const web = {
  replicas: 3,
  selector: { matchLabels: { app: "web" } },
  template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "nginx", image: "nginx:1.27" }] } },
};

describe("a whole cluster", () => {
  it("[API-278] runs a rollout, a drain and a namespace's end without anyone being refused", () => {
    const world = booted();
    const { client, simulation, cluster } = world;
    const refusals = new Set<string>();
    const users = new Set<string>();
    let seen = -1;
    const look = (): void => {
      for (const { sequence, user, verb, resource, code } of cluster.apiServer.audit.events(seen)) {
        seen = sequence;
        users.add(user.name);
        if (code === 403 || code === 401) refusals.add(`${user.name} ${verb} ${resource}`);
      }
    };
    const forSeconds = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        simulation.advance(1000);
        look();
      }
    };
    look();
    client.create(kinds.namespaces, { metadata: { name: "team" } });
    forSeconds(3);
    client.create(kinds.deployments, { metadata: { name: "web", namespace: "team" }, spec: web });
    client.create(kinds.services, {
      metadata: { name: "web", namespace: "team" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    forSeconds(30);
    expect(client.get(kinds.deployments, { namespace: "team", name: "web" }).status?.readyReplicas).toBe(3);
    for (const { metadata } of client.list(kinds.pods, { namespace: "team" }).items) {
      client.createSubresource(kinds.pods, { namespace: "team", name: metadata.name }, "eviction", {
        metadata: { name: metadata.name },
      });
    }
    forSeconds(40);
    expect([...refusals]).toEqual([]);
    client.delete(kinds.namespaces, { namespace: "", name: "team" });
    forSeconds(60);
    expect(client.list(kinds.namespaces).items.map(({ metadata }) => metadata.name)).not.toContain("team");
    // Nothing new is made in a namespace that ends; nothing else is refused.
    expect([...refusals].filter((refusal) => !refusal.includes(" create "))).toEqual([]);
    expect([...users].sort()).toEqual(
      expect.arrayContaining([
        "system:kube-controller-manager",
        "system:kube-scheduler",
        "system:node:control-plane",
        "system:node:node-1",
        "system:serviceaccount:kube-system:coredns",
        "system:serviceaccount:kube-system:deployment-controller",
        "system:serviceaccount:kube-system:endpointslice-controller",
        "system:serviceaccount:kube-system:generic-garbage-collector",
        "system:serviceaccount:kube-system:kube-proxy",
        "system:serviceaccount:kube-system:namespace-controller",
        "system:serviceaccount:kube-system:replicaset-controller",
      ]),
    );
  });

  it("[API-009] shows cluster-info to everyone, and nothing else of kube-public", () => {
    const { cluster } = booted();
    const get = (path: string) =>
      exchangeAs(anonymousPeer, cluster.apiServer, { method: "GET", target: `/api/v1/namespaces/kube-public/configmaps${path}` });
    const info = json(get("/cluster-info"))["data"] as { readonly kubeconfig: string };
    expect([info.kubeconfig.includes("server: https://172.18.0.2:6443"), json(get(""))["message"]]).toEqual([
      true,
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "kube-public"',
    ]);
  });

  it("[API-012] marks the control plane, which its kubelet may not", () => {
    const { client } = booted();
    const { metadata, spec } = client.get(kinds.nodes, { namespace: "", name: "control-plane" });
    expect([metadata.labels, spec?.taints]).toMatchObject([
      { "node-role.kubernetes.io/control-plane": "", "node.kubernetes.io/exclude-from-external-load-balancers": "" },
      [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }],
    ]);
  });

  it("[API-003] gives every namespace its account and the cluster's certificate, and puts them back", () => {
    const { client, simulation } = booted();
    client.create(kinds.namespaces, { metadata: { name: "team" } });
    simulation.advance(3000);
    const found = (): readonly (string | undefined)[] => {
      const inTeam = { namespace: "team" };
      const names = [...client.list(kinds.serviceAccounts, inTeam).items, ...client.list(kinds.configMaps, inTeam).items];
      return names.map(({ metadata }) => metadata.name);
    };
    const first = found();
    client.delete(kinds.serviceAccounts, { namespace: "team", name: "default" });
    client.delete(kinds.configMaps, { namespace: "team", name: "kube-root-ca.crt" });
    const without = found();
    simulation.advance(3000);
    expect([first, without, found()]).toEqual([["default", "kube-root-ca.crt"], [], ["default", "kube-root-ca.crt"]]);
    for (const namespace of ["default", "kube-system", "kube-public", "kube-node-lease"]) {
      const map = client.get(kinds.configMaps, { namespace, name: "kube-root-ca.crt" });
      expect([namespace, Object.keys(map.data ?? {})]).toEqual([namespace, ["ca.crt"]]);
    }
  });

  it("makes administrators of kubeadm's group by a binding that can be taken away", () => {
    const { client, cluster, adminCertificate } = booted();
    const administrator = { ...anonymousPeer, certificate: adminCertificate };
    const list = (): number => exchangeAs(administrator, cluster.apiServer, { method: "GET", target: "/api/v1/secrets" }).status;
    const before = list();
    client.delete(kinds.clusterRoleBindings, { namespace: "", name: "kubeadm:cluster-admins" });
    expect([before, list()]).toEqual([200, 403]);
  });
});
