// journalctl and dmesg on a node, typed through ssh.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function seated() {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  return { world, ...sitDown(world, { columns: 700, rows: 400 }) };
}

describe("journalctl", () => {
  it("[POD-632] shows the kubelet's lines in klog's format", () => {
    const { world, run } = seated();
    run("kubectl run web --image=busybox:1.36 --restart=Never -- sh -c 'exit 3'");
    world.simulation.advance(30_000);
    const uid = run("kubectl get pod web -o jsonpath='{.metadata.uid}'; echo").trim();
    const lines = run("ssh node-1 journalctl -u kubelet --no-pager").trimEnd().split("\n");
    expect(lines[0]).toMatch(
      /^Jan 15 08:5\d:\d\d node-1 systemd\[1\]: Started kubelet\.service - kubelet: The Kubernetes Node Agent\.$/u,
    );
    expect(lines[1]).toMatch(
      /^Jan 15 08:5\d:\d\d node-1 kubelet\[742\]: I0115 08:5\d:\d\d\.\d{6} {5}742 server\.go:\d+\] "Kubelet version" kubeletVersion="v1\.36\.\d+"$/u,
    );
    const about = (text: string) => lines.filter((line) => line.includes(text)).map((line) => line.replace(/^.*?\] (?=")/u, ""));
    expect(about("SyncLoop ADD").at(-1)).toBe('"SyncLoop ADD" source="api" pods=["default/web"]');
    const died = about("ContainerDied").at(-1);
    expect(died).toMatch(
      new RegExp(
        `^"SyncLoop \\(PLEG\\): event for pod" pod="default/web" event=\\{"ID":"${uid}","Type":"ContainerDied","Data":"[0-9a-f]{64}"\\}$`,
        "u",
      ),
    );
    expect(about('reason="Started"').at(-1)).toBe(
      '"Event occurred" object="default/web" fieldPath="spec.containers{web}" kind="Pod" apiVersion="v1" type="Normal" reason="Started" message="Container started"',
    );
  });

  it("[POD-632] shows failed pulls and probes", () => {
    const { world, run } = seated();
    run("kubectl run nothing --image=nothing.example/x:1");
    run(
      `kubectl run sick --image=busybox:1.36 --overrides='{"spec":{"containers":[{"name":"sick","image":"busybox:1.36","command":["sleep","3600"],"livenessProbe":{"exec":{"command":["false"]},"periodSeconds":1}}]}}'`,
    );
    world.simulation.advance(60_000);
    const text = run("ssh node-1 journalctl -u kubelet -o cat");
    expect(text).toMatch(
      /E0115 .* pod_workers\.go:\d+\] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"nothing\\" with ErrImagePull: .*" pod="default\/nothing" podUID="[-0-9a-f]{36}"/u,
    );
    expect(text).toMatch(
      /I0115 .* prober\.go:\d+\] "Probe failed" probeType="Liveness" pod="default\/sick" podUID="[-0-9a-f]{36}" containerName="sick" probeResult="failure" output=""/u,
    );
    expect(run("ssh node-1 journalctl -u containerd -o cat | grep nothing.example")).toContain(
      'level=info msg="PullImage \\"nothing.example/x:1\\""',
    );
  });

  it("[POD-632] shows containerd's lines", () => {
    const { world, run } = seated();
    run("kubectl run web --image=busybox:1.36 --restart=Never -- sh -c 'exit 3'");
    world.simulation.advance(30_000);
    const lines = run("ssh node-1 journalctl -u containerd | grep 'Name:web'").trimEnd().split("\n");
    expect(
      lines.map((line) =>
        line
          .replace(/^.*level=/u, "")
          .replace(/[0-9a-f]{64}/gu, "ID")
          .replace(/Uid:[-0-9a-f]{36}/gu, "Uid:UID"),
      ),
    ).toEqual([
      'info msg="RunPodSandbox for &PodSandboxMetadata{Name:web,Uid:UID,Namespace:default,Attempt:0,}"',
      'info msg="RunPodSandbox for &PodSandboxMetadata{Name:web,Uid:UID,Namespace:default,Attempt:0,} returns sandbox id \\"ID\\""',
      'info msg="CreateContainer within sandbox \\"ID\\" for container &ContainerMetadata{Name:web,Attempt:0,}"',
      'info msg="CreateContainer within sandbox \\"ID\\" for &ContainerMetadata{Name:web,Attempt:0,} returns container id \\"ID\\""',
    ]);
    expect(lines[0]).toMatch(/^Jan 15 09:0\d:\d\d node-1 containerd\[611\]: time="2026-01-15T09:0\d:\d\d\.\d{9}Z" level=info/u);
  });

  it("takes the last lines, those since a time, and follows", () => {
    const { world, run, press, screen } = seated();
    expect(run("ssh node-1 journalctl -u kubelet -n 2 | wc -l").trim()).toBe("2");
    world.simulation.advance(600_000);
    expect(run(`ssh node-1 "journalctl -u kubelet --since '5 minutes ago'"`)).toBe("-- No entries --\n");
    expect(run("ssh node-1 journalctl -u kubelet --since -1h -n 1 -o short-iso")).toMatch(
      /^2026-01-15T08:55:\d\d\+00:00 node-1 kubelet/u,
    );
    expect(run(`ssh node-1 "journalctl -u kubelet --until '2026-01-15 08:00:00' -n 1"`)).toBe("-- No entries --\n");
    press("\x0cssh node-1 journalctl -fu kubelet\r", 3_000);
    const ssh = sitDown(world);
    ssh.run("kubectl run late --image=busybox:1.36 -- sleep 100");
    world.simulation.advance(10_000);
    expect(screen.text).toContain('"SyncLoop ADD" source="api" pods=["default/late"]');
    press("\x03");
  });

  it("tells of the kubelet's stop and start", () => {
    const { run } = seated();
    run("ssh node-1 systemctl restart kubelet");
    const lines = run("ssh node-1 journalctl -u kubelet -o cat").split("\n");
    const stopped = lines.indexOf("Stopped kubelet.service - kubelet: The Kubernetes Node Agent.");
    expect(lines.slice(stopped - 2, stopped + 2)).toEqual([
      "Stopping kubelet.service - kubelet: The Kubernetes Node Agent...",
      "kubelet.service: Deactivated successfully.",
      "Stopped kubelet.service - kubelet: The Kubernetes Node Agent.",
      "Started kubelet.service - kubelet: The Kubernetes Node Agent.",
    ]);
  });

  it("refuses what it does not have", () => {
    const { run } = seated();
    expect(run("ssh node-1 journalctl -u nginx; echo $?")).toBe("-- No entries --\n0\n");
    expect(run("ssh node-1 journalctl --frob; echo $?")).toBe("journalctl: unrecognized option '--frob'\n1\n");
    expect(run("ssh node-1 journalctl -Z")).toBe("journalctl: invalid option -- 'Z'\n");
    expect(run("ssh node-1 journalctl -n x")).toBe("Failed to parse lines 'x'\n");
    expect(run("ssh node-1 journalctl --since soon")).toBe("Failed to parse timestamp: soon\n");
    expect(run("ssh node-1 journalctl -o json")).toContain("not simulated");
  });
});

