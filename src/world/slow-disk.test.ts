// Nodes whose disk is slow: by virsh on the workstation, and from the start.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function sitting(nodes: ConstructorParameters<typeof World>[0]["nodes"] = 1) {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: {} });
  world.boot();
  return { world, ...sitDown(world) };
}

/** How long the last pull of the image took, in seconds, as its event says. */
function pullSeconds(events: string): number {
  return Number(/in (?:(\d+)m)?([\d.]+)s/.exec(events)?.[2]) + 60 * Number(/in (\d+)m/.exec(events)?.[1] ?? 0);
}

const pulled = `kubectl get events --field-selector reason=Pulled -o jsonpath='{.items[*].message}'; echo`;

describe("a slow disk", () => {
  it("makes pulls wait until the image is on it", () => {
    const { run } = sitting();
    expect(run("virsh blkdeviotune node-1 vda --total-bytes-sec 1M")).toBe("\n");
    run("kubectl run web --image=nginx:1.27-alpine; kubectl wait pod/web --for=condition=Ready --timeout=5m");
    expect(Math.round(pullSeconds(run(pulled)))).toBe(21);
  });

  it("may be there from the start, and be mended", () => {
    const { run } = sitting([{ diskBytesPerSecond: 512 * 1024 }]);
    expect(run("virsh blkdeviotune node-1 vda | head -1")).toBe("total_bytes_sec: 524288\n");
    run("virsh blkdeviotune node-1 vda --total-bytes-sec 0");
    run("kubectl run web --image=nginx:1.27-alpine; kubectl wait pod/web --for=condition=Ready");
    expect(pullSeconds(run(pulled))).toBeLessThan(5);
  });

  it("is felt by a program that waits for its writes, in a container too", () => {
    const { run } = sitting();
    run("virsh blkdeviotune node-1 vda --write-bytes-sec 2MiB");
    run("kubectl run box --image=busybox:1.36 -- sleep 1d; kubectl wait pod/box --for=condition=Ready");
    expect(run("kubectl exec box -- dd if=/dev/zero of=/tmp/a bs=1M count=20 conv=fsync 2>&1 | tail -1")).toContain("copied, 10.0");
    expect(run("kubectl exec box -- dd if=/dev/zero of=/tmp/a bs=1M count=20 2>&1 | tail -1")).toContain("copied, 0.0");
    expect(run("kubectl exec box -- dd if=/dev/zero of=/dev/shm/a bs=1M count=20 conv=fsync 2>&1 | tail -1")).toContain(
      "copied, 0.0",
    );
    run("ssh node-1 dd if=/dev/zero of=/root/a bs=1M count=100 oflag=direct & sleep 3");
    expect(run("ssh node-1 ps ax -o stat=,comm= | grep dd")).toMatch(/^D +dd\n$/);
  });

  it("shows its limits in virsh's words", () => {
    const { run } = sitting();
    expect(run("virsh domblklist node-1")).toBe(
      [
        " Target   Source",
        "------------------------------------------------",
        " vda      /var/lib/libvirt/images/node-1.qcow2",
        "",
        "",
      ].join("\n"),
    );
    run("virsh blkdeviotune node-1 vda --write-bytes-sec 1k");
    expect(run("virsh blkdeviotune node-1 vda").split("\n").slice(0, 7)).toEqual([
      "total_bytes_sec: 0",
      "read_bytes_sec : 0",
      "write_bytes_sec: 1024",
      "total_iops_sec : 0",
      "read_iops_sec  : 0",
      "write_iops_sec : 0",
      "total_bytes_sec_max: 0",
    ]);
  });

  it.each([
    ["node-1", "error: command 'blkdeviotune' requires <device> option\n"],
    ["node-9 vda", "error: failed to get domain 'node-9'\n\n"],
    [
      "node-1 sda",
      "error: Unable to get block I/O throttle parameters\nerror: invalid argument: disk 'sda' was not found in the domain config\n",
    ],
    [
      "node-1 vda --total-bytes-sec 1 --write-bytes-sec 1",
      "error: Unable to change block I/O throttle\nerror: invalid argument: total and read/write of bytes_sec cannot be set at the same time\n",
    ],
    [
      "node-1 vda --write-bytes-sec much",
      "error: Unable to parse integer parameter\nerror: Scaled numeric value 'much' for <write_bytes_sec> option is malformed or out of range\n",
    ],
    [
      "node-1 vda --read-iops-sec 1",
      "virsh blkdeviotune --read-iops-sec: not simulated; there are --total-bytes-sec and --write-bytes-sec (reads come from memory)\n",
    ],
  ])("refuses virsh blkdeviotune %s", (args, message) => {
    expect(sitting().run(`virsh blkdeviotune ${args}`)).toBe(message);
  });
});
