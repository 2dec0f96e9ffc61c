// Pods that were put on a node by somebody: what the scheduler, the API server and the kubelet say of them.

import { describe, expect, it } from "vitest";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

function sitting(nodes = 2) {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes, files: {} });
  world.boot();
  const typist = new Typist(world);
  const run = (line: string): string => typist.run(line).output.trimEnd().replace(/ {2,}/gu, " ");
  const create = (name: string, spec: object): string =>
    run(`kubectl run ${name} --image=nginx:1.27 --overrides='${JSON.stringify({ spec })}'`);
  const bind = (name: string, node: string): string => {
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name }, target: { kind: "Node", name: node } };
    return run(
      `echo '${JSON.stringify(binding)}' | kubectl create --raw /api/v1/namespaces/default/pods/${name}/binding -f - | tr -d '\\n'; echo`,
    );
  };
  return { run, create, bind };
}

const requesting = (requests: object) => ({ containers: [{ name: "main", image: "nginx:1.27", resources: { requests } }] });
const onPort = (hostPort: number) => ({
  containers: [{ name: "main", image: "nginx:1.27", ports: [{ containerPort: 80, hostPort }] }],
});

describe("a Pod that names its node", () => {
  it("[WRK-323] is never scheduled: the kubelet takes it or says once and for all what is in the way", () => {
    const { run, create } = sitting();
    run("kubectl taint node node-2 repair=yes:NoExecute");
    create("free", { nodeName: "node-1" });
    create("cpu", { nodeName: "node-1", ...requesting({ cpu: "9" }) });
    create("memory", { nodeName: "node-1", ...requesting({ memory: "90Gi" }) });
    create("labels", { nodeName: "node-1", nodeSelector: { disk: "ssd" } });
    create("port", { nodeName: "node-1", ...onPort(8088) });
    create("second", { nodeName: "node-1", ...onPort(8088) });
    create("tainted", { nodeName: "node-2" });
    run("sleep 10");
    const shown = run(
      "kubectl get pods -o custom-columns=N:.metadata.name,P:.status.phase,R:.status.reason,M:.status.message --no-headers",
    );
    // Another Pod of the cluster may be on the node.
    expect(shown.replace(/used: \d+/gu, "used: USED")).toBe(
      [
        "cpu Failed OutOfcpu Pod was rejected: Node didn't have enough resource: cpu, requested: 9000, used: USED, capacity: 2000",
        "free Running <none> <none>",
        "labels Failed NodeAffinity Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
        "memory Failed OutOfmemory Pod was rejected: Node didn't have enough resource: memory, requested: 96636764160, used: USED, capacity: 4190109696",
        "port Running <none> <none>",
        "second Failed NodePorts Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
      ].join("\n"),
    );
    // It is evicted besides, by the controller that looks after such taints.
    expect(run("kubectl get events --field-selector reason=TaintToleration -o custom-columns=M:.message --no-headers")).toBe(
      "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
    );
    expect(run("kubectl get events --field-selector reason=Scheduled --no-headers")).toBe(
      "No resources found in default namespace.",
    );
    run("kubectl delete pods second port --now");
    create("third", { nodeName: "node-1", ...onPort(8088) });
    run("sleep 5");
    expect(run("kubectl get pod third --no-headers")).toMatch(/^third 1\/1 Running /u);
  });

  it("[WRK-226] is started on a cordoned node", () => {
    const { run, create } = sitting();
    run("kubectl cordon node-1");
    create("forced", { nodeName: "node-1" });
    expect(run("kubectl wait --for=condition=Ready pod/forced")).toBe("pod/forced condition met");
  });
});

describe("a cordoned node", () => {
  it("[WRK-405] keeps its Pods, whose containers are restarted there", () => {
    const { run, create } = sitting();
    create("worker", {
      nodeName: "node-1",
      containers: [{ name: "main", image: "busybox:1.36", command: ["sh", "-c", "sleep 30; exit 1"] }],
    });
    run("kubectl wait --for=condition=Ready pod/worker; kubectl cordon node-1; sleep 60");
    expect(run("kubectl get pod worker -o wide --no-headers")).toMatch(/^worker 1\/1 Running 1 \(\S+ ago\) \S+ \S+ node-1 /u);
  });
});

describe("a node with a NoExecute taint", () => {
  it("[WRK-430] keeps a Pod that was bound to it later as long as that tolerates the taint", () => {
    const { run, create } = sitting();
    run("kubectl taint node node-1 repair=yes:NoExecute");
    const toleration = { key: "repair", operator: "Exists", effect: "NoExecute" };
    create("guest", { nodeName: "node-1", tolerations: [{ ...toleration, tolerationSeconds: 60 }] });
    create("owner", { nodeName: "node-1", tolerations: [toleration] });
    run("kubectl wait --for=condition=Ready pod/guest pod/owner; sleep 40");
    expect(run("kubectl get pods --no-headers")).toMatch(/^guest 1\/1 Running .*\nowner 1\/1 Running /u);
    run("sleep 60");
    expect(run("kubectl get pods --no-headers")).toMatch(/^owner 1\/1 Running \S+ \S+$/u);
  });

  it("[WRK-438] never loses its static Pods, whose mirrors put up with everything", () => {
    const { run } = sitting();
    const manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "agent" },
      spec: { containers: [{ name: "a", image: "nginx:1.27" }] },
    };
    run(`ssh node-1 "echo '${JSON.stringify(manifest).replaceAll('"', '\\"')}' > /etc/kubernetes/manifests/agent.yaml"; sleep 30`);
    expect(run("kubectl get pod agent-node-1 -o jsonpath='{.spec.tolerations}'; echo")).toBe(
      '[{"effect":"NoExecute","operator":"Exists"}]',
    );
    run("virsh destroy node-1; sleep 500");
    expect(run("kubectl get pod agent-node-1 --no-headers")).toMatch(/^agent-node-1 1\/1 Running /u);
  });
});

