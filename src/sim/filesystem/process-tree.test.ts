// /proc/<pid>/root and its neighbours: what one process may see of another's.

import { describe, expect, it } from "vitest";
import { SysError } from "../errors.ts";
import { machine, tree } from "../kernel.test-kit.ts";
import type { StartOptions } from "../kernel.ts";
import type { Process } from "../program.ts";

const own = tree({ "/etc/os-release": "debugger\n", "/bin/sh": "sh\n" });
const others = tree({
  "/etc/os-release": "server\n",
  "/srv/data": { type: "directory", permissions: 0o755 },
  "/relative": { type: "symlink", target: "etc/os-release" },
  "/absolute": { type: "symlink", target: "/etc/os-release" },
});
const plain = new Set(["CHOWN", "DAC_OVERRIDE", "KILL", "SYS_CHROOT"]);

/** A server with a tree and a volume of its own, and a program in the same PID namespace that looks at it. */
function looking<T>(use: (self: Process) => T, caller: Partial<StartOptions> = {}, server: Partial<StartOptions> = {}): T | string {
  const world = machine(own);
  const volume = world.kernel.createTmpfs();
  const mounts = world.kernel.createMountNamespace(world.kernel.createDisk(others), [{ path: "/srv/data", fileSystem: volume }]);
  world.kernel.files(mounts).writeFile("/srv/data/state", "full\n");
  world.start(
    function* (self) {
      return yield* self.pause();
    },
    { mounts, capabilities: plain, env: new Map([["TOKEN", "abc"]]), background: true, ...server },
  );
  let result: T | string = "did not run";
  world.run(
    function* (self) {
      try {
        result = use(self);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        result = error.code;
      }
      return 0;
    },
    { capabilities: plain, ...caller },
  );
  return result;
}

describe("/proc/<pid>/root", () => {
  it.each<[string, (self: Process) => unknown, unknown]>([
    ["leads to what the other process sees", (self) => self.readText("/proc/2/root/etc/os-release"), "server\n"],
    ["lists it", (self) => self.readdir("/proc/2/root"), ["absolute", "dev", "etc", "proc", "relative", "srv", "sys"]],
    ["has its volumes too", (self) => self.readText("/proc/2/root/srv/data/state"), "full\n"],
    ["has nothing of the caller's", (self) => self.readText("/proc/2/root/bin/sh"), "ENOENT"],
    ["is a link to the root", (self) => `${self.lstat("/proc/2/root").type} ${self.readlink("/proc/2/root")}`, "symlink /"],
    ["ends there on the way up", (self) => self.readText("/proc/2/root/srv/../../../etc/os-release"), "server\n"],
    ["holds relative links", (self) => self.readText("/proc/2/root/relative"), "server\n"],
    ["has absolute links lead to the caller's files", (self) => self.readText("/proc/2/root/absolute"), "debugger\n"],
    ["is the caller's own for itself", (self) => self.readText("/proc/self/root/etc/os-release"), "debugger\n"],
    [
      "can be walked to and from",
      (self) => {
        self.chdir("/proc/2/root/srv");
        return `${self.readText("data/state")}${self.readText("../etc/os-release")}`;
      },
      "full\nserver\n",
    ],
    [
      "takes what is written",
      (self) => {
        self.writeFile("/proc/2/root/srv/data/note", "seen\n");
        self.writeFile("/proc/2/root/etc/note", "seen\n");
        return [self.readdir("/proc/2/root/srv/data"), self.readText("/proc/2/root/etc/note"), self.exists("/etc/note")];
      },
      [["note", "state"], "seen\n", false],
    ],
    ["keeps mount points", (self) => self.rmdir("/proc/2/root/srv/data"), "EBUSY"],
    [
      "can become the root",
      (self) => {
        self.chroot("/proc/2/root");
        return `${self.readText("/absolute")}${self.readText("/srv/data/state")}`;
      },
      "server\nfull\n",
    ],
  ])("%s", (_title, use, expected) => {
    expect(looking(use)).toEqual(expected);
  });

  it("[POD-359] is open to those who may trace the process, as are its environment, its directory and its files", () => {
    const read = (self: Process) => self.readText("/proc/2/root/etc/os-release");
    const environ = (self: Process) => self.readText("/proc/2/environ");
    const directory = (self: Process) => self.readText("/proc/2/cwd/state");
    const descriptor = (self: Process) => self.readlink("/proc/2/fd/1");
    const server = { uid: 65532, gid: 65532, cwd: "/srv/data" };
    const tracer = { capabilities: new Set([...plain, "SYS_PTRACE"]) };
    for (const use of [read, environ, directory, descriptor]) expect(looking(use, {}, server)).toBe("EACCES");
    expect([read, environ, directory, descriptor].map((use) => looking(use, tracer, server))).toEqual([
      "server\n",
      "TOKEN=abc\0",
      "full\n",
      "/dev/null",
    ]);
    expect(looking(read, { uid: 65532, gid: 65532 }, server)).toBe("server\n");
    expect(looking(read, { uid: 1000, gid: 1000, ...tracer }, server)).toBe("EACCES");
    expect(looking(read, {}, { capabilities: undefined })).toBe("EACCES");
    expect(looking(read, { capabilities: undefined }, server)).toBe("server\n");
  });

  it("tells in status what root may do", () => {
    const rows = (self: Process) =>
      self
        .readText("/proc/self/status")
        .split("\n")
        .filter((row) => /^Cap(Prm|Eff|Bnd)/.test(row));
    const row = (bits: string) => ["CapPrm", "CapEff", "CapBnd"].map((name) => `${name}:\t${bits}`);
    expect(looking(rows, { capabilities: new Set(["NET_ADMIN", "NET_RAW", "CHECKPOINT_RESTORE"]) })).toEqual(
      row("0000010000003000"),
    );
    expect(looking(rows, { capabilities: undefined })).toEqual(row("000001ffffffffff"));
    expect(looking(rows, { uid: 1000 })).toEqual([
      "CapPrm:\t0000000000000000",
      "CapEff:\t0000000000000000",
      "CapBnd:\t0000000000040023",
    ]);
  });

  it("tells in status how it is restricted", () => {
    const rows = (self: Process) => self.readText("/proc/self/status").split("\n").slice(-4, -1);
    expect(looking(rows)).toEqual(["NoNewPrivs:\t0", "Seccomp:\t0", "Seccomp_filters:\t0"]);
    expect(looking(rows, { restrictions: { noNewPrivileges: true, isFiltered: true } })).toEqual([
      "NoNewPrivs:\t1",
      "Seccomp:\t2",
      "Seccomp_filters:\t1",
    ]);
  });
});
