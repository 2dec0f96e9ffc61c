// Swap of a node: as root makes it, and what its kubelet and its Pods make of it.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const config = "/var/lib/kubelet/config.yaml";
const make = "fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap /swapfile > /dev/null && swapon /swapfile";

function start() {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 3, nodes: 1, files: {} });
  world.boot();
  const { run } = sitDown(world, { columns: 200, rows: 60 });
  const node = (script: string): string => run(`ssh node-1 '${script}'`);
  const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
  const capacity = (): string => run("kubectl get node node-1 -o jsonpath={.status.nodeInfo.swap.capacity}; echo").trim();
  /** The kubelet starts anew with these lines instead of what its file says of swap. */
  const configure = (lines: string): void => {
    node(`sed -i "/^memorySwap/d;/^failSwapOn/d" ${config}`);
    for (const line of lines.split("\n")) node(`echo "${line}" >> ${config}`);
    node("systemctl restart kubelet");
    wait(3);
  };
  const pod = (name: string, resources: object, spec: object = {}, script = "sleep 3600") => {
    const containers = [{ name, image: "busybox:1.36", command: ["sh", "-c", script], resources }];
    const overrides = JSON.stringify({ spec: { nodeName: "node-1", containers, ...spec } });
    run(`kubectl run ${name} --image=busybox:1.36 --overrides='${overrides}'`);
  };
  const inside = (name: string, script: string): string => run(`kubectl exec ${name} -- sh -c '${script}'`);
  const swapMax = (name: string): string => inside(name, "cat /sys/fs/cgroup/memory.swap.max").trim();
  return { world, run, node, wait, capacity, configure, pod, inside, swapMax };
}

const limited = "failSwapOn: false\nmemorySwap: {swapBehavior: LimitedSwap}";

describe("swap on a node", () => {
  it("is made, turned on and off by root, and told by the machine", () => {
    const { node } = start();
    expect(node('cat /proc/swaps | tr "\\t" +; swapon --show; free -h | tail -n 1')).toBe(
      "Filename++++Type++Size++Used++Priority\nSwap:             0B          0B          0B\n",
    );
    expect(node("fallocate -l 1G /swapfile; swapon /swapfile; echo $?")).toBe(
      "swapon: /swapfile: insecure permissions 0644, 0600 suggested.\nswapon: /swapfile: read swap header failed\n255\n",
    );
    expect(node("mkswap /swapfile; chmod 600 /swapfile; mkswap -L more /swapfile")).toMatch(
      /^mkswap: \/swapfile: insecure permissions 0644, fix with: chmod 0600 \/swapfile\nSetting up swapspace version 1, size = 1024 MiB \(1073737728 bytes\)\nno label, UUID=[-0-9a-f]{36}\nmkswap: \/swapfile: warning: wiping old swap signature.\nSetting up .*\nLABEL=more, UUID=/u,
    );
    expect(
      node('swapon /swapfile; swapon /swapfile; mkswap /swapfile; swapon --show; swapon -s | tr "\\t" +; free -h | tail -n 1'),
    ).toBe(
      "swapon: /swapfile: swapon failed: Device or resource busy\n" +
        "mkswap: error: /swapfile is mounted; will not make swapspace\n" +
        "NAME      TYPE  SIZE USED PRIO\n/swapfile file 1024M   0B   -2\n" +
        "Filename++++Type++Size++Used++Priority\n" +
        `${"/swapfile".padEnd(40)}file++1048572++0++-2\n` +
        "Swap:          1.0Gi          0B       1.0Gi\n",
    );
    expect(node("grep Swap /proc/meminfo; dmesg | tail -n 1")).toMatch(
      /^SwapTotal: +1048572 kB\nSwapFree: +1048572 kB\n.*Adding 1048572k swap on \/swapfile. {2}Priority:-2 extents:1 across:1048572k\n$/u,
    );
    expect(node("swapoff /swapfile; swapoff /swapfile; echo $?; swapon /none; swapon --show")).toBe(
      "swapoff: /swapfile: swapoff failed: Invalid argument\n4\nswapon: cannot open /none: No such file or directory\n",
    );
  });

  it("is shown in the columns that are asked for; what a tool does not know or act on is refused", () => {
    const { node } = start();
    node(make);
    expect(node("swapon --show=size,Name --bytes; swapon --show=")).toBe(
      "      SIZE NAME\n1073737728 /swapfile\n" + "NAME      TYPE  SIZE USED PRIO\n/swapfile file 1024M   0B   -2\n",
    );
    expect(node("swapon --show=speed; swapon --show=UUID; swapon -d /swapfile; echo $?; swapon --all=x")).toBe(
      "swapon: unknown column: speed\nswapon: column UUID is not supported here\n" +
        "swapon: option -d is not supported here\n1\n" +
        "swapon: option '--all' doesn't allow an argument\nTry 'swapon --help' for more information.\n",
    );
    expect(node("swapoff; echo $?; swapoff --x; echo $?; mkswap -L; echo $?")).toBe(
      "swapoff: bad usage\nTry 'swapoff --help' for more information.\n16\n" +
        "swapoff: unrecognized option '--x'\nTry 'swapoff --help' for more information.\n16\n" +
        "mkswap: option requires an argument -- 'L'\nTry 'mkswap --help' for more information.\n1\n",
    );
  });

  it("comes back at a boot from /etc/fstab, and only from there", () => {
    const { node, wait, configure } = start();
    node(make);
    configure("failSwapOn: false");
    node("reboot");
    wait(60);
    expect(node("swapon --show").trim()).toBe("");
    node('echo "/swapfile none swap sw,pri=5 0 0" >> /etc/fstab; swapon -a');
    expect(node("swapon")).toContain("/swapfile file 1024M   0B    5\n");
    node("reboot");
    wait(60);
    expect(node("tail -n 1 /proc/swaps | cut -c 1-9; systemctl is-active kubelet")).toBe("/swapfile\nactive\n");
    node("swapoff -a");
    expect(node("swapon --show").trim()).toBe("");
  });
});

