import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const configuration = (profile: string): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: my-scheduler-config
  namespace: kube-system
data:
  my-scheduler-config.yaml: |
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    profiles:
${profile}
    leaderElection:
      leaderElect: false
`;

const binding = (role: string): string => `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: my-scheduler-as-${role}
subjects:
- kind: ServiceAccount
  name: my-scheduler
  namespace: kube-system
roleRef:
  kind: ClusterRole
  name: system:${role}
  apiGroup: rbac.authorization.k8s.io
`;

const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: my-scheduler
  namespace: kube-system
spec:
  selector:
    matchLabels: {component: my-scheduler}
  template:
    metadata:
      labels: {component: my-scheduler}
    spec:
      serviceAccountName: my-scheduler
      containers:
      - name: scheduler
        image: registry.k8s.io/kube-scheduler:v1.36.0
        command:
        - /usr/local/bin/kube-scheduler
        - --config=/etc/kubernetes/my-scheduler/my-scheduler-config.yaml
        readinessProbe:
          httpGet: {path: /healthz, port: 10259, scheme: HTTPS}
        volumeMounts:
        - name: config
          mountPath: /etc/kubernetes/my-scheduler
      volumes:
      - name: config
        configMap: {name: my-scheduler-config}
`;

const account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: my-scheduler\n  namespace: kube-system\n";

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: annotated
spec:
  schedulerName: my-scheduler
  containers:
  - name: pause
    image: registry.k8s.io/pause:3.10.1
`;

function start(profile: string, roles: readonly string[], nodes = 1) {
  const files = {
    "scheduler.yaml": [configuration(profile), account, ...roles.map(binding), deployment].join(""),
    "pod.yaml": pod,
  };
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes, files });
  world.boot();
  const learner = sitDown(world);
  learner.run("kubectl apply -f pod.yaml");
  world.simulation.advance(3_000);
  learner.run("kubectl apply -f scheduler.yaml");
  world.simulation.advance(30_000);
  return { world, learner };
}

describe("a second scheduler in a Deployment", () => {
  it("schedules the Pods that name it, as its service account, and signs its events", () => {
    const { learner } = start("    - schedulerName: my-scheduler", ["kube-scheduler", "volume-scheduler"]);
    expect(learner.run("kubectl get pod annotated --no-headers")).toMatch(/^annotated +1\/1 +Running/u);
    const events = learner.run(
      'kubectl get events --field-selector reason=Scheduled -o jsonpath=\'{.items[0].reportingComponent}{" "}{.items[0].message}{"\\n"}\'',
    );
    expect(events).toBe("my-scheduler Successfully assigned default/annotated to node-1\n");
  });

  it("can do nothing without rights", () => {
    const { learner } = start("    - schedulerName: my-scheduler", []);
    expect(learner.run("kubectl get pod annotated --no-headers")).toMatch(/^annotated +0\/1 +Pending/u);
  });

  it("ends at a configuration that is wrong, and says so", () => {
    const profile = "    - schedulerName: my-scheduler\n      plugins: {filter: {enabled: [{name: Mine}]}}";
    const { learner } = start(profile, ["kube-scheduler", "volume-scheduler"]);
    expect(learner.run("kubectl get pods -n kube-system -l component=my-scheduler --no-headers")).toMatch(
      /0\/1 +(?:Error|CrashLoopBackOff)/u,
    );
    expect(learner.run("kubectl logs -n kube-system deploy/my-scheduler")).toContain(
      String.raw`"command failed" err="initializing profiles: creating profile for scheduler name my-scheduler: FilterPlugin \"Mine\" does not exist"`,
    );
  });

  it("packs Pods onto the fullest node where its profile says so", () => {
    const profile = `    - schedulerName: my-scheduler
      pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: MostAllocated}}
      plugins:
        score:
          disabled: [{name: NodeResourcesBalancedAllocation}, {name: ImageLocality}]`;
    const { world, learner } = start(profile, ["kube-scheduler", "volume-scheduler"], 3);
    const replicas = pod
      .replace("name: annotated", "name: NAME")
      .replace("image:", "resources: {requests: {cpu: 100m}}\n    image:");
    for (const name of ["a", "b", "c"]) {
      learner.run(`kubectl apply -f - <<'END'\n${replicas.replace("NAME", name)}END`);
      world.simulation.advance(3_000);
    }
    const where = learner.run("kubectl get pods a b c -o jsonpath='{.items[*].spec.nodeName}{\"\\n\"}'");
    expect(where).toMatch(/^(node-\d) \1 \1\n$/u);
  });
});

describe("the installed scheduler", () => {
  it("takes a configuration file from its static Pod's manifest", () => {
    const files = {
      "config.yaml": `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
parallelism: 4
profiles:
- schedulerName: default-scheduler
  pluginConfig:
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-2]}]}]
- schedulerName: other
  pluginConfig:
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}]
`,
      "pod.yaml": pod.replace("my-scheduler", "default-scheduler"),
      "other.yaml": pod.replace("my-scheduler", "other").replace("annotated", "other"),
    };
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, files });
    world.boot();
    const learner = sitDown(world);
    const manifest = "/etc/kubernetes/manifests/kube-scheduler.yaml";
    learner.run("ssh control-plane 'cat > /etc/kubernetes/scheduler-config.yaml' < config.yaml");
    for (const edit of [
      "s|- --kubeconfig=.*|- --config=/etc/kubernetes/scheduler-config.yaml|",
      "s|ath: /etc/kubernetes/scheduler.conf|ath: /etc/kubernetes|",
      "s|type: FileOrCreate|type: DirectoryOrCreate|",
    ])
      learner.run(`ssh control-plane "sed -i '${edit}' ${manifest}"`);
    world.simulation.advance(60_000);
    learner.run("kubectl apply -f pod.yaml -f other.yaml");
    world.simulation.advance(10_000);
    const where = "kubectl get pods annotated other -o jsonpath='{.items[*].spec.nodeName}{\"\\n\"}'";
    expect(learner.run(where)).toBe("node-2 node-1\n");
    const log = learner.run("kubectl logs -n kube-system -l component=kube-scheduler");
    expect(log).toMatch(/^W.* parallelism: not simulated, has no effect$/mu);
    expect(log).toContain("Successfully acquired lease");
  });
});
