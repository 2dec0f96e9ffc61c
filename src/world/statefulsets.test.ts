// StatefulSets in the whole world: names in DNS, claims of a default class, what `rollout status` says, and Pods of nodes that are gone.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const set = (claims: string): string => `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  replicas: 3
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      terminationGracePeriodSeconds: 2
      containers:
      - name: redis
        image: redis:7.2
        readinessProbe:
          exec:
            command: ["test", "!", "-e", "/tmp/broken"]
          periodSeconds: 1
          failureThreshold: 1
${claims}`;

const client = `apiVersion: v1
kind: Pod
metadata:
  name: client
spec:
  nodeName: control-plane
  containers:
  - name: tools
    image: busybox:1.36
    command: ["sleep", "1d"]
`;

function sitting(claims = "") {
  const world = new World({
    startMs: 1_768_467_600_000,
    seed: 1,
    nodes: 3,
    addons: ["local-path-provisioner"],
    files: { "db.yaml": set(claims), "client.yaml": client },
  });
  world.boot();
  const { run } = sitDown(world);
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const addresses = (name: string): number =>
    run(`kubectl exec client -- nslookup ${name}.default.svc.cluster.local`).match(/^Address: \d/gmu)?.length ?? 0;
  return { world, run, wait, addresses };
}

describe("the names of a StatefulSet's Pods", () => {
  it("[WRK-197] [WRK-198] [WRK-199] need a headless Service that somebody makes, and are found soon after; those not ready need one that publishes them", () => {
    const { run, wait, addresses } = sitting();
    run("kubectl apply -f client.yaml -f db.yaml; kubectl rollout status statefulset/db");
    run("kubectl wait pod/client --for=condition=Ready");
    expect(run("kubectl get service db")).toContain("NotFound");
    expect(run("kubectl exec client -- nslookup db-1.db.default.svc.cluster.local")).toContain("NXDOMAIN");
    run("kubectl create service clusterip db --clusterip=None --tcp=6379:6379");
    wait(2);
    expect([addresses("db"), addresses("db-0.db"), addresses("db-1.db"), addresses("db-2.db")]).toEqual([3, 1, 1, 1]);
    run("kubectl exec db-1 -- touch /tmp/broken");
    wait(5);
    expect([addresses("db"), addresses("db-1.db")]).toEqual([2, 0]);
    run(`kubectl patch service db -p '{"spec":{"publishNotReadyAddresses":true}}'`);
    wait(2);
    expect([addresses("db"), addresses("db-1.db")]).toEqual([3, 1]);
  });
});

describe("rollout status of a StatefulSet", () => {
  it("[WRK-194] counts to the partition, and knows nothing of OnDelete", () => {
    const { run } = sitting();
    run("kubectl apply -f db.yaml");
    expect(run("kubectl rollout status statefulset/db")).toBe(
      [
        "Waiting for 3 pods to be ready...",
        "Waiting for 2 pods to be ready...",
        "Waiting for 1 pods to be ready...",
        "partitioned roll out complete: 3 new pods have been updated...\n",
      ].join("\n"),
    );
    run(`kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":1}}}}'`);
    run("kubectl set image statefulset/db redis=redis:7.4");
    const lines = run("kubectl rollout status statefulset/db");
    expect(lines).toContain("Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...\n");
    expect(lines).toMatch(/\npartitioned roll out complete: 2 new pods have been updated\.\.\.\n$/u);
    run(`kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'`);
    expect(run("kubectl rollout status statefulset/db; echo $?")).toBe(
      "error: rollout status is only available for RollingUpdate strategy type\n1\n",
    );
  });
});

describe("the claims of a StatefulSet", () => {
  const claims = `  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
`;

  it("[WRK-182] get the default class, and wait with their Pod where there is none", () => {
    const { run, wait } = sitting(claims);
    run("kubectl apply -f db.yaml; kubectl rollout status statefulset/db");
    expect(run("kubectl get pvc data-db-0 -o jsonpath='{.spec.storageClassName} {.status.phase}'; echo")).toBe("standard Bound\n");
    run("kubectl delete statefulset db; kubectl delete pvc -l app=db; kubectl delete storageclass standard");
    run("kubectl apply -f db.yaml");
    wait(30);
    expect(run("kubectl get pvc data-db-0 -o jsonpath='{.spec.storageClassName} {.status.phase}'; echo")).toBe(" Pending\n");
    expect(run("kubectl get pods --no-headers").replace(/ +/gu, " ")).toMatch(/^db-0 0\/1 Pending 0 \S+\n$/u);
  });
});

describe("a StatefulSet's Pod on a node that does not answer", () => {
  function lost(command: (node: string) => string) {
    const { run, wait } = sitting();
    run("kubectl apply -f db.yaml; kubectl rollout status statefulset/db");
    const node = run("kubectl get pod db-1 -o jsonpath='{.spec.nodeName}'; echo").trim();
    const uid = (): string => run("kubectl get pod db-1 -o jsonpath='{.metadata.uid}'; echo").trim();
    const before = uid();
    run(command(node));
    wait(450);
    expect(run("kubectl get pod db-1 --no-headers")).toContain("Terminating");
    expect(uid()).toBe(before);
    return { run, wait, node, uid, before };
  }
  const cable = (node: string, state: string): string => `virsh domif-setlink ${node} vnet${node.at(-1)} ${state}`;

  it("[WRK-200] [WRK-201] keeps its name until it is force deleted; another one runs then, and the old container still does", () => {
    const { run, wait, node, uid, before } = lost((name) => cable(name, "down"));
    run("kubectl delete pod db-1 --force");
    wait(20);
    expect(uid()).not.toBe(before);
    expect(run("kubectl get pod db-1 --no-headers")).toContain("Running");
    expect(run("kubectl get pod db-1 -o jsonpath='{.spec.nodeName}'; echo").trim()).not.toBe(node);
    run(cable(node, "up"));
    expect(run(`ssh ${node} crictl ps --name redis`)).toMatch(/ Running +redis .* db-1 /u);
  });

  it("[WRK-401] [WRK-432] gives its name up when its Node is deleted", () => {
    const { run, wait, node, uid, before } = lost((name) => `virsh destroy ${name}`);
    run(`kubectl delete node ${node}`);
    wait(90);
    expect(uid()).not.toBe(before);
    expect(run("kubectl get pod db-1 --no-headers")).toContain("Running");
  });
});
