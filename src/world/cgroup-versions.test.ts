// Machines with version 1 of control groups: what they show, what their kubelets make of it, and how they get version 2.

import { describe, expect, it } from "vitest";
import type { WorkerWish } from "./cluster-shape.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const config = "/var/lib/kubelet/config.yaml";

function start(...nodes: readonly WorkerWish[]) {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 3, nodes, files: {} });
  world.boot();
  const { run } = sitDown(world, { columns: 250, rows: 60 });
  const on = (name: string, script: string): string => run(`ssh ${name} '${script}'`);
  const node = (script: string): string => on("node-1", script);
  const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
  const journal = (): string => node("journalctl -u kubelet --no-pager");
  const ready = (name = "node-1"): string => run(`kubectl get node ${name} --no-headers | awk '{print $2}'`).trim();
  return { world, run, on, node, wait, journal, ready };
}

const legacy: WorkerWish = { cgroupVersion: 1 };
const allowed: WorkerWish = { cgroupVersion: 1, kubelet: { failCgroupV1: false } };
const pod = (name: string, resources: object, script = "sleep 3600"): string =>
  `kubectl run ${name} --image=busybox:1.36 --overrides='${JSON.stringify({
    spec: { nodeName: "node-1", containers: [{ name, image: "busybox:1.36", command: ["sh", "-c", script], resources }] },
  })}'`;
const limits = { limits: { cpu: "500m", memory: "64Mi" } };

describe("control groups of a machine", () => {
  it("[API-309] are cgroup2fs with version 2 and a tmpfs with version 1", () => {
    const { on } = start(legacy, {});
    const look =
      'stat -fc %T /sys/fs/cgroup/; cat /proc/cmdline; cat /proc/self/cgroup | head -n 1; head -n 3 /proc/cgroups | tr "\\t" +';
    expect(on("node-2", look)).toMatch(
      /^cgroup2fs\nBOOT_IMAGE=\/boot\/vmlinuz-\S+ root=\/dev\/vda1 ro quiet\n0::\/\n#subsys_name\+hierarchy\+num_cgroups\+enabled\ncpuset\+0\+\d+\+1\ncpu\+0\+\d+\+1\n$/u,
    );
    expect(on("node-1", look)).toMatch(
      /^tmpfs\nBOOT_IMAGE=\/boot\/vmlinuz-\S+ root=\/dev\/vda1 ro systemd.unified_cgroup_hierarchy=0 SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1 quiet\n13:rdma:\/\n#subsys_name\+hierarchy\+num_cgroups\+enabled\ncpuset\+5\+\d+\+1\ncpu\+2\+\d+\+1\n$/u,
    );
    expect(on("node-2", "mount | grep cgroup")).toBe("cgroup on /sys/fs/cgroup type cgroup2 (ro,relatime)\n");
    expect(
      on("node-1", 'mount | grep cgroup | head -n 4; ls /sys/fs/cgroup | tr "\\n" " "; stat -fc %T /sys/fs/cgroup/memory'),
    ).toBe(
      "tmpfs on /sys/fs/cgroup type tmpfs (ro,relatime)\n" +
        "cgroup2 on /sys/fs/cgroup/unified type cgroup2 (ro,relatime,nsdelegate)\n" +
        "cgroup on /sys/fs/cgroup/systemd type cgroup (ro,relatime,xattr,name=systemd)\n" +
        "cgroup on /sys/fs/cgroup/cpu,cpuacct type cgroup (ro,relatime,cpu,cpuacct)\n" +
        "blkio cpu cpu,cpuacct cpuacct cpuset devices freezer hugetlb memory misc net_cls net_cls,net_prio net_prio perf_event pids rdma systemd unified cgroupfs\n",
    );
  });

  it("[API-310] [API-311] hold the limits of a Pod as files, whose names are other ones in each version", () => {
    const { run, wait, on } = start(allowed, {});
    run(pod("limited", limits));
    run(pod("open", {}));
    run(pod("new", limits).replace("node-1", "node-2"));
    run(pod("new-open", {}).replace("node-1", "node-2"));
    wait(20);
    const inside = (name: string, script: string): string => run(`kubectl exec ${name} -- sh -c '${script}'`);
    const old =
      "cd /sys/fs/cgroup; cat cpu/cpu.cfs_quota_us cpu/cpu.cfs_period_us cpu/cpu.shares memory/memory.limit_in_bytes; ls cpu.max";
    expect(inside("limited", old)).toBe(
      "50000\n100000\n512\n67108864\nls: cpu.max: No such file or directory\ncommand terminated with exit code 1\n",
    );
    expect(inside("open", old)).toContain("-1\n100000\n2\n9223372036854771712\n");
    expect(inside("new", "cd /sys/fs/cgroup; cat cpu.max memory.max")).toBe("50000 100000\n67108864\n");
    expect(inside("new-open", "cd /sys/fs/cgroup; cat cpu.max memory.max")).toBe("max 100000\nmax\n");
    expect(inside("limited", "grep -c . /proc/self/cgroup; grep memory /proc/self/cgroup; mount | grep -c cgroup")).toMatch(
      /^14\n3:memory:\/kubepods.slice\/kubepods-pod\S+.slice\/cri-containerd-[0-9a-f]{64}.scope\n14\n$/u,
    );
    expect(inside("new", "cat /proc/self/cgroup")).toBe("0::/\n");
    const uid = run("kubectl get pod limited -o jsonpath={.metadata.uid}; echo").trim().replaceAll("-", "_");
    const slice = `kubepods.slice/kubepods-pod${uid}.slice`;
    expect(
      on(
        "node-1",
        `cd /sys/fs/cgroup; cat memory/${slice}/memory.limit_in_bytes cpu/${slice}/cpu.cfs_quota_us memory/memory.limit_in_bytes`,
      ),
    ).toBe("67108864\n50000\n9223372036854771712\n");
    const news = run("kubectl get pod new-open -o jsonpath={.metadata.uid}; echo").trim().replaceAll("-", "_");
    expect(
      on("node-2", `ls -d /sys/fs/cgroup/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${news}.slice/cri*`),
    ).toMatch(/cri-containerd-[0-9a-f]{64}\.scope\n/u);
  });
});