describe("a kubelet on a node with swap", () => {
  it("[API-218] [POD-538] runs on, but does not start again until swap is off or it is allowed", () => {
    const { node, run, wait, capacity } = start();
    node(make);
    wait(60);
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    node("systemctl restart kubelet");
    wait(25);
    const lines = node('journalctl -u kubelet --no-pager -n 20 | tr "\\t" +')
      .split("\n")
      .map((line) => line.replace(/^\S+ \S+ \S+ \S+ /u, ""));
    const at = lines.findIndex((line) => line.includes("Swap is on"));
    expect(lines.slice(at, at + 7).map((line) => line.replace(/\[\d+\]: ([IE])\d+ \S+ +\d+ /u, ": $1 "))).toEqual([
      'kubelet: I swap_util.go:119] "Swap is on" /proc/swaps contents=<',
      expect.stringMatching(/^kubelet\[\d+\]: \+Filename\+/u),
      expect.stringMatching(/^kubelet\[\d+\]: \+\/swapfile +file\+\+1048572\+\+0\+\+-2$/u),
      expect.stringMatching(/^kubelet\[\d+\]: {2}>$/u),
      'kubelet: E run.go:72] "command failed" err="failed to run Kubelet: running with swap on is not supported, please disable swap or set --fail-swap-on flag to false"',
      "systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE",
      "systemd[1]: kubelet.service: Failed with result 'exit-code'.",
    ]);
    expect(lines.join("\n")).toContain("Scheduled restart job, restart counter is at 2.");
    expect(node("systemctl is-active kubelet")).toBe("activating\n");
    wait(60);
    expect(run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("NotReady\n");
    node("swapoff -a");
    wait(30);
    expect(run("kubectl get node node-1 --no-headers | awk '{print $2}'")).toBe("Ready\n");
    expect(capacity()).toBe("");
  });

  it("starts with it by the flag of old", () => {
    const { node, wait } = start();
    node(make);
    node('echo "KUBELET_EXTRA_ARGS=--v=3 --fail-swap-on=no" > /etc/default/kubelet; systemctl restart kubelet');
    expect(node("journalctl -u kubelet --no-pager -n 5")).toContain(
      'invalid argument \\"no\\" for \\"--fail-swap-on\\" flag: strconv.ParseBool: parsing \\"no\\": invalid syntax',
    );
    node('echo "KUBELET_EXTRA_ARGS=--v=3 --fail-swap-on=false" > /etc/default/kubelet; systemctl restart kubelet');
    wait(2);
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    const said = node("journalctl -u kubelet --no-pager -n 100");
    expect(said).toContain("Flag --fail-swap-on has been deprecated, This parameter should be set via the config file");
    expect(said).toContain('"NoSwap is set due to memorySwapBehavior not specified" memorySwapBehavior="" FailSwapOn=false');
  });

  it("refuses a behaviour that there is not", () => {
    const { node, configure } = start();
    configure("memorySwap: {swapBehavior: UnlimitedSwap}");
    expect(node("journalctl -u kubelet --no-pager -n 5")).toContain(
      'invalid configuration: memorySwap.swapBehavior \\"UnlimitedSwap\\" must be one of: \\"\\", \\"LimitedSwap\\" or \\"NoSwap\\", path:',
    );
  });

  it("[API-265] tells what it found of it at its start", () => {
    const { node, wait, capacity, configure, run } = start();
    expect(capacity()).toBe("");
    node(make);
    wait(20);
    expect(capacity()).toBe("");
    configure("failSwapOn: false");
    wait(15);
    expect(capacity()).toBe("1073737728");
    expect(run("kubectl get --raw /api/v1/nodes/node-1/proxy/metrics/cadvisor | grep ^machine_swap")).toMatch(
      / 1\.073737728e\+09 /u,
    );
  });

  it("[API-264] gives swap to containers of Burstable Pods whose request is not their limit, by their part of memory", () => {
    const { node, wait, configure, pod, swapMax, run } = start();
    node(make);
    const burstable = { requests: { memory: "512Mi" }, limits: { memory: "1Gi" } };
    pod("early", burstable);
    configure("failSwapOn: false");
    pod("none", burstable);
    configure(limited);
    const both = { cpu: "100m", memory: "64Mi" };
    pod("burstable", burstable);
    pod("open", { requests: { memory: "512Mi" } });
    pod("equal", { requests: { memory: "64Mi" }, limits: { memory: "64Mi" } });
    pod("cpu", { requests: { cpu: "10m" } });
    pod("guaranteed", { requests: both, limits: both });
    pod("best-effort", {});
    pod("critical", burstable, { priorityClassName: "system-node-critical" });
    wait(25);
    const part = Math.trunc((512 / 4096) * 1_073_737_728);
    const names = ["early", "none", "burstable", "open", "equal", "cpu", "guaranteed", "best-effort", "critical"];
    expect(Object.fromEntries(names.map((name) => [name, swapMax(name)]))).toEqual({
      ...{ early: "0", none: "0", burstable: String(part), open: String(part), equal: "0", cpu: "0" },
      ...{ guaranteed: "0", "best-effort": "0", critical: "0" },
    });
    const limits = run(
      "kubectl get --raw /api/v1/nodes/node-1/proxy/metrics/resource | grep ^container_swap_limit | grep burstable",
    );
    expect(limits).toContain(" 1.34217216e+08 ");
    run(
      `kubectl patch pod burstable --subresource=resize -p '{"spec":{"containers":[{"name":"burstable","resources":{"requests":{"memory":"256Mi"}}}]}}'`,
    );
    wait(10);
    expect(swapMax("burstable")).toBe(String(part / 2));
  });

  it("lets such a container have more than its limit, and kills it beyond", () => {
    const { node, wait, configure, inside, run } = start();
    node(make);
    configure(limited);
    const stress = (name: string, bytes: string) => {
      const command = ["stress", "--vm", "1", "--vm-bytes", bytes, "--vm-hang", "0"];
      const resources = { requests: { memory: "512Mi" }, limits: { memory: "520Mi" } };
      const containers = [{ name, image: "polinux/stress:1.0.4", command, resources }];
      run(
        `kubectl run ${name} --image=x --restart=Never --overrides='${JSON.stringify({ spec: { nodeName: "node-1", containers } })}'`,
      );
      wait(20);
    };
    stress("more", "560M");
    const [held = 0, swapped = 0, peak = 0] = inside(
      "more",
      "cd /sys/fs/cgroup; cat memory.current memory.swap.current memory.peak",
    )
      .split("\n")
      .map(Number);
    expect([held, peak]).toEqual([520 * 1024 ** 2, 520 * 1024 ** 2]);
    expect(swapped).toBeGreaterThan(40 * 1024 ** 2);
    expect(swapped).toBeLessThan(50 * 1024 ** 2);
    const kibibytes = Math.floor(swapped / 1024);
    expect(node("cut -f 5 /proc/swaps | tail -n 1; grep SwapFree /proc/meminfo").match(/\d+/gu)?.map(Number)).toEqual([
      kibibytes,
      1_048_572 - kibibytes - (swapped % 1024 === 0 ? 0 : 1),
    ]);
    stress("most", "700M");
    expect(run("kubectl get pod most -o jsonpath={.status.containerStatuses[0].state.terminated.reason}; echo").trim()).toBe(
      "OOMKilled",
    );
    run("kubectl delete pod more --now");
    wait(5);
    expect(node("cut -f 5 /proc/swaps | tail -n 1")).toBe("0\n");
  });

  it("takes what lies in it back into memory when it is turned off", () => {
    const { node, wait, configure, run } = start();
    node(make);
    configure(limited);
    const containers = [
      {
        name: "more",
        image: "polinux/stress:1.0.4",
        command: ["stress", "--vm", "1", "--vm-bytes", "560M", "--vm-hang", "0"],
        resources: { requests: { memory: "512Mi" }, limits: { memory: "520Mi" } },
      },
    ];
    run(`kubectl run more --image=x --restart=Never --overrides='${JSON.stringify({ spec: { nodeName: "node-1", containers } })}'`);
    wait(20);
    node("swapoff -a");
    expect(node("swapon --show; cat /proc/swaps | wc -l")).toBe("1\n");
    wait(5);
    expect(run("kubectl get pod more -o jsonpath={.status.containerStatuses[0].state.terminated.reason}; echo").trim()).toBe(
      "OOMKilled",
    );
  });
});
