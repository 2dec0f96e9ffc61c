// Nodes that are switched off, started again and rebooted, by virsh on the workstation and by hand on the node.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function sitting(nodes = 2) {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: {} });
  world.boot();
  return { world, ...sitDown(world), wait: (seconds: number) => world.simulation.advance(seconds * 1000) };
}

/** A jsonpath's answer has no end of line of its own. */
const path = (object: string, path: string): string => `kubectl get ${object} -o jsonpath='${path}'; echo`;
const table = (text: string): string => text.replace(/ +/gu, " ");

describe("a node's power", () => {
  it("[POD-547] [POD-630] [WRK-437] goes by virsh: the node does not answer, its Pods are lost after the tolerated time, and start again with it", () => {
    const { run, wait, world } = sitting();
    run("kubectl create deployment web --image=nginx:1.27 --replicas=2; kubectl rollout status deployment/web");
    run('kubectl run lone --image=busybox:1.36 --overrides=\'{"spec":{"nodeName":"node-2"}}\' -- sleep 1d');
    run("kubectl wait pod/lone --for=condition=Ready");
    const address = run(path("pod lone", "{.status.podIP}")).trim();
    const bootId = run(path("node node-2", "{.status.nodeInfo.bootID}")).trim();
    expect(run("virsh destroy node-2")).toBe("Domain 'node-2' destroyed\n\n");
    expect(run("virsh list --all")).toBe(
      [
        " Id   Name            State",
        "--------------------------------",
        " 1    control-plane   running",
        " 2    node-1          running",
        " -    node-2          shut off",
        "\n",
      ].join("\n"),
    );
    expect(run("ssh node-2 true; echo $?")).toBe("ssh: connect to host node-2 port 22: No route to host\n255\n");
    expect(run("kubectl get pod lone --no-headers")).toContain("Running");
    expect(run(`ssh node-1 curl -sS --max-time 10 http://${address}`)).toContain(
      "port 80 after 3000 ms: Could not connect to server",
    );
    wait(60);
    expect(table(run("kubectl get node node-2 --no-headers"))).toMatch(/^node-2 NotReady /);
    expect(run(path("node node-2", "{.spec.taints[*].key}")).trim()).toContain("node.kubernetes.io/unreachable");
    expect(run("kubectl exec lone -- true")).toContain(
      `dial tcp ${world.cluster.node("node-2")?.network.address}:10250: connect: no route to host`,
    );
    expect(run("kubectl logs lone")).toMatch(
      /^Error from server: Get "https:\/\/(\S+):10250\/containerLogs\/default\/lone\/lone": dial tcp \1:10250: connect: no route to host\n$/u,
    );
    expect(run("kubectl port-forward pod/lone 8080:80; echo $?")).toMatch(/:10250: connect: no route to host\n1\n$/u);
    wait(330);
    expect(run("kubectl get pod lone --no-headers")).toContain("Terminating");
    expect(run(path("deployment web", "{.status.readyReplicas}")).trim()).toBe("2");
    expect(run("virsh start node-2")).toBe("Domain 'node-2' started\n\n");
    wait(60);
    expect(table(run("kubectl get node node-2 --no-headers"))).toMatch(/^node-2 Ready /);
    expect(run("kubectl get pod lone")).toContain("NotFound");
    const now = run(path("node node-2", "{.status.nodeInfo.bootID}")).trim();
    expect(now).not.toBe(bootId);
    expect(run("kubectl events --for node/node-2")).toContain(`Node node-2 has been rebooted, boot id: ${now}`);
  });

  it("[NET-277] comes back soon: containers are started again in a new sandbox, and of the ones before it is known that they ended", () => {
    const { run, wait } = sitting(1);
    run(
      `kubectl run lone --image=busybox:1.36 --overrides='{"spec":{"volumes":[{"name":"m","emptyDir":{"medium":"Memory"}},{"name":"d","emptyDir":{}}],"containers":[{"name":"lone","image":"busybox:1.36","command":["sleep","1d"],"volumeMounts":[{"name":"m","mountPath":"/m"},{"name":"d","mountPath":"/d"}]}]}}'`,
    );
    run("kubectl wait pod/lone --for=condition=Ready; kubectl exec lone -- sh -c 'echo a > /m/a; echo a > /d/a; echo a > /a'");
    expect(run("virsh reset node-1")).toBe("Domain 'node-1' was reset\n\n");
    wait(50);
    expect(run("kubectl get pod lone --no-headers")).toMatch(/Running +1 /);
    const lost = run(path("pod lone", "{.status.containerStatuses[0].lastState.terminated}")).trim();
    expect(lost).toContain('"exitCode":255');
    expect(lost).toContain('"reason":"Unknown"');
    expect(run("kubectl events --for pod/lone")).toContain("SandboxChanged");
    expect(run("kubectl exec lone -- sh -c 'ls /m; ls /d; ls /a'")).toContain("a\nls: /a: No such file or directory\n");
    expect(run("kubectl exec lone -- ls /m").trim()).toBe("");
    expect(run("kubectl get pods -A --no-headers | grep -v Running").trim()).toBe("");
  });

  it("is cut by the one who is logged in: what runs is asked to end, the connection is closed", () => {
    const { run, wait } = sitting(1);
    run(
      "kubectl run lone --image=busybox:1.36 -- sh -c 'trap \"echo asked; exit 0\" TERM; echo up; while true; do sleep 1; done'; kubectl wait pod/lone --for=condition=Ready",
    );
    expect(run("ssh node-1 reboot; echo $?")).toBe("Connection to node-1 closed by remote host.\n255\n");
    expect(run("virsh domstate node-1")).toBe("in shutdown\n\n");
    expect(run("ssh node-1 true")).toBe("ssh: connect to host node-1 port 22: Connection refused\n");
    wait(60);
    expect(run("kubectl logs lone -p")).toBe("up\nasked\n");
    expect(run("ssh node-1 'journalctl -u kubelet | grep -A1 -e ^--'")).toMatch(
      /^-- Boot [0-9a-f]{32} --\n.*Started kubelet.service/,
    );
    expect(run("ssh node-1 journalctl -b -u kubelet | head -1")).toContain("Started kubelet.service");
    run("ssh node-1 systemctl poweroff");
    wait(100);
    expect(run("virsh domstate node-1")).toBe("shut off\n\n");
  });

  it("of the control plane: nothing answers, and everything goes on afterwards", () => {
    const { run, wait } = sitting(1);
    run("kubectl create deployment web --image=nginx:1.27; kubectl rollout status deployment/web");
    run("virsh shutdown control-plane");
    wait(100);
    expect(run("kubectl get nodes --request-timeout=5s")).toMatch(/No route to host|no route to host|i\/o timeout/);
    run("virsh start control-plane");
    wait(120);
    expect(table(run("kubectl get nodes --no-headers"))).toMatch(/^control-plane Ready .*\nnode-1 Ready /);
    expect(run("kubectl get pods -A --no-headers | grep -v Running").trim()).toBe("");
    run("kubectl scale deployment web --replicas=2");
    wait(20);
    expect(run(path("deployment web", "{.status.readyReplicas}")).trim()).toBe("2");
  });

  it("is refused where it cannot be, in libvirt's words", () => {
    const { run } = sitting(1);
    expect(run("virsh start node-1; echo $?")).toBe("error: Domain is already active\n\n1\n");
    expect(run("virsh destroy node-9")).toBe("error: failed to get domain 'node-9'\n\n");
    expect(run("virsh destroy")).toBe("error: command 'destroy' requires <domain> option\n");
    run("virsh destroy node-1");
    expect(run("virsh reboot node-1")).toBe(
      "error: Failed to reboot domain 'node-1'\nerror: Requested operation is not valid: domain is not running\n\n",
    );
    expect(run("virsh list")).not.toContain("node-1");
    expect(run("virsh suspend node-1")).toContain("virsh suspend: not simulated");
    expect(run("ssh control-plane shutdown +5")).toContain("not simulated");
  });
});

