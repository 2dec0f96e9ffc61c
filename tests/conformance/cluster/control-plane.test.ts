// The processes of the control plane: what they are, their command lines, and what is left of the cluster without one of them.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { configMaps, leases, pods, replicaSets } from "#cluster/api/kinds.ts";
import { noBytes } from "#sim/bytes.ts";
import { WholeCluster } from "../whole-cluster.test-kit.ts";

const manifests = "/etc/kubernetes/manifests";

function takeAway(cluster: WholeCluster, component: string): void {
  cluster.ssh("control-plane", `mv ${manifests}/${component}.yaml /tmp/`);
}

function bringBack(cluster: WholeCluster, component: string): void {
  cluster.ssh("control-plane", `mv /tmp/${component}.yaml ${manifests}/`);
}

/** Changes a flag of a component's manifest; its kubelet starts the Pod anew. */
function edit(cluster: WholeCluster, component: string, expression: string): void {
  const file = `${manifests}/${component}.yaml`;
  cluster.ssh("control-plane", `sed '${expression}' ${file} > /tmp/edited && cp /tmp/edited ${file}`);
}

const restarts = (cluster: WholeCluster, component: string): number =>
  cluster.find(pods, `${component}-control-plane`, "kube-system")?.status?.containerStatuses?.[0]?.restartCount ?? -1;

describe("a new cluster", () => {
  let cluster: WholeCluster;
  beforeAll(() => {
    cluster = new WholeCluster(1, 8);
  });

  it("[API-008] [POD-563] has the control plane as static Pods, kube-proxy on each node, and the DNS", () => {
    expect(cluster.sh("kubectl get pods,daemonsets,deployments,services -n kube-system -o name")).toMatch(
      new RegExp(
        `^${[
          "pod/coredns-\\w+-\\w{5}",
          "pod/coredns-\\w+-\\w{5}",
          "pod/etcd-control-plane",
          "pod/kube-apiserver-control-plane",
          "pod/kube-controller-manager-control-plane",
          "pod/kube-proxy-\\w{5}",
          "pod/kube-proxy-\\w{5}",
          "pod/kube-scheduler-control-plane",
          "daemonset.apps/kube-proxy",
          "deployment.apps/coredns",
          "service/kube-dns",
        ].join("\n")}\n$`,
      ),
    );
    const mirrors = cluster.sh(
      "kubectl get pods -n kube-system -l tier=control-plane -o jsonpath='{range .items[*]}{.metadata.annotations.kubernetes\\.io/config\\.source}{\"\\n\"}{end}'",
    );
    expect(mirrors).toBe("file\n".repeat(4));
    expect(cluster.sh("kubectl get service kube-dns -n kube-system --no-headers")).toMatch(
      /^kube-dns +ClusterIP +10\.96\.0\.10 +<none> +53\/UDP,53\/TCP,9153\/TCP +\d+m\d*s?\n$/,
    );
    expect(cluster.sh("kubectl get deployment coredns -n kube-system --no-headers")).toMatch(/^coredns +2\/2 /);
  });

  it("[API-014] has annotations on its nodes", () => {
    for (const name of ["control-plane", "node-1"])
      expect(cluster.node(name).metadata.annotations).toEqual({
        "node.alpha.kubernetes.io/ttl": "0",
        "volumes.kubernetes.io/controller-managed-attach-detach": "true",
      });
  });

  it("[API-185] [POD-650] forgets events an hour after they were last told", () => {
    const told = () => cluster.eventTexts({ kind: "Pod", name: "brief" }).length;
    cluster.sh('kubectl run brief --image=nginx:1.27 --overrides=\'{"spec":{"nodeSelector":{"no":"such"}}}\'');
    cluster.advance(5);
    cluster.sh("kubectl delete pod brief");
    expect(told()).toBeGreaterThan(0);
    cluster.advance(3_590);
    expect(told()).toBeGreaterThan(0);
    cluster.advance(15);
    expect(told()).toBe(0);
  });
});

