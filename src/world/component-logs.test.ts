// What the components of a fresh cluster log, and what they say of what happens to them.

import { beforeAll, describe, expect, it } from "vitest";
import { usualAddons } from "./cluster-shape.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function sitting(nodes = 1): TypingLearner & { readonly world: World } {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: {}, addons: usualAddons });
  world.boot();
  return { world, ...sitDown(world, { columns: 2000, rows: 80 }) };
}

let fresh: ReturnType<typeof sitting>;

beforeAll(() => {
  fresh = sitting();
});

/** The lines of a Pod of kube-system, named by the beginning of its name. */
function linesOf(learner: TypingLearner, pod: string, more = ""): readonly string[] {
  const name = `$(kubectl get pods -A -o name | grep pod/${pod} | head -1)`;
  const namespace = pod.startsWith("local") ? "local-path-storage" : "kube-system";
  return learner.run(`kubectl logs -n ${namespace} ${name} ${more}`).trimEnd().split("\n");
}

interface ZapLine {
  readonly level: string;
  readonly ts: string;
  readonly caller: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

function zapLines(lines: readonly string[]): readonly ZapLine[] {
  return lines.map((line) => JSON.parse(line) as ZapLine);
}

it.each([
  "coredns",
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-proxy",
  "kube-scheduler",
  "local-path",
  "metrics-server",
])("the log of %s says something after a cluster's start", (pod) => {
  expect(linesOf(fresh, pod).join("").length).toBeGreaterThan(100);
});

describe("etcd's log", () => {
  it("tells of its start until clients are served, each line as JSON with the world's time", () => {
    const lines = zapLines(linesOf(fresh, "etcd"));
    const begin = lines.filter(({ ts }) => ts === lines[0]?.ts);
    expect(begin[0]?.ts).toMatch(/^2026-01-15T08:5\d:\d\d\.\d{6}Z$/u);
    expect(begin.map(({ level, caller, msg }) => `${level} ${caller} ${msg}`)).toEqual([
      "warn embed/config.go:1209 Running http and grpc server on single port. This is not recommended for production.",
      "info etcdmain/etcd.go:64 Running: ",
      "info etcdmain/etcd.go:124 Initialize and start etcd server",
      "warn embed/config.go:1209 Running http and grpc server on single port. This is not recommended for production.",
      "info embed/etcd.go:138 configuring peer listeners",
      "info embed/etcd.go:544 starting with peer TLS",
      "info embed/etcd.go:146 configuring client listeners",
      "info embed/etcd.go:323 starting an etcd server",
      "info etcdserver/bootstrap.go:499 starting local member",
      "info etcdserver/server.go:598 starting etcd server",
      "info membership/cluster.go:424 added member",
      "info embed/etcd.go:292 now serving peer/client/metrics",
      "info embed/etcd.go:640 serving peer traffic",
      "info embed/etcd.go:890 serving metrics",
      expect.stringMatching(/^info v3@v3\.6\.0\/raft\.go:970 [0-9a-f]+ became leader at term 2$/u),
      expect.stringMatching(/^info v3@v3\.6\.0\/node\.go:370 raft\.node: ([0-9a-f]+) elected leader \1 at term 2$/u),
      "info etcdserver/server.go:1820 published local member to cluster through raft",
      "info membership/cluster.go:682 set initial cluster version",
      "info embed/serve.go:138 ready to serve client requests",
      "info embed/serve.go:138 ready to serve client requests",
      "info embed/serve.go:283 serving client traffic securely",
      "info embed/serve.go:283 serving client traffic securely",
    ]);
    expect(begin.at(-2)).toMatchObject({ traffic: "grpc+http", address: "127.0.0.1:2379" });
    const id = (begin[14] as ZapLine).msg.split(" ")[0];
    const etcdctl = "etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt";
    expect(fresh.run(`ssh control-plane '${etcdctl} --key /etc/kubernetes/pki/etcd/server.key member list'`)).toContain(
      `${id}, started`,
    );
  });

  it("tells every five minutes of a compaction", () => {
    const { world, ...learner } = sitting(0);
    world.simulation.advance(11 * 60_000);
    const lines = zapLines(linesOf(learner, "etcd")).filter(({ caller }) => caller.startsWith("mvcc/"));
    expect(lines.map(({ msg }) => msg)).toEqual([0, 1].flatMap(() => ["compact tree index", "finished scheduled compaction"]));
    expect(Date.parse(lines[2]?.ts ?? "") - Date.parse(lines[0]?.ts ?? "")).toBeCloseTo(300_000, -4);
    expect(lines[1]?.["compact-revision"]).toBe(lines[0]?.["revision"]);
  });

  it("tells of its end, and that it has data when it starts again", () => {
    const { world, ...learner } = sitting(0);
    learner.run("ssh control-plane 'crictl stop --timeout 10 $(crictl ps -q --name etcd)'");
    world.simulation.advance(60_000);
    const messages = (more: string) => zapLines(linesOf(learner, "etcd", more)).map(({ msg }) => msg);
    expect(messages("--previous --tail=6")).toEqual([
      "received signal; shutting down",
      "closing etcd server",
      "skipped leadership transfer for single voting member cluster",
      "stopping serving peer traffic",
      "stopped serving peer traffic",
      "closed etcd server",
    ]);
    expect(messages("")).toEqual(expect.arrayContaining(["server has already been initialized", "restarting local member"]));
  });
});

/** klog's lines without their header, and whether each has a right one. */
function klogLines(lines: readonly string[]): readonly string[] {
  for (const line of lines) expect(line).toMatch(/^[IWE]0115 0[89]:\d\d:\d\d\.\d{6} {7}1 [a-z_]+\.go:\d+\] ./u);
  return lines.map((line) => line.slice(30));
}

