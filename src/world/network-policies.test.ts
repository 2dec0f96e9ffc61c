// NetworkPolicies as a learner meets them: what clients say, what goes on working, what describe prints, and a plugin that ignores them.

import { describe, expect, it } from "vitest";
import type { NetworkPolicySpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World, type WorldOptions } from "./world.ts";

function shop(options: Partial<WorldOptions> = {}) {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files: {}, ...options });
  world.boot();
  const { client, simulation } = world;
  const pod = (name: string, image: string, nodeName: string, command?: readonly string[], probed = false): void => {
    const probe = { httpGet: { port: 80 }, periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 1 };
    client.create(kinds.pods, {
      metadata: { name, namespace: "default", labels: { app: name } },
      spec: {
        nodeName,
        containers: [
          { name: "main", image, ...(command && { command }), ...(probed && { readinessProbe: probe, livenessProbe: probe }) },
        ],
      },
    });
  };
  pod("web", "nginx:1.27", "node-1", undefined, true);
  for (const name of ["box", "other"]) pod(name, "busybox:1.36", "node-2", ["sleep", "infinity"]);
  pod("curl", "nginx:1.27", "node-2", ["sleep", "infinity"]);
  client.create(kinds.services, {
    metadata: { name: "web", namespace: "default" },
    spec: { selector: { app: "web" }, ports: [{ port: 8000, targetPort: 80 }] },
  });
  simulation.advance(60_000);
  const learner = sitDown(world, { columns: 200, rows: 60 });
  const apply = (name: string, spec: Partial<NetworkPolicySpec>): void => {
    client.create(kinds.networkPolicies, { metadata: { name, namespace: "default" }, spec: { podSelector: {}, ...spec } });
    simulation.advance(1000);
  };
  return { world, learner, apply };
}

const page = "kubectl exec box -- wget -qO- -T 5 web:8000 | grep -c 'Welcome to nginx'";
const reached = "2\n";

