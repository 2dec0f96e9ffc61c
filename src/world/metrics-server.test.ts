// The metrics API's backend in a whole cluster: kubelets, metrics-server's Pod, its Service.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import { World } from "./world.ts";

const frontProxy = { "x-remote-user": "kubernetes-admin", "x-remote-group": "system:masters" };

describe("a cluster with metrics-server", () => {
  let world: World;

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, addons: ["metrics-server"], files: {} });
    world.boot();
    const work = "while true; do n=0; while [ $n -lt 2000 ]; do n=$((n+1)); done; sleep 1; done";
    world.client.create(kinds.pods, {
      metadata: { name: "busy", namespace: "default", labels: { app: "busy" } },
      spec: { containers: [{ name: "work", image: "busybox:1.36", command: ["sh", "-c", work] }] },
    });
    world.simulation.advance(60_000);
  });

  /** From the control plane's machine to the Service, as the API server does it. */
  function get(path: string, headers: { readonly [name: string]: string } = frontProxy): string {
    const { clusterIP = "" } = world.client.get(kinds.services, { namespace: "kube-system", name: "metrics-server" }).spec ?? {};
    let answer: string | undefined;
    const request = { method: "GET", target: path, headers, body: noBytes };
    const tls = { serverName: "metrics-server.kube-system.svc" };
    world.cluster.nodes[0]?.network.host.request({ address: clusterIP, port: 443 }, request, { tls }, (result) => {
      answer = result.ok
        ? `${result.exchange.status} ${decodeUtf8(result.exchange.body ?? noBytes)}`
        : JSON.stringify(result.error);
    });
    world.simulation.runUntil(() => answer !== undefined, { limitMs: 10_000 });
    return answer ?? "no answer";
  }

  function log(): string {
    const [pod] = world.client.list(kinds.pods, { labelSelector: "k8s-app=metrics-server" }).items;
    const node = world.cluster.node(pod?.spec?.nodeName ?? "");
    return node?.runtime.containersOf(pod?.metadata.uid ?? "")[0]?.log.tailText(100, 100_000) ?? "";
  }

  it("has its Pod Ready at the start", () => {
    expect(
      log()
        .split("\n")
        .slice(0, 3)
        .map((line) => line.slice(line.indexOf("]") + 2)),
    ).toEqual([
      "Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)",
      "Adding GroupVersion metrics.k8s.io v1beta1 to ResourceManager",
      "Serving securely on [::]:10250",
    ]);
    expect(log()).not.toMatch(/^E/m);
    expect(get("/readyz", {})).toBe("200 ok");
  });

  it("answers how much a busy Pod uses", () => {
    const answer = JSON.parse(get("/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/busy").slice(4));
    const { cpu, memory } = answer.containers[0].usage;
    // The loop sleeps in a second process, of a mebibyte too.
    expect(["1Mi", "2Mi"]).toContain(memory);
    expect([answer.kind, answer.metadata.labels["app"], answer.containers[0].name]).toEqual(["PodMetrics", "busy", "work"]);
    const millicores = Number(cpu.replace(/n$/, "")) / 1e6;
    expect(millicores).toBeGreaterThan(20);
    expect(millicores).toBeLessThan(500);
  });

  it("answers for every node and every Pod that runs", () => {
    const names = (path: string): readonly string[] =>
      JSON.parse(get(path).slice(4)).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(names("/apis/metrics.k8s.io/v1beta1/nodes")).toEqual(["control-plane", "node-1", "node-2"]);
    const running = world.client.list(kinds.pods).items.map(({ metadata }) => metadata.name);
    expect([...names("/apis/metrics.k8s.io/v1beta1/pods")].sort()).toEqual([...running].sort());
  });

  it("refuses who comes past the front proxy", () => {
    expect(get("/apis/metrics.k8s.io/v1beta1/nodes", {})).toBe(
      '403 {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes.metrics.k8s.io is forbidden: User \\"system:anonymous\\" cannot list resource \\"nodes\\" in API group \\"metrics.k8s.io\\" at the cluster scope","reason":"Forbidden","details":{"group":"metrics.k8s.io","kind":"nodes"},"code":403}\n',
    );
  });

  it("leaves out a node whose kubelet is stopped, and says so", () => {
    world.cluster.node("node-2")?.kubelet.stop();
    world.simulation.advance(20_000);
    const answer = get("/apis/metrics.k8s.io/v1beta1/nodes/node-2");
    expect(answer).toContain('"message":"nodemetrics.metrics.k8s.io \\"node-2\\" not found"');
    expect(log()).toContain(
      '"Failed to scrape node" err="Get \\"https://172.18.0.4:10250/metrics/resource\\": dial tcp 172.18.0.4:10250: connect: connection refused" node="node-2"',
    );
    world.cluster.node("node-2")?.kubelet.start();
  });
});

describe("metrics-server with flags that do not fit the cluster", () => {
  it.each([
    [
      "kubelets show certificates that are not for their addresses",
      (args: readonly string[]) => args.filter((each) => each !== "--kubelet-insecure-tls"),
      'Get \\"https://172.18.0.3:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 172.18.0.3 because it doesn\'t contain any IP SANs',
    ],
    [
      "the cluster's DNS does not know its machines",
      (args: readonly string[]) => args.filter((each) => !each.startsWith("--kubelet-preferred-address-types")),
      'Get \\"https://node-1:10250/metrics/resource\\": dial tcp: lookup node-1 on 10.96.0.10:53: no such host',
    ],
  ])("never becomes Ready: %s", (_why, change, failure) => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, addons: ["metrics-server"], files: {} });
    world.boot();
    const { client, simulation } = world;
    const key = { namespace: "kube-system", name: "metrics-server" };
    const args = client.get(kinds.deployments, key).spec?.template.spec?.containers[0]?.args ?? [];
    client.patch(kinds.deployments, key, "strategic", {
      spec: { template: { spec: { containers: [{ name: "metrics-server", args: change(args) }] } } },
    });
    simulation.advance(60_000);
    const pods = client.list(kinds.pods, { labelSelector: "k8s-app=metrics-server" }).items;
    const isReady = ({ status }: (typeof pods)[number]) => status?.conditions?.find(({ type }) => type === "Ready")?.status;
    expect(pods.map(isReady).sort()).toEqual(["False", "True"]);
    const failing = pods.find((pod) => isReady(pod) === "False");
    const log =
      world.cluster
        .node("node-1")
        ?.runtime.containersOf(failing?.metadata.uid ?? "")[0]
        ?.log.tailText(100, 100_000) ?? "";
    const texts = log.split("\n").map((line) => line.slice(line.indexOf("]") + 2));
    expect(texts).toEqual(
      expect.arrayContaining([
        `"Failed to scrape node" err="${failure}" node="node-1"`,
        '"Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
      ]),
    );
  });
});

describe("a cluster of a control plane alone", () => {
  it("starts although metrics-server finds no place in it", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 0, addons: ["metrics-server"], files: {} });
    world.boot();
    const [pod] = world.client.list(kinds.pods, { labelSelector: "k8s-app=metrics-server" }).items;
    expect(pod?.status?.phase).toBe("Pending");
  });
});
