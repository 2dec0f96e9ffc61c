// Flags of the control plane's static Pods: what acts, what ends the component, what it says it ignores.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function start() {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world);
  const manifest = (component: string) => `/etc/kubernetes/manifests/${component}.yaml`;
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  return {
    world,
    learner,
    wait,
    /** Another line of flags behind the program's name. */
    add: (component: string, flag: string): void => {
      learner.run(`ssh control-plane "sed -i 's|^    - ${component}\\$|&\\n    - ${flag}|' ${manifest(component)}"`);
      wait(60);
    },
    replace: (component: string, from: string, to: string): void => {
      learner.run(`ssh control-plane "sed -i 's|${from}|${to}|' ${manifest(component)}"`);
      wait(60);
    },
    /** Lines of the newest container, or of an earlier one, without their times. */
    log: (component: string, place = 1): readonly string[] =>
      learner
        .run(`ssh control-plane 'crictl logs $(crictl ps -aq --name ${component} | sed -n ${place}p)'`)
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/^([IWE])\d{4} \S+ +\d+ \S+\] /u, "$1 ").replace(/"ts":"[^"]*",/u, "")),
  };
}

describe("a flag that a component does not know", () => {
  it.each([
    ["kube-apiserver", "--enable-admission-plugin=NodeRestriction", ["Error: unknown flag: --enable-admission-plugin"]],
    ["kube-apiserver", "--leader-elect=true", ["Error: unknown flag: --leader-elect"]],
    ["kube-controller-manager", "--pod-eviction-timeout=1m", ["Error: unknown flag: --pod-eviction-timeout"]],
    ["kube-scheduler", "--policy-config-file=/x", ["Error: unknown flag: --policy-config-file"]],
    ["etcd", "--listen-clients-urls=https://127.0.0.1:2379", ["flag provided but not defined: -listen-clients-urls"]],
  ])("ends %s", (component, flag, expected) => {
    const world = start();
    world.add(component, flag);
    expect(world.log(component)).toEqual(expected);
  });
});

describe("a cloud that was once built in", () => {
  it.each([
    ["kube-apiserver", "aws", "Error: unknown flag: --cloud-provider"],
    [
      "kube-controller-manager",
      "gce",
      'E "command failed" err="cloud provider \\"gce\\" was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider"',
    ],
  ])("[API-307] ends %s", (component, cloud, expected) => {
    const world = start();
    world.add(component, `--cloud-provider=${cloud}`);
    expect(world.log(component)).toEqual([expected]);
  });

  it("[API-307] is no matter with --cloud-provider=external, which changes nothing", () => {
    const world = start();
    world.add("kube-controller-manager", "--cloud-provider=external");
    expect(world.log("kube-controller-manager").join("\n")).not.toMatch(/not simulated|command failed/);
    expect(world.log("kube-controller-manager").at(0)).toContain("Starting");
  });
});

describe("a file that a flag names and that is not there", () => {
  it.each([
    [
      "kube-apiserver",
      "client-ca-file=.*",
      "client-ca-file=/etc/kubernetes/pki/ca.pem",
      "open /etc/kubernetes/pki/ca.pem: no such file or directory",
    ],
    [
      "kube-apiserver",
      "/sa.key",
      "/sa.pem",
      "failed to parse service-account-issuer-key-file: open /etc/kubernetes/pki/sa.pem: no such file or directory",
    ],
    [
      "kube-controller-manager",
      "client-ca-file=/etc/kubernetes/pki/ca.crt",
      "client-ca-file=/pki/ca.crt",
      "unable to load client CA provider: open /pki/ca.crt: no such file or directory",
    ],
    [
      "kube-controller-manager",
      "--kubeconfig=.*",
      "--kubeconfig=/etc/kubernetes/cm.conf",
      "stat /etc/kubernetes/cm.conf: no such file or directory",
    ],
    [
      "kube-scheduler",
      "--kubeconfig=.*",
      "--kubeconfig=/etc/kubernetes/s.conf",
      "stat /etc/kubernetes/s.conf: no such file or directory",
    ],
  ])("ends %s: %s", (component, from, to, message) => {
    const world = start();
    world.replace(component, from, to);
    expect(world.log(component).at(-1)).toBe(`E "command failed" err=${JSON.stringify(message)}`);
  });

  it("ends etcd", () => {
    const world = start();
    world.replace("etcd", "etcd/server.key", "etcd/server.pem");
    expect(world.log("etcd").map((line) => JSON.parse(line) as object)).toEqual([
      {
        level: "fatal",
        caller: "etcdmain/etcd.go:183",
        msg: "discovery failed",
        error: "open /etc/kubernetes/pki/etcd/server.pem: no such file or directory",
      },
    ]);
  });
});

