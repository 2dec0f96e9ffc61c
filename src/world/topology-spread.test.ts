// Pods spread over zones by hand and by a Deployment: what is shown of it, and what happens to Pods that are there.

import { expect, it } from "vitest";
import { docs } from "#cluster/api/generated/docs.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const constraint =
  "{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { foo: bar } } }";
const files = {
  "web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { foo: bar } }
  template:
    metadata: { labels: { foo: bar } }
    spec:
      topologySpreadConstraints: [${constraint}]
      containers: [{ name: main, image: nginx:1.29 }]
`,
};

it("[POD-430] [POD-436] [POD-437] [POD-438] places by a constraint, then neither keeps nor restores it", () => {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 3, files });
  world.cluster.apiServer.docs = docs;
  world.boot();
  const { run } = sitDown(world, { columns: 300, rows: 100 });
  const perNode = (): string =>
    run("kubectl get pods --no-headers -o custom-columns=:.spec.nodeName | sort | uniq -c | tr -s ' \\n' ' '; echo").trim();
  run("kubectl apply -f web.yaml");
  world.simulation.advance(10_000);
  expect(run("kubectl get events -o custom-columns=:.message | grep constraints | sort -u")).toBe(
    "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 node(s) didn't match pod topology spread constraints (missing required label). no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.\n",
  );
  run("kubectl scale deployment web --replicas=0; kubectl label node node-1 node-2 zone=a; kubectl label node node-3 zone=b");
  run("kubectl scale deployment web --replicas=4");
  world.simulation.advance(30_000);
  expect(perNode()).toBe("1 node-1 1 node-2 2 node-3");
  expect(run("kubectl describe pod -l foo=bar | grep 'Topology Spread' | uniq -c | tr -s ' '")).toBe(
    " 4 Topology Spread Constraints: zone:DoNotSchedule when max skew 1 is exceeded for selector foo=bar\n",
  );
  expect(run("kubectl explain pod.spec.topologySpreadConstraints | grep -E '^  [a-zA-Z]+.<' | tr '\\t' ' '")).toBe(
    [
      "  labelSelector <LabelSelector>",
      "  matchLabelKeys <[]string>",
      "  maxSkew <integer> -required-",
      "  minDomains <integer>",
      "  nodeAffinityPolicy <string>",
      "  nodeTaintsPolicy <string>",
      "  topologyKey <string> -required-",
      "  whenUnsatisfiable <string> -required-\n",
    ].join("\n"),
  );
  run("kubectl scale deployment web --replicas=2");
  world.simulation.advance(30_000);
  // The ReplicaSet takes those first that share a node, whatever their zone: 2 and 0.
  expect(perNode()).toBe("1 node-1 1 node-2");
  const names = run("kubectl get pods -o name");
  world.simulation.advance(900_000);
  expect(run("kubectl get pods -o name")).toBe(names);
});
