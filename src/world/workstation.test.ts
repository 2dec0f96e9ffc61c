import { beforeAll, describe, expect, it } from "vitest";
import { deployments, pods } from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 1, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl create deployment web --image=nginx:1.27 --replicas=2");
  world.simulation.advance(20_000);
});

const replicas = (): number | undefined => world.client.get(deployments, { namespace: "default", name: "web" }).spec?.replicas;

describe("kubectl edit", () => {
  it("opens nano, whose EDITOR the workstation sets, and sends what was saved", () => {
    expect(learner.press("kubectl edit deployment web\r")).toContain("GNU nano");
    learner.press("\x17replicas:\r\x1b[F\x7f3");
    learner.press("\x0f\r");
    expect(learner.press("\x18")).toMatch(/\ndeployment\.apps\/web edited\nlearner@workstation:~\$$/u);
    expect(replicas()).toBe(3);
  });

  it("opens vi when KUBE_EDITOR says so", () => {
    expect(learner.press("KUBE_EDITOR=vi kubectl edit deployment web\r")).toMatch(/"\/tmp\/kubectl-edit-\d+\.yaml" \d+L, \d+B/u);
    learner.press("/replicas: \rf3r1");
    expect(learner.press(":wq\r")).toMatch(/\ndeployment\.apps\/web edited\nlearner@workstation:~\$$/u);
    expect(replicas()).toBe(1);
  });

  it("[POD-449] sends what was saved to the subresource that it was told", () => {
    const resources = `{"spec":{"containers":[{"name":"c","image":"nginx:1.27","resources":{"requests":{"cpu":"100m"}}}]}}`;
    learner.run(`kubectl run r --image=nginx:1.27 --overrides='${resources}'; kubectl wait --for=condition=Ready pod/r`);
    const edit = (flags: string) => learner.run(`KUBE_EDITOR="sed -i 's/cpu: 100m/cpu: 50m/'" kubectl edit pod r ${flags}`);
    expect(edit("")).toContain('error: pods "r" is invalid\n');
    expect(edit("--subresource resize")).toBe("pod/r edited\n");
    const key = { namespace: "default", name: "r" };
    expect(world.client.get(pods, key).spec?.containers[0]?.resources?.requests).toEqual({ cpu: "50m" });
    learner.run("kubectl delete pod r --now");
  });

  it("changes nothing when the editor is left without changes", () => {
    learner.press("kubectl edit deployment web\r");
    expect(learner.press("\x18")).toMatch(/\nEdit cancelled, no changes made\.\nlearner@workstation:~\$$/u);
  });
});

describe("completion", () => {
  const complete = (keys: string): string => {
    learner.press("\x15\x0c", 100);
    return learner.press(keys);
  };

  it.each([
    ["kubectl rollout st\t", "learner@workstation:~$ kubectl rollout status"],
    ["kubectl get nod\t", "learner@workstation:~$ kubectl get nodes"],
    ["kubectl -n kube-system logs etcd\t", "learner@workstation:~$ kubectl -n kube-system logs etcd-control-plane"],
    ["k get po -n kube-s\t", "learner@workstation:~$ k get po -n kube-system"],
    [
      "k get po -n \t\t",
      "learner@workstation:~$ k get po -n\ndefault          kube-node-lease  kube-public      kube-system\nlearner@workstation:~$ k get po -n",
    ],
  ])("completes %j from the live cluster", (keys, shown) => {
    expect(complete(keys)).toBe(shown);
  });

  it("lists resources with `po`", () => {
    expect(complete("kubectl get po\t\t")).toMatch(/poddisruptionbudgets\S* +pods/u);
  });

  it("lists the pods that are there", () => {
    learner.run("kubectl scale deployment web --replicas=2");
    world.simulation.advance(10_000);
    expect(complete("kubectl logs \t\t")).toMatch(/\nweb-(\w+)-\w{5} {2}web-\1-\w{5}\n/u);
  });
});