describe("the controller manager's command line", () => {
  let cluster: WholeCluster;
  beforeAll(() => {
    cluster = new WholeCluster(1, 9);
  });

  it("[API-277] switches single controllers off: what they look after stays as it is", () => {
    edit(cluster, "kube-controller-manager", "s/--controllers=.*/--controllers=*,-replicaset-controller/");
    cluster.advance(60);
    cluster.sh("kubectl create deployment web --image=nginx:1.27");
    cluster.advance(60);
    const [set] = cluster.client.list(replicaSets, { namespace: "default", labelSelector: "app=web" }).items;
    expect([set?.spec?.replicas, set?.status?.observedGeneration, cluster.pods("app=web")]).toEqual([1, undefined, []]);
    // The name of old counts as well.
    edit(cluster, "kube-controller-manager", "s/--controllers=.*/--controllers=*,-deployment/");
    cluster.secondsUntil(() => cluster.pods("app=web").length === 1, 90);
    cluster.sh("kubectl create deployment other --image=nginx:1.27");
    cluster.advance(60);
    expect(cluster.sh("kubectl get rs -l app=other -o name")).toBe("");
  });

  it("[API-255] does not start with a flag that was removed", () => {
    edit(cluster, "kube-controller-manager", "s/--leader-elect=true/--pod-eviction-timeout=5m/");
    cluster.advance(60);
    const name = "kube-controller-manager-control-plane";
    expect(cluster.sh(`kubectl -n kube-system get pod ${name} --no-headers`)).toMatch(/ 0\/1 +CrashLoopBackOff /);
    expect(cluster.sh(`kubectl -n kube-system logs ${name}`)).toBe("Error: unknown flag: --pod-eviction-timeout\n");
  });
});

describe("a client of a server with a certificate of its own making", () => {
  it("[API-413] curl refuses it, and names the reason", () => {
    const cluster = new WholeCluster(1, 14);
    const certificate = {
      commonName: "mine",
      issuer: "mine",
      organizations: [],
      alternativeNames: ["127.0.0.1"],
      notBeforeMs: 0,
      notAfterMs: Number.MAX_SAFE_INTEGER,
    };
    cluster.world.cluster.node("node-1")?.machine.start({
      argv: ["server"],
      run: function* (self) {
        self.serveHttp({
          port: 8443,
          tls: { certificate },
          handler: (_request, _peer, responder) => responder.reply(200, {}, noBytes),
        });
        yield* self.sleep(3_600_000);
        return 0;
      },
    });
    const ask = (flags: string) =>
      cluster.ssh("node-1", `curl -sS ${flags} https://127.0.0.1:8443/ 2>&1 | head -1; echo \${PIPESTATUS[0]}`);
    expect(ask("")).toBe("curl: (60) SSL certificate problem: self-signed certificate\n60\n");
    expect(ask("-k")).toBe("0\n");
  });
});

describe("a leader", () => {
  it("[API-267] that dies is followed by another within 17 s and what the new one takes to start", () => {
    const cluster = new WholeCluster(1, 10);
    const lease = () => cluster.get(leases, "kube-scheduler", "kube-system").spec;
    const before = lease();
    const runtime = cluster.world.cluster.node("control-plane")?.runtime;
    const { annotations } = cluster.get(pods, "kube-scheduler-control-plane", "kube-system").metadata;
    for (const { id } of runtime?.containersOf(annotations?.["kubernetes.io/config.hash"] ?? "") ?? [])
      runtime?.signalContainer(id, "KILL");
    const waited = cluster.secondsUntil(() => lease()?.holderIdentity !== before?.holderIdentity, 60);
    expect(waited).toBeGreaterThan(10);
    expect(waited).toBeLessThan(22);
    expect(lease()?.leaseTransitions).toBe(1);
    expect(cluster.eventTexts({ kind: "Lease", name: "kube-scheduler" })).toContain(
      `default-scheduler: LeaderElection ${lease()?.holderIdentity} became leader`,
    );
  });

  it("[API-268] that cannot renew its Lease stops itself, and its kubelet starts it again", () => {
    const cluster = new WholeCluster(1, 11);
    const components = ["kube-controller-manager", "kube-scheduler"];
    const before = components.map((name) => cluster.get(leases, name, "kube-system").spec?.holderIdentity);
    takeAway(cluster, "kube-apiserver");
    cluster.advance(30);
    bringBack(cluster, "kube-apiserver");
    cluster.secondsUntil(() => cluster.world.cluster.apiServer.running, 60);
    cluster.secondsUntil(() => components.every((name) => restarts(cluster, name) === 1), 120);
    cluster.advance(60);
    const after = components.map((name) => cluster.get(leases, name, "kube-system").spec?.holderIdentity);
    expect(after.every((holder, index) => holder !== before[index])).toBe(true);
    cluster.sh("kubectl create deployment web --image=nginx:1.27; kubectl rollout status deployment web --timeout=60s");
    expect(cluster.pods("app=web")).toHaveLength(1);
  });
});

