// Nodes as kubectl shows them: what they have and run, when their runtime is gone, their memory short or their cable cut.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function sitting(nodes = 1, files: { readonly [name: string]: string } = {}) {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files });
  world.boot();
  return {
    world,
    ...sitDown(world, { columns: 200, rows: 120 }),
    wait: (seconds: number) => world.simulation.advance(seconds * 1000),
  };
}

const ready = `jsonpath='{range .status.conditions[?(@.type=="Ready")]}{.status} {.reason} {.message}{"\\n"}{end}'`;
const taints = `jsonpath='{range .spec.taints[*]}{.key}:{.effect}{"\\n"}{end}'`;

const template = (name: string, more = "") => `
  template:
    metadata: { labels: { app: ${name} } }
    spec: { ${more}containers: [{ name: c, image: "nginx:1.27" }] }
`;
const workload = (kind: string, name: string, group: string, spec: string): string =>
  `apiVersion: ${group}\nkind: ${kind}\nmetadata: { name: ${name} }\nspec:\n  ${spec}`;
const selecting = (name: string): string => `selector: { matchLabels: { app: ${name} } }${template(name)}`;
const workloads = [
  workload("ReplicaSet", "rs", "apps/v1", selecting("rs")),
  workload("StatefulSet", "sts", "apps/v1", `serviceName: sts\n  ${selecting("sts")}`),
  workload("DaemonSet", "ds", "apps/v1", selecting("ds")),
  workload("Job", "soon", "batch/v1", `podReplacementPolicy: TerminatingOrFailed${template("soon", "restartPolicy: Never, ")}`),
  workload("Job", "late", "batch/v1", `podReplacementPolicy: Failed${template("late", "restartPolicy: Never, ")}`),
  "apiVersion: v1\nkind: Pod\nmetadata: { name: naked, labels: { app: naked } }\nspec: { containers: [{ name: c, image: 'nginx:1.27' }] }\n",
].join("---\n");

describe("a lost node's Pods", () => {
  it("[WRK-435] are replaced when they are given up (ReplicaSet), when they are gone (StatefulSet), as the Job says, or never", () => {
    const { run, wait } = sitting(2, { "all.yaml": workloads });
    run("kubectl cordon node-1; kubectl apply -f all.yaml");
    wait(30);
    run("kubectl uncordon node-1; virsh domif-setlink node-2 vnet2 down");
    /** Nodes and deletion of each kind's Pods. */
    const pods = () => {
      const columns = ".metadata.labels.app,:.spec.nodeName,:.metadata.deletionTimestamp";
      const rows = run(`kubectl get pods --no-headers --sort-by=.spec.nodeName -o custom-columns=:${columns}`).trim().split("\n");
      const byApp: { [app: string]: string[] } = {};
      for (const row of rows) {
        const [app = "", node = "", deleted] = row.split(/ +/u);
        byApp[app] = [...(byApp[app] ?? []), deleted === "<none>" ? node : `${node} going`];
      }
      return byApp;
    };
    wait(330);
    const own = { ds: ["node-1", "node-2"] };
    expect(pods()).toEqual({ ...own, rs: ["node-2"], sts: ["node-2"], soon: ["node-2"], late: ["node-2"], naked: ["node-2"] });
    wait(60);
    expect(pods()).toEqual({
      ...own,
      rs: ["node-1", "node-2 going"],
      sts: ["node-2 going"],
      soon: ["node-1", "node-2 going"],
      late: ["node-2 going"],
      naked: ["node-2 going"],
    });
    run("kubectl delete node node-2");
    wait(90);
    expect(pods()).toEqual({ ds: ["node-1"], rs: ["node-1"], sts: ["node-1"], soon: ["node-1"], late: ["node-1"] });
  });
});

