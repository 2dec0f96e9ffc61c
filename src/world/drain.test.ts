// A node is taken out of service: cordon, drain with what it refuses, waits for and prints, uncordon.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const nginx = "containers: [{ name: main, image: nginx:1.29 }]";
const deaf = `containers: [{ name: main, image: busybox:1.36, command: [sh, -c, "trap '' TERM; while true; do sleep 1; done"] }]`;

const deployment = (name: string, replicas: number, spec: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { ${spec} }
`;
const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 2, selector: { matchLabels: { app: web } } }
`;
const pod = (name: string, spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name}, labels: { app: ${name} } }\nspec: { ${spec} }\n`;

/** Two of these fill a node of 2 CPU. */
const roomy = (readyAfter: number): string =>
  `containers: [{ name: main, image: nginx:1.29, resources: { requests: { cpu: 900m } }, readinessProbe: { initialDelaySeconds: ${readyAfter}, tcpSocket: { port: 80 } } }]`;
const spread =
  "topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway, labelSelector: { matchLabels: { app: web } } }]";
const files = {
  "web.yaml": deployment("web", 2, nginx),
  "budget.yaml": budget,
  "deaf.yaml": [2, 6]
    .map((seconds) => deployment(`deaf-${seconds}`, 1, `terminationGracePeriodSeconds: ${seconds}, ${deaf}`))
    .join("---\n"),
  "example.yaml": [budget, deployment("web", 3, `${spread}, ${roomy(20)}`), deployment("x", 1, roomy(0))].join("---\n"),
  "others.yaml": [
    deployment("local", 1, `volumes: [{ name: v, emptyDir: {} }], ${nginx}`),
    pod("naked", nginx),
    pod("done", `restartPolicy: Never, volumes: [{ name: v, emptyDir: {} }], ${nginx.replace("}", ', command: ["true"] }')}`),
  ].join("---\n"),
};

let world: World;
let learner: TypingLearner;

function start(nodes = 1): void {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes, files });
  world.boot();
  learner = sitDown(world, { columns: 600, rows: 300 });
}
beforeEach(() => start());

const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
/** What a command prints, without the made parts of names. */
const run = (command: string): string =>
  learner.run(command).replaceAll(/-[0-9a-f]{8,10}-[a-z0-9]{5}\b|(?<=kube-proxy)-\w{5}/gu, "-x");
const apply = (...names: string[]): void => {
  for (const name of names) learner.run(`kubectl apply -f ${name}.yaml`);
  wait(30);
};
const drain = (flags: string): string => run(`kubectl drain node-1 --ignore-daemonsets ${flags}; echo "exit $?"`);
const ignored = "Warning: ignoring DaemonSet-managed Pods: kube-system/kube-proxy-x\n";
const drained = "node/node-1 drained\nexit 0\n";
const refusal = (name: string): string =>
  `evicting pod default/${name}\nerror when evicting pods/"${name}" -n "default" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.\n`;

describe("a node that is cordoned", () => {
  it("[POD-394] [POD-395] [POD-608] says so in spec, taint, STATUS and events, keeps its Pods, and is as before when uncordoned", () => {
    apply("web");
    const shown = (): string => run("kubectl get node node-1 --no-headers | awk '{print $2}'");
    const spec = (): string =>
      run("kubectl get node node-1 -o jsonpath='{.spec.unschedulable} {.spec.taints[*].key}:{.spec.taints[*].effect}'; echo");
    const pods = run("kubectl get pods -o name");
    const events = (): string =>
      run("kubectl get events --field-selector involvedObject.name=node-1 -o custom-columns=:.reason,:.message | grep Schedulable");
    expect(run("kubectl cordon node-1; kubectl cordon node-1")).toBe("node/node-1 cordoned\nnode/node-1 already cordoned\n");
    wait(15);
    expect(shown()).toBe("Ready,SchedulingDisabled\n");
    expect(spec()).toBe("true node.kubernetes.io/unschedulable:NoSchedule\n");
    expect(run("kubectl get pods -o name")).toBe(pods);
    expect(events()).toBe("NodeNotSchedulable        Node node-1 status is now: NodeNotSchedulable\n");
    expect(run("kubectl uncordon node-1; kubectl uncordon node-1")).toBe(
      "node/node-1 uncordoned\nnode/node-1 already uncordoned\n",
    );
    wait(15);
    expect([shown(), spec()]).toEqual(["Ready\n", " :\n"]);
    expect(events()).toContain("NodeSchedulable           Node node-1 status is now: NodeSchedulable\n");
  });
});

describe("kubectl drain", () => {
  it("[POD-396] [POD-397] [POD-400] evicts all Pods at once and waits, a second at a time, until each is gone", () => {
    apply("deaf");
    const before = world.simulation.nowMs;
    expect(drain("--pod-selector=app")).toBe(
      "node/node-1 cordoned\nevicting pod default/deaf-2-x\nevicting pod default/deaf-6-x\npod/deaf-2-x evicted\npod/deaf-6-x evicted\n" +
        drained,
    );
    const seconds = (world.simulation.nowMs - before) / 1000;
    expect([seconds >= 6, seconds < 8]).toEqual([true, true]);
    expect(drain("")).toBe(
      `node/node-1 already cordoned\n${ignored}evicting pod kube-system/coredns-x\npod/coredns-x evicted\n${drained}`,
    );
  });

  it("[POD-399] [POD-401] [POD-402] refuses what it would lose, each cause with its flag, and leaves the node cordoned", () => {
    apply("others");
    const causes = [
      "cannot delete Pods with local storage (use --delete-emptydir-data to override): default/local-x",
      "cannot delete Pods that declare no controller (use --force to override): default/naked",
      "cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore): kube-system/kube-proxy-x",
    ];
    const failure = (why: string, each: readonly string[]): string =>
      `error: unable to drain node "node-1" due to error: ${why}, continuing command...\nThere are pending nodes to be drained:\n node-1\n${each.join("\n")}\nexit 1\n`;
    expect(run('kubectl drain node-1; echo "exit $?"')).toBe(`node/node-1 cordoned\n${failure(`[${causes.join(", ")}]`, causes)}`);
    expect(run('kubectl drain node-1 --force --delete-emptydir-data; echo "exit $?"')).toBe(
      `node/node-1 already cordoned\n${failure(causes[2] ?? "", causes.slice(2))}`,
    );
    expect(run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("Ready,SchedulingDisabled\n");
    expect(run("kubectl get pods -o name")).toBe("pod/done\npod/local-x\npod/naked\n");
  });

  it("[POD-403] [POD-562] takes finished Pods without asking, and leaves mirror Pods without a word", () => {
    apply("others");
    expect(drain("--pod-selector=app=done")).toBe(`node/node-1 cordoned\nevicting pod default/done\npod/done evicted\n${drained}`);
    const mirrors = (): string => run("kubectl get pods -n kube-system -l tier=control-plane -o name");
    const before = mirrors();
    expect(before.split("\n").length).toBe(5);
    expect(run("kubectl drain control-plane --ignore-daemonsets")).toBe(
      `node/control-plane cordoned\n${ignored}evicting pod kube-system/coredns-x\npod/coredns-x evicted\nnode/control-plane drained\n`,
    );
    expect(mirrors()).toBe(before);
    const name = "kube-scheduler-control-plane";
    const container = (): string => run("ssh control-plane crictl ps -q --name kube-scheduler");
    const running = container();
    const eviction = `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"${name}","namespace":"kube-system"}}`;
    run("kubectl create pdb none -n kube-system --selector=tier=control-plane --min-available=1; sleep 2");
    expect(
      run(`echo '${eviction}' | kubectl create --raw /api/v1/namespaces/kube-system/pods/${name}/eviction -f - | grep -o Success`),
    ).toBe("Success\n");
    wait(10);
    expect([mirrors(), container()]).toEqual([before, running]);
  });

  it("[POD-393] [POD-398] [POD-404] asks again every 5 s where a budget refuses, until its time is over", () => {
    apply("web", "budget");
    expect(run("kubectl describe pdb web")).toBe(
      "Name:           web\nNamespace:      default\nMin available:  2\nSelector:       app=web\nStatus:\n    Allowed disruptions:  0\n    Current:              2\n    Desired:              2\n    Total:                2\nEvents:                   <none>\n",
    );
    run("kubectl create poddisruptionbudget other --selector=app=web,tier=x --max-unavailable=1; sleep 2");
    expect(run("kubectl describe pdb other | head -n 5")).toBe(
      "Name:             other\nNamespace:        default\nMax unavailable:  1\nSelector:         app=web,tier=x\nStatus:\n",
    );
    run("kubectl scale deployment web --replicas=1; sleep 5");
    const late = 'error when evicting pods/"web-x" -n "default": global timeout reached: 1m0s';
    expect(drain("--timeout=60s --pod-selector=app=web")).toBe(
      `node/node-1 cordoned\n${refusal("web-x").repeat(12)}evicting pod default/web-x\n` +
        `There are pending pods in node "node-1" when an error occurred: ${late}\npod/web-x\n` +
        `error: unable to drain node "node-1" due to error: ${late}, continuing command...\nThere are pending nodes to be drained:\n node-1\n${late}\nexit 1\n`,
    );
    expect(run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("Ready,SchedulingDisabled\n");
    expect(drain("--disable-eviction --pod-selector=app=web")).toBe(`node/node-1 already cordoned\npod/web-x deleted\n${drained}`);
  });

  it("[POD-405] [POD-406] picks nodes and Pods by label, gives Pods another time, tries it out, and knows no flags of old", () => {
    apply("deaf", "others");
    const tried = (how: string): string =>
      `node/node-1 cordoned (${how})\nevicting pod default/deaf-2-x (${how})\nnode/node-1 drained (${how})\n`;
    const byLabel = "kubectl drain -l kubernetes.io/hostname=node-1";
    for (const how of ["client", "server"])
      expect(run(`${byLabel} --pod-selector=app=deaf-2 --dry-run=${how}`)).toBe(
        tried(how === "client" ? "dry run" : "server dry run"),
      );
    expect(run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("Ready\n");
    const before = world.simulation.nowMs;
    expect(run(`${byLabel} --pod-selector=app=deaf-6 --grace-period=1`)).toBe(
      "node/node-1 cordoned\nevicting pod default/deaf-6-x\npod/deaf-6-x evicted\nnode/node-1 drained\n",
    );
    expect(world.simulation.nowMs - before).toBeLessThan(4000);
    expect(run("kubectl drain node-1 --delete-local-data")).toBe(
      "error: unknown flag: --delete-local-data\nSee 'kubectl drain --help' for usage.\n",
    );
  });

  it("[POD-405] does not wait for Pods that should have been gone for longer than --skip-wait-for-delete-timeout", () => {
    apply("deaf");
    run("virsh destroy node-1");
    expect(drain("--pod-selector=app --skip-wait-for-delete-timeout=10")).toBe(
      'node/node-1 cordoned\nevicting pod default/deaf-2-x\nevicting pod default/deaf-6-x\npod "deaf-2-x" has DeletionTimestamp older than 10 seconds, skipping\npod "deaf-6-x" has DeletionTimestamp older than 10 seconds, skipping\n' +
        drained,
    );
    expect(drain("--pod-selector=app --skip-wait-for-delete-timeout=10")).toBe(`node/node-1 already cordoned\n${drained}`);
  });
});

it("[POD-407] nodes that are drained one after the other: the second waits for the Pods of the first, the third for room", () => {
  start(3);
  apply("example");
  const where = (app: string): readonly string[] =>
    run(`kubectl get pods -l app=${app} -o custom-columns=:.spec.nodeName,:.status.phase --no-headers`)
      .trimEnd()
      .split("\n")
      .map((line) => line.replaceAll(/ +/gu, " ").trim())
      .sort();
  const allowed = (): string =>
    run("kubectl get pdb web -o jsonpath='{.status.currentHealthy} {.status.disruptionsAllowed}'; echo").trim();
  expect(where("web")).toEqual(["node-1 Running", "node-2 Running", "node-3 Running"]);
  const first = where("x")[0]?.split(" ")[0] ?? "";
  const others = ["node-1", "node-2", "node-3"].filter((name) => name !== first);
  const before = new Set(run("kubectl get pods -l app=web --no-headers -o custom-columns=:.metadata.uid").trim().split("\n"));
  expect(run(`kubectl drain ${first} --ignore-daemonsets --pod-selector=app`)).toContain(`node/${first} drained\n`);
  wait(5);
  // b, c and the new d; y in the place of x: both nodes that are left are full with it.
  const placed = where("web").map((line) => line.split(" ")[0] ?? "");
  expect([placed.length, where("x").length, allowed()]).toEqual([3, 1, "2 0"]);
  const young = run("kubectl get pods -l app=web --no-headers -o custom-columns=:.metadata.uid,:.spec.nodeName").trim().split("\n");
  const last = young.find((line) => !before.has(line.split(" ")[0] ?? ""))?.split(/ +/u)[1] ?? "";
  const second = others.find((name) => name !== last) ?? "";
  run(`kubectl drain ${second} --ignore-daemonsets --pod-selector=app=web > second 2>&1 &`);
  wait(4);
  expect(run("cat second")).toBe(`node/${second} cordoned\n${refusal("web-x")}`);
  wait(40);
  learner.run("true");
  expect(run("cat second | tail -n 3")).toBe(`evicting pod default/web-x\npod/web-x evicted\nnode/${second} drained\n`);
  expect(where("web")).toEqual(["<none> Pending", ...placed.filter((name) => name !== second).map((name) => `${name} Running`)]);
  run(`kubectl drain ${last} --ignore-daemonsets --pod-selector=app=web > last 2>&1 &`);
  wait(600);
  expect(run("tail -n 1 last")).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
  run(`kubectl uncordon ${first}`);
  wait(120);
  learner.run("true");
  expect(run("tail -n 1 last")).toBe(`node/${last} drained\n`);
});