describe("without the API server", () => {
  it("[API-247] containers run on, and kubelets start again what ends", () => {
    const cluster = new WholeCluster(1, 12);
    cluster.sh("kubectl run steady --image=nginx:1.27; kubectl run brief --image=busybox:1.36 -- sleep 100");
    cluster.secondsUntil(() => cluster.pods().every(({ status }) => status?.phase === "Running"));
    const container = (name: string) => cluster.get(pods, name).status?.containerStatuses?.[0];
    const [steady, brief] = [container("steady"), container("brief")];
    takeAway(cluster, "kube-apiserver");
    cluster.advance(300);
    expect(cluster.sh("kubectl get pods 2>&1 | tail -1")).toMatch(/was refused - did you specify the right host or port\?\n$/);
    bringBack(cluster, "kube-apiserver");
    cluster.secondsUntil(() => cluster.world.cluster.apiServer.running, 60);
    cluster.secondsUntil(() => (container("brief")?.restartCount ?? 0) > (brief?.restartCount ?? 0), 120);
    expect(container("steady")).toEqual(steady);
    cluster.advance(120);
    expect(cluster.taints("node-1")).toEqual([]);
  });
});

describe("without etcd", () => {
  let cluster: WholeCluster;
  beforeEach(() => {
    cluster = new WholeCluster(1, 13);
    cluster.sh("kubectl create configmap kept --from-literal=a=b; kubectl run steady --image=nginx:1.27");
    cluster.secondsUntil(() => cluster.get(pods, "steady").status?.phase === "Running");
    takeAway(cluster, "etcd");
    cluster.advance(5);
  });

  it("[API-042] the checks of it fail, and so does the whole", () => {
    const ask = (path: string) =>
      cluster.ssh("control-plane", `curl -sk -w "%{http_code}" "https://127.0.0.1:6443${path}"`).split("\n");
    const lines = ask("/readyz?verbose");
    expect(lines.slice(0, 4)).toEqual([
      "[+]ping ok",
      "[+]log ok",
      "[-]etcd failed: reason withheld",
      "[-]etcd-readiness failed: reason withheld",
    ]);
    expect(lines.slice(-2)).toEqual(["readyz check failed", "500"]);
    expect(ask("/livez").at(-1)).toBe("500");
    expect(cluster.sh("kubectl get --raw /readyz/etcd")).toContain(
      "internal server error: error getting data from etcd: rpc error",
    );
    expect(cluster.sh("kubectl get --raw /readyz/ping")).toBe("ok");
    expect(ask("/readyz?exclude=etcd&exclude=etcd-readiness")).toEqual(["ok200"]);
  });

  // A client of v1.36 waits for no connection: what it cannot reach is an error of its own, not a timeout of etcd.
  it("[API-052] nothing is read or written; what runs goes on; with it everything is as before", () => {
    const refusal =
      'Error from server: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused"\n';
    expect(cluster.sh("kubectl get configmap kept")).toBe(refusal);
    expect(cluster.sh("kubectl create configmap new --from-literal=a=b")).toContain("rpc error: code = Unavailable");
    cluster.advance(300);
    expect(cluster.ssh("control-plane", "curl -s http://127.0.0.1:2381/livez; echo $?")).toBe("7\n");
    const container = cluster.world.cluster.node("node-1")?.runtime.runningContainers;
    bringBack(cluster, "etcd");
    // The API server is in its back-off by now, and the components after it.
    cluster.advance(900);
    expect(cluster.get(configMaps, "kept").data).toEqual({ a: "b" });
    expect(cluster.get(pods, "steady").status?.containerStatuses?.[0]?.restartCount).toBe(0);
    expect(cluster.world.cluster.node("node-1")?.runtime.runningContainers).toBe(container);
    expect(cluster.taints("node-1")).toEqual([]);
    expect(restarts(cluster, "kube-apiserver")).toBeGreaterThan(0);
    cluster.sh("kubectl create deployment web --image=nginx:1.27; kubectl rollout status deployment web --timeout=60s");
    expect(cluster.pods("app=web")).toHaveLength(1);
  });
});
