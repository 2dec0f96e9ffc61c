// kubectl logs, exec, attach and port-forward where Pods have several containers, several replicas, or have ended.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const shell = (name: string, script: string): string =>
  `{ name: ${name}, image: busybox:1.36, command: [sh, -c, ${JSON.stringify(script)}]`;
const files = {
  "pods.yaml": `apiVersion: v1
kind: Pod
metadata: { name: counter }
spec:
  initContainers:
  - ${shell("setup", "echo ready")} }
  containers:
  - ${shell("count", "echo one; sleep 100000")} }
  - ${shell("count-log-1", "echo two; sleep 100000")} }
---
apiVersion: v1
kind: Pod
metadata: { name: marked, annotations: { kubectl.kubernetes.io/default-container: second } }
spec:
  containers:
  - ${shell("first", "echo first; sleep 100000")} }
  - ${shell("second", "echo second; sleep 100000")} }
---
apiVersion: v1
kind: Pod
metadata: { name: done }
spec:
  restartPolicy: Never
  containers:
  - ${shell("c", "echo bye")} }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - ${shell("c", "echo up; sleep 100000")} }
`,
  "backend.yaml": `apiVersion: v1
kind: Pod
metadata: { name: backend }
spec:
  containers:
  - ${shell("c", "while true; do nc -l -p 9000 >> /all.log; done")} }
`,
  "agent.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: agent }
data: { path: /logs/app.log, label: from-the-agent }
---
apiVersion: v1
kind: Pod
metadata: { name: app }
spec:
  terminationGracePeriodSeconds: 1
  volumes: [{ name: logs, emptyDir: {} }, { name: config, configMap: { name: agent } }]
  containers:
  - ${shell("app", "i=0; while true; do echo line-$i >> /logs/app.log; i=$((i+1)); sleep 1; done")}, volumeMounts: [{ name: logs, mountPath: /logs }] }
  - ${shell("agent", 'until grep -q line-4 $(cat /etc/agent/path); do sleep 1; done; sed "s/^/$(cat /etc/agent/label) /" $(cat /etc/agent/path) | nc -w 1 BACKEND 9000; sleep 100000')}, volumeMounts: [{ name: logs, mountPath: /logs }, { name: config, mountPath: /etc/agent }] }
`,
};

let world: World;
let learner: TypingLearner;
beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files });
  world.boot();
  learner = sitDown(world, { columns: 250, rows: 100 });
  learner.run("kubectl apply -f pods.yaml");
  world.simulation.advance(30_000);
});
const run = (command: string): string => learner.run(command);

describe("kubectl logs", () => {
  it.each([
    [
      "[POD-618] takes the first container and says so",
      "logs counter",
      'Defaulted container "count" out of: count, count-log-1, setup (init)\none\n',
    ],
    ["[POD-618] or the one that the Pod names, without a word", "logs marked", "second\n"],
    ["a container by name", "logs counter -c count-log-1", "two\n"],
    [
      "[POD-619] knows the Pod's containers",
      "logs counter -c x",
      "error: container x is not valid for pod counter out of: count, count-log-1, setup (init)\n",
    ],
    // Upstream today names the namespace.
    ["[POD-622] misses a Pod", "logs x", 'error: error from server (NotFound): pods "x" not found in namespace "default"\n'],
    [
      "[POD-626] prefixes lines",
      "logs counter --all-containers --prefix",
      "[pod/counter/setup] ready\n[pod/counter/count] one\n[pod/counter/count-log-1] two\n",
    ],
    ["reads what has ended", "logs done", "bye\n"],
  ])("%s", (_title, command, expected) => {
    expect(run(`kubectl ${command}`)).toBe(expected);
  });

  it("[POD-618] names ephemeral containers as such", () => {
    run("kubectl debug counter --image=busybox:1.36 -c probe -- sleep 1000");
    world.simulation.advance(5000);
    expect(run("kubectl logs counter | head -n 0")).toBe(
      'Defaulted container "count" out of: count, count-log-1, probe (ephem), setup (init)\n',
    );
  });

  it("[POD-626] reads one of a Deployment's Pods and says which, or all of them", () => {
    const names = run("kubectl get pods -l app=web -o jsonpath='{.items[*].metadata.name}'; echo").trim().split(" ");
    expect(run("kubectl logs deployment/web")).toMatch(new RegExp(`^Found 3 pods, using pod/(${names.join("|")})\\nup\\n$`, "u"));
    expect(run("kubectl logs deployment/web --all-pods").trim().split("\n").sort()).toEqual(
      names.map((name) => `[pod/${name}/c] up`).sort(),
    );
  });
});

describe("the logs of the control plane", () => {
  it.each([
    ["kube-scheduler", 'server.go:175] "Starting Kubernetes Scheduler" version="v1.36.0"'],
    ["kube-controller-manager", 'controllermanager.go:191] "Starting" version="v1.36.0"'],
  ])("[POD-633] are those of its static Pods: %s tells of its start and of its Lease", (name, first) => {
    const lines = run(`kubectl logs -n kube-system ${name}-control-plane`).trim().split("\n");
    expect(lines[0]).toMatch(/^I0115 08:5\d:\d\d\.\d{6} {7}1 /u);
    const words = lines.map((line) => line.replace(/^\S+ \S+ +1 /u, ""));
    expect(words.slice(0, 4)).toEqual([
      first,
      expect.stringContaining('"Golang settings" GOGC=""'),
      `leaderelection.go:258] "Attempting to acquire leader lease..." lock="kube-system/${name}"`,
      `leaderelection.go:272] "Successfully acquired lease" lock="kube-system/${name}"`,
    ]);
    // Beyond that only the controller of nodes tells of itself here.
    expect(words.slice(4).every((line) => line.startsWith("node_lifecycle_controller.go:"))).toBe(true);
    expect(words.length > 4).toBe(name === "kube-controller-manager");
  });
});

describe("a Pod that has ended", () => {
  it.each([
    ["exec done -- ls", "error: cannot exec into a container in a completed pod; current phase is Succeeded\n"],
    ["attach done", "error: cannot attach a container in a completed pod; current phase is Succeeded\n"],
    ["port-forward pod/done 8080:80", "error: unable to forward port because pod is not running. Current status=Succeeded\n"],
  ])("[POD-631] [POD-652] takes no kubectl %s", (command, expected) => {
    expect(run(`kubectl ${command}`)).toBe(expected);
  });
});

describe("an agent beside the application", () => {
  it("[POD-640] [POD-642] reads the shared volume as its ConfigMap says, and the back-end keeps lines longer than the Pod", () => {
    run("kubectl apply -f backend.yaml");
    world.simulation.advance(10_000);
    run("ip=$(kubectl get pod backend -o jsonpath='{.status.podIP}'); sed \"s/BACKEND/$ip/\" agent.yaml | kubectl apply -f -");
    world.simulation.advance(20_000);
    const lines = [0, 1, 2, 3, 4].map((index) => `from-the-agent line-${index}\n`).join("");
    expect(run("kubectl exec backend -- head -n 5 /all.log")).toBe(lines);
    expect([run("kubectl logs app -c app; echo end"), run("kubectl logs app -c agent; echo end")]).toEqual(["end\n", "end\n"]);
    run("kubectl delete pod app");
    expect(run("kubectl logs app")).toContain("not found");
    expect(run("kubectl exec backend -- head -n 5 /all.log")).toBe(lines);
  });
});
