// Clusters with several control-plane nodes: who leads, who answers, and what happens when one of them is away.

import { beforeAll, describe, expect, it } from "vitest";
import { endpointSlices, leases, nodes, pods } from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const kubeSystem = "kube-system";
const components = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];

class Highly {
  readonly world: World;
  readonly learner: TypingLearner;

  constructor(controlPlanes: number, seed: number) {
    this.world = new World({
      startMs: Date.UTC(2026, 0, 15, 9),
      seed,
      nodes: 1,
      files: {},
      controlPlane: { nodes: controlPlanes },
    });
    this.world.boot();
    this.learner = sitDown(this.world, { columns: 160 });
  }

  wait(seconds: number): void {
    this.world.simulation.advance(seconds * 1000);
  }

  /** How many seconds it takes until something holds. */
  secondsUntil(holds: () => boolean, limit = 120): number {
    for (let tenths = 0; tenths < limit * 10; tenths += 1) {
      if (holds()) return tenths / 10;
      this.wait(0.1);
    }
    throw new Error(`waited ${limit} s`);
  }

  lease(name: string) {
    return this.world.client.get(leases, { namespace: kubeSystem, name }).spec;
  }

  /** Name of the node that a Lease's holder runs on. */
  leader(name: string): string {
    return (this.lease(name)?.holderIdentity ?? "").split("_")[0] ?? "";
  }

  isReady(name: string): boolean {
    const { status } = this.world.client.get(nodes, { namespace: "", name });
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
  }

  get endpoints(): readonly string[] {
    const { endpoints } = this.world.client.get(endpointSlices, { namespace: "default", name: "kubernetes" });
    return (endpoints ?? []).flatMap(({ addresses }) => addresses);
  }

  takeAway(node: string, component: string): void {
    this.learner.run(`ssh ${node} mv /etc/kubernetes/manifests/${component}.yaml /root/`);
  }

  bringBack(node: string, component: string): void {
    this.learner.run(`ssh ${node} mv /root/${component}.yaml /etc/kubernetes/manifests/`);
  }

  /** Pods of a new Deployment, once its rollout is over. */
  rollOut(name: string): string {
    return this.learner.run(`kubectl create deployment ${name} --image=nginx; kubectl rollout status deploy/${name} --timeout=60s`);
  }
}