describe("--use-service-account-credentials", () => {
  it("lets controllers act as accounts of their own; without it they have only the rights of the manager", () => {
    const world = start();
    const accounts = () => world.learner.run("kubectl get serviceaccounts -n kube-system -o name");
    expect(accounts()).toContain("serviceaccount/replicaset-controller\n");
    world.replace("kube-controller-manager", "--use-service-account-credentials=true", "--use-service-account-credentials=false");
    world.learner.run(
      "kubectl delete serviceaccount replicaset-controller -n kube-system; kubectl create deployment web --image=nginx:1.27",
    );
    world.wait(30);
    expect(world.learner.run("kubectl get replicasets,pods -n default")).toContain("No resources found");
    expect(accounts()).not.toContain("replicaset-controller");
    world.replace("kube-controller-manager", "--use-service-account-credentials=false", "--use-service-account-credentials=true");
    world.wait(30);
    expect(world.learner.run("kubectl get deployment web --no-headers")).toMatch(/^web +1\/1 /);
    expect(accounts()).toContain("replicaset-controller");
  });
});

describe("--feature-gates", () => {
  it.each(["kube-apiserver", "kube-controller-manager", "kube-scheduler"])(
    "[POD-340] %s takes no gate that is locked or unknown",
    (component) => {
      const world = start();
      world.add(component, "--feature-gates=SidecarContainers=false");
      expect(world.log(component)).toEqual([
        'E "command failed" err="cannot set feature gate SidecarContainers to false, feature is locked to true"',
      ]);
      world.replace(component, "SidecarContainers=false", "SidecarContainer=true");
      expect(world.log(component)).toEqual(['E "command failed" err="unrecognized feature gate: SidecarContainer"']);
      world.replace(component, "SidecarContainer=true", "SidecarContainers=true");
      expect(world.log(component).join("\n")).toContain("SidecarContainers=true: not simulated, has no effect");
    },
  );
});

describe("--v", () => {
  it("lets the controller manager log each pass from 4 on, as upstream's controllers do", () => {
    const world = start();
    const passes = () => world.log("kube-controller-manager").filter((line) => line.includes("Finished"));
    world.add("kube-controller-manager", "--v=3");
    expect(passes()).toEqual([]);
    world.replace("kube-controller-manager", "--v=3", "--v=4");
    world.learner.run("kubectl create deployment web --image=nginx:1.27; kubectl create service clusterip web --tcp=80");
    world.wait(30);
    expect(world.log("kube-controller-manager").join("\n")).not.toContain("not simulated");
    const [set = ""] = world.learner.run("kubectl get replicasets -o name").trim().split("/").slice(1);
    for (const words of [
      '"Finished syncing deployment" logger="deployment-controller" deployment="default/web" duration="10ms"',
      `"Finished syncing" logger="replicaset-controller" kind="ReplicaSet" key="default/${set}" duration="10`,
      '"Finished syncing service endpoints" logger="endpoints-controller" service="default/web" startTime="10',
    ])
      expect(passes().join("\n")).toContain(`I ${words}`);
  });
});

describe("a flag that does nothing here", () => {
  it.each([
    [
      "kube-apiserver",
      "--enable-priority-and-fairness=false",
      "W --enable-priority-and-fairness=false: not simulated, has no effect",
    ],
    ["kube-controller-manager", "--kube-api-qps=100", "W --kube-api-qps=100: not simulated, has no effect"],
    ["kube-scheduler", "--kube-api-qps=100", "W --kube-api-qps=100: not simulated, has no effect"],
    [
      "etcd",
      "--quota-backend-bytes=1",
      '{"level":"warn","caller":"etcdmain/config.go:268","msg":"--quota-backend-bytes=1: not simulated, has no effect"}',
    ],
  ])("is told in the log of %s, and only that one is", (component, flag, line) => {
    const world = start();
    const warnings = () => world.log(component).filter((text) => text.includes("not simulated"));
    expect(warnings()).toEqual([]);
    world.add(component, flag);
    expect(warnings()).toEqual([line]);
    expect(world.learner.run("kubectl get nodes --no-headers | wc -l")).toBe("2\n");
  });
});