describe("extended resources", () => {
  it("[WRK-340] are whole numbers, however they are written", () => {
    const { run, create } = sitting();
    const limited = (limits: object) => ({ containers: [{ name: "main", image: "nginx:1.27", resources: { limits } }] });
    expect(create("half", limited({ "example.com/foo": "0.5" }))).toContain(
      'spec.containers[0].resources.limits[example.com/foo]: Invalid value: "500m": must be an integer',
    );
    expect(create("whole", limited({ "example.com/foo": "3000m", "example.com/bar": "3Ki" }))).toBe("pod/whole created");
    run("sleep 3");
    expect(run("kubectl get events --field-selector involvedObject.name=whole -o custom-columns=M:.message --no-headers")).toMatch(
      /Insufficient example\.com\/(foo|bar)/u,
    );
  });
});

describe("binding", () => {
  it("[WRK-308] is left to the scheduler that a Pod names", () => {
    const { run, create, bind } = sitting();
    create("waiting", { schedulerName: "elsewhere" });
    run("sleep 60");
    expect(run("kubectl get pod waiting --no-headers")).toMatch(/^waiting 0\/1 Pending /u);
    expect(run("kubectl get events --field-selector involvedObject.name=waiting --no-headers")).toBe(
      "No resources found in default namespace.",
    );
    expect(bind("waiting", "node-2")).toContain('"status":"Success"');
    expect(run("kubectl wait --for=condition=Ready pod/waiting")).toBe("pod/waiting condition met");
  });

  it("[WRK-324] is accepted for a node that is not there, whose Pods are removed after a while", () => {
    const { run, create, bind } = sitting();
    create("lost", { schedulerName: "elsewhere" });
    expect(bind("lost", "ghost")).toContain('"code":201');
    expect(run("kubectl get pod lost -o wide --no-headers")).toMatch(/^lost 0\/1 Pending 0 \S+ <none> ghost /u);
    run("sleep 30");
    expect(run("kubectl get pod lost --no-headers")).toMatch(/^lost 0\/1 Pending /u);
    run("sleep 90");
    expect(run("kubectl get pod lost")).toBe('Error from server (NotFound): pods "lost" not found');
  });

  it("[WRK-325] happens once", () => {
    const { run, create, bind } = sitting();
    create("placed", { nodeName: "node-1" });
    expect(bind("placed", "node-2")).toContain(
      'Operation cannot be fulfilled on pods/binding "placed": pod placed is already assigned to node "node-1"',
    );
    expect(run("kubectl get pod placed -o jsonpath='{.spec.nodeName}'; echo")).toBe("node-1");
  });

  it("[WRK-326] [WRK-334] holds, whatever becomes of labels and NoSchedule taints later", () => {
    const { run, create } = sitting();
    run("kubectl label node node-2 disk=ssd");
    create("kept", { nodeSelector: { disk: "ssd" } });
    run("kubectl wait --for=condition=Ready pod/kept");
    run("kubectl label node node-2 disk-; kubectl taint node node-2 repair=yes:NoSchedule; sleep 400");
    expect(run("kubectl get pod kept -o wide --no-headers")).toMatch(/^kept 1\/1 Running 0 \S+ \S+ node-2 /u);
  });
});

describe("scheduling gates", () => {
  it("[WRK-313] hold a Pod back without an event, and can only be taken away", () => {
    const { run, create } = sitting();
    create("gated", { schedulingGates: [{ name: "example.com/wait" }] });
    expect(run("kubectl get pod gated --no-headers")).toMatch(/^gated 0\/1 SchedulingGated /u);
    expect(
      run(
        "kubectl get pod gated -o jsonpath='{.status.conditions[0].type} {.status.conditions[0].status} {.status.conditions[0].reason}'; echo",
      ),
    ).toBe("PodScheduled False SchedulingGated");
    run("sleep 30");
    expect(run("kubectl get events --field-selector involvedObject.name=gated --no-headers")).toBe(
      "No resources found in default namespace.",
    );
    const patch = (operation: object): string => run(`kubectl patch pod gated --type=json -p '${JSON.stringify([operation])}'`);
    expect(patch({ op: "add", path: "/spec/schedulingGates/-", value: { name: "example.com/b" } })).toBe(
      `The Pod "gated" is invalid: spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/b'`,
    );
    expect(patch({ op: "remove", path: "/spec/schedulingGates/0" })).toBe("pod/gated patched");
    expect(run("kubectl wait --for=condition=Ready pod/gated")).toBe("pod/gated condition met");
    expect(patch({ op: "add", path: "/spec/schedulingGates", value: [{ name: "example.com/b" }] })).toContain(
      "only deletion is allowed",
    );
  });
});