describe("a kubelet on a machine with version 1", () => {
  it("[API-217] [POD-538] does not start, and systemd tries again", () => {
    const { wait, journal, node, run, on } = start(legacy, {});
    wait(30);
    expect(journal()).toMatch(
      /E0115 \d\d:\d\d:\d\d\.\d{6} +\d+ run.go:72\] "command failed" err="failed to validate kubelet configuration, error: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release, path: &TypeMeta\{Kind:,APIVersion:,\}"\n.*code=exited, status=1\/FAILURE\n/u,
    );
    expect(journal()).toMatch(/restart counter is at \d+/u);
    expect(node("systemctl is-active kubelet; systemctl is-active containerd")).toBe("activating\nactive\n");
    expect(run("kubectl get node node-1 -o name")).toContain('nodes "node-1" not found');
    expect(on("node-2", "curl -s localhost:10255 ; grep -c failCgroupV1 /var/lib/kubelet/config.yaml")).toBe("0\n");
  });

  it("[API-217] starts with failCgroupV1: false, and warns of it", () => {
    const { run, journal, node, ready, wait } = start(legacy);
    node(`echo "failCgroupV1: false" >> ${config}; systemctl restart kubelet`);
    wait(30);
    expect(ready()).toBe("Ready");
    expect(run("kubectl describe node node-1 | grep CgroupV1")).toMatch(
      / {2}Warning {2}CgroupV1 +\S+ +kubelet +cgroup v1 detected. cgroup v1 support is deprecated and will be removed in a future release. Please migrate to cgroup v2. More information at https:\/\/git.k8s.io\/enhancements\/keps\/sig-node\/5573-remove-cgroup-v1\n/u,
    );
    expect(journal()).toContain('"Warning: cgroup check" error="cgroup v1 detected. cgroup v1 support is deprecated');
    const asked = (path: string, pattern: string): string =>
      run(`kubectl get --raw /api/v1/nodes/node-1/proxy/${path} | grep -o "${pattern}"`).trim();
    expect(asked("metrics", "^kubelet_cgroup_version.*")).toBe("kubelet_cgroup_version 1");
    expect(asked("configz", ".failCgroupV1.:[a-z]*")).toBe('"failCgroupV1":false');
    node(
      `sed -i "/^failCgroupV1/d" ${config}; echo "KUBELET_EXTRA_ARGS=--v=3 --fail-cgroupv1=false" > /etc/default/kubelet; systemctl restart kubelet`,
    );
    expect(node("systemctl is-active kubelet")).toBe("active\n");
    expect(journal()).toContain("Flag --fail-cgroupv1 has been deprecated, This parameter should be set via the config file");
    node(`echo "singleProcessOOMKill: false" >> ${config}; systemctl restart kubelet`);
    expect(journal()).toContain(
      "invalid configuration: singleProcessOOMKill must not be explicitly set to false when using cgroup v1",
    );
  });

  it("before 1.35 starts there unless it is told not to", () => {
    const { ready, run, node, journal } = start({ ...legacy, version: "v1.34.2" });
    expect(ready()).toBe("Ready");
    expect(run("kubectl describe node node-1 | grep CgroupV1")).toContain(
      "cgroup v1 support is in maintenance mode, please migrate to cgroup v2",
    );
    node(`echo "failCgroupV1: true" >> ${config}; systemctl restart kubelet`);
    expect(journal()).toContain("on a host using cgroup v1. cgroup v1 support is in maintenance mode, path:");
  });

  it("gives Pods no swap, and lets want of memory kill single processes", () => {
    const { node, run, wait } = start(allowed);
    node("fallocate -l 1G /swapfile && chmod 600 /swapfile && mkswap /swapfile > /dev/null && swapon /swapfile");
    node(`sed -i "/^memorySwap/d" ${config}`);
    for (const line of ["failSwapOn: false", "memorySwap: {swapBehavior: LimitedSwap}"]) node(`echo "${line}" >> ${config}`);
    node("systemctl restart kubelet");
    wait(5);
    run(pod("burstable", { requests: { memory: "32Mi" }, limits: { memory: "64Mi" } }, "tail /dev/zero; echo code $?; sleep 3600"));
    wait(20);
    expect(run("kubectl logs burstable; kubectl get pod burstable --no-headers")).toMatch(
      /code 137\nburstable +1\/1 +Running +0 /u,
    );
    expect(run("kubectl exec burstable -- sh -c 'ls /sys/fs/cgroup/memory | grep -c swap'")).toContain("0\n");
    expect(node("cut -f 5 /proc/swaps | tail -n 1")).toBe("0\n");
  });
});

