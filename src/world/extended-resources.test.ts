// Resources that Kubernetes does not know itself: advertised by hand, or by a device plugin in a Pod.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const foo = "example.com/foo";
const device = "example.com/resource";

const plugin = `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: plugin }
spec:
  selector: { matchLabels: { app: plugin } }
  template:
    metadata: { labels: { app: plugin } }
    spec:
      containers:
      - name: plugin
        image: registry.k8s.io/e2e-test-images/sample-device-plugin:1.7
        volumeMounts: [{ name: sockets, mountPath: /var/lib/kubelet/device-plugins }]
      volumes: [{ name: sockets, hostPath: { path: /var/lib/kubelet/device-plugins } }]
`;

function podOf(name: string, limits: object, more: object = {}): string {
  const resources = { limits };
  const containers = [{ name: "main", image: "busybox:1.36", command: ["sleep", "100000"], resources }];
  return JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, ...more } });
}

function start() {
  const files = {
    "plugin.yaml": plugin,
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`device-${name}.yaml`, podOf(name, { [device]: 1 })])),
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`foo-${name}.yaml`, podOf(name, { [foo]: 2, cpu: "100m" })])),
    "bound.yaml": podOf("bound", { [foo]: 9 }, { nodeName: "node-1" }),
    "direct.yaml": podOf("direct", { [device]: 1 }, { nodeName: "node-1" }),
  };
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 3, nodes: 1, files });
  world.boot();
  const learner = sitDown(world, { columns: 240, rows: 120 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const amounts = (resource: string): string =>
    learner
      .run(`kubectl get node node-1 -o json | jq -r '.status | "\\(.capacity["${resource}"]) \\(.allocatable["${resource}"])"'`)
      .trim();
  const advertise = (value: string): string =>
    learner.run(
      `curl -s -X PATCH -H 'Content-Type: application/json-patch+json' --data '[{"op":"add","path":"/status/capacity/example.com~1foo","value":"${value}"}]' http://127.0.0.1:8001/api/v1/nodes/node-1/status | jq -c .status.capacity`,
    );
  const phases = (): string =>
    learner
      .run("kubectl get pods -l '!app' --no-headers -o custom-columns=:.metadata.name,:.status.phase,:.status.reason")
      .replaceAll(/ +/gu, " ")
      .trim();
  return { world, learner, wait, amounts, advertise, phases };
}

describe("a resource that is advertised by hand", () => {
  it("[POD-525] [POD-526] [POD-529] [POD-530] [POD-535] [POD-456] [WRK-409] is capacity at once, allocatable within 10 s, and never given twice", () => {
    const { learner, wait, amounts, advertise, phases } = start();
    expect(learner.run("curl http://control-plane:8080/api/v1/nodes/node-1/status")).toContain("curl: (7) Failed to connect");
    learner.run("kubectl apply -f foo-a.yaml");
    // Just after one of the kubelet's looks.
    learner.run("kubectl proxy > /dev/null & sleep 4");
    expect(JSON.parse(advertise("5"))).toMatchObject({ [foo]: "5", cpu: "2" });
    expect(amounts(foo)).toBe("5 null");
    expect(phases()).toBe("a Pending <none>");
    expect(learner.run("kubectl describe pod a")).toContain(`Insufficient ${foo}`);
    wait(12);
    expect(amounts(foo)).toBe("5 5");
    expect(phases()).toBe("a Running <none>");
    learner.run("kubectl apply -f foo-b.yaml -f foo-c.yaml");
    wait(3);
    expect(phases()).toBe("a Running <none>\nb Running <none>\nc Pending <none>");
    learner.run("kubectl delete pod a --now");
    wait(3);
    expect(phases()).toBe("b Running <none>\nc Running <none>");
  });

  it("[POD-531] [POD-532] is shown by kubectl describe; taken away, it leaves Pods alone", () => {
    const { learner, wait, amounts, advertise, phases } = start();
    learner.run("kubectl proxy > /dev/null & sleep 1");
    advertise("4");
    wait(12);
    learner.run("kubectl apply -f foo-a.yaml");
    wait(3);
    const lines = learner.run("kubectl describe node node-1").split("\n");
    expect(lines.filter((line) => line.includes(foo)).map((line) => line.trim().replaceAll(/ +/gu, " "))).toEqual([
      `${foo}: 4`,
      `${foo}: 4`,
      `${foo} 2 2`,
    ]);
    expect(
      learner.run(
        `kubectl patch node node-1 --subresource=status --type=json -p '[{"op":"remove","path":"/status/capacity/example.com~1foo"}]'`,
      ),
    ).toBe("node/node-1 patched\n");
    wait(12);
    expect(amounts(foo)).toBe("null null");
    expect(phases()).toBe("a Running <none>");
  });

  it("[POD-524] [POD-525] needs a prefix of its own; its slash is written ~1, and only a status can be patched with it", () => {
    const { learner, amounts } = start();
    const patch = (path: string, more = "--subresource=status") =>
      learner.run(
        `kubectl patch node node-1 ${more} --type=json -p '[{"op":"add","path":"/status/capacity/${path}","value":"1"}]'`,
      );
    expect(patch("example.com/foo")).toBe(
      "The request is invalid: the server rejected our request due to an error in our request\n",
    );
    expect(patch("example.com~1foo", "")).toBe("node/node-1 patched (no change)\n");
    expect(amounts(foo)).toBe("null null");
    const limited = (name: string) => learner.run(`sed 's#${foo}#${name}#' foo-a.yaml | kubectl apply --dry-run=server -f -`);
    expect(limited(`example.com/${"x".repeat(64)}`)).toContain("name part must be no more than 63 ");
    expect(limited("foo")).toContain("must be a standard resource type or fully qualified");
    expect(limited("kubernetes.io/foo")).toBe("pod/a created (server dry run)\n");
    expect(limited("requests.example.com/foo")).toContain("doesn't follow extended resource name standard");
  });

  it("what the node itself has is put right; a kubelet without device plugins begins at 0 when it starts again", () => {
    const { learner, wait, amounts, advertise, phases } = start();
    learner.run("kubectl proxy > /dev/null & sleep 1");
    advertise("4");
    learner.run(`kubectl patch node node-1 --subresource=status -p '{"status":{"capacity":{"cpu":"64"}}}'`);
    expect(amounts("cpu")).toBe("64 2");
    wait(12);
    expect([amounts("cpu"), amounts(foo)]).toEqual(["2 2", "4 4"]);
    learner.run("kubectl apply -f bound.yaml");
    wait(3);
    expect(phases()).toBe(`bound Failed OutOf${foo}`);
    learner.run("ssh node-1 systemctl restart kubelet");
    wait(1);
    expect(amounts(foo)).toBe("0 0");
  });
});

describe("a device plugin", () => {
  it("[POD-533] registers by the kubelet's socket: its devices are the node's, and a container gets its own", () => {
    const { learner, wait, amounts, phases } = start();
    expect(learner.run("ssh node-1 ls -F /var/lib/kubelet/device-plugins")).toBe("kubelet.sock=\n");
    learner.run("kubectl apply -f plugin.yaml -f device-a.yaml");
    wait(20);
    expect(amounts(device)).toBe("2 2");
    learner.run("kubectl apply -f device-b.yaml -f device-c.yaml");
    wait(3);
    expect(phases()).toBe("a Running <none>\nb Running <none>\nc Pending <none>");
    expect(learner.run("kubectl exec a -- ls /tmp")).toBe("Dev-1\n");
    expect(learner.run("kubectl exec b -- ls /tmp")).toBe("Dev-2\n");
    learner.run("kubectl apply -f direct.yaml");
    wait(3);
    expect(learner.run("kubectl get pod direct -o jsonpath='{.status.reason}: {.status.message}{\"\\n\"}'")).toBe(
      `UnexpectedAdmissionError: Pod was rejected: Allocate failed due to requested number of devices unavailable for ${device}. Requested: 1, Available: 0, which is unexpected\n`,
    );
    learner.run("kubectl delete pod a --now");
    wait(3);
    expect(learner.run("kubectl exec c -- ls /tmp")).toBe("Dev-1\n");
  });

  it("[POD-533] that is gone leaves no device to allocate, and after five minutes no capacity; Pods keep theirs", () => {
    const { learner, wait, amounts, phases } = start();
    learner.run("kubectl apply -f plugin.yaml -f device-a.yaml");
    wait(20);
    learner.run("kubectl delete -f plugin.yaml");
    wait(12);
    expect(amounts(device)).toBe("2 0");
    wait(310);
    expect(amounts(device)).toBe("0 0");
    expect(phases()).toBe("a Running <none>");
    learner.run("kubectl apply -f plugin.yaml");
    wait(20);
    expect(amounts(device)).toBe("2 2");
  });

  it("registers again with a kubelet that starts again, which knows what it gave before", () => {
    const { learner, wait, amounts, phases } = start();
    learner.run("kubectl apply -f plugin.yaml -f device-a.yaml");
    wait(20);
    learner.run("ssh node-1 systemctl restart kubelet");
    expect(amounts(device)).toBe("0 0");
    wait(12);
    expect(amounts(device)).toBe("2 2");
    learner.run("kubectl apply -f device-b.yaml -f device-c.yaml");
    wait(3);
    expect(phases()).toBe("a Running <none>\nb Running <none>\nc Pending <none>");
    expect(learner.run("kubectl exec b -- ls /tmp")).toBe("Dev-2\n");
  });
});