describe("in a whole cluster", () => {
  it("[NET-234] [NET-236] shut in by a policy: clients wait in vain, probes go on", () => {
    const { world, learner, apply } = shop();
    expect(learner.run(page)).toBe(reached);
    apply("deny", {});
    expect(learner.run("kubectl exec box -- wget -qO- -T 5 web:8000")).toBe(
      "wget: download timed out\ncommand terminated with exit code 1\n",
    );
    expect(learner.run("kubectl exec curl -- curl -sS --connect-timeout 3 http://web:8000")).toMatch(
      /^curl: \(28\) Connection timed out after 300\d milliseconds\ncommand terminated with exit code 28\n$/,
    );
    expect(learner.run("kubectl exec curl -- curl -sS -m 2 http://web:8000")).toMatch(
      /^curl: \(28\) Connection timed out after (1999|1998|200\d) milliseconds/,
    );
    expect(learner.run("kubectl exec curl -- curl -sS http://web:8000", 200_000)).toMatch(
      /^curl: \(28\) Failed to connect to web port 8000 after 1[23]\d{4} ms: Could not connect to server\ncommand terminated with exit code 28\n$/,
    );
    expect(learner.run("kubectl exec web -- curl -s localhost | grep -c 'Welcome to nginx'")).toBe(reached);
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get pod web --no-headers").replace(/\s+/g, " ")).toMatch(/^web 1\/1 Running 0 /);
    expect(learner.run("ssh node-1 curl -s $(kubectl get pod web -o jsonpath={.status.podIP}) | grep -c 'Welcome to nginx'")).toBe(
      reached,
    );
  });

  it("[NET-237] [NET-240] opened by a policy whose port is the Pod's, for as long as the labels fit", () => {
    const { learner, apply } = shop();
    apply("deny", {});
    apply("allow", {
      podSelector: { matchLabels: { app: "web" } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: "box" } } }], ports: [{ port: 80 }] }],
    });
    expect(learner.run(page)).toBe(reached);
    expect(learner.run(page.replace("exec box", "exec other"))).toContain("wget: download timed out");
    learner.run("kubectl label pod box --overwrite app=other");
    learner.run("kubectl label pod other --overwrite app=box");
    expect(learner.run(page)).toContain("wget: download timed out");
    expect(learner.run(page.replace("exec box", "exec other"))).toBe(reached);
    learner.run("kubectl delete networkpolicy --all");
    expect(learner.run(page)).toBe(reached);
  });

  it("a name that no server answers for is asked for twice, five seconds each, or as the Pod's options say", () => {
    const { learner, apply, world } = shop();
    const dnsConfig = {
      options: [
        { name: "timeout", value: "1" },
        { name: "attempts", value: "3" },
      ],
    };
    const overrides = JSON.stringify({ spec: { dnsConfig } });
    learner.run(`kubectl run quick --image=busybox:1.36 --overrides='${overrides}' -- sleep 3600`);
    learner.run("kubectl wait --for=condition=Ready pod/quick");
    apply("deny", { policyTypes: ["Egress"] });
    const seconds = (pod: string): number => {
      const beforeMs = world.simulation.nowMs;
      expect(learner.run(`kubectl exec ${pod} -- wget -qO- http://web`)).toContain("wget: bad address 'web'");
      return Math.floor((world.simulation.nowMs - beforeMs) / 1000);
    };
    expect([seconds("box"), seconds("quick")]).toEqual([10, 3]);
  });

  it("[NET-239] names are not found where egress is shut, until port 53 is open", () => {
    const { learner, apply } = shop();
    apply("deny", { policyTypes: ["Egress"] });
    expect(learner.run("kubectl exec box -- wget -qO- -T 5 http://web")).toBe(
      "wget: bad address 'web'\ncommand terminated with exit code 1\n",
    );
    expect(learner.run("kubectl exec box -- nslookup web.default.svc.cluster.local")).toContain(
      ";; connection timed out; no servers could be reached",
    );
    expect(learner.run("kubectl exec curl -- curl -sS -m 3 http://web")).toMatch(
      /^curl: \(28\) Resolving timed out after 300\d milliseconds\ncommand terminated with exit code 28\n$/,
    );
    expect(learner.run("kubectl exec curl -- curl -sS --connect-timeout 2 http://web")).toMatch(
      /^curl: \(28\) Resolving timed out after 200\d milliseconds\n/,
    );
    expect(learner.run("kubectl exec curl -- curl -sS http://web")).toBe(
      "curl: (6) Could not resolve host: web\ncommand terminated with exit code 6\n",
    );
    apply("dns", {
      policyTypes: ["Egress"],
      egress: [
        {
          to: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
              podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
            },
          ],
          ports: [{ port: 53, protocol: "UDP" }],
        },
      ],
    });
    expect(learner.run("kubectl exec box -- nslookup web.default.svc.cluster.local")).toMatch(
      /Name:\s*web\.default\.svc\.cluster\.local/,
    );
    expect(learner.run("kubectl exec box -- wget -qO- -T 5 web:8000")).toContain("wget: download timed out");
  });

  it("makes no words about being accepted, enforced or not", () => {
    const { learner } = shop();
    const manifest =
      '{"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"deny"},"spec":{"podSelector":{}}}';
    expect(learner.run(`echo '${manifest}' | kubectl apply -f -`)).toBe("networkpolicy.networking.k8s.io/deny created\n");
    const ignoring = shop({ networkPolicies: "ignored" });
    expect(ignoring.learner.run(`echo '${manifest}' | kubectl apply -f -`)).toBe("networkpolicy.networking.k8s.io/deny created\n");
  });

  it("[NET-241] where the plugin ignores them, they are stored and block nothing", () => {
    const { learner, apply, world } = shop({ networkPolicies: "ignored" });
    apply("deny", { policyTypes: ["Ingress", "Egress"] });
    expect(learner.run("kubectl get netpol -o name")).toBe("networkpolicy.networking.k8s.io/deny\n");
    expect(learner.run(page)).toBe(reached);
    expect(world.cluster.network.admitOpening).toBeUndefined();
  });

  it("[NET-244] describe says in sentences what a policy lets through", () => {
    const { learner, apply } = shop();
    apply("mixed", {
      ingress: [
        {
          from: [
            { namespaceSelector: { matchLabels: { team: "blue" } }, podSelector: { matchLabels: { app: "box" } } },
            { ipBlock: { cidr: "172.17.0.0/16", except: ["172.17.1.0/24"] } },
          ],
          ports: [{ port: 6379 }, { port: 32_000, endPort: 32_768 }],
        },
        {},
      ],
    });
    apply("deny", { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Ingress", "Egress"] });
    const described = (name: string): string => learner.run(`kubectl describe netpol ${name} | sed -n '/^Spec/,$p'`);
    expect(described("mixed")).toBe(
      [
        "Spec:",
        "  PodSelector:     <none> (Allowing the specific traffic to all pods in this namespace)",
        "  Allowing ingress traffic:",
        "    To Port: 6379/TCP",
        "    To Port Range: 32000-32768/TCP",
        "    From:",
        "      NamespaceSelector: team=blue",
        "      PodSelector: app=box",
        "    From:",
        "      IPBlock:",
        "        CIDR: 172.17.0.0/16",
        "        Except: 172.17.1.0/24",
        "    ----------",
        "    To Port: <any> (traffic allowed to all ports)",
        "    From: <any> (traffic not restricted by source)",
        "  Not affecting egress traffic",
        "  Policy Types: Ingress",
        "",
      ].join("\n"),
    );
    expect(described("deny")).toBe(
      [
        "Spec:",
        "  PodSelector:     app=web",
        "  Allowing ingress traffic:",
        "    <none> (Selected pods are isolated for ingress connectivity)",
        "  Allowing egress traffic:",
        "    <none> (Selected pods are isolated for egress connectivity)",
        "  Policy Types: Ingress, Egress",
        "",
      ].join("\n"),
    );
  });
});
