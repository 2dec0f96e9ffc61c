import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const writer = `
      containers:
      - name: main
        image: busybox:1.36
        command: ["sh", "-c", "dd if=/dev/zero of=/f bs=1M count=100 2>/dev/null; sleep 100000"]
`;
const files = {
  "all.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: ${writer}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: ${writer}
`,
};
const columns = "--no-headers -o custom-columns=:.spec.nodeName,:.status.phase,:.status.reason";

describe("a node whose disk is full", () => {
  it("[POD-508] [POD-520] [POD-523] is tainted; a Deployment's Pod is replaced elsewhere, a DaemonSet's on the same node, in vain", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files });
    world.boot();
    const learner = sitDown(world);
    learner.run("kubectl apply -f all.yaml");
    world.simulation.advance(30_000);
    const full = learner.run("kubectl get pods -l app=web --no-headers -o custom-columns=:.spec.nodeName").trim();
    const other = full === "node-1" ? "node-2" : "node-1";
    const disk = world.cluster.node(full)?.machine.disk;
    disk?.occupy(disk.roomBytes - 1024 ** 3);
    world.simulation.advance(60_000);
    // Until the taint is there the scheduler sends others to the node, which refuses them: each kind once.
    const rows = (label: string) => {
      const output = learner.run(`kubectl get pods -l app=${label} ${columns}`).trim();
      return [...new Set(output.replaceAll(/ +/gu, " ").split("\n"))].sort();
    };
    expect(rows("web")).toEqual([`${full} Failed Evicted`, `${other} Running <none>`].sort());
    expect(
      learner.run(`kubectl get node ${full} --no-headers -o custom-columns=:.spec.taints[*].key,:.spec.taints[*].effect`),
    ).toBe("node.kubernetes.io/disk-pressure   NoSchedule\n");
    const { items } = JSON.parse(learner.run("kubectl get pods -l app=agent -o json"));
    const onFull = items.filter((pod: { spec: { nodeName: string } }) => pod.spec.nodeName === full);
    expect(onFull.map(({ status }: { status: { message?: string } }) => status.message)).toEqual([
      "Pod was rejected: The node had condition: [DiskPressure]. ",
    ]);
    expect(learner.run("kubectl describe daemonset agent")).toMatch(
      /Warning +FailedDaemonPod .* Found failed daemon pod default\/agent-/u,
    );
    learner.run("kubectl delete pods --field-selector=status.phase=Failed -l app=web");
    expect(rows("web")).toEqual([`${other} Running <none>`]);
  });
});
