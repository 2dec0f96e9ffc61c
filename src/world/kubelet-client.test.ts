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

describe("the way from the API server to a kubelet", () => {
  function withPod() {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const { run } = sitDown(world, { columns: 200 });
    run("kubectl run web --image=nginx:1.27");
    run("kubectl wait --for=condition=Ready pod/web --timeout=60s");
    return { world, run };
  }
  const rule = "INPUT -s 172.18.0.2 -p tcp --dport 10250 -j DROP";
  const lost = "dial tcp 172.18.0.3:10250: i/o timeout";

  it("[API-055] ends after 30 s where packets get lost, for logs, exec and port-forward; Pods are reached all the same", () => {
    const { world, run } = withPod();
    run(`ssh node-1 iptables -I ${rule}`);
    const timed = (line: string): readonly [string, number] => {
      const startMs = world.simulation.nowMs;
      return [run(line), Math.round((world.simulation.nowMs - startMs) / 1000)];
    };
    const [logs, logsSeconds] = timed("kubectl logs web");
    expect(logs).toBe(`Error from server: Get "https://172.18.0.3:10250/containerLogs/default/web/web": ${lost}\n`);
    expect(logsSeconds).toBe(30);
    const [exec, execSeconds] = timed("kubectl exec web -- hostname");
    const posted = 'Post "https://172.18.0.3:10250/exec/default/web/web?command=hostname&error=1&output=1"';
    expect(exec).toBe(`error: Internal error occurred: error sending request: ${posted}: ${lost}\n`);
    expect(execSeconds).toBe(30);
    expect(run("kubectl port-forward pod/web 8080:80", 200_000)).toContain(`error dialing backend: ${lost}`);
    const [proxied, proxiedSeconds] = timed("kubectl get --raw /api/v1/nodes/node-1/proxy/healthz");
    expect(proxied).toContain(`error trying to reach service: ${lost}`);
    expect(proxiedSeconds).toBe(30);
    expect(run("kubectl get --raw /api/v1/namespaces/default/pods/web/proxy/ | grep title")).toBe(
      "<title>Welcome to nginx!</title>\n",
    );
    run(`ssh node-1 iptables -D ${rule}`);
    expect(run("kubectl exec web -- hostname")).toBe("web\n");
  });

  it("[API-055] --kubelet-certificate-authority: only a kubelet with a certificate of that authority is asked", () => {
    const { world, run } = withPod();
    const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
    const flag = "--kubelet-certificate-authority=/etc/kubernetes/pki/ca.crt";
    run(`ssh control-plane "sed -i 's#^    - --kubelet-client-key=.*#&\\n    - ${flag}#' ${manifest}"`);
    world.simulation.advance(60_000);
    const refused =
      "tls: failed to verify certificate: x509: cannot validate certificate for 172.18.0.3 because it doesn't contain any IP SANs";
    expect(run("kubectl logs web")).toBe(
      `Error from server: Get "https://172.18.0.3:10250/containerLogs/default/web/web": ${refused}\n`,
    );
    expect(run("kubectl exec web -- hostname")).toContain(`hostname&error=1&output=1": ${refused}`);
    expect(run("kubectl get --raw /api/v1/nodes/node-1/proxy/healthz")).toContain(refused);
    expect(run("kubectl get --raw /api/v1/namespaces/default/pods/web/proxy/ | grep title")).toContain("Welcome");
    expect(run("kubectl logs -n kube-system kube-apiserver-control-plane")).not.toContain("has no effect");
    run(`ssh control-plane "sed -i '/kubelet-certificate-authority/d' ${manifest}"`);
    world.simulation.advance(60_000);
    expect(run("kubectl exec web -- hostname")).toBe("web\n");
  });
});
