import { beforeAll, describe, expect, it } from "vitest";
import { adminPeer, exchangeAs } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("the API server's requests to kubelets", () => {
  let world: World;
  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
  });

  function get(path: string): string {
    const reply = exchangeAs({ ...adminPeer, certificate: world.adminCertificate }, world.cluster.apiServer, {
      method: "GET",
      target: path,
    });
    world.simulation.runUntil(() => reply.ended, { limitMs: 10_000 });
    return `${reply.status} ${reply.text}`;
  }

  it.each([
    ["control-plane", "/healthz", "200 ok"],
    ["node-1", "/healthz", "200 ok"],
    ["https:node-1:10250", "/healthz/ping", "200 ok"],
  ])("show its certificate: nodes/%s/proxy%s", (node, path, expected) => {
    expect(get(`/api/v1/nodes/${node}/proxy${path}`)).toBe(expected);
  });

  it("[POD-551] bring its configuration, what it runs, its metrics, its summary and its logs", () => {
    const json = (path: string) => JSON.parse(get(`/api/v1/nodes/node-1/proxy${path}`).slice(4));
    expect(json("/configz").kubeletconfig).toMatchObject({ maxPods: 110, clusterDNS: ["10.96.0.10"], cgroupDriver: "systemd" });
    expect(json("/runningpods/").items.length).toBeGreaterThan(0);
    expect(json("/stats/summary").node.fs.usedBytes).toBeGreaterThan(0);
    expect(get("/api/v1/nodes/node-1/proxy/metrics/probes")).toMatch(/^prober_probe_total\{/m);
    expect(get("/api/v1/nodes/node-1/proxy/metrics/cadvisor")).toMatch(/^container_memory_working_set_bytes\{/m);
    expect(get("/api/v1/nodes/node-1/proxy/logs/")).toContain('<a href="pods/">pods/</a>');
  });

  it("tell of the pods and of what they use", () => {
    const pods: readonly { readonly metadata: { readonly name: string } }[] = JSON.parse(
      get("/api/v1/nodes/node-1/proxy/pods").slice(4),
    ).items;
    const metrics = get("/api/v1/nodes/node-1/proxy/metrics/resource");
    const measured = [...metrics.matchAll(/^pod_cpu_usage_seconds_total\{.*pod="(.*)"\}/gm)].map((match) => match[1]);
    expect(measured).toEqual(pods.map(({ metadata }) => metadata.name).sort());
    expect(measured.length).toBeGreaterThan(0);
  });
});

describe("port 10250 of a node", () => {
  it("[POD-551] [POD-552] answers kubectl through the API server, and curl on the node with a token that may", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const { run } = sitDown(world);
    const raw = "kubectl get --raw /api/v1/nodes/node-1/proxy";
    expect(run(`${raw}/configz | jq -c '[.kubeletconfig.maxPods, .kubeletconfig.clusterDomain]'`)).toBe('[110,"cluster.local"]\n');
    expect(run(`${raw}/logs`)).toContain('<a href="containers/">containers/</a>\n');
    run("kubectl create serviceaccount scraper");
    run("kubectl create clusterrole scrape --verb=get --resource=nodes/metrics");
    run("kubectl create clusterrolebinding scrape --clusterrole=scrape --serviceaccount=default:scraper");
    const token = run("kubectl create token scraper").trim();
    const curl = (path: string, header = "") => run(`ssh node-1 "curl -sSk ${header} https://127.0.0.1:10250${path}; echo"`);
    expect(curl("/metrics/cadvisor")).toBe("Unauthorized\n");
    const bearer = `-H 'Authorization: Bearer ${token}'`;
    expect(curl("/metrics/cadvisor", bearer)).toMatch(/^machine_cpu_cores\{/m);
    expect(curl("/configz", bearer)).toBe(
      "Forbidden (user=system:serviceaccount:default:scraper, verb=get, resource=nodes, subresource(s)=[configz proxy])\n\n",
    );
  });

  it("tells at /configz what the file said when the kubelet started", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const { run } = sitDown(world);
    const maxPods = () => run("kubectl get --raw /api/v1/nodes/node-1/proxy/configz | jq .kubeletconfig.maxPods");
    run("ssh node-1 \"echo 'maxPods: 20' >> /var/lib/kubelet/config.yaml\"");
    const before = maxPods();
    run("ssh node-1 systemctl restart kubelet");
    world.simulation.advance(5_000);
    expect([before, maxPods()]).toEqual(["110\n", "20\n"]);
  });
});
