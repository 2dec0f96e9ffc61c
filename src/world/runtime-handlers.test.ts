// Runtime handlers as a learner meets them: RuntimeClasses, containerd's configuration on a node, and what containers see.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const classOf = (name: string, handler: string): string =>
  `printf 'apiVersion: node.k8s.io/v1\\nkind: RuntimeClass\\nmetadata:\\n  name: ${name}\\nhandler: ${handler}\\n' | kubectl apply -f -`;

const podOf = (name: string, node: string, runtimeClass?: string): string => {
  const overrides = { spec: { nodeName: node, ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }) } };
  return `kubectl run ${name} --image=busybox:1.36 --overrides='${JSON.stringify(overrides)}' -- sleep 3600`;
};

const table = (handler: string, type: string): string =>
  `[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.${handler}]\\n  runtime_type = "${type}"\\n`;

let world: World;
let run: ReturnType<typeof sitDown>["run"];

beforeEach(() => {
  world = new World({
    startMs: 1_768_467_600_000,
    seed: 1,
    nodes: [{ runtimes: { sandboxed: "runsc", vm: "kata" } }, { shims: ["runsc"] }],
    files: {},
  });
  world.boot();
  ({ run } = sitDown(world));
});

const phase = (pod: string): string => run(`kubectl get pod ${pod} --no-headers | tr -s ' ' | cut -d ' ' -f 3`).trim();
const failures = (pod: string): string =>
  run(`kubectl events --for pod/${pod} -o json | jq -r '.items[] | select(.reason == "FailedCreatePodSandBox") | .message'`)
    .replace(/[0-9a-f]{64}/g, "ID")
    .trim();
const onNode2 = (script: string): string => run(`ssh node-2 "${script.replace(/["\\$]/g, "\\$&")}"`);

