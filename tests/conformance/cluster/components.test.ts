// The components: their Leases, their identities, and what happens while one of them is away.

import { beforeAll, describe, expect, it } from "vitest";
import { leases, pods } from "#cluster/api/kinds.ts";
import { WholeCluster } from "../whole-cluster.test-kit.ts";

let cluster: WholeCluster;
beforeAll(() => {
  cluster = new WholeCluster(1, 6);
});

const leaderLease = (name: string) => cluster.get(leases, name, "kube-system");
const manifests = "/etc/kubernetes/manifests";

describe("leader election", () => {
  it.each(["kube-controller-manager", "kube-scheduler"])("[API-266] %s holds a Lease of 15 s and renews it every 2 s", (name) => {
    const { spec } = leaderLease(name);
    expect(spec?.holderIdentity).toMatch(/^control-plane_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([spec?.leaseDurationSeconds, spec?.leaseTransitions]).toEqual([15, 0]);
    const renewals = new Set<string | undefined>();
    for (let tenth = 0; tenth < 200; tenth += 1) {
      cluster.advance(0.1);
      renewals.add(leaderLease(name).spec?.renewTime);
    }
    expect(renewals.size).toBeGreaterThanOrEqual(9);
    expect(renewals.size).toBeLessThanOrEqual(12);
    expect(cluster.eventTexts({ kind: "Lease", name })[0]).toMatch(/LeaderElection control-plane_.* became leader$/);
  });

  it("[API-269] [API-286] a scheduler that starts again leads once the old Lease has run out; until then Pods wait without an event", () => {
    const before = leaderLease("kube-scheduler").spec?.holderIdentity;
    cluster.ssh("control-plane", `mv ${manifests}/kube-scheduler.yaml /tmp/`);
    cluster.advance(10);
    cluster.sh("kubectl run waits --image=nginx:1.27");
    cluster.advance(20);
    const waiting = cluster.get(pods, "waits");
    expect([waiting.status?.phase, waiting.status?.conditions, waiting.spec?.nodeName]).toEqual(["Pending", undefined, undefined]);
    expect(cluster.eventTexts({ kind: "Pod", name: "waits" })).toEqual([]);
    cluster.ssh("control-plane", `mv /tmp/kube-scheduler.yaml ${manifests}/`);
    cluster.secondsUntil(() => cluster.get(pods, "waits").spec?.nodeName === "node-1", 60);
    const { spec } = leaderLease("kube-scheduler");
    expect(spec?.holderIdentity).not.toBe(before);
    expect(spec?.leaseTransitions).toBe(1);
  });

  it("[API-270] while no controller manager leads, nothing is reconciled and what runs goes on", () => {
    cluster.sh("kubectl create deployment web --image=nginx:1.27 --replicas=2; kubectl rollout status deployment web");
    cluster.ssh("control-plane", `mv ${manifests}/kube-controller-manager.yaml /tmp/`);
    cluster.advance(10);
    cluster.sh("kubectl scale deployment web --replicas=4");
    cluster.advance(30);
    expect(cluster.pods("app=web").map(({ status }) => status?.phase)).toEqual(["Running", "Running"]);
    cluster.ssh("control-plane", `mv /tmp/kube-controller-manager.yaml ${manifests}/`);
    cluster.secondsUntil(() => cluster.pods("app=web").length === 4, 60);
  });
});

describe("a Pod's way, as the API shows it", () => {
  it("[API-292] is told in events, in order", () => {
    cluster.sh("kubectl run trip --image=nginx:1.27");
    cluster.secondsUntil(() => cluster.get(pods, "trip").status?.phase === "Running", 60);
    const node = cluster.get(pods, "trip").spec?.nodeName;
    expect(cluster.eventTexts({ kind: "Pod", name: "trip" }).map((text) => text.replace(/ in .*/, ""))).toEqual([
      `default-scheduler: Scheduled Successfully assigned default/trip to ${node}`,
      expect.stringMatching(
        /^kubelet: (Pulling Pulling image "nginx:1\.27"|Pulled Container image "nginx:1\.27" already present on machine)/,
      ),
      ...(cluster.eventTexts({ kind: "Pod", name: "trip" }).length === 5
        ? ['kubelet: Pulled Successfully pulled image "nginx:1.27"']
        : []),
      "kubelet: Created Container created",
      "kubelet: Started Container started",
    ]);
  });

  it("[API-278] [API-293] is made by those whose business it is", () => {
    cluster.sh("kubectl create deployment who --image=nginx:1.27; kubectl rollout status deployment who");
    const entries = cluster.world.cluster.apiServer.audit.events();
    const name = cluster.pods("app=who")[0]?.metadata.name;
    const by = (verb: string, subresource: string): readonly string[] =>
      entries
        .filter((entry) => entry.verb === verb && entry.resource === "pods" && entry.subresource === subresource)
        .filter((entry) => entry.name === name || entry.objectName === name)
        .map(({ user }) => user.name);
    expect(by("create", "")).toEqual(["system:serviceaccount:kube-system:replicaset-controller"]);
    expect(by("create", "binding")).toEqual(["system:kube-scheduler"]);
    expect(new Set([...by("patch", "status"), ...by("update", "status")])).toEqual(new Set(["system:node:node-1"]));
  });

  it("[API-287] is bound once: a second binding is a conflict", () => {
    const target = { apiVersion: "v1", kind: "Node", name: "node-1" };
    const bind = (): unknown =>
      cluster.client.createSubresource(pods, { namespace: "default", name: "trip" }, "binding", {
        metadata: { name: "trip" },
        target,
      });
    expect(bind).toThrow('Operation cannot be fulfilled on pods/binding "trip": pod trip is already assigned to node "node-1"');
  });

  it("[API-290] [API-291] waits for the scheduler it names, and needs none when it names its node", () => {
    cluster.sh('kubectl run other --image=nginx:1.27 --overrides=\'{"spec":{"schedulerName":"mine"}}\'');
    cluster.sh('kubectl run direct --image=nginx:1.27 --overrides=\'{"spec":{"nodeName":"node-1"}}\'');
    cluster.advance(20);
    expect([cluster.get(pods, "other").status?.phase, cluster.eventTexts({ kind: "Pod", name: "other" })]).toEqual(["Pending", []]);
    expect(cluster.get(pods, "direct").status?.phase).toBe("Running");
    expect(cluster.eventTexts({ kind: "Pod", name: "direct" }).some((text) => text.includes("Scheduled"))).toBe(false);
  });

  it("[API-294] [WRK-227] of a static Pod is a mirror: deleted, it comes back and the container runs on; without its file it ends", () => {
    const name = "still-node-1";
    cluster.ssh(
      "node-1",
      `mkdir -p ${manifests}; printf 'apiVersion: v1\\nkind: Pod\\nmetadata: {name: still}\\nspec: {containers: [{name: a, image: "nginx:1.27"}]}\\n' > ${manifests}/still.yaml`,
    );
    cluster.secondsUntil(() => cluster.find(pods, name)?.status?.phase === "Running", 60);
    const { metadata, status } = cluster.get(pods, name);
    expect(Object.keys(metadata.annotations ?? {}).sort()).toEqual([
      "kubernetes.io/config.hash",
      "kubernetes.io/config.mirror",
      "kubernetes.io/config.seen",
      "kubernetes.io/config.source",
    ]);
    expect(metadata.annotations?.["kubernetes.io/config.source"]).toBe("file");
    expect(metadata.ownerReferences?.map(({ kind, name: owner }) => [kind, owner])).toEqual([["Node", "node-1"]]);
    cluster.sh(`kubectl delete pod ${name} --wait=false`);
    cluster.secondsUntil(() => (cluster.find(pods, name)?.metadata.uid ?? metadata.uid) !== metadata.uid, 60);
    cluster.secondsUntil(() => cluster.find(pods, name)?.status?.containerStatuses?.[0]?.ready === true, 30);
    expect(cluster.get(pods, name).status?.containerStatuses?.[0]?.containerID).toBe(status?.containerStatuses?.[0]?.containerID);
    cluster.ssh("node-1", `rm ${manifests}/still.yaml`);
    cluster.secondsUntil(() => cluster.find(pods, name) === undefined, 60);
  });

  it("[API-295] [API-296] [API-297] finds its account, the DNS and the Services of its namespace", () => {
    cluster.sh(
      "kubectl expose pod trip --port=80; kubectl run tool --image=busybox:1.36 -- sleep 3600; kubectl wait pod tool --for=condition=Ready",
    );
    const files = cluster.sh("kubectl exec tool -- ls /var/run/secrets/kubernetes.io/serviceaccount").trim().split(/\s+/).sort();
    expect(files).toEqual(["ca.crt", "namespace", "token"]);
    const mounted = cluster.get(pods, "tool").spec?.volumes?.[0]?.projected?.sources?.[0]?.serviceAccountToken;
    expect(mounted).toEqual({ expirationSeconds: 3607, path: "token" });
    expect(cluster.sh("kubectl exec tool -- cat /etc/resolv.conf")).toBe(
      "search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
    );
    const env = cluster.sh("kubectl exec tool -- env");
    expect(env).toContain("KUBERNETES_SERVICE_HOST=10.96.0.1\n");
    expect(env).toContain("KUBERNETES_SERVICE_PORT=443\n");
    expect(env).toMatch(/^TRIP_SERVICE_HOST=10\.\d+\.\d+\.\d+$/m);
    expect(env).toMatch(/^TRIP_SERVICE_PORT=80$/m);
  });

  it("[API-281] [API-282] of a Service with a selector: slices and Endpoints that belong to it", () => {
    const slices = JSON.parse(cluster.sh("kubectl get endpointslices -l kubernetes.io/service-name=trip -o json"));
    const [slice] = slices.items;
    expect(slice.metadata.name).toMatch(/^trip-[a-z0-9]{5}$/);
    expect(slice.metadata.labels).toEqual({
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
      "kubernetes.io/service-name": "trip",
      run: "trip",
      // The Pod has it from its node, the Service from the Pod.
      "topology.kubernetes.io/zone": "zone-a",
    });
    expect(slice.metadata.ownerReferences[0]).toMatchObject({ kind: "Service", name: "trip" });
    expect(cluster.sh("kubectl get endpoints trip -o name 2>/dev/null")).toBe("endpoints/trip\n");
    cluster.sh("kubectl delete service trip");
    cluster.advance(5);
    expect(
      cluster.sh(
        "kubectl get endpointslices -l kubernetes.io/service-name=trip -o name; kubectl get endpoints trip --ignore-not-found -o name 2>/dev/null",
      ),
    ).toBe("");
  });

  it("[API-305] of a LoadBalancer without a cloud: the external address stays pending", () => {
    cluster.sh("kubectl create service loadbalancer lb --tcp=80");
    cluster.advance(30);
    expect(cluster.sh("kubectl get service lb --no-headers")).toMatch(
      /^lb +LoadBalancer +10\.\d+\.\d+\.\d+ +<pending> +80:3\d{4}\/TCP +30s\n$/,
    );
  });
});

describe("the components' ports", () => {
  it("[API-276] are secure, and those of old are closed", () => {
    expect(
      cluster.ssh(
        "control-plane",
        "curl -sk https://127.0.0.1:10257/healthz; echo; curl -sk https://127.0.0.1:10259/healthz; echo",
      ),
    ).toBe("ok\nok\n");
    expect(
      cluster.ssh(
        "control-plane",
        "curl -s http://127.0.0.1:10252/healthz; echo $?; curl -s http://127.0.0.1:10251/healthz; echo $?",
      ),
    ).toBe("7\n7\n");
  });

  it("[API-049] the API server has no insecure one", () => {
    expect(cluster.ssh("control-plane", "curl -s http://127.0.0.1:8080/version; echo $?")).toBe("7\n");
  });
});