describe("the boot loader", () => {
  it("[API-312] changes the version with the kernel's arguments: file, update-grub, reboot", () => {
    const { node, wait, ready, run } = start(legacy);
    expect(ready()).toContain("");
    node('sed -i "s/hierarchy=0/hierarchy=1/" /etc/default/grub');
    node("reboot");
    wait(60);
    expect(node("stat -fc %T /sys/fs/cgroup/")).toBe("tmpfs\n");
    expect(node("update-grub")).toMatch(
      /^Generating grub configuration file ...\nFound linux image: \/boot\/vmlinuz-(\S+)\nFound initrd image: \/boot\/initrd.img-\1\nWarning: os-prober will not be executed to detect other bootable partitions.\nSystems on them will not be added to the GRUB boot configuration.\nCheck GRUB_DISABLE_OS_PROBER documentation entry.\ndone\n$/u,
    );
    expect(node("stat -fc %T /sys/fs/cgroup/")).toBe("tmpfs\n");
    node("reboot");
    wait(90);
    expect(node("stat -fc %T /sys/fs/cgroup/; grep -o hierarchy=. /proc/cmdline; mount | grep -c cgroup")).toBe(
      "cgroup2fs\nhierarchy=1\n1\n",
    );
    expect(ready()).toBe("Ready");
    run(pod("limited", limits));
    wait(20);
    expect(run("kubectl exec limited -- cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/memory.max")).toBe("50000 100000\n67108864\n");
  });

  it("makes of a file that nobody changed what is there", () => {
    const { on } = start(legacy, { architecture: "arm64" });
    for (const name of ["node-1", "node-2"])
      expect(on(name, "grub-mkconfig 2> /dev/null | diff /boot/grub/grub.cfg - && echo same")).toBe("same\n");
    expect(on("node-2", "ls -l /boot | cut -c 1-10; ls /boot")).toMatch(
      /^total \d+\n|drwxr-xr-x\n-rw-r--r--\n-rw-r--r--\ngrub\ninitrd.img-\S+-arm64\nvmlinuz-\S+-arm64\n$/u,
    );
  });

  it("does not follow a file that the shell does not understand", () => {
    const { node, wait } = start(legacy);
    node('sed -i "s/FORCE=1\\"/FORCE=1/" /etc/default/grub');
    expect(node("update-grub; echo $?")).toMatch(
      /\/etc\/default\/grub: line \d+: unexpected EOF while looking for matching `"'\n[12]\n$/u,
    );
    node("reboot");
    wait(60);
    expect(node("stat -fc %T /sys/fs/cgroup/")).toBe("tmpfs\n");
  });

  it("takes the last word, and systemd wants version 1 to be forced", () => {
    const { node, wait, run } = start({});
    const boot = (words: string): void => {
      node(`sed -i "s/^GRUB_CMDLINE_LINUX=.*/GRUB_CMDLINE_LINUX=\\"${words}\\"/" /etc/default/grub; update-grub`);
      node("reboot");
      wait(60);
    };
    boot("systemd.unified_cgroup_hierarchy=1 systemd.unified_cgroup_hierarchy=no SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1");
    expect(node("stat -fc %T /sys/fs/cgroup/")).toBe("tmpfs\n");
    boot("systemd.unified_cgroup_hierarchy=0 SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1 systemd.unified_cgroup_hierarchy");
    expect(node("stat -fc %T /sys/fs/cgroup/")).toBe("cgroup2fs\n");
    boot("systemd.unified_cgroup_hierarchy=0");
    expect(run("ssh -o ConnectTimeout=3 node-1 true")).toMatch(/timed out|No route|refused/u);
  });
});
