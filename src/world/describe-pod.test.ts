// What kubectl describe says of a Pod and of a node, line by line, and the tables of events.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const sleep = "image: busybox:1.36, command: [sleep, '100000']";
const files = {
  "pods.yaml": `apiVersion: v1
kind: Pod
metadata: { name: counter, labels: { app: x }, annotations: { a: b } }
spec:
  nodeSelector: { kubernetes.io/os: linux }
  readinessGates: [{ conditionType: example.com/gate }]
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: x } } }]
  initContainers: [{ name: init, image: busybox:1.36, command: ["true"] }]
  containers:
  - name: count
    image: busybox:1.36
    command: [sh, -c]
    args: ["sleep 5; echo -n bad > /dev/termination-log; exit 3"]
    ports: [{ containerPort: 80, name: web }]
    env: [{ name: A, value: b }]
    resources: { limits: { cpu: 500m }, requests: { memory: 32Mi } }
    livenessProbe: { exec: { command: [ls] } }
    readinessProbe: { tcpSocket: { port: 80 } }
    startupProbe: { exec: { command: [ls] } }
    volumeMounts: [{ name: v, mountPath: /v }]
  volumes: [{ name: v, emptyDir: {} }]
---
apiVersion: v1
kind: Pod
metadata: { name: large }
spec: { nodeName: node-1, containers: [{ name: c, ${sleep}, resources: { requests: { cpu: "9" } } }] }
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: usual }
handler: runc
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: owner }
spec:
  selector: { matchLabels: { app: owned } }
  template:
    metadata: { labels: { app: owned } }
    spec: { runtimeClassName: usual, resources: { limits: { cpu: "1" } }, containers: [{ name: c, ${sleep} }] }
`,
};
const podOrder =
  "Name,Namespace,Priority,Runtime Class Name,Service Account,Node,Start Time,Labels,Annotations,Status,Reason,Message,IP,IPs,Controlled By,Resources,Init Containers,Containers,Ephemeral Containers,Readiness Gates,Conditions,Volumes,QoS Class,Node-Selectors,Tolerations,Topology Spread Constraints,Events";
const containerOrder =
  "Container ID,Image,Image ID,Port,Host Port,Command,Args,State,Last State,Ready,Restart Count,Limits,Requests,Liveness,Readiness,Startup,Environment,Mounts";

let world: World;
let learner: TypingLearner;
beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files });
  world.boot();
  learner = sitDown(world, { columns: 250, rows: 200 });
  learner.run("kubectl apply -f pods.yaml");
  world.simulation.advance(5000);
  learner.run("kubectl debug $(kubectl get pods -l app=owned -o name) --image=busybox:1.36 -c probe -- sleep 1000");
  world.simulation.advance(25_000);
});
const run = (command: string): string => learner.run(command);

describe("kubectl describe pod", () => {
  it("[POD-645] [POD-487] has its parts in order, each where there is something to say", () => {
    const texts = ["pod counter", "pod large", "pod -l app=owned --show-events"].map((what) => run(`kubectl describe ${what}`));
    const headings = texts.map((text) => [...text.matchAll(/^([A-Z][^:\n]*):/gmu)].map(([, heading = ""]) => heading));
    const order = podOrder.split(",");
    for (const found of headings) expect(found).toEqual(order.filter((heading) => found.includes(heading)));
    expect(order.filter((heading) => !headings.some((found) => found.includes(heading)))).toEqual([]);
    const line = (text: string | undefined, heading: string): string =>
      new RegExp(`^${heading}: +(.*)$`, "mu").exec(text ?? "")?.[1] ?? "";
    expect(line(texts[0], "Node")).toBe("node-1/172.18.0.3");
    expect(texts.map((text) => line(text, "QoS Class"))).toEqual(["Burstable", "Burstable", "Burstable"]);
    expect([line(texts[1], "Status"), line(texts[1], "Reason"), line(texts[2], "Controlled By")]).toEqual([
      "Failed",
      "OutOfcpu",
      "ReplicaSet/owner",
    ]);
  });

  it("[POD-646] [POD-647] has the parts of a container in order, and dates as RFC 1123 writes them", () => {
    const text = run("kubectl describe pod counter");
    const block = /\nContainers:\n {2}count:\n([\s\S]*?)\nReadiness Gates:/u.exec(text)?.[1] ?? "";
    expect([...block.matchAll(/^ {4}([A-Z][^:\n]*):/gmu)].map(([, heading]) => heading).join(",")).toBe(containerOrder);
    const state = /^ {4}Last State: +Terminated\n((?: {6}.*\n)*)/mu.exec(block)?.[1] ?? "";
    expect(state.replaceAll(/: +/gu, ": ").replaceAll(/\d\d:\d\d:\d\d/gu, "hh:mm:ss")).toBe(
      "      Reason: Error\n      Message: bad\n      Exit Code: 3\n      Started: Thu, 15 Jan 2026 hh:mm:ss +0000\n      Finished: Thu, 15 Jan 2026 hh:mm:ss +0000\n",
    );
  });

  it("[POD-648] [POD-651] ends with a table of events, each with its container, repeated ones counted", () => {
    const events = run("kubectl describe pod counter | grep -A 40 Events:").split("\n");
    expect(events.slice(0, 3).map((line) => line.trim().replaceAll(/ +/gu, " "))).toEqual([
      "Events:",
      "Type Reason Age From Message",
      "---- ------ ---- ---- -------",
    ]);
    expect(events[3]).toMatch(
      /^ {2}Normal +Scheduled +\d+s +default-scheduler +Successfully assigned default\/counter to node-1$/u,
    );
    expect(events.find((line) => line.includes("Started") && line.includes("{count}"))).toMatch(
      /^ {2}Normal +Started +\d+s \(x\d over \d+s\) +kubelet +spec\.containers\{count\}: Container started$/u,
    );
    expect(run("kubectl describe pod counter | grep -A 3 Events").trim().split("\n").length).toBe(4);
  });
});

describe("kubectl get events", () => {
  it("[POD-650] has five columns", () => {
    const [header = "", first = ""] = run("kubectl get events --field-selector involvedObject.name=large").split("\n");
    expect(header).toMatch(/^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/u);
    expect(first).toMatch(/^\d+s +Warning +OutOfcpu +pod\/large +Node didn't have enough resource: cpu, requested: 9000, /u);
  });
});

describe("kubectl describe node", () => {
  it("[POD-610] says what the node is, has and runs", () => {
    const text = run("kubectl describe node node-1");
    const field = (heading: string): readonly string[] => {
      const block = new RegExp(`^${heading}:\\n((?: .*\\n)*)`, "mu").exec(text)?.[1] ?? "";
      return block
        .trimEnd()
        .split("\n")
        .map((line) => line.trim().split(/:? {2,}/u)[0] ?? "");
    };
    expect(field("Lease")).toEqual(["HolderIdentity", "AcquireTime", "RenewTime"]);
    expect(field("Conditions").slice(2)).toEqual(["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"]);
    expect(field("Addresses")).toEqual(["InternalIP", "Hostname"]);
    const resources = ["cpu", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi", "memory", "pods"];
    expect([field("Capacity"), field("Allocatable")]).toEqual([resources, resources]);
    expect(field("System Info")).toEqual([
      "Machine ID",
      "System UUID",
      "Boot ID",
      "Kernel Version",
      "OS Image",
      "Operating System",
      "Architecture",
      "Container Runtime Version",
      "Kubelet Version",
    ]);
  });
});