describe("the API server's log", () => {
  it("tells of its start, with its plugins, its API groups and its controllers", () => {
    const lines = klogLines(linesOf(fresh, "kube-apiserver"));
    expect(lines.slice(0, 3)).toEqual([
      "options.go:249] external host was not specified, using 172.18.0.2",
      "server.go:147] Version: v1.36.0",
      'server.go:149] "Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""',
    ]);
    expect(lines[3]).toMatch(
      /^plugins\.go:157\] Loaded (\d+) mutating admission controller\(s\) successfully in the following order: NamespaceLifecycle,/u,
    );
    const [, count, names = ""] = /Loaded (\d+) validating .* order: (\S+)\.$/u.exec(lines[4] ?? "") ?? [];
    expect(names.split(",").length).toBe(Number(count));
    expect(names).toMatch(/^LimitRanger,PodSecurity,.*,ValidatingAdmissionPolicy,ValidatingAdmissionWebhook,ResourceQuota$/u);
    const serving = lines.indexOf("secure_serving.go:214] Serving securely on [::]:6443");
    expect(lines.slice(6, serving)).toEqual(
      expect.arrayContaining([
        "handler.go:304] Adding GroupVersion  v1 to ResourceManager",
        "handler.go:304] Adding GroupVersion apps v1 to ResourceManager",
      ]),
    );
    expect(lines.slice(serving)).toEqual(
      expect.arrayContaining([
        "apiservice_controller.go:100] Starting APIServiceRegistrationController",
        "cache.go:39] Caches are synced for RemoteAvailability controller",
      ]),
    );
  });

  it("tells of addresses for Services, of tokens that do not count and of webhooks that fail", () => {
    const last = (): string | undefined => klogLines(linesOf(fresh, "kube-apiserver", "--tail=1")).at(-1);
    fresh.run("kubectl create service clusterip web --tcp=80");
    const address = fresh.run("kubectl get service web -o jsonpath='{.spec.clusterIP}'; echo").trim();
    expect(last()).toBe(`alloc.go:328] "allocated clusterIPs" service="default/web" clusterIPs={"IPv4":"${address}"}`);
    fresh.run("kubectl --token nonsense get pods");
    fresh.run("curl -sk -H 'Authorization: Bearer nonsense' https://172.18.0.2:6443/api");
    expect(last()).toBe('authentication.go:75] "Unable to authenticate the request" err="invalid bearer token"');
    const hook = (policy: string): string =>
      JSON.stringify({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "w" },
        webhooks: [
          {
            name: "w.example.com",
            failurePolicy: policy,
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            clientConfig: { service: { namespace: "default", name: "gone" } },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          },
        ],
      });
    const cause =
      'failed calling webhook "w.example.com": failed to call webhook: Post "https://gone.default.svc:443/?timeout=10s": service "gone" not found';
    for (const [policy, place, how] of [
      ["Fail", "dispatcher.go:217", "closed"],
      ["Ignore", "dispatcher.go:205", "open"],
    ] as const) {
      fresh.run(`echo '${hook(policy)}' | kubectl apply -f -; sleep 2; kubectl create configmap ${how}`);
      expect(last()).toBe(`${place}] Failed calling webhook, failing ${how} w.example.com: ${cause}`);
    }
    fresh.run("kubectl delete validatingwebhookconfiguration w");
  });

  it("tells of its end", () => {
    const { world, ...learner } = sitting(0);
    learner.run("ssh control-plane 'crictl stop --timeout 10 $(crictl ps -q --name kube-apiserver)'");
    world.simulation.advance(60_000);
    const lines = klogLines(linesOf(learner, "kube-apiserver", "--previous"));
    expect(lines).toContain("apiservice_controller.go:101] Shutting down APIServiceRegistrationController");
    expect(lines.at(-1)).toBe("secure_serving.go:262] Stopped listening on [::]:6443");
  });
});