describe("a cluster with two control-plane nodes", () => {
  let cluster: Highly;
  beforeAll(() => {
    cluster = new Highly(2, 3);
  });

  it("[API-015] [API-433] has the role and the static Pods of each", () => {
    expect(cluster.learner.run("kubectl get nodes --no-headers | awk '{print $1, $2, $3}'")).toBe(
      "control-plane Ready control-plane\ncontrol-plane-2 Ready control-plane\nnode-1 Ready <none>\n",
    );
    const names = cluster.world.client.list(pods, { namespace: kubeSystem, labelSelector: "tier=control-plane" }).items;
    expect(names.map(({ metadata }) => metadata.name).sort()).toEqual(
      components.flatMap((component) => [`${component}-control-plane`, `${component}-control-plane-2`]),
    );
  });

  it("[API-011] [API-273] [WRK-411] has one identity Lease an API server, and one of each elected component", () => {
    const found = cluster.world.client.list(leases, { namespace: kubeSystem }).items;
    const hosts = found.map(({ metadata }) => metadata.labels?.["kubernetes.io/hostname"]).filter((host) => host !== undefined);
    expect(hosts.sort()).toEqual(["control-plane", "control-plane-2"]);
    expect(found.map(({ metadata }) => metadata.name).slice(2)).toEqual(["kube-controller-manager", "kube-scheduler"]);
  });

  it("[API-434] has both servers behind the Service kubernetes, and a kubeconfig with the address before them", () => {
    expect(cluster.endpoints).toEqual(["172.18.0.2", "172.18.0.3"]);
    expect(cluster.learner.run("ssh load-balancer; echo $?")).toBe(
      "ssh: connect to host load-balancer port 22: Connection refused\n255\n",
    );
    expect(cluster.learner.run("grep server: .kube/config; getent hosts load-balancer")).toBe(
      "    server: https://172.18.255.2:6443\n172.18.255.2    load-balancer\n",
    );
  });

  it("[WRK-007] [API-267] the other controller manager takes over once the Lease of one that ended has run out", () => {
    const first = cluster.leader("kube-controller-manager");
    const before = cluster.lease("kube-controller-manager");
    cluster.takeAway(first, "kube-controller-manager");
    const waited = cluster.secondsUntil(() => cluster.leader("kube-controller-manager") !== first);
    expect(waited).toBeGreaterThan(10);
    expect(waited).toBeLessThan(20);
    const after = cluster.lease("kube-controller-manager");
    expect(after?.leaseTransitions).toBe((before?.leaseTransitions ?? 0) + 1);
    cluster.wait(1);
    expect(
      cluster.learner.run("kubectl get events -n kube-system | grep -c 'lease/kube-controller-manager .* became leader'"),
    ).toBe("2\n");
    expect(cluster.rollOut("after-fail")).toContain('deployment "after-fail" successfully rolled out');
    cluster.bringBack(first, "kube-controller-manager");
    cluster.wait(40);
    expect(cluster.leader("kube-controller-manager")).not.toBe(first);
  });

  it("[API-435] a scheduler that is asked to end leaves its Lease to the other at once", () => {
    const first = cluster.leader("kube-scheduler");
    cluster.takeAway(first, "kube-scheduler");
    cluster.secondsUntil(() => cluster.leader("kube-scheduler") !== first, 20);
    expect(cluster.lease("kube-scheduler")).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(cluster.secondsUntil(() => cluster.leader("kube-scheduler") !== "")).toBeLessThan(4.5);
    expect(cluster.lease("kube-scheduler")).toMatchObject({ leaseDurationSeconds: 15, leaseTransitions: 1 });
    expect(cluster.rollOut("placed")).toContain("successfully rolled out");
    cluster.bringBack(first, "kube-scheduler");
    cluster.wait(30);
  });

  it("[API-053] [API-434] [API-436] clients go on while one API server is away, whose own node does not", () => {
    cluster.takeAway("control-plane", "kube-apiserver");
    cluster.secondsUntil(() => cluster.endpoints.join() === "172.18.0.3", 20);
    expect(cluster.learner.run("for i in 1 2 3 4; do kubectl get --raw /livez; echo; done")).toBe("ok\nok\nok\nok\n");
    cluster.wait(90);
    expect([cluster.isReady("control-plane"), cluster.isReady("node-1")]).toEqual([false, true]);
    expect(cluster.leader("kube-controller-manager")).toBe("control-plane-2");
    expect(cluster.rollOut("meanwhile")).toContain("successfully rolled out");
    cluster.bringBack("control-plane", "kube-apiserver");
    cluster.secondsUntil(() => cluster.endpoints.length === 2, 60);
    expect(cluster.secondsUntil(() => cluster.isReady("control-plane"))).toBeLessThan(20);
    expect(cluster.world.client.list(pods, { labelSelector: "app=meanwhile" }).items).toHaveLength(1);
  });

  it("[API-433] cannot be asked while one of the two members of etcd is away", () => {
    cluster.takeAway("control-plane-2", "etcd");
    cluster.wait(5);
    expect(cluster.learner.run("kubectl get nodes --server https://172.18.0.2:6443")).toBe(
      "Error from server: etcdserver: request timed out\n",
    );
    expect(cluster.learner.run("kubectl get nodes --server https://172.18.0.3:6443")).toContain(
      "2379: connect: connection refused",
    );
    cluster.bringBack("control-plane-2", "etcd");
    cluster.wait(90);
    expect(cluster.rollOut("again")).toContain("successfully rolled out");
  });
});

