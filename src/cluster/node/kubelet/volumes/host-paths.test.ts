// Volumes that are paths of the node.

import { describe, expect, it } from "vitest";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { logOf, shell, startedCluster } from "../kubelet.test-kit.ts";

function run(cluster: SmallCluster, path: string, type: string | undefined, script = "sleep 3600", name = "p"): void {
  cluster.createPod(name, {
    volumes: [{ name: "v", hostPath: { path, ...(type === undefined ? {} : { type }) } }],
    containers: [shell("c", script, { volumeMounts: [{ name: "v", mountPath: "/v" }] })],
  });
  cluster.simulation.advance(10_000);
}

/** With a file, a directory, a socket and a device. */
function withPaths(): SmallCluster {
  const cluster = startedCluster();
  const { files } = cluster.node.machine;
  files.makeDirectories("/srv/dir");
  files.writeFile("/srv/file", "here\n");
  files.bindSocket("/srv/socket", {} as never);
  return cluster;
}

describe("a path of the node", () => {
  // Since 1.32 the kubelet says what it found.
  it.each([
    ["/srv/none", "Directory", "hostPath /srv/none doesn't exist"],
    ["/srv/none", "File", "hostPath /srv/none doesn't exist"],
    ["/srv/none", "Socket", "hostPath /srv/none doesn't exist"],
    ["/srv/file/x", "Directory", "hostPath /srv/file/x doesn't exist"],
    ["/srv/file", "Directory", "hostPath type check failed: /srv/file is not a directory, it's a File"],
    ["/srv/file", "DirectoryOrCreate", "hostPath type check failed: /srv/file is not a directory, it's a File"],
    ["/srv/dir", "File", "hostPath type check failed: /srv/dir is not a file, it's a Directory"],
    ["/srv/dir", "FileOrCreate", "hostPath type check failed: /srv/dir is not a file, it's a Directory"],
    ["/srv/dir", "Socket", "hostPath type check failed: /srv/dir is not a socket file, it's a Directory"],
    ["/srv/socket", "CharDevice", "hostPath type check failed: /srv/socket is not a character device, it's a Socket"],
    ["/dev/null", "BlockDevice", "hostPath type check failed: /dev/null is not a block device, it's a CharDevice"],
  ])("[NET-290] is not mounted where it is not what the type wants: %s as %s", (path, type, message) => {
    const cluster = withPaths();
    run(cluster, path, type);
    expect(cluster.eventsOf("p")[0]).toMatch(/^Warning FailedMount MountVolume\.SetUp failed for volume "v" : .* x\d$/u);
    expect(cluster.eventsOf("p")[0]).toContain(` : ${message} x`);
  });

  it.each([
    ["/srv/dir", "Directory"],
    ["/srv/dir", "DirectoryOrCreate"],
    ["/srv/file", "File"],
    ["/srv/file", "FileOrCreate"],
    ["/srv/socket", "Socket"],
    ["/dev/null", "CharDevice"],
    ["/srv/file", ""],
    ["/srv/file", undefined],
  ])("[NET-290] is mounted where it is what the type wants: %s as %s", (path, type) => {
    const cluster = withPaths();
    run(cluster, path, type);
    cluster.untilReady("p");
  });

  it("[NET-291] is made where the type says so, as a directory with what leads to it, or as a file in one that is there", () => {
    const cluster = withPaths();
    const look = "stat -c '%F %a %u %g' /v; sleep 3600";
    run(cluster, "/srv/new/deep", "DirectoryOrCreate", look);
    expect(logOf(cluster, "p", "c")).toBe("directory 755 0 0\n");
    run(cluster, "/srv/new/file", "FileOrCreate", look, "q");
    expect(logOf(cluster, "q", "c")).toBe("regular empty file 644 0 0\n");
    expect(cluster.node.machine.files.stat("/srv/new").permissions).toBe(0o755);
  });

  it.each([
    ["/none/deep/file", "FileOrCreate", "open /none/deep/file: no such file or directory"],
    ["/srv/file/x/y", "DirectoryOrCreate", "mkdir /srv/file: not a directory"],
  ])("[NET-291] says why it could not be made: %s as %s", (path, type, message) => {
    const cluster = withPaths();
    run(cluster, path, type);
    expect(cluster.eventsOf("p")[0]).toContain(`Warning FailedMount MountVolume.SetUp failed for volume "v" : ${message} x`);
  });

  it("[NET-292] is made by the runtime, as a directory, where it is missing and has no type", () => {
    const cluster = withPaths();
    run(cluster, "/srv/a/b", "", "stat -c '%F %a' /v; echo x > /v/f; sleep 3600");
    expect(logOf(cluster, "p", "c")).toBe("directory 755\n");
    expect(cluster.node.machine.files.readText("/srv/a/b/f")).toBe("x\n");
  });
});
