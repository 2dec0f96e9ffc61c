// Pods as kubectl shows them: how they come and go, what is said of them, what runs before them.

import { beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import { pods, replicaSets } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { WholeCluster } from "../whole-cluster.test-kit.ts";

let cluster: WholeCluster;
beforeAll(() => {
  cluster = new WholeCluster(1);
});

const plain = (text: string): string => text.replaceAll(/[^\S\n]+/gu, " ").replaceAll(/ +$/gmu, "");

/** The lines below a heading of what describe prints, up to the next heading. */
function section(described: string, heading: string): string {
  const lines = described.split("\n");
  const start = lines.findIndex((line) => line.trimEnd() === heading);
  const length = lines.slice(start + 1).findIndex((line) => !line.startsWith(" "));
  return lines.slice(start + 1, start + 1 + length).join("\n");
}

const phaseOf = (name: string): string | undefined => cluster.get(pods, name).status?.phase;
const running = (name: string): number => cluster.secondsUntil(() => phaseOf(name) === "Running", 60);
const isReady = (pod: Stored<Pod>): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;

describe("a Pod that comes", () => {
  it("[POD-140] is given a node by the scheduler, which says so", () => {
    cluster.sh("kubectl run placed --image=nginx:1.27; kubectl wait --for=condition=Ready pod/placed");
    expect(cluster.eventTexts({ kind: "Pod", name: "placed" })[0]).toBe(
      "default-scheduler: Scheduled Successfully assigned default/placed to node-1",
    );
    cluster.sh("kubectl delete pod placed");
  });
});

describe("a Pod that goes", () => {
  it("[POD-136] is replaced by its ReplicaSet within a second, as another Pod", () => {
    cluster.sh("kubectl create deployment web --image=nginx:1.27; kubectl rollout status deployment/web");
    const [before] = cluster.pods("app=web");
    cluster.sh(`kubectl delete pod ${before?.metadata.name} --wait=false`);
    cluster.advance(1);
    const after = cluster.pods("app=web").filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(after.map(({ metadata }) => [metadata.name, metadata.uid])).toEqual([
      [expect.not.stringMatching(`^${before?.metadata.name}$`), expect.not.stringMatching(`^${before?.metadata.uid}$`)],
    ]);
    cluster.secondsUntil(() => cluster.pods("app=web").every(isReady));
  });

  it("[POD-137] takes its template with it: a change of the ReplicaSet's is for Pods to come", () => {
    const [set] = cluster.client.list(replicaSets, { namespace: "default" }).items;
    cluster.apply(`apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rs}
spec:
  selector: {matchLabels: {app: rs}}
  template: {metadata: {labels: {app: rs}}, spec: {containers: [{name: c, image: "nginx:1.27"}]}}`);
    cluster.secondsUntil(() => cluster.pods("app=rs").length === 1 && cluster.pods("app=rs").every(isReady));
    const [before] = cluster.pods("app=rs");
    cluster.sh("kubectl set image rs/rs c=nginx:1.28; kubectl set env rs/rs A=b");
    cluster.advance(30);
    const shown = (pod: Stored<Pod> | undefined) => [
      pod?.metadata.uid,
      pod?.spec?.containers[0]?.image,
      pod?.spec?.containers[0]?.env,
    ];
    expect(cluster.pods("app=rs").map(shown)).toEqual([[before?.metadata.uid, "nginx:1.27", undefined]]);
    cluster.sh("kubectl delete pod -l app=rs");
    expect(cluster.pods("app=rs").map(shown)).toEqual([[expect.anything(), "nginx:1.28", [{ name: "A", value: "b" }]]]);
    cluster.sh(`kubectl delete rs rs; kubectl delete deployment web`);
    expect(set?.metadata.name).toMatch(/^web-/u);
  });

  it("[POD-138] is gone for good when nobody looks after it", () => {
    cluster.sh("kubectl run naked --image=nginx:1.27; kubectl wait --for=condition=Ready pod/naked; kubectl delete pod naked");
    cluster.advance(120);
    expect(cluster.pods().map(({ metadata }) => metadata.name)).toEqual([]);
  });

  it("[POD-143] waits on a node that is not there, until it is collected", () => {
    cluster.sh('kubectl run lost --image=nginx:1.27 --overrides=\'{"spec":{"nodeName":"nowhere"}}\'');
    cluster.advance(35);
    expect(plain(cluster.sh("kubectl get pod lost -o wide --no-headers"))).toBe(
      "lost 0/1 Pending 0 35s <none> nowhere <none> <none>\n",
    );
    cluster.advance(50);
    expect(cluster.find(pods, "lost")).toBeUndefined();
  });
});

describe("kubectl delete", () => {
  it.each([
    ["without a word", "", 30],
    ["for so many seconds", "--grace-period=7", 7],
    ["now", "--now", 1],
    ["in no time, which is a second without --force", "--grace-period=0", 1],
  ])("[POD-281] gives time to end: %s", (_title, flags, seconds) => {
    cluster.sh("kubectl run slow --image=busybox:1.36 -- sh -c \"trap '' TERM; while true; do sleep 1; done\"");
    running("slow");
    expect(cluster.sh(`kubectl delete pod slow --wait=false ${flags}`)).toBe('pod "slow" deleted from default namespace\n');
    expect(cluster.get(pods, "slow").metadata.deletionGracePeriodSeconds).toBe(seconds);
    cluster.sh("kubectl delete pod slow --force");
  });

  it("[POD-282] [POD-285] refuses two ways to say how long", () => {
    cluster.sh("kubectl run p --image=nginx:1.27");
    expect(cluster.sh("kubectl delete pod p --now --grace-period=4; echo $?")).toBe(
      "error: --now and --grace-period cannot be specified together\n1\n",
    );
    expect(cluster.sh("kubectl delete pod p --force --grace-period=5; echo $?")).toBe(
      "error: --force and --grace-period greater than 0 cannot be specified together\n1\n",
    );
    cluster.sh("kubectl delete pod p");
  });

  it.each(["--force", "--force --grace-period=0"])("[POD-284] [POD-285] [POD-290] %s removes the object as it is", (flags) => {
    cluster.sh("kubectl run p --image=nginx:1.27; kubectl wait --for=condition=Ready pod/p");
    const seen: string[] = [];
    const { resourceVersion = "" } = cluster.client.list(pods).metadata;
    const onEvent = (event: object): void => {
      const { type, object } = event as { type: string; object?: Stored<Pod> };
      if (object?.metadata.name === "p") seen.push(`${type} ${object.status?.phase}`);
    };
    const watch = cluster.client.watch(pods, { namespace: "default", resourceVersion }, { onEvent, onClose: () => {} });
    expect(cluster.sh(`kubectl delete pod p ${flags} 2> err; cat err >&2; grep -c Warning err`)).toBe(
      `pod "p" force deleted from default namespace
Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.
1
`,
    );
    cluster.advance(60);
    watch.stop();
    expect(seen).toEqual(["DELETED Running"]);
  });
});

describe("kubectl describe", () => {
  it("[POD-261] tells how long a Pod has to end, and how long its time has been over", () => {
    const finalizers = ["example.com/hold"];
    const overrides = JSON.stringify({ metadata: { finalizers }, spec: { terminationGracePeriodSeconds: 8 } });
    cluster.sh(`kubectl run held --image=busybox:1.36 --overrides='${overrides}' -- sleep 3600`);
    running("held");
    cluster.sh("kubectl delete pod held --wait=false");
    const status = (): string => plain(cluster.sh("kubectl describe pod held | grep -A1 ^Status:"));
    // The time to come is no age: kubectl has no word for it.
    expect(status()).toBe("Status: Terminating (lasts <invalid>)\nTermination Grace Period: 8s\n");
    cluster.kubelet("node-1", "stop");
    cluster.sh('kubectl patch pod held --type=merge -p \'{"metadata":{"finalizers":null}}\'');
    cluster.advance(13);
    expect(status()).toMatch(/^Status: Terminating \(lasts \ds\)\nTermination Grace Period: 8s\n$/u);
    cluster.kubelet("node-1", "start");
    cluster.secondsUntil(() => cluster.find(pods, "held") === undefined, 60);
  });

  it("[POD-228] [POD-243] has a line for each probe; that of HTTPS does not mind who signed the certificate", () => {
    cluster.apply(`apiVersion: v1
kind: Pod
metadata: {name: probed}
spec:
  containers:
  - name: a
    image: busybox:1.36
    command: [sleep, "3600"]
    livenessProbe: {httpGet: {path: /healthz, port: 8080}, initialDelaySeconds: 15}
    readinessProbe: {exec: {command: [cat, /tmp/healthy]}, timeoutSeconds: 2, successThreshold: 2}
    startupProbe: {tcpSocket: {port: 8080}, periodSeconds: 5, failureThreshold: 30}
  - name: b
    image: busybox:1.36
    command: [sleep, "3600"]
    livenessProbe: {grpc: {port: 9090}}
    readinessProbe: {grpc: {port: 9090, service: ready}}`);
    const lines = (pod: string): string => plain(cluster.sh(`kubectl describe ${pod} | grep -E '(Liveness|Readiness|Startup):'`));
    expect(lines("pod probed")).toBe(` Liveness: http-get http://:8080/healthz delay=15s timeout=1s period=10s #success=1 #failure=3
 Readiness: exec [cat /tmp/healthy] delay=0s timeout=2s period=10s #success=2 #failure=3
 Startup: tcp-socket :8080 delay=0s timeout=1s period=5s #success=1 #failure=30
 Liveness: grpc <pod>:9090 delay=0s timeout=1s period=10s #success=1 #failure=3
 Readiness: grpc <pod>:9090 ready delay=0s timeout=1s period=10s #success=1 #failure=3
`);
    cluster.sh("kubectl delete pod probed --force");
    expect(lines("pod -n kube-system kube-apiserver-control-plane")).toContain("Readiness: http-get https://172.18.0.2:");
    expect(cluster.ssh("control-plane", "curl -s https://172.18.0.2:6443/readyz; echo $?")).toBe("60\n");
    expect(plain(cluster.sh("kubectl get pod -n kube-system kube-apiserver-control-plane --no-headers"))).toMatch(
      / 1\/1 Running 0 /u,
    );
  });

  it("[POD-174] tells of readiness gates", () => {
    const readinessGates = ["example.com/a", "example.com/b"].map((conditionType) => ({ conditionType }));
    cluster.sh(`kubectl run gated --image=nginx:1.27 --overrides='${JSON.stringify({ spec: { readinessGates } })}'`);
    running("gated");
    const condition = { type: "example.com/b", status: "True" };
    cluster.sh(`kubectl patch pod gated --subresource=status -p '${JSON.stringify({ status: { conditions: [condition] } })}'`);
    expect(plain(section(cluster.sh("kubectl describe pod gated"), "Readiness Gates:"))).toBe(
      " Type Status\n example.com/a <none>\n example.com/b True",
    );
    cluster.sh("kubectl delete pod gated --force");
  });
});

describe("init containers", () => {
  const wait = (name: string): string =>
    `until nslookup ${name}.default.svc.cluster.local; do echo waiting for ${name}; sleep 2; done`;
  const app = (more = ""): string => `apiVersion: v1
kind: Pod
metadata: {name: myapp-pod, labels: {app: myapp}}
spec:
  initContainers:
  - {name: init-myservice, image: "busybox:1.28", command: [sh, -c, "${wait("myservice")}"]}
  - {name: init-mydb, image: "busybox:1.28", command: [sh, -c, "${wait("mydb")}"]}
  containers: [{name: myapp-container, image: "busybox:1.36", command: [sleep, "3600"]}]
${more}`;
  const logs = (container: string): string => cluster.sh(`kubectl logs myapp-pod -c ${container}`);
  const waits = (container: string): string =>
    `Error from server (BadRequest): container "${container}" in pod "myapp-pod" is waiting to start: PodInitializing\n`;
  // As busybox 1.28 prints it.
  const missing = "nslookup: can't resolve 'myservice.default.svc.cluster.local'\n";
  const head = "Server:    10.96.0.10\nAddress 1: 10.96.0.10 kube-dns.kube-system.svc.cluster.local\n\n";

  it("[POD-316] [POD-323] [POD-315] wait for a Service, asking every two seconds; the rest of the Pod waits for them", () => {
    cluster.apply(app());
    cluster.sh("kubectl create service clusterip myapp --tcp=80");
    cluster.advance(20);
    expect(plain(cluster.sh("kubectl get pod myapp-pod --no-headers"))).toBe("myapp-pod 0/1 Init:0/2 0 20s\n");
    const times = cluster
      .sh("kubectl logs myapp-pod -c init-myservice --timestamps | grep waiting")
      .trim()
      .split("\n")
      .map((line) => Date.parse(line.split(" ")[0] ?? ""));
    expect(new Set(times.slice(1).map((time, index) => Math.round((time - (times[index] as number)) / 1000)))).toEqual(
      new Set([2]),
    );
    expect(logs("init-myservice").startsWith(`${head}${missing}waiting for myservice\n`)).toBe(true);
    expect(logs("init-mydb")).toBe(waits("init-mydb"));
    expect(logs("myapp-container")).toBe(waits("myapp-container"));
    const path = "{.items[*].endpoints[*].conditions}";
    expect(JSON.parse(cluster.sh(`kubectl get endpointslices -l kubernetes.io/service-name=myapp -o jsonpath='${path}'`))).toEqual({
      ready: false,
      serving: false,
      terminating: false,
    });
  });

  it("[POD-325] are described before the others, and named in the messages of events", () => {
    const described = cluster.sh("kubectl describe pod myapp-pod");
    const headings = described.split("\n").filter((line) => /^\S.*:$/u.test(line));
    expect(headings).toEqual(["IPs:", "Init Containers:", "Containers:", "Conditions:", "Volumes:", "Events:"]);
    const names = section(described, "Init Containers:")
      .split("\n")
      .filter((line) => /^ {2}\S/u.test(line));
    expect(names).toEqual(["  init-myservice:", "  init-mydb:"]);
    const started = plain(section(`${described}end`, "Events:"))
      .split("\n")
      .filter((line) => line.startsWith(" Normal Started"));
    expect(started).toEqual([
      expect.stringMatching(/^ Normal Started \d+s kubelet spec\.initContainers\{init-myservice\}: Container started$/u),
    ]);
  });

  it("[POD-323] [POD-079] [POD-317] go on when the Services are there, though nothing is behind these; their logs stay", () => {
    cluster.sh("kubectl create service clusterip mydb --tcp=80 -o yaml --dry-run=client | sed /selector/,+1d | kubectl apply -f -");
    cluster.sh("kubectl create service clusterip myservice --tcp=80");
    running("myapp-pod");
    const address = cluster.sh("kubectl get service myservice -o jsonpath='{.spec.clusterIP}'");
    const name = "myservice.default.svc.cluster.local";
    const found = `${head}Name:      ${name}\nAddress 1: ${address} ${name}\n`;
    expect(logs("init-myservice")).toContain(`waiting for myservice\n${found}`);
    expect(logs("init-mydb")).toContain("Name:      mydb.default.svc.cluster.local\n");
  });

  it("[POD-125] may get another image while the Pod runs: it is written down, and nothing starts", () => {
    const before = cluster.get(pods, "myapp-pod").status;
    expect(cluster.sh("kubectl set image pod/myapp-pod init-mydb=busybox:1.37")).toBe("pod/myapp-pod image updated\n");
    cluster.advance(30);
    const { spec, status } = cluster.get(pods, "myapp-pod");
    expect(spec?.initContainers?.[1]?.image).toBe("busybox:1.37");
    expect([status?.initContainerStatuses, status?.containerStatuses]).toEqual([
      before?.initContainerStatuses,
      before?.containerStatuses,
    ]);
    cluster.sh("kubectl delete pod myapp-pod --force");
  });

  it("[POD-305] start when the volumes are there, and have the Pod's address", () => {
    cluster.apply(`apiVersion: v1
kind: Pod
metadata: {name: late}
spec:
  initContainers: [{name: first, image: "busybox:1.36", command: [sh, -c, "cat /c/key; hostname -i"], volumeMounts: [{name: c, mountPath: /c}]}]
  containers: [{name: c, image: "nginx:1.27"}]
  volumes: [{name: c, configMap: {name: given}}]`);
    cluster.advance(30);
    expect(plain(cluster.sh("kubectl get pod late --no-headers"))).toBe("late 0/1 Init:0/1 0 30s\n");
    expect(cluster.eventTexts({ kind: "Pod", name: "late" }).some((text) => text.startsWith("kubelet: Created"))).toBe(false);
    cluster.sh("kubectl create configmap given --from-literal=key=value-");
    cluster.secondsUntil(() => phaseOf("late") === "Running", 180);
    expect(cluster.sh("kubectl logs late -c first")).toBe(`value-${cluster.get(pods, "late").status?.podIP}\n`);
    cluster.sh("kubectl delete pod late --force");
  });

  it("[POD-321] count with their largest request where that is more: on the node, in quotas, in the Pod's cgroup, for the scheduler", () => {
    cluster.sh("kubectl create quota q --hard=requests.cpu=80");
    const manifest = (name: string, cpu: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  initContainers: [{name: i, image: "busybox:1.36", command: ["true"], resources: {requests: {cpu: ${cpu}}}}]
  containers: [{name: c, image: "nginx:1.27", resources: {requests: {cpu: 100m}}}]`;
    cluster.apply(manifest("counted", "500m"));
    running("counted");
    expect(plain(cluster.sh("kubectl describe node node-1 | grep ' counted '"))).toMatch(
      /^ default counted 500m \(25%\) 0 \(0%\) /u,
    );
    expect(cluster.sh("kubectl get quota q -o jsonpath='{.status.used}'")).toBe('{"requests.cpu":"500m"}');
    const group = `kubepods-burstable-pod${cluster.get(pods, "counted").metadata.uid.replaceAll("-", "_")}.slice`;
    // 512 shares, on the kubelet's straight line from 2..262144 to 1..10000; the containers' 100m would be 4.
    expect(cluster.ssh("node-1", `cat /sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/${group}/cpu.weight`)).toBe("20\n");
    cluster.apply(manifest("large", "64"));
    cluster.advance(3);
    expect(cluster.eventTexts({ kind: "Pod", name: "large" })[0]).toContain("1 Insufficient cpu");
    cluster.sh("kubectl delete pod counted large --force; kubectl delete quota q");
  });
});