describe("dmesg", () => {
  it("[POD-632] has the kernel's lines of a container killed for memory", () => {
    const { world, run } = seated();
    run(
      `kubectl run fat --image=busybox:1.36 --restart=Never --overrides='{"spec":{"containers":[{"name":"fat","image":"busybox:1.36","command":["tail","/dev/zero"],"resources":{"limits":{"memory":"16Mi"}}}]}}'`,
    );
    world.simulation.advance(60_000);
    expect(run("kubectl get pod fat --no-headers")).toContain("OOMKilled");
    const text = run("ssh node-1 dmesg");
    expect(text).toMatch(/^\[ {4}0\.000000\] Linux version /u);
    expect(text).toMatch(/\[ +\d+\.\d{6}\] tail invoked oom-killer: gfp_mask=0xcc0\(GFP_KERNEL\), order=0, oom_score_adj=99\d\n/u);
    expect(text).toContain("memory: usage 16384kB, limit 16384kB");
    expect(text).toMatch(
      /oom-kill:constraint=CONSTRAINT_MEMCG,.*,oom_memcg=\/kubepods\.slice\/kubepods-burstable\.slice\/kubepods-burstable-pod[0-9a-f_]{36}\.slice\/cri-containerd-[0-9a-f]{64}\.scope,.*,task=tail,pid=\d+,uid=0\n/u,
    );
    expect(text).toMatch(/Memory cgroup out of memory: Killed process \d+ \(tail\) total-vm:\d+kB, anon-rss:\d+kB, /u);
    expect(run("ssh node-1 'dmesg -T | tail -n 1'")).toMatch(/^\[Thu Jan 15 09:0\d:\d\d 2026\] Tasks in \/kubepods/u);
    expect(run("ssh node-1 'journalctl -k -o cat | head -n 1'")).toMatch(/^tail invoked oom-killer/u);
    expect(run("ssh node-1 dmesg -w")).toBe("dmesg -w: not simulated; there is -T\n");
  });
});