describe("a node", () => {
  it("[WRK-407] is described with its Pods' requests and limits, and their shares of what is allocatable", () => {
    const { run, wait } = sitting();
    const resources = '{"requests":{"cpu":"500m","memory":"100Mi"},"limits":{"cpu":"1500m","memory":"200Mi"}}';
    const overrides = `{"spec":{"containers":[{"name":"web","image":"nginx:1.27","resources":${resources}}]}}`;
    run(`kubectl run web --image=nginx:1.27 --overrides='${overrides}'; kubectl wait --for=condition=Ready pod/web`);
    wait(30);
    const text = run("kubectl describe node node-1");
    const headings = text.split("\n").flatMap((line) => /^(\S[^:]*):/u.exec(line)?.[1] ?? []);
    expect(headings).toEqual([
      "Name",
      "Roles",
      "Labels",
      "Annotations",
      "CreationTimestamp",
      "Taints",
      "Unschedulable",
      "Lease",
      "Conditions",
      "Addresses",
      "Capacity",
      "Allocatable",
      "System Info",
      "PodCIDR",
      "PodCIDRs",
      "Non-terminated Pods",
      "Allocated resources",
      "Events",
    ]);
    const from = text.indexOf("Non-terminated Pods");
    const tables = text.slice(from, text.indexOf("Events:")).replaceAll(/ +\d+m?\d*s$/gmu, "  AGE");
    const made = /(?<=coredns-)\w+-\w{5}|(?<=kube-proxy-)\w{5}/gu;
    expect(tables.replaceAll(made, (name) => "x".repeat(name.length))).toBe(`Non-terminated Pods:          (3 in total)
  Namespace                   Name                       CPU Requests  CPU Limits   Memory Requests  Memory Limits  Age
  ---------                   ----                       ------------  ----------   ---------------  -------------  ---
  default                     web                        500m (25%)    1500m (75%)  100Mi (2%)       200Mi (5%)  AGE
  kube-system                 coredns-xxxxxxxxxxxxxxx    100m (5%)     0 (0%)       70Mi (1%)        170Mi (4%)  AGE
  kube-system                 kube-proxy-xxxxx           0 (0%)        0 (0%)       0 (0%)           0 (0%)  AGE
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource           Requests    Limits
  --------           --------    ------
  cpu                600m (30%)  1500m (75%)
  memory             170Mi (4%)  370Mi (9%)
  ephemeral-storage  0 (0%)      0 (0%)
  hugepages-1Gi      0 (0%)      0 (0%)
  hugepages-2Mi      0 (0%)      0 (0%)
`);
  });

  it("[WRK-421] whose runtime is down says so itself, and is tainted not-ready rather than unreachable", () => {
    const { run, wait } = sitting();
    run("ssh node-1 systemctl stop containerd");
    wait(60);
    expect(run(`kubectl get node node-1 -o ${ready}`)).toMatch(/^False KubeletNotReady .*container runtime is down/u);
    expect(run(`kubectl get node node-1 -o ${taints}`).trim().split("\n").sort()).toEqual([
      "node.kubernetes.io/not-ready:NoExecute",
      "node.kubernetes.io/not-ready:NoSchedule",
    ]);
    expect(run("kubectl get node node-1 --no-headers")).toContain(" NotReady ");
    run("ssh node-1 systemctl start containerd");
    wait(60);
    expect(run(`kubectl get node node-1 -o ${taints}`).trim()).toBe("");
  });

  it("[WRK-423] short of memory takes no new Pod, of whatever class, but one that tolerates it", () => {
    const { run, wait } = sitting();
    const pressure =
      '{"status":{"conditions":[{"type":"MemoryPressure","status":"True","reason":"KubeletHasInsufficientMemory"}]}}';
    // The kubelet has just looked at its status: it puts this right when it looks again, ten seconds later.
    wait(11);
    run(`kubectl patch node node-1 --subresource=status -p '${pressure}'`);
    wait(1);
    expect(run(`kubectl get node node-1 -o ${taints}`)).toBe("node.kubernetes.io/memory-pressure:NoSchedule\n");
    const pod = (spec: string) => `{"spec":${spec}}`;
    const container = (name: string, resources: string) =>
      `"containers":[{"name":"${name}","image":"nginx:1.27","resources":${resources}}]`;
    const burstable = container("burstable", '{"requests":{"memory":"64Mi"}}');
    const tolerant = `${container("tolerant", "{}")},"tolerations":[{"key":"node.kubernetes.io/memory-pressure","operator":"Exists"}]`;
    run(`kubectl run burstable --image=nginx:1.27 --overrides='${pod(`{${burstable}}`)}'`);
    run(`kubectl run tolerant --image=nginx:1.27 --overrides='${pod(`{${tolerant}}`)}'`);
    wait(2);
    expect(run("kubectl get pods -o custom-columns=:.metadata.name,:.spec.nodeName,:.status.qosClass --no-headers")).toBe(
      "burstable   <none>   Burstable\ntolerant    node-1   BestEffort\n",
    );
    expect(run("kubectl events --for pod/burstable")).toContain("2 node(s) had untolerated taint(s).");
    expect(run("kubectl get pod burstable -o jsonpath='{.spec.tolerations[*].key}'")).not.toContain("memory-pressure");
  });

  it("[WRK-413] posts its status every five minutes, and when something has changed", () => {
    const { world, run, wait } = sitting();
    const posted = () => run("kubectl get node node-1 -o jsonpath='{.status.conditions[0].lastHeartbeatTime}{\"\\n\"}'").trim();
    // After the change that was last, whenever it comes within 7.5 minutes; from then on every five.
    const change = posted();
    wait(130);
    while (posted() === change) wait(10);
    const first = Date.parse(posted());
    expect(world.simulation.nowMs - first).toBeLessThan(15_000);
    wait(280);
    expect(Date.parse(posted())).toBe(first);
    wait(30);
    const second = Date.parse(posted());
    expect(second - first).toBe(300_000);
    // It looks every ten seconds: an image is there.
    run("kubectl run web --image=nginx:1.28; kubectl wait --for=condition=Ready pod/web");
    wait(10);
    expect(run("kubectl get node node-1 -o jsonpath='{.status.images[*].names}'; echo")).toContain("nginx:1.28");
    expect(Date.parse(posted()) - second).toBeLessThan(60_000);
  });

  it("[WRK-436] cut off from the others goes on: its containers run, and answer on the node itself", () => {
    const { run, wait, world } = sitting(2);
    const write = "while true; do wget -qO- http://$POD_IP:80 | head -n 4 | tail -n 1; sleep 5; done";
    const container = `{"name":"client","image":"busybox:1.36","command":["sh","-c","${write}"],"env":[{"name":"POD_IP","valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}}]}`;
    const overrides = `{"spec":{"nodeName":"node-2","containers":[{"name":"web","image":"nginx:1.27"},${container}]}}`;
    run(`kubectl run web --image=nginx:1.27 --overrides='${overrides}'; kubectl wait --for=condition=Ready pod/web`);
    wait(20);
    run("virsh domif-setlink node-2 vnet2 down");
    wait(60);
    expect(run("kubectl get node node-2 --no-headers")).toContain(" NotReady ");
    expect(run("kubectl logs web -c client --tail=1")).toContain(":10250: connect: no route to host");
    const cutMs = world.simulation.nowMs;
    wait(60);
    run("virsh domif-setlink node-2 vnet2 up");
    wait(30);
    expect(run("kubectl get pod web --no-headers")).toMatch(/^web +2\/2 +Running +0 /u);
    // What was answered meanwhile stands in the log.
    const lines = run("kubectl logs web -c client --timestamps --since=5m").trim().split("\n");
    const during = lines.filter((line) => {
      const time = Date.parse(line.split(" ")[0] ?? "");
      return time > cutMs && time < cutMs + 60_000;
    });
    expect(during.length).toBeGreaterThan(10);
    expect(new Set(during.map((line) => line.slice(line.indexOf(" ") + 1)))).toEqual(new Set(["<title>Welcome to nginx!</title>"]));
  });
});

describe("a component of the control plane", () => {
  it.each([10257, 10259])("[WRK-010] on port %i tells everybody of its health, and nobody else of anything more", (port) => {
    const { run } = sitting();
    const curl = (path: string): string => run(`ssh control-plane "curl -sk https://localhost:${port}${path}; echo"`).trimEnd();
    expect(curl("/healthz")).toBe("ok");
    const probes = ["/livez", "/readyz"].map(curl);
    // The controller manager has no others; that they are not there everybody may know.
    expect(probes).toEqual(port === 10259 ? ["ok", "ok"] : ["404 page not found", "404 page not found"]);
    expect(curl("/metrics")).toBe(`{
  "kind": "Status",
  "apiVersion": "v1",
  "metadata": {},
  "status": "Failure",
  "message": "forbidden: User \\"system:anonymous\\" cannot get path \\"/metrics\\"",
  "reason": "Forbidden",
  "details": {},
  "code": 403
}`);
    expect(run(`ssh control-plane "curl -s http://localhost:${port === 10257 ? 10252 : 10251}/healthz"; echo $?`)).toBe("7\n");
  });
});