describe("where the API server looks for etcd", () => {
  it("etcd must listen", () => {
    const world = start();
    world.replace("kube-apiserver", "etcd-servers=.*", "etcd-servers=https://127.0.0.1:2380");
    // The newest one still tries.
    expect(world.log("kube-apiserver", 2).at(-1)).toBe('E "command failed" err="context deadline exceeded"');
    expect(world.learner.run("kubectl get nodes")).toContain("connection refused");
    world.replace("kube-apiserver", "127.0.0.1:2380", "127.0.0.1:2379");
    world.wait(300);
    expect(world.learner.run("kubectl get nodes --no-headers | wc -l")).toBe("2\n");
  });

  it("and a server that runs loses an etcd that listens elsewhere", () => {
    const world = start();
    world.replace("etcd", "listen-client-urls=.*", "listen-client-urls=https://127.0.0.1:12379");
    expect(world.learner.run("kubectl get nodes")).not.toContain("node-1");
  });
});

describe("who may do what", () => {
  it("hangs on --authorization-mode", () => {
    const world = start();
    const can = () => world.learner.run("kubectl auth can-i list pods --as=jane");
    expect(can()).toBe("no\n");
    world.replace("kube-apiserver", "authorization-mode=.*", "authorization-mode=Node");
    expect(world.learner.run("kubectl get pods")).toContain(
      'pods is forbidden: User "kubernetes-admin" cannot list resource "pods"',
    );
    world.replace("kube-apiserver", "authorization-mode=.*", "authorization-mode=AlwaysAllow");
    expect(can()).toBe("yes\n");
  });

  it("is not known to a server with a mode that does not exist, or is not here", () => {
    const world = start();
    world.replace("kube-apiserver", "authorization-mode=.*", "authorization-mode=Node,RABC");
    expect(world.log("kube-apiserver")).toEqual(['E "command failed" err="authorization-mode \\"RABC\\" is not a valid mode"']);
    world.replace("kube-apiserver", "authorization-mode=.*", "authorization-mode=Webhook");
    world.wait(60);
    expect(world.log("kube-apiserver")).toEqual(['E "command failed" err="--authorization-mode=Webhook: not simulated"']);
  });

  it("who is nobody is refused without --anonymous-auth, and so are the kubelet's probes", () => {
    const world = start();
    const status = () => world.learner.run("curl -sk -o /dev/null -w '%{http_code}\\n' https://172.18.0.2:6443/livez");
    expect(status()).toBe("200\n");
    world.add("kube-apiserver", "--anonymous-auth=false");
    expect(status()).toBe("401\n");
    const events = () =>
      world.learner.run("kubectl get events -n kube-system --field-selector involvedObject.name=kube-apiserver-control-plane");
    expect(events()).toContain("Startup probe failed: HTTP probe failed with statuscode: 401");
  });
});

describe("flags of times", () => {
  it("--default-not-ready-toleration-seconds is what Pods get", () => {
    const world = start();
    world.add("kube-apiserver", "--default-not-ready-toleration-seconds=30");
    world.learner.run("kubectl run p --image=nginx:1.27");
    expect(world.learner.run("kubectl get pod p -o jsonpath='{.spec.tolerations[*].tolerationSeconds}'; echo")).toBe("30 300\n");
  });

  it("--node-monitor-grace-period is how long a node may be silent", () => {
    const world = start();
    world.add("kube-controller-manager", "--node-monitor-grace-period=20s");
    world.learner.run("ssh node-1 systemctl stop kubelet");
    world.wait(35);
    expect(world.learner.run("kubectl get node node-1 --no-headers")).toMatch(/NotReady/);
  });

  it("--node-eviction-rate is acted on: the log has no word against it", () => {
    const world = start();
    world.add("kube-controller-manager", "--node-eviction-rate=0.5");
    const log = world.learner.run("kubectl logs -n kube-system kube-controller-manager-control-plane");
    expect(log).toContain("Starting");
    expect(log).not.toContain("has no effect");
  });
});
