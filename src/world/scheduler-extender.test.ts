import { describe, expect, it } from "vitest";
import { classicProfiles } from "#cluster/scheduler/configuration/classic-profile.test-kit.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

/** An extender as one can write it with a shell: busybox's httpd runs it for each question. It lets go to node-2 and node-3 alone. */
const extender = `apiVersion: v1
kind: ConfigMap
metadata: {name: extender, namespace: kube-system}
data:
  filter: |
    #!/bin/sh
    echo "Content-Type: application/json"
    echo
    names=$(sed 's/.*"NodeNames":\\[//; s/\\].*//' | tr ',' '\\n' | grep -E '"node-[23]"' | tr '\\n' ',')
    echo "{\\"NodeNames\\":[\${names%,}],\\"FailedNodes\\":{\\"node-1\\":\\"node-1 is for others\\"}}"
  prioritize: |
    #!/bin/sh
    echo "Content-Type: application/json"
    echo
    echo '[{"Host":"node-3","Score":10},{"Host":"node-2","Score":1}]'
---
apiVersion: v1
kind: Pod
metadata: {name: extender, namespace: kube-system, labels: {app: extender}}
spec:
  nodeName: node-1
  containers:
  - name: httpd
    image: busybox:1.37
    command: [httpd, -f, -p, "8888", -h, /www]
    volumeMounts:
    - {name: programs, mountPath: /www/cgi-bin}
  volumes:
  - name: programs
    configMap: {name: extender, defaultMode: 0755}
---
apiVersion: v1
kind: Service
metadata: {name: extender, namespace: kube-system}
spec:
  selector: {app: extender}
  ports: [{port: 80, targetPort: 8888}]
`;

const scheduler = (prefix: string, more = ""): string => `---
apiVersion: v1
kind: ServiceAccount
metadata: {name: my-scheduler, namespace: kube-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: my-scheduler}
subjects: [{kind: ServiceAccount, name: my-scheduler, namespace: kube-system}]
roleRef: {kind: ClusterRole, name: cluster-admin, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: my-scheduler, namespace: kube-system}
data:
  config.yaml: |
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    leaderElection: {leaderElect: false}
    profiles:
    - schedulerName: my-scheduler
    extenders:
    - urlPrefix: ${prefix}
      filterVerb: filter
      prioritizeVerb: prioritize
      weight: 100
      nodeCacheCapable: true
${more}---
apiVersion: v1
kind: Pod
metadata: {name: my-scheduler, namespace: kube-system}
spec:
  serviceAccountName: my-scheduler
  containers:
  - name: scheduler
    image: registry.k8s.io/kube-scheduler:v1.36.0
    command: [kube-scheduler, --config=/etc/my-scheduler/config.yaml]
    volumeMounts:
    - {name: config, mountPath: /etc/my-scheduler}
  volumes:
  - name: config
    configMap: {name: my-scheduler}
`;

const pod = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  schedulerName: my-scheduler
  containers: [{name: pause, image: registry.k8s.io/pause:3.10.1}]
`;

function start(schedulers: string, server = extender) {
  const files = { "extender.yaml": server, "scheduler.yaml": schedulers, "pod.yaml": pod };
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 3, files });
  world.boot();
  const learner = sitDown(world);
  for (const file of ["extender.yaml", "scheduler.yaml"]) learner.run(`kubectl apply -f ${file}`);
  world.simulation.advance(20_000);
  learner.run("kubectl apply -f pod.yaml");
  world.simulation.advance(10_000);
  return learner;
}

const service = "http://extender.kube-system.svc/cgi-bin";
const where = "kubectl get pod web -o jsonpath='{.spec.nodeName}{\"\\n\"}'";
const failures = "kubectl get events --field-selector reason=FailedScheduling -o jsonpath='{.items[0].message}{\"\\n\"}'";

describe("an extender in a Pod", () => {
  it("is asked over its Service, and a shell script may answer", () => {
    const learner = start(scheduler(service));
    expect(learner.run(where)).toBe("node-3\n");
  });

  it("fails Pods while it is down", () => {
    const learner = start(scheduler("http://127.0.0.1:8888"));
    expect(learner.run(failures)).toBe(
      'Post "http://127.0.0.1:8888/filter": dial tcp 127.0.0.1:8888: connect: connection refused\n',
    );
    expect(learner.run(where)).toBe("\n");
  });

  it("does not when it may be ignored", () => {
    const learner = start(scheduler("http://127.0.0.1:8888", "      ignorable: true\n"));
    expect(learner.run(where)).toMatch(/^node-\d\n$/u);
  });

  it("has a name that DNS knows, or is told that it has not", () => {
    const learner = start(scheduler("http://nobody.kube-system.svc"));
    expect(learner.run(failures)).toBe(
      'Post "http://nobody.kube-system.svc/filter": dial tcp: lookup nobody.kube-system.svc on 10.96.0.10:53: no such host\n',
    );
  });

  it("is waited for no longer than the configuration says", () => {
    const slow = extender.replace("#!/bin/sh\n", "#!/bin/sh\n    sleep 60\n");
    const learner = start(scheduler(service, "      httpTimeout: 2s\n"), slow);
    expect(learner.run(failures)).toBe(
      `Post "${service}/filter": context deadline exceeded (Client.Timeout exceeded while awaiting headers)\n`,
    );
  });

  it("must speak TLS where it is asked by https", () => {
    const learner = start(scheduler("https://extender.kube-system.svc:80/cgi-bin", "      enableHTTPS: true\n"));
    expect(learner.run(failures)).toBe(
      'Post "https://extender.kube-system.svc:80/cgi-bin/filter": http: server gave HTTP response to HTTPS client\n',
    );
  });
});

/** Gives the installed scheduler a file, as one does on a node that kubeadm set up. ADDRESS is the extender's Service. */
function install(configuration: string, server = extender) {
  const files = {
    "extender.yaml": server,
    "config.yaml": configuration,
    "pod.yaml": pod.replace("my-scheduler", "default-scheduler"),
  };
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 3, files });
  world.boot();
  const learner = sitDown(world);
  learner.run("kubectl apply -f extender.yaml");
  world.simulation.advance(20_000);
  learner.run("export IP=$(kubectl get service extender -n kube-system -o jsonpath='{.spec.clusterIP}')");
  learner.run("sed s/ADDRESS/$IP/ config.yaml | ssh control-plane 'cat > /etc/kubernetes/scheduler-config.yaml'");
  for (const edit of [
    "s|- --kubeconfig=.*|- --config=/etc/kubernetes/scheduler-config.yaml|",
    "s|ath: /etc/kubernetes/scheduler.conf|ath: /etc/kubernetes|",
    "s|type: FileOrCreate|type: DirectoryOrCreate|",
  ])
    learner.run(`ssh control-plane "sed -i '${edit}' /etc/kubernetes/manifests/kube-scheduler.yaml"`);
  world.simulation.advance(60_000);
  learner.run("kubectl apply -f pod.yaml");
  world.simulation.advance(10_000);
  return { world, learner };
}

const installedFile = (prefix: string, profiles = "") => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
${profiles}extenders:
- {urlPrefix: "${prefix}", filterVerb: filter, prioritizeVerb: prioritize, weight: 100, nodeCacheCapable: true}
`;

