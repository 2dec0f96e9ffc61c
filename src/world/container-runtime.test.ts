// A node's container runtime as an administrator meets it: a release that is too old, its upgrade, its end, and where the kubelet looks for it.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const config = "/var/lib/kubelet/config.yaml";
const socket = "unix:///var/run/containerd/containerd.sock";

let world: World;
let run: ReturnType<typeof sitDown>["run"];

beforeEach(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 4, nodes: [{}, { containerd: "1.5.11" }], addons: [], files: {} });
  world.boot();
  ({ run } = sitDown(world, { columns: 400, rows: 60 }));
});

const on = (node: string, script: string): string => run(`ssh ${node} '${script}'`);
const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
const lastError = (node: string): string => on(node, 'journalctl -u kubelet --no-pager | grep -o "err=.*" | tail -n 1').trim();
const ready = (node: string): string =>
  run(`kubectl get node ${node} -o json | jq -r '.status.conditions[] | select(.type == "Ready") | .status, .message'`).trim();
const upgrade = "apt-get install -y containerd.io > /dev/null";

describe("a runtime without CRI v1", () => {
  it("[API-216] keeps the kubelet from starting, again and again, and the Node away", () => {
    expect(run("kubectl get nodes -o name")).toBe("node/control-plane\nnode/node-1\n");
    expect(lastError("node-2")).toBe(
      `err="failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint \\"${socket}\\": rpc error: code = Unimplemented desc = unknown service runtime.v1.RuntimeService"`,
    );
    expect(on("node-2", "systemctl is-active kubelet containerd")).toBe("activating\nactive\n");
    expect(on("node-2", 'journalctl -u kubelet --no-pager | grep -c "Scheduled restart job"').trim()).not.toBe("0");
    expect(on("node-2", "crictl version; echo $?")).toContain("desc = unknown service runtime.v1.RuntimeService");
    expect(on("node-2", "containerd --version")).toBe("containerd containerd.io 1.5.11 3df54a852345ae127d1fa3092b95168e4a88e2f8\n");
    run(`kubectl create -f - <<< '{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-2"}}'`);
    wait(120);
    expect(run("kubectl get node node-2 --no-headers | tr -s ' ' | cut -d ' ' -f 2").trim()).toBe("NotReady");
    expect(run("kubectl get lease -n kube-node-lease node-2")).toContain("not found");
  });

  it("[API-313] goes with the upgrade of its package, which restarts containerd; the kubelet comes by itself", () => {
    expect(on("node-2", "apt-cache policy containerd.io")).toBe(
      [
        "containerd.io:",
        "  Installed: 1.5.11-1",
        "  Candidate: 2.1.5-1~debian.13~trixie",
        "  Version table:",
        "     2.1.5-1~debian.13~trixie 500",
        "        500 https://download.docker.com/linux/debian trixie/stable amd64 Packages",
        " *** 1.5.11-1 100",
        "        100 /var/lib/dpkg/status",
        "",
      ].join("\n"),
    );
    const printed = on("node-2", "apt-get install -y containerd.io=2.1.*");
    expect(printed).toContain("The following packages will be upgraded:\n  containerd.io\n1 upgraded, 0 newly installed");
    expect(printed).toContain("Unpacking containerd.io (2.1.5-1~debian.13~trixie) over (1.5.11-1) ...\nSetting up containerd.io");
    wait(30);
    expect(ready("node-2")).toMatch(/^True\n/u);
    expect(run("kubectl get node node-2 -o jsonpath={.status.nodeInfo.containerRuntimeVersion}; echo")).toBe(
      "containerd://2.1.5\n",
    );
    expect(on("node-2", "crictl version")).toBe(
      "Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  v2.1.5\nRuntimeApiVersion:  v1\n",
    );
    expect(on("node-2", "head -n 1 /etc/containerd/config.toml; systemctl restart containerd; apt-get install containerd.io")).toBe(
      "version = 2\nReading package lists...\nBuilding dependency tree...\nReading state information...\ncontainerd.io is already the newest version (2.1.5-1~debian.13~trixie).\n0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n",
    );
    run(`kubectl run web --image=nginx:1.27 --overrides='{"spec":{"nodeName":"node-2"}}'`);
    run("kubectl wait --for=condition=Ready pod/web --timeout=60s");
    expect(on("node-2", "crictl ps --name web -q | wc -l; crictl pods --name web -q | wc -l")).toBe("1\n1\n");
  });

  it("is what the machine's packages say, and nothing else can be installed", () => {
    expect(on("node-2", "dpkg -l containerd.io | tail -n 2")).toBe(
      "+++-==============-============-============-======================================\nii  containerd.io  1.5.11-1     amd64        An open and reliable container runtime\n",
    );
    expect(on("node-2", "apt-get install -y nginx; echo $?")).toContain("E: Unable to locate package nginx\n100\n");
    expect(on("node-2", "apt-get install -y containerd.io=1.7.27-1; echo $?")).toContain(
      "E: Version '1.7.27-1' for 'containerd.io' was not found\n100\n",
    );
    expect(on("node-2", "apt-get remove containerd.io; echo $?")).toContain("E: apt-get remove: not simulated");
    expect(on("node-2", "apt list --upgradable 2> /dev/null")).toBe(
      "Listing...\ncontainerd.io/trixie 2.1.5-1~debian.13~trixie amd64 [upgradable from: 1.5.11-1]\n",
    );
  });

  it("can be one of today whose configuration turns its plugin off", () => {
    on("node-1", `sed -i "1a disabled_plugins = [\\"io.containerd.grpc.v1.cri\\"]" /etc/containerd/config.toml`);
    expect(on("node-1", "systemctl restart containerd; systemctl is-active containerd")).toBe("active\n");
    expect(on("node-1", "crictl ps")).toContain("desc = unknown service runtime.v1.RuntimeService");
    wait(60);
    expect(ready("node-1")).toBe("False\ncontainer runtime is down");
    on("node-1", "systemctl restart kubelet");
    expect(lastError("node-1")).toContain("unknown service runtime.v1.RuntimeService");
    on("node-1", `sed -i /disabled_plugins/d /etc/containerd/config.toml; systemctl restart containerd`);
    wait(30);
    expect(ready("node-1")).toMatch(/^True\n/u);
  });
});

