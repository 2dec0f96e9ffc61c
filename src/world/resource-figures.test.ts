// What kubectl tells of requests, limits and use, on a whole cluster.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const files = {
  "pods.yaml": `apiVersion: v1
kind: Pod
metadata: { name: frontend }
spec:
  containers:
  - name: app
    image: busybox:1.36
    command: ["sleep", "36000"]
    resources: { requests: { cpu: 250m, memory: 64Mi }, limits: { cpu: 1500m, memory: 128Mi } }
  - name: log
    image: busybox:1.36
    command: ["sleep", "36000"]
    resources: { requests: { cpu: 255m, memory: 64Mi }, limits: { cpu: 1500m, memory: 128Mi } }
---
apiVersion: v1
kind: Pod
metadata: { name: ended }
spec:
  restartPolicy: Never
  containers:
  - name: c
    image: busybox:1.36
    command: ["true"]
    resources: { requests: { cpu: 500m } }
---
apiVersion: v1
kind: Pod
metadata: { name: leak }
spec:
  restartPolicy: Never
  initContainers:
  - name: wait
    image: busybox:1.36
    command: ["sleep", "1"]
  containers:
  - name: c
    image: busybox:1.36
    command: ["tail", "/dev/zero"]
    resources: { limits: { memory: 20Mi } }
---
apiVersion: v1
kind: Pod
metadata: { name: giant }
spec:
  containers:
  - name: c
    image: busybox:1.36
    resources: { requests: { cpu: "3" } }
`,
};

describe("requests, limits and use as kubectl tells them", () => {
  let world: World;
  let learner: TypingLearner;
  const run = (line: string) => learner.run(line, 2_000_000);

  beforeAll(() => {
    world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, addons: ["metrics-server"], files });
    world.boot();
    learner = sitDown(world, { columns: 200, rows: 60 });
    learner.run("kubectl apply -f pods.yaml; kubectl wait --for=condition=Ready pod/frontend");
  });

  it("[POD-481] there are no figures before a Pod was measured", () => {
    expect(run("kubectl top pod frontend")).toBe(
      'Error from server (NotFound): podmetrics.metrics.k8s.io "default/frontend" not found\n',
    );
    expect(run("kubectl top pod")).toBe("error: metrics not available yet\n");
  });

  it("[POD-463] a node lists its Pods with shares of what is allocatable, cut to integers", () => {
    run("sleep 10");
    const lines = run("kubectl describe node node-1 | grep -A 4 Non-terminated").split("\n");
    expect(lines[0]).toBe("Non-terminated Pods:          (4 in total)");
    expect(lines[1]).toBe(
      "  Namespace                   Name                              CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age",
    );
    expect(lines[3]).toMatch(/^ {2}default {21}frontend {26}505m \(25%\) {4}3 \(150%\) {4}128Mi \(3%\) {7}256Mi \(6%\) {5}\d+s$/u);
  });

  it("[POD-464] [POD-465] and sums them up, without those that have ended", () => {
    expect(run("kubectl describe node node-1 | grep -A 9 Allocated")).toBe(`Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource           Requests    Limits
  --------           --------    ------
  cpu                705m (35%)  3 (150%)
  memory             398Mi (9%)  426Mi (10%)
  ephemeral-storage  0 (0%)      0 (0%)
  hugepages-1Gi      0 (0%)      0 (0%)
  hugepages-2Mi      0 (0%)      0 (0%)
Events:
`);
  });

  it("[POD-481] figures of Pods and of their containers", () => {
    world.simulation.advance(60_000);
    expect(run("kubectl top pod")).toMatch(/^NAME +CPU\(cores\) +MEMORY\(bytes\) *\nfrontend +0m +\dMi *\n$/u);
    expect(run("kubectl top pod --containers")).toMatch(
      /^POD +NAME +CPU\(cores\) +MEMORY\(bytes\) *\nfrontend +app +0m +1Mi *\nfrontend +log +0m +1Mi *\n$/u,
    );
  });

  it("[POD-482] a template prints the state of a killed container with its keys in order", () => {
    expect(run("kubectl get pod leak -o go-template='{{range .status.containerStatuses}}{{.state}}{{end}}'; echo")).toMatch(
      /^map\[terminated:map\[containerID:containerd:\/\/[0-9a-f]{64} exitCode:137 finishedAt:\S+ reason:OOMKilled startedAt:\S+\]\]\n$/u,
    );
  });

  it("[POD-460] refusals of the same text are one event that is counted", () => {
    run("sleep 700");
    expect(run("kubectl describe pod giant | tail -n 1")).toMatch(
      /^ {2}Warning {2}FailedScheduling {2}\S+ \(x2 over \S+\) {2}default-scheduler {2}0\/2 nodes/u,
    );
  });
});
