// The ports of the controller manager and the scheduler, as one asks them on the control plane.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function start() {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world);
  world.simulation.advance(30_000);
  const ask = (port: number, path: string, more = ""): string =>
    learner.run(`ssh control-plane "curl -ks ${more} 'https://127.0.0.1:${port}${path}'; echo"`);
  return { world, learner, ask };
}

describe.each([
  [10257, "kube-controller-manager"],
  [10259, "kube-scheduler"],
])("port %i", (port, component) => {
  it("[WRK-010] answers health checks to all, and metrics to those whom the API server lets", () => {
    const { learner, ask } = start();
    expect(ask(port, "/healthz")).toBe("ok\n");
    const refused = ask(port, "/metrics");
    expect(JSON.parse(refused)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'forbidden: User "system:anonymous" cannot get path "/metrics"',
      reason: "Forbidden",
      details: {},
      code: 403,
    });
    expect(JSON.parse(ask(port, "/metrics", "-H 'Authorization: Bearer nobody'"))).toMatchObject({
      code: 401,
      message: "Unauthorized",
    });
    const token = learner.run("kubectl create token default").trim();
    const bearer = `-H 'Authorization: Bearer ${token}'`;
    expect(JSON.parse(ask(port, "/metrics", bearer))).toMatchObject({
      code: 403,
      message: 'forbidden: User "system:serviceaccount:default:default" cannot get path "/metrics"',
    });
    learner.run("kubectl create clusterrole scrape --verb=get --non-resource-url=/metrics");
    learner.run("kubectl create clusterrolebinding scrape --clusterrole=scrape --serviceaccount=default:default");
    const text = ask(port, "/metrics", bearer);
    expect(text).toContain('kubernetes_build_info{build_date="');
    expect(text).toContain(`leader_election_master_status{name="${component}"} 1\n`);
    expect(text).toMatch(/\nprocess_start_time_seconds 1\.767\d+e\+09\n/);
    expect(ask(port, "/elsewhere", bearer)).toContain('cannot get path \\"/elsewhere\\"');
  });
});

describe("CoreDNS on port 9153", () => {
  it("counts what it was asked for and what it answered", () => {
    const { world, learner } = start();
    const names = ["kubernetes.default.svc.cluster.local", "nobody.default.svc.cluster.local"];
    const ask = names.map((name) => `nslookup ${name}`).join("; ");
    learner.run(`kubectl run asker --image=busybox:1.37 --restart=Never -- sh -c "${ask}"`);
    world.simulation.advance(20_000);
    const pods = learner.run("kubectl get pods -n kube-system -l k8s-app=kube-dns -o name").trim().split("\n");
    const texts = pods.map((pod) =>
      learner.run(`kubectl get --raw /api/v1/namespaces/kube-system/${pod.replace("pod", "pods")}:9153/proxy/metrics`),
    );
    const sum = (sample: string): number =>
      texts.reduce(
        (total, text) =>
          total +
          Number(
            text
              .split("\n")
              .find((line) => line.startsWith(`${sample} `))
              ?.split(" ")[1] ?? 0,
          ),
        0,
      );
    const place = 'server="dns://:53"';
    expect(sum(`coredns_dns_requests_total{family="1",proto="udp",${place},type="A",view="",zone="."}`)).toBe(2);
    expect(sum(`coredns_dns_responses_total{plugin="loadbalance",rcode="NXDOMAIN",${place},view="",zone="."}`)).toBeGreaterThan(0);
    expect(texts[0]).toContain('coredns_build_info{goversion="go1.25.2",revision="1db4568",version="1.13.1"} 1\n');
    expect(texts[0]).toContain('coredns_plugin_enabled{name="kubernetes",server="dns://:53",view="",zone="."} 1\n');
    const elsewhere = learner.run(`kubectl get --raw /api/v1/namespaces/kube-system/services/kube-dns:metrics/proxy/elsewhere`);
    expect(elsewhere).toContain("NotFound");
  });
});

describe("the scheduler's metrics", () => {
  it("tell where Pods without a node wait", () => {
    const { learner, world, ask } = start();
    learner.run('kubectl run huge --image=nginx --overrides=\'{"spec":{"nodeSelector":{"disk":"none"}}}\'');
    world.simulation.advance(2_000);
    learner.run("kubectl create clusterrole scrape --verb=get --non-resource-url=/metrics");
    learner.run("kubectl create clusterrolebinding scrape --clusterrole=scrape --serviceaccount=default:default");
    const token = learner.run("kubectl create token default").trim();
    const text = ask(10259, "/metrics", `-H 'Authorization: Bearer ${token}'`);
    expect(text).toContain(
      'scheduler_pending_pods{queue="active"} 0\nscheduler_pending_pods{queue="backoff"} 0\nscheduler_pending_pods{queue="gated"} 0\nscheduler_pending_pods{queue="unschedulable"} 1\n',
    );
  });
});

