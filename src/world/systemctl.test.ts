// systemctl on a node, typed through ssh.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function booted(): World {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 2, files: {} });
  world.boot();
  return world;
}

describe("systemctl on a node", () => {
  it("stops and starts the kubelet, and the Node follows", () => {
    const world = booted();
    const { run } = sitDown(world);
    expect(run("ssh node-2 systemctl is-active kubelet")).toBe("active\n");
    expect(run("ssh node-2 systemctl stop kubelet; echo $?")).toBe("0\n");
    expect(run("ssh node-2 systemctl is-active kubelet.service; echo $?")).toBe("inactive\n3\n");
    world.simulation.advance(60_000);
    expect(run("kubectl get node node-2 --no-headers | tr -s ' ' | cut -d ' ' -f 2")).toBe("NotReady\n");
    expect(run("ssh node-2 systemctl status kubelet")).toContain("Active: inactive (dead) since Thu 2026-01-15 09:00:");
    run("ssh node-2 systemctl start kubelet");
    world.simulation.advance(30_000);
    expect(run("kubectl get node node-2 --no-headers | tr -s ' ' | cut -d ' ' -f 2")).toBe("Ready\n");
  });

  it("shows the units, which are enabled, and names what somebody wrote to change them", () => {
    const { run } = sitDown(booted());
    expect(run("ssh node-1 systemctl is-enabled kubelet containerd nginx; echo $?")).toBe("enabled\nenabled\nnot-found\n4\n");
    expect(
      run("ssh node-1 systemctl cat kubelet | grep -E '^(#|EnvironmentFile|RestartSec)'"),
    ).toBe(`# /lib/systemd/system/kubelet.service
RestartSec=10
# /usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
`);
    expect(run("ssh node-1 systemctl cat nginx")).toBe("No files found for nginx.service.\n");
    expect(run("ssh node-1 'systemctl daemon-reload && systemctl restart kubelet'; echo $?")).toBe("0\n");
    const folder = "/etc/systemd/system";
    expect(run(`ssh node-1 'mkdir -p ${folder}/kubelet.service.d; systemctl daemon-reload'`)).toBe(
      `systemctl: ${folder}/kubelet.service.d: not simulated, has no effect\n`,
    );
  });

  it("knows no other unit, and says what it does not do", () => {
    const { run } = sitDown(booted());
    expect(run("ssh node-1 systemctl stop nginx; echo $?")).toBe(
      "Failed to stop nginx.service: Unit nginx.service not found.\n5\n",
    );
    expect(run("ssh node-1 systemctl status nginx; echo $?")).toBe("Unit nginx.service could not be found.\n4\n");
    expect(run("ssh node-1 systemctl enable kubelet")).toContain("not simulated");
    expect(run("ssh node-1 systemctl status kubelet --no-pager -l")).toBe(run("ssh node-1 systemctl status kubelet"));
    expect(run("ssh node-1 systemctl status kubelet -n 5")).toBe("systemctl: option -n: not simulated\n");
    expect(run("ssh node-1 systemctl status")).toBe("systemctl status: of the whole machine: not simulated\n");
    expect(run("ssh node-1 systemctl start; echo $?")).toBe("Too few arguments.\n1\n");
    expect(run("ssh node-1 'systemctl daemon-reload; echo $?'")).toBe("0\n");
    expect(run("systemctl status kubelet")).toContain("command not found");
  });

  it("is what `service` hands over to", () => {
    const { run } = sitDown(booted());
    expect(
      run("ssh node-1 'service kubelet stop; service kubelet is-active; service kubelet restart; service kubelet is-active'"),
    ).toBe("inactive\nactive\n");
    expect(run("ssh node-1 'service nginx restart; echo $?'")).toBe(
      "Failed to restart nginx.service: Unit nginx.service not found.\n5\n",
    );
    expect(run("ssh node-1 'service kubelet; echo $?'")).toMatch(/^Usage: service .*\n1\n$/u);
  });

  it("[POD-213] [POD-214] restarts the kubelet with what its configuration file says by then", () => {
    const world = booted();
    const { run } = sitDown(world);
    const file = "/var/lib/kubelet/config.yaml";
    run(`ssh node-1 "sed -i 's/^crashLoopBackOff: {}/crashLoopBackOff: {maxContainerRestartPeriod: 3s}/' ${file}"`);
    run("ssh node-1 systemctl restart kubelet");
    run(`kubectl run p --image=busybox:1.36 --overrides='{"spec":{"nodeName":"node-1"}}' -- sh -c 'exit 1'`);
    world.simulation.advance(30_000);
    expect(run("ssh node-1 journalctl -u kubelet")).toContain("back-off 3s restarting failed container=p");
  });

  it("[POD-213] a kubelet that does not start with its configuration says why, and is started again and again", () => {
    const world = booted();
    const { run } = sitDown(world);
    const file = "/var/lib/kubelet/config.yaml";
    run(`ssh node-1 "sed -i 's/^crashLoopBackOff: {}/crashLoopBackOff: {maxContainerRestartPeriod: 400s}/' ${file}"`);
    expect(run("ssh node-1 systemctl restart kubelet; echo $?")).toBe("0\n");
    expect(run("ssh node-1 systemctl is-active kubelet; echo $?")).toBe("activating\n3\n");
    expect(run("ssh node-1 systemctl status kubelet")).toContain("Active: activating (auto-restart) (Result: exit-code) since");
    world.simulation.advance(45_000);
    const status = run("ssh node-1 systemctl status kubelet").trimEnd().split("\n");
    const [, ago = ""] = /; (\d+)s ago$/u.exec(status.find((line) => line.includes("Active:")) ?? "") ?? [];
    expect([Number(ago) < 11, status.length]).toEqual([true, 17]);
    expect(status.slice(-10).join("\n")).toBe(run("ssh node-1 journalctl -u kubelet -n 10").trimEnd());
    expect(run("ssh node-1 journalctl -u kubelet -n 3")).toContain(
      "CrashLoopBackOff.MaxContainerRestartPeriod (got: 400 seconds) must be set between 1s and 300s",
    );
    run(`ssh node-1 "sed -i 's/400s/300s/' ${file}"`);
    world.simulation.advance(11_000);
    expect(run("ssh node-1 systemctl is-active kubelet")).toBe("active\n");
    run(`ssh node-1 rm ${file}`);
    run("ssh node-1 systemctl restart kubelet");
    expect(run("ssh node-1 journalctl -u kubelet -n 3")).toContain(`open ${file}: no such file or directory`);
    run("ssh node-1 systemctl stop kubelet");
    world.simulation.advance(30_000);
    expect(run("ssh node-1 systemctl is-active kubelet; echo $?")).toBe("inactive\n3\n");
  });
});