describe("the installed scheduler with an extender", () => {
  it("sends Pods where the extender says, and waits for it when it is gone", () => {
    const { world, learner } = install(installedFile("http://ADDRESS/cgi-bin"));
    expect(learner.run(where)).toBe("node-3\n");
    learner.run("kubectl delete pod extender -n kube-system --now");
    learner.run("sed s/web/later/ pod.yaml | kubectl apply -f -");
    world.simulation.advance(10_000);
    expect(
      learner.run("kubectl get events --field-selector involvedObject.name=later -o jsonpath='{.items[*].message}{\"\\n\"}'"),
    ).toMatch(/^Post "http:\/\/10\.[\d.]+\/cgi-bin\/filter": dial tcp 10\.[\d.]+:80: connect: connection refused/u);
    learner.run("kubectl apply -f extender.yaml");
    world.simulation.advance(330_000);
    expect(learner.run(where.replace("pod web", "pod later"))).toBe("node-3\n");
  });

  it("does not know the names of Services: its Pod asks the node's resolver, and the cluster's is another", () => {
    const { learner } = install(installedFile("http://extender.kube-system.svc/cgi-bin"));
    expect(learner.run(failures)).toBe(
      'Post "http://extender.kube-system.svc/cgi-bin/filter": dial tcp: lookup extender.kube-system.svc on 10.0.0.2:53: no such host\n',
    );
    expect(learner.run(where)).toBe("\n");
  });

  it("does not start with two faults in its file, and names both; it does when they are gone", () => {
    const broken = installedFile("http://ADDRESS/cgi-bin", "percentageOfNodesToScore: 101\npodMaxBackoffSeconds: 0\n");
    const { world, learner } = install(broken);
    expect(learner.run(where)).toBe("\n");
    expect(learner.run("kubectl get pods -n kube-system -l component=kube-scheduler --no-headers")).toMatch(
      /0\/1 +(?:Error|CrashLoopBackOff)/u,
    );
    const log = learner.run("kubectl logs -n kube-system -l component=kube-scheduler");
    expect(log).toContain("percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]");
    expect(log).toContain("podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds");
    learner.run("ssh control-plane \"sed -i '/^p[eo]/d' /etc/kubernetes/scheduler-config.yaml\"");
    world.simulation.advance(330_000);
    expect(learner.run(where)).toBe("node-3\n");
  });

  it("[WRK-308] is asked for the Pods of all profiles, and the classic one lets them go to nodes with taints", () => {
    const { world, learner } = install(installedFile("http://ADDRESS/cgi-bin", classicProfiles));
    learner.run("kubectl taint node node-3 team=a:NoSchedule");
    for (const name of ["default-scheduler", "classic"]) {
      learner.run(`sed -e s/default-scheduler/${name}/ -e "s/name: web/name: by-${name}/" pod.yaml | kubectl apply -f -`);
      world.simulation.advance(10_000);
    }
    const both = "kubectl get pods by-default-scheduler by-classic -o jsonpath='{.items[*].spec.nodeName}{\"\\n\"}'";
    expect(learner.run(both)).toBe("node-2 node-3\n");
    const sender =
      "--field-selector reason=Scheduled,involvedObject.name=by-classic -o jsonpath='{.items[*].reportingComponent}{\"\\n\"}'";
    expect(learner.run(`kubectl get events ${sender}`)).toBe("classic\n");
  });
});