describe("the controller manager's metrics", () => {
  it("tell of each zone how many nodes it has, how many are well, and how many were tainted", () => {
    const { learner, world, ask } = start();
    const pair = "/etc/kubernetes/pki/apiserver-kubelet-client";
    const metrics = () => ask(10257, "/metrics", `--cert ${pair}.crt --key ${pair}.key`).replaceAll("\0", "");
    const zone = (sample: string) => metrics().match(new RegExp(`^node_collector_${sample}\\{zone="::zone-a"\\} (.*)$`, "m"))?.[1];
    const names = ["evictions_total", "unhealthy_nodes_in_zone", "zone_health", "zone_size"];
    expect(names.map(zone)).toEqual(["0", "0", "100", "1"]);
    learner.run("ssh node-1 systemctl stop kubelet");
    world.simulation.advance(80_000);
    expect(names.map(zone)).toEqual(["1", "1", "0", "1"]);
  });
});

describe.each([
  { port: 10257, name: "kube-controller-manager", configuration: "kubecontrollermanager.config.k8s.io" },
  { port: 10259, name: "kube-scheduler", configuration: "componentconfig" },
])("what $name tells of itself", ({ port, name, configuration }) => {
  const { learner, ask } = start();
  learner.run("kubectl create clusterrolebinding look --clusterrole=system:monitoring --serviceaccount=default:default");
  const bearer = `-H 'Authorization: Bearer ${learner.run("kubectl create token default").trim()}'`;
  const form = (as: string) => `${bearer} -H 'Accept: application/json;v=v1beta1;g=config.k8s.io;as=${as}'`;

  it("is at /statusz and /flagz, for whoever may watch over a cluster, in the form that is asked for", () => {
    const isScheduler = name === "kube-scheduler";
    const paths = [
      "/configz",
      "/flagz",
      "/healthz",
      ...(isScheduler ? ["/livez"] : []),
      "/metrics",
      ...(isScheduler ? ["/readyz"] : []),
    ];
    expect(ask(port, "/statusz", bearer)).toMatch(
      new RegExp(`^\n${name} statusz\nWarning: [\\s\\S]*\nPaths(:|: |=| ) ${paths.join(" ")}\n`),
    );
    expect(JSON.parse(ask(port, "/statusz", form("Statusz")))).toMatchObject({ kind: "Statusz", metadata: { name }, paths });
    const { flags } = JSON.parse(ask(port, "/flagz", form("Flagz")));
    expect(flags).toMatchObject({ "leader-elect": "true", "secure-port": String(port), profiling: "true" });
    expect(JSON.parse(ask(port, "/statusz", form("Flagz")))).toMatchObject({ code: 406, reason: "NotAcceptable" });
    expect(JSON.parse(ask(port, "/statusz"))).toMatchObject({ code: 403 });
  });

  it("[WRK-010] is at /configz and /debug/pprof only for those with more rights", () => {
    expect(JSON.parse(ask(port, "/configz", bearer))).toMatchObject({ code: 403 });
    learner.run("kubectl create clusterrole dig --verb=get --non-resource-url=/configz --non-resource-url='/debug/*'");
    learner.run("kubectl create clusterrolebinding dig --clusterrole=dig --serviceaccount=default:default");
    expect(Object.keys(JSON.parse(ask(port, "/configz", bearer)))).toEqual([configuration]);
    expect(ask(port, "/debug/pprof/", bearer)).toContain("<title>/debug/pprof/</title>");
    expect(ask(port, "/debug/pprof/goroutine?debug=1", bearer)).toContain("not simulated");
  });

  it("is its health, check by check, and how often that held", () => {
    const lines = ask(port, "/healthz?verbose").trim().split("\n");
    expect([lines[0], lines.at(-1)]).toEqual(["[+]leaderElection ok", "healthz check passed"]);
    expect(lines.includes("[+]job-controller ok")).toBe(name === "kube-controller-manager");
    expect(ask(port, "/healthz?verbose&exclude=nope")).toContain('no matches for "nope"\n');
    const [, before = ""] = count(ask(port, "/metrics/slis", bearer));
    ask(port, "/healthz");
    const [, after = ""] = count(ask(port, "/metrics/slis", bearer));
    expect(Number(after) - Number(before)).toBe(1);
  });

  function count(text: string): readonly string[] {
    return /total\{name="leaderElection",status="success",type="healthz"\} (\d+)/.exec(text) ?? [];
  }
});