describe("runtime handlers", () => {
  it("[POD-082] [POD-095] [POD-096] are named by RuntimeClasses, which older versions of the API do not have", () => {
    run(classOf("myclass", "sandboxed"));
    world.simulation.advance(5000);
    expect(run("kubectl get runtimeclass")).toMatch(/^NAME {6}HANDLER {5}AGE\nmyclass {3}sandboxed {3}\d+s\n$/);
    run(podOf("b", "node-1", "myclass"));
    expect(run("kubectl describe pod b")).toContain("\nRuntime Class Name:  myclass\n");
    for (const version of ["v1alpha1", "v1beta1"])
      expect(run(`${classOf("old", "runc").replace("node.k8s.io/v1", `node.k8s.io/${version}`)}`)).toContain(
        `no matches for kind "RuntimeClass" in version "node.k8s.io/${version}"`,
      );
  });

  it("[POD-081] have a handler that is a DNS label and does not change", () => {
    run(classOf("myclass", "sandboxed"));
    expect(run(classOf("myclass", "vm"))).toContain(
      'The RuntimeClass "myclass" is invalid: handler: Invalid value: "vm": field is immutable',
    );
    expect(run(classOf("big", "Sandboxed"))).toContain(
      "handler: Invalid value: \"Sandboxed\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'",
    );
    expect(run(classOf("none", ""))).toContain('handler: Invalid value: "": a lowercase');
  });

  it("[POD-086] run containers on the machine's kernel, on gVisor's or in a guest's", () => {
    for (const [name, handler] of [
      ["sandboxed", "sandboxed"],
      ["vm", "vm"],
    ] as const)
      run(classOf(name, handler));
    run(podOf("plain", "node-1"));
    run(podOf("sandboxed", "node-1", "sandboxed"));
    run(podOf("vm", "node-1", "vm"));
    world.simulation.advance(20_000);
    const kernel = (pod: string): string => run(`kubectl exec ${pod} -- sh -c 'uname -r; cat /proc/version'`);
    expect(kernel("plain")).toMatch(/^6\.12\.48\+deb13-amd64\nLinux version 6\.12\.48\+deb13-amd64 \(debian-kernel/);
    expect(kernel("sandboxed")).toBe("4.19.0-gvisor\nLinux version 4.19.0-gvisor #1 SMP Sun Jan 10 15:06:54 PST 2016\n");
    expect(kernel("vm")).toMatch(/^6\.12\.47\nLinux version 6\.12\.47 \(/);
    const handlerOf = (pod: string): string =>
      run(
        `ssh node-1 'crictl inspectp $(crictl pods --name ${pod} -q)' | jq -r '.status.runtimeHandler + " " + .info.runtimeType'`,
      );
    expect([handlerOf("plain"), handlerOf("sandboxed"), handlerOf("vm")]).toEqual([
      " io.containerd.runc.v2\n",
      "sandboxed io.containerd.runsc.v1\n",
      "vm io.containerd.kata.v2\n",
    ]);
  });

  it("[POD-084] [POD-085] must be configured on the node: the Pod waits until containerd has read of it", () => {
    run(classOf("myclass", "sandboxed"));
    run(podOf("c", "node-2", "myclass"));
    world.simulation.advance(60_000);
    expect(phase("c")).toBe("ContainerCreating");
    expect(failures("c")).toBe(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "sandboxed" is configured',
    );
    onNode2(`printf '${table("sandboxed", "io.containerd.runsc.v1")}' >> /etc/containerd/config.toml`);
    world.simulation.advance(30_000);
    expect(phase("c")).toBe("ContainerCreating");
    expect(onNode2("systemctl restart containerd; echo $?")).toBe("0\n");
    world.simulation.advance(30_000);
    expect(phase("c")).toBe("Running");
    expect(run("kubectl get node node-2 -o json | jq -c '[.status.runtimeHandlers[].name]'")).toBe('["","runc","sandboxed"]\n');
  });

  it("need their runtime on the node", () => {
    run(classOf("vm", "vm"));
    run(podOf("c", "node-2", "vm"));
    onNode2(`printf '${table("vm", "io.containerd.kata.v2")}' >> /etc/containerd/config.toml; systemctl restart containerd`);
    world.simulation.advance(60_000);
    expect(failures("c").split("\n").at(-1)).toBe(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox "ID": failed to create containerd task: failed to start shim: failed to resolve runtime path: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist: unknown',
    );
  });

  it("[POD-093] [POD-094] are told by the node; a class that is deleted leaves its Pods running", () => {
    expect(run("kubectl get node node-1 -o json | jq -c '.status.runtimeHandlers[]'")).toBe(
      [
        '{"features":{"recursiveReadOnlyMounts":true,"userNamespaces":true},"name":""}',
        '{"features":{"recursiveReadOnlyMounts":true,"userNamespaces":true},"name":"runc"}',
        '{"features":{"recursiveReadOnlyMounts":false,"userNamespaces":false},"name":"sandboxed"}',
        '{"features":{"recursiveReadOnlyMounts":false,"userNamespaces":false},"name":"vm"}',
        "",
      ].join("\n"),
    );
    run(classOf("myclass", "sandboxed"));
    run(podOf("b", "node-1", "myclass"));
    world.simulation.advance(10_000);
    expect(run("kubectl delete runtimeclass myclass")).toBe('runtimeclass.node.k8s.io "myclass" deleted\n');
    world.simulation.advance(60_000);
    expect(phase("b")).toBe("Running");
    run("ssh node-1 'crictl stopp $(crictl pods --name b -q)'");
    world.simulation.advance(60_000);
    expect(failures("b").split("\n").at(-1)).toBe('Failed to create pod sandbox: runtimeclass.node.k8s.io "myclass" not found');
  });
});

describe("containerd as a service", () => {
  it("[POD-574] [POD-602] goes without its containers, and the node follows", () => {
    run(podOf("plain", "node-2"));
    run(`kubectl run short --image=busybox:1.36 --restart=Never --overrides='{"spec":{"nodeName":"node-2"}}' -- sleep 60`);
    world.simulation.advance(10_000);
    expect(onNode2("systemctl stop containerd; systemctl is-active containerd; systemctl status containerd | head -n 3")).toMatch(
      /^inactive\n○ containerd\.service - containerd container runtime\n {5}Loaded: .*\n {5}Active: inactive \(dead\) since /,
    );
    expect(onNode2("crictl ps")).toContain("dial unix /run/containerd/containerd.sock: connect: no such file or directory");
    run(podOf("later", "node-2"));
    world.simulation.advance(90_000);
    const ready = `kubectl get node node-2 -o jsonpath='{.status.conditions[?(@.type=="Ready")].message}{"\\n"}'`;
    expect(run(ready)).toBe("container runtime is down\n");
    expect([phase("plain"), phase("short"), phase("later")]).toEqual(["Running", "Running", "ContainerCreating"]);
    world.simulation.advance(120_000);
    expect(run(ready)).toMatch(
      /^\[container runtime is down, PLEG is not healthy: pleg was last seen active 3m\S+s ago; threshold is 3m0s\]\n$/,
    );
    onNode2("systemctl start containerd");
    world.simulation.advance(20_000);
    expect(run(ready)).toBe("kubelet is posting ready status\n");
    expect([phase("plain"), phase("short"), phase("later")]).toEqual(["Running", "Completed", "Running"]);
  });

  it("does not start with a file that it cannot read, and says what it does not act on", () => {
    expect(
      onNode2(
        "cp /etc/containerd/config.toml /root/; echo '[plugins' >> /etc/containerd/config.toml; systemctl restart containerd; echo $?",
      ),
    ).toBe(
      [
        "Job for containerd.service failed because the control process exited with error code.",
        'See "systemctl status containerd.service" and "journalctl -xeu containerd.service" for details.',
        "1\n",
      ].join("\n"),
    );
    expect(onNode2("systemctl is-active containerd")).toBe("activating\n");
    expect(onNode2("journalctl -u containerd -o cat | tail -n 4")).toContain(
      "containerd: failed to load TOML from /etc/containerd/config.toml:",
    );
    expect(
      onNode2("sed 's/16384/100/' /root/config.toml > /etc/containerd/config.toml; systemctl restart containerd; echo $?"),
    ).toBe(
      "systemctl: /etc/containerd/config.toml: plugins.io.containerd.cri.v1.runtime.max_container_log_line_size: not simulated, has no effect\n0\n",
    );
    // A table of an older version's plugin, as many guides show it, is none of a version 3 file.
    expect(
      onNode2(
        `printf '[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.sandboxed]\\nruntime_type = "io.containerd.runsc.v1"\\n' >> /etc/containerd/config.toml; systemctl restart containerd`,
      ),
    ).toContain("plugins.io.containerd.grpc.v1.cri.containerd.runtimes.sandboxed.runtime_type: not simulated, has no effect");
  });
});