describe("kube-proxy's log", () => {
  it("tells of its mode and of its caches", () => {
    const lines = klogLines(linesOf(fresh, "kube-proxy"));
    expect(lines[0]).toBe('server_linux.go:53] "Using iptables proxy"');
    expect(lines).toContain('server_linux.go:137] "Using iptables Proxier"');
    expect(lines[3]).toMatch(/^server\.go:228\] "Successfully retrieved NodeIPs" NodeIPs=\["172\.18\.0\.\d"\]$/u);
    expect(lines.slice(-4)).toEqual(
      ["service config", "endpoint slice config", "serviceCIDR config", "node config"].map(
        (name) => `shared_informer.go:388] "Caches are synced" controller="${name}"`,
      ),
    );
  });
});

describe("the provisioner's log", () => {
  it("tells of its configuration, and of volumes that it makes and removes", () => {
    const { world, ...learner } = sitting();
    expect(linesOf(learner, "local-path").map((line) => line.replace(/^time="2026-01-15T08:5\d:\d\dZ" /u, ""))).toEqual([
      String.raw`level=debug msg="Applied config: {\"nodePathMap\":[{\"node\":\"DEFAULT_PATH_FOR_NON_LISTED_NODES\",\"paths\":[\"/opt/local-path-provisioner\"]}],\"storageClassConfigs\":null}"`,
      'level=debug msg="Provisioner started"',
      expect.stringMatching(
        /controller\.go:824\] "Starting provisioner controller" component="rancher\.io\/local-path_local-path-provisioner-/u,
      ),
      expect.stringMatching(/controller\.go:873\] "Started provisioner controller" component="rancher\.io\/local-path_/u),
    ]);
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    };
    const container = { name: "c", image: "busybox:1.36", command: ["sleep", "1d"] };
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [container], volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] },
    };
    for (const object of [claim, pod]) learner.run(`echo '${JSON.stringify(object)}' | kubectl apply -f -`);
    learner.run("kubectl wait pod/p --for=condition=Ready");
    const volume = learner.run("kubectl get pvc data -o jsonpath='{.spec.volumeName}'; echo").trim();
    learner.run("kubectl delete --now pod p; kubectl delete pvc data");
    world.simulation.advance(30_000);
    const lines = linesOf(learner, "local-path", "--tail=10");
    const messages = lines.map((line) => /^time="\S+Z" level=info msg="(.*)"$/u.exec(line)?.[1]);
    const path = `node-1:/opt/local-path-provisioner/${volume}_default_data`;
    expect(messages).toEqual(
      (["create", "delete"] as const).flatMap((act) => [
        `${act === "create" ? "Creating" : "Deleting"} volume ${volume} at ${path}`,
        `create the helper pod helper-pod-${act}-${volume} into local-path-storage`,
        `Volume ${volume} has been ${act}d on ${path}`,
        `Start of helper-pod-${act}-${volume} logs`,
        `End of helper-pod-${act}-${volume} logs`,
      ]),
    );
  });
});