describe("a node's cable", () => {
  it("[WRK-433] is cut: what runs goes on unseen, the Pods are given up, and end when the node is back", () => {
    const { run, wait, world } = sitting();
    run("kubectl create deployment web --image=nginx:1.27 --replicas=4; kubectl rollout status deployment/web");
    expect(run("virsh domiflist node-1")).toContain(" vnet1       network   default   virtio   02:42:ac:12:00:03\n");
    const count = "ssh node-1 crictl ps --name nginx -q | wc -l";
    const before = run(count);
    expect(run("virsh domif-setlink node-1 vnet1 down")).toBe("Device updated successfully\n\n");
    expect(run("virsh domif-getlink node-1 vnet1")).toBe("vnet1 down\n\n");
    expect(run("ssh node-1 true")).toContain("No route to host");
    wait(60);
    expect(table(run("kubectl get node node-1 --no-headers"))).toMatch(/^node-1 NotReady /);
    wait(330);
    expect(run("kubectl get pods --no-headers | grep -c Terminating")).toBe(`${before.trim()}\n`);
    expect(run(path("deployment web", "{.status.readyReplicas}")).trim()).toBe("4");
    expect(world.cluster.node("node-1")?.runtime.runningContainers).toBeGreaterThan(Number(before));
    run("virsh domif-setlink node-1 vnet1 up");
    wait(60);
    expect(table(run("kubectl get node node-1 --no-headers"))).toMatch(/^node-1 Ready /);
    expect(run("kubectl get pods --no-headers | grep -c Terminating")).toBe("0\n");
    expect(run(count)).toBe("0\n");
  });

  it("of the control plane: the nodes go on without it", () => {
    const { run, wait } = sitting(1);
    run("virsh domif-setlink control-plane vnet0 down");
    expect(run("kubectl get nodes --request-timeout=5s")).toMatch(/no route to host/);
    wait(120);
    run("virsh domif-setlink control-plane vnet0 up");
    wait(30);
    expect(table(run("kubectl get nodes --no-headers"))).toMatch(/^control-plane Ready .*\nnode-1 Ready /);
  });

  it("is refused where it cannot be", () => {
    const { run } = sitting(1);
    expect(run("virsh domif-setlink node-1 vnet7 down")).toBe("error: interface (target: vnet7) not found\n\n");
    expect(run("virsh domif-setlink node-1 vnet1 sideways")).toBe("error: invalid link state 'sideways'\n\n");
    expect(run("virsh domif-setlink node-1")).toBe("error: command 'domif-setlink' requires <interface> option\n");
  });

  it("comes back with other processors and memory, which its Node and its programs show", () => {
    const { run, wait } = sitting();
    const capacity = path("node node-1", "{.status.capacity.cpu} {.status.capacity.memory}");
    const before = run(capacity);
    expect(run("virsh setvcpus node-1 9 --config; virsh setmem node-1 9G --config; virsh setmaxmem node-1 9G")).toBe(
      [
        `error: invalid argument: requested vcpus is greater than max allowable vcpus for the persistent domain: 9 > ${before.split(" ")[0]}`,
        "error: invalid argument: cannot set memory higher than max memory",
        "error: Unable to change MaxMemorySize",
        "error: Requested operation is not valid: cannot resize the maximum memory on an active domain",
        "",
      ].join("\n"),
    );
    run("virsh setvcpus node-1 9 --config --maximum; virsh setvcpus node-1 9 --config");
    run("virsh setmaxmem node-1 9G --config; virsh setmem node-1 9GiB --config");
    wait(30);
    expect(run(capacity)).toBe(before);
    run("virsh reboot node-1");
    wait(90);
    expect(run(capacity)).toBe("9 9Gi\n");
    expect(run("ssh node-1 'nproc; head -1 /proc/meminfo'")).toBe("9\nMemTotal:        9437184 kB\n");
    run("virsh setvcpus node-1 1 --config; virsh destroy node-1; virsh setmem node-1 2097152; virsh start node-1");
    wait(90);
    expect(run(capacity)).toBe("1 2Gi\n");
    expect(run("virsh setvcpus node-1 x; virsh setmem node-1 3X; virsh setmem node-9 1G; virsh setmem node-1 1G --live")).toBe(
      [
        "error: Numeric value 'x' for <count> option is malformed or out of range",
        "error: Invalid type for <count> argument",
        "error: Scaled numeric value '3X' for <size> option is malformed or out of range",
        "error: invalid argument: unknown suffix 'X'",
        "error: failed to get domain 'node-9'",
        "",
        "virsh setmem --live: not simulated; there is --config",
        "",
      ].join("\n"),
    );
  });
});