describe("an audit log of one of two API servers", () => {
  it("[API-053] has the requests that came to it, with the load balancer as their source", () => {
    const cluster = new Highly(2, 11);
    const files = cluster.world.cluster.node("control-plane-2")?.machine.files;
    const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
    files?.makeDirectories("/etc/kubernetes/pki/audit");
    files?.writeFile(
      "/etc/kubernetes/pki/audit/policy.yaml",
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n  omitStages: [RequestReceived]\n  resources: [{group: "", resources: [configmaps]}]\n',
    );
    const flags = ["--audit-policy-file=/etc/kubernetes/pki/audit/policy.yaml", "--audit-log-path=-"];
    const text = files?.readText(manifest) ?? "";
    files?.writeFile(
      manifest,
      text.replace("    - kube-apiserver\n", (line) => line + flags.map((flag) => `    - ${flag}\n`).join("")),
    );
    cluster.wait(60);
    cluster.learner.run("for i in 1 2 3 4 5 6; do kubectl create configmap c$i; done");
    cluster.learner.run("kubectl create configmap direct --server https://172.18.0.3:6443");
    const log = cluster.learner.run(
      'kubectl logs -n kube-system kube-apiserver-control-plane-2 | grep \'"verb":"create"\' | grep -o \'"sourceIPs":[^]]*\\|"name":"[cd][^"]*\'',
    );
    const names = [...log.matchAll(/"name":"(\w+)/g)].map(([, name]) => name);
    expect(names.at(-1)).toBe("direct");
    // The others came to the other server.
    expect(names.length).toBeGreaterThan(1);
    expect(names.length).toBeLessThan(7);
    expect([...new Set([...log.matchAll(/"sourceIPs":\["([\d.]+)"/g)].map(([, address]) => address))]).toEqual([
      "172.18.255.2",
      "172.18.255.1",
    ]);
  });
});

describe("a cluster with three control-plane nodes", () => {
  it("[API-267] [API-433] [API-434] goes on when the leader's machine loses power, and stops when a second one does", () => {
    const cluster = new Highly(3, 5);
    const first = cluster.leader("kube-controller-manager");
    const before = ["kube-controller-manager", "kube-scheduler"].map((name) => cluster.lease(name));
    expect(first).toBe("control-plane");
    cluster.learner.run(`virsh destroy ${first}`);
    cluster.secondsUntil(
      () => cluster.leader("kube-controller-manager") !== first && cluster.leader("kube-scheduler") !== first,
      22,
    );
    expect(["kube-controller-manager", "kube-scheduler"].map((name) => cluster.lease(name)?.leaseTransitions)).toEqual([1, 1]);
    expect(before.map((spec) => spec?.leaseTransitions)).toEqual([0, 0]);
    cluster.secondsUntil(() => cluster.endpoints.join() === "172.18.0.3,172.18.0.4", 30);
    expect(cluster.rollOut("after")).toContain("successfully rolled out");
    cluster.secondsUntil(() => !cluster.isReady(first), 90);
    cluster.learner.run("virsh destroy control-plane-2");
    cluster.wait(2);
    expect(cluster.learner.run("kubectl get nodes")).toBe("Error from server: etcdserver: request timed out\n");
    cluster.learner.run(`virsh start ${first}`);
    cluster.wait(90);
    expect(cluster.isReady(first)).toBe(true);
    expect(cluster.rollOut("later")).toContain("successfully rolled out");
  });

  it("[API-267] [API-433] [API-436] passes over a node whose own etcd is away: its components look no further", () => {
    const cluster = new Highly(3, 9);
    const isHere = (name: string): boolean => cluster.leader(name) === "control-plane";
    expect(isHere("kube-controller-manager") && isHere("kube-scheduler")).toBe(true);
    cluster.takeAway("control-plane", "etcd");
    cluster.wait(5);
    expect(cluster.learner.run("for i in 1 2 3 4; do kubectl get ns default -o name; done")).toBe("namespace/default\n".repeat(4));
    expect(cluster.learner.run("kubectl get ns --server https://172.18.0.2:6443")).toContain(
      "127.0.0.1:2379: connect: connection refused",
    );
    cluster.secondsUntil(() => !isHere("kube-controller-manager") && !isHere("kube-scheduler"), 30);
    cluster.secondsUntil(() => cluster.endpoints.join() === "172.18.0.3,172.18.0.4", 30);
    cluster.secondsUntil(() => !cluster.isReady("control-plane"), 90);
    cluster.bringBack("control-plane", "etcd");
    cluster.secondsUntil(() => cluster.endpoints.length === 3 && cluster.isReady("control-plane"), 400);
    expect(cluster.rollOut("after")).toContain("successfully rolled out");
  });

  it("[API-053] serves custom kinds and addresses of Services from each, as one cluster", () => {
    const cluster = new Highly(3, 10);
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "crontabs.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "crontabs", kind: "CronTab" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    cluster.learner.run(`kubectl create -f - <<< '${JSON.stringify(definition)}'; sleep 2`);
    const servers = [2, 3, 4].map((host) => `--server https://172.18.0.${host}:6443`);
    const tab = JSON.stringify({ apiVersion: "example.com/v1", kind: "CronTab", metadata: { name: "one" } });
    expect(cluster.learner.run(`kubectl create ${servers[1]} -f - <<< '${tab}'`)).toBe("crontab.example.com/one created\n");
    for (const server of servers)
      expect(cluster.learner.run(`kubectl get crontabs -o name ${server}`)).toBe("crontab.example.com/one\n");
    for (const [index, server] of servers.entries())
      cluster.learner.run(`kubectl create service clusterip s${index} --tcp=80 --clusterip=10.96.7.7 ${server}`);
    expect(cluster.learner.run("kubectl get services -o name")).toBe("service/kubernetes\nservice/s0\n");
  });

  it("[API-433] leaves a machine without its cable behind, and takes it back", () => {
    const cluster = new Highly(3, 6);
    cluster.learner.run("virsh domif-setlink control-plane-3 vnet2 down");
    cluster.wait(2);
    expect(cluster.learner.run("for i in 1 2 3; do kubectl get --raw /readyz; done; echo")).toBe("okokok\n");
    cluster.wait(60);
    expect(cluster.isReady("control-plane-3")).toBe(false);
    expect(cluster.endpoints).toEqual(["172.18.0.2", "172.18.0.3"]);
    cluster.learner.run("virsh domif-setlink control-plane-3 vnet2 up");
    cluster.wait(60);
    expect(cluster.isReady("control-plane-3")).toBe(true);
    expect(cluster.endpoints).toEqual(["172.18.0.2", "172.18.0.3", "172.18.0.4"]);
  });
});

it("[API-186] [WRK-412] the Lease of an API server that went for good is gone two hours later", () => {
  const cluster = new Highly(2, 8);
  cluster.takeAway("control-plane-2", "kube-apiserver");
  cluster.wait(7200);
  const found = cluster.world.client.list(leases, {
    namespace: kubeSystem,
    labelSelector: "apiserver.kubernetes.io/identity",
  }).items;
  expect(found.map(({ metadata }) => metadata.labels?.["kubernetes.io/hostname"])).toEqual(["control-plane"]);
});