describe("ssh", () => {
  it("opens a root shell on a machine, with its programs and files, and comes back with exit", () => {
    learner.press("\x15\x0c", 100);
    expect(learner.press("ssh control-plane\r")).toMatch(/root@control-plane:~# ?$/u);
    expect(learner.press("ls /etc/kubernetes/manifests\r")).toMatch(
      /\netcd\.yaml +kube-apiserver\.yaml +kube-controller-manager\.yaml +kube-scheduler\.yaml\n/u,
    );
    expect(learner.press("hostname; whoami; tty; sleep 100\r")).toMatch(/control-plane\nroot\n\/dev\/pts\/\d+$/u);
    expect(learner.press("\x03")).toMatch(/\^C\nroot@control-plane:~#$/u);
    expect(learner.press("exit\r")).toMatch(/\nConnection to control-plane closed\.\nlearner@workstation:~\$$/u);
  });

  it("runs one command and gives its exit code", () => {
    expect(learner.run("ssh node-1 'hostname; exit 7'; echo $?")).toBe("node-1\n7\n");
    expect(learner.run("ssh node-1 iptables-save | grep -c KUBE-SVC")).toMatch(/^[1-9]\d*\n$/u);
    expect(learner.run("ssh root@172.18.0.3 ps aux")).toContain("sshd: root@notty");
    expect(learner.run("echo hello | ssh node-1 cat")).toBe("hello\n");
  });

  it("says what is wrong, with exit code 255", () => {
    expect(learner.run("ssh x; echo $?")).toBe("ssh: Could not resolve hostname x: Name or service not known\n255\n");
    expect(learner.run("ssh me@node-1; echo $?")).toBe("me@node-1: Permission denied (publickey).\n255\n");
  });

  it("follows the size of the window", () => {
    const other = sitDown(world, { columns: 90, rows: 20 });
    other.press("ssh node-1\r");
    expect(other.press("nano /tmp/a\r")).toContain("GNU nano");
    expect(other.press("x\x18n")).toMatch(/root@node-1:~#$/u);
    other.press("\x04");
    expect(other.screen.text).toMatch(/Connection to node-1 closed\.\nlearner@workstation:~\$$/u);
  });
});

describe("the cluster's network", () => {
  beforeAll(() => {
    learner.run("kubectl expose deployment web --port=80 --type=NodePort");
    learner.run("kubectl run box --image=busybox:1.36 -- sleep 100000");
    learner.run("kubectl wait --for=condition=Ready pod/box --timeout=60s");
  });

  it("reaches a NodePort and the API server from the workstation", () => {
    const port = "$(kubectl get service web -o jsonpath='{.spec.ports[0].nodePort}')";
    expect(learner.run(`curl -sS -o /dev/null -w '%{http_code}\\n' http://node-1:${port}`)).toBe("200\n");
    expect(learner.run(`wget -qO- http://node-1:${port} | head -n 1`)).toBe("<!DOCTYPE html>\n");
    const server = "$(kubectl config view -o jsonpath='{.clusters[0].cluster.server}')";
    const authority = "kubectl config view --raw -o jsonpath='{.clusters[0].cluster.certificate-authority-data}'";
    learner.run(`${authority} | base64 -d > ca.crt`);
    expect(learner.run(`curl -sS --cacert ca.crt ${server}/healthz; echo`)).toBe("ok\n");
    expect(learner.run(`curl -sk ${server}/version | jq -r .minor`)).toBe("36\n");
    expect(learner.run(`curl -s ${server}/healthz; echo $?`)).toBe("60\n");
  });

  it("reaches Services by name and Pods by address from a Pod", () => {
    expect(learner.run("kubectl exec box -- wget -qO- http://web | head -n 1")).toBe("<!DOCTYPE html>\n");
    const address = "$(kubectl get pod -l app=web -o jsonpath='{.items[0].status.podIP}')";
    expect(learner.run(`kubectl exec box -- wget -qO- http://${address} | head -n 1`)).toBe("<!DOCTYPE html>\n");
    expect(learner.run("kubectl exec box -- wget -qO- http://nothing")).toBe(
      "wget: bad address 'nothing'\ncommand terminated with exit code 1\n",
    );
  });
});

describe("the cluster's DNS", () => {
  it("goes on when CoreDNS is killed with its node's object", () => {
    learner.run("ssh node-1 systemctl stop kubelet");
    learner.run("kubectl delete node node-1");
    world.simulation.advance(300_000);
    learner.run("ssh node-1 systemctl start kubelet");
    world.simulation.advance(60_000);
    expect(learner.run("kubectl get nodes --no-headers")).toMatch(/^node-1 +Ready/mu);
  });
});

describe("the history of commands", () => {
  it("holds what Ctrl-C ended, in the foreground and brought there, with its exit code", () => {
    world.workstation.history.length = 0;
    learner.press("kubectl get deployments -w\r");
    learner.press("\x03");
    learner.press("kubectl get pods -w &\r");
    learner.press("fg\r");
    learner.press("\x03");
    expect(world.workstation.history.map(({ line, code }) => [line, code])).toEqual([
      ["kubectl get deployments -w", 130],
      ["kubectl get pods -w", 130],
    ]);
  });

  it("holds scripts after what ran in them, with the script's exit code", () => {
    learner.run("echo '#!/bin/sh' > check.sh; echo 'kubectl get namespace \"$1\" -o name' >> check.sh");
    world.workstation.history.length = 0;
    learner.run("sh check.sh default");
    learner.run("bash check.sh nowhere");
    learner.run("chmod +x check.sh; ./check.sh default");
    learner.run("bash -c true");
    const scripts = world.workstation.history.filter(({ line }) => line.includes("check.sh"));
    expect(scripts.map(({ line, code }) => [line, code])).toEqual([
      ["sh check.sh default", 0],
      ["bash check.sh nowhere", 1],
      ["chmod +x check.sh", 0],
      ["/bin/sh ./check.sh default", 0],
    ]);
  });
});