describe("a runtime that is stopped", () => {
  it("[API-314] leaves the processes of containers alone; the Node is not ready, crictl cannot connect", () => {
    run(`kubectl run web --image=nginx:1.27 --overrides='{"spec":{"nodeName":"node-1"}}'`);
    run("kubectl wait --for=condition=Ready pod/web --timeout=60s");
    const ip = run("kubectl get pod web -o jsonpath={.status.podIP}; echo").trim();
    on("node-1", "systemctl stop containerd");
    wait(45);
    expect(ready("node-1")).toBe("False\ncontainer runtime is down");
    expect(on("node-1", `curl -s -o /dev/null -w "%{http_code}" ${ip}; echo`)).toBe("200\n");
    expect(on("node-1", "ps -ef | grep -c [n]ginx").trim()).not.toBe("0");
    expect(on("node-1", "crictl ps")).toContain(
      'code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory\\"',
    );
    expect(on("node-1", "ls /run/containerd | wc -l").trim()).toBe("0");
    on("node-1", "systemctl start containerd");
    wait(15);
    expect(ready("node-1")).toMatch(/^True\n/u);
    expect(on("node-1", "ls -l /run/containerd/containerd.sock")).toMatch(/^s/u);
    expect(run("kubectl get pod web -o jsonpath={.status.containerStatuses[0].restartCount}; echo")).toBe("0\n");
  });

  it("keeps a kubelet that starts meanwhile from starting", () => {
    on("node-1", "systemctl stop containerd; systemctl restart kubelet");
    expect(lastError("node-1")).toContain(
      `rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /var/run/containerd/containerd.sock: connect: no such file or directory\\"`,
    );
    wait(60);
    expect(run("kubectl get node node-1 --no-headers | tr -s ' ' | cut -d ' ' -f 2").trim()).toBe("NotReady");
    on("node-1", "systemctl start containerd");
    wait(25);
    expect(ready("node-1")).toMatch(/^True\n/u);
  });
});

describe("the kubelet's endpoints", () => {
  const endpoints = (lines: string): void => {
    on("node-1", `sed -i -e /Endpoint:/d ${config}; echo "${lines}" >> ${config}; systemctl restart kubelet`);
    wait(15);
  };

  it("[API-315] are one socket for containers and images, unless the configuration names two", () => {
    const configz = (field: string): string =>
      run(`kubectl get --raw /api/v1/nodes/node-1/proxy/configz | jq -r .kubeletconfig.${field}`).trim();
    expect([configz("containerRuntimeEndpoint"), configz("imageServiceEndpoint")]).toEqual([socket, "null"]);
    endpoints("imageServiceEndpoint: unix:///run/containerd/containerd.sock");
    expect(ready("node-1")).toMatch(/^True\n/u);
    expect([configz("containerRuntimeEndpoint"), configz("imageServiceEndpoint")]).toEqual([
      socket,
      "unix:///run/containerd/containerd.sock",
    ]);
    run(`kubectl run web --image=nginx:1.27 --overrides='{"spec":{"nodeName":"node-1"}}'`);
    expect(run("kubectl wait --for=condition=Ready pod/web --timeout=60s")).toBe("pod/web condition met\n");
    endpoints("imageServiceEndpoint: unix:///run/images.sock");
    expect(lastError("node-1")).toBe(
      'err="failed to run Kubelet: validate service connection: validate CRI v1 image API for endpoint \\"unix:///run/images.sock\\": rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/images.sock: connect: no such file or directory\\""',
    );
    endpoints("containerRuntimeEndpoint: unix:///run/crio/crio.sock");
    expect(lastError("node-1")).toContain("validate CRI v1 runtime API for endpoint");
    endpoints("containerRuntimeEndpoint: /run/containerd/containerd.sock");
    expect(ready("node-1")).toMatch(/^True\n/u);
  });
});

describe("what systemd runs and what Pods are", () => {
  it("[API-431] kubelet and containerd are units with a journal; the control plane's parts are containers", () => {
    expect(on("node-1", "systemctl is-active kubelet containerd")).toBe("active\nactive\n");
    for (const unit of ["kubelet", "containerd"])
      expect(on("node-1", `journalctl -u ${unit} --no-pager -n 1 | wc -l`).trim()).toBe("1");
    expect(on("control-plane", "crictl ps -o json | jq -r .containers[].metadata.name | sort").split("\n")).toEqual(
      expect.arrayContaining(["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]),
    );
    on("node-2", upgrade);
    expect(on("node-2", 'journalctl -u containerd --no-pager | grep -o "starting containerd.*"').trim()).toBe(
      'starting containerd" revision=fcd43222d6b07379a4be9786bda52438f0dd16a1 version=v2.1.5',
    );
  });
});
