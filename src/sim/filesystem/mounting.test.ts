import { describe, expect, it } from "vitest";
import { SysError } from "../errors.ts";
import { machine, tree } from "../kernel.test-kit.ts";
import type { StartOptions } from "../kernel.ts";
import type { Process } from "../program.ts";

const files = tree({
  "/srv/base/plan": "plan\n",
  "/srv/base/sub": { type: "directory", permissions: 0o755 },
  "/mnt": { type: "directory", permissions: 0o755 },
  "/file": "file\n",
});

function inProcess(use: (self: Process) => unknown, options: Partial<StartOptions> = {}): unknown {
  let result: unknown;
  machine(files).run(function* (self) {
    try {
      result = use(self);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      result = error.code;
    }
    return 0;
  }, options);
  return result;
}

describe("mount(2)", () => {
  it.each<[string, (self: Process) => unknown, unknown]>([
    [
      "covers a directory with memory until it is unmounted",
      (self) => {
        self.mount({ source: "tmpfs", type: "tmpfs", sizeBytes: 1024 }, "/srv/base");
        self.writeFile("/srv/base/new", "new\n");
        const covered = self.readdir("/srv/base");
        const [mounted] = self.mounts().filter(({ path }) => path === "/srv/base");
        self.unmount("/srv/base");
        return [covered, mounted?.type, mounted?.options, mounted?.sizeBytes, self.readdir("/srv/base")];
      },
      [["new"], "tmpfs", "rw,relatime", 1024, ["plan", "sub"]],
    ],
    [
      "shows a directory at another path",
      (self) => {
        self.mount({ source: "/srv/base" }, "/mnt");
        self.writeFile("/mnt/sub/new", "new\n");
        return self.readText("/srv/base/sub/new");
      },
      "new\n",
    ],
    [
      "shows what is mounted below it only if that is asked for",
      (self) => {
        self.mount({ source: "tmpfs", type: "tmpfs" }, "/srv/base/sub");
        self.writeFile("/srv/base/sub/new", "new\n");
        self.mount({ source: "/srv/base" }, "/mnt");
        const alone = self.readdir("/mnt/sub");
        self.unmount("/mnt");
        self.mount({ source: "/srv/base", isRecursive: true }, "/mnt");
        return [alone, self.readdir("/mnt/sub")];
      },
      [[], ["new"]],
    ],
    [
      "leaves what is below a read-only mount as it is",
      (self) => {
        self.mount({ source: "tmpfs", type: "tmpfs" }, "/srv/base/sub");
        self.mount({ source: "/srv/base", isRecursive: true, readOnly: true }, "/mnt");
        self.writeFile("/mnt/sub/new", "new\n");
        self.writeFile("/mnt/new", "new\n");
        return undefined;
      },
      "EROFS",
    ],
    ["covers no file with a directory", (self) => self.mount({ source: "/srv/base" }, "/file"), "ENOTDIR"],
    ["wants a target", (self) => self.mount({ source: "/srv/base" }, "/nope"), "ENOENT"],
    ["wants a source", (self) => self.mount({ source: "/nope" }, "/mnt"), "ENOENT"],
    ["takes away what is mounted, and nothing else", (self) => self.unmount("/srv/base"), "EINVAL"],
    ["leaves the root", (self) => self.unmount("/"), "EINVAL"],
  ])("%s", (_, use, expected) => {
    expect(inProcess(use)).toEqual(expected);
  });

  it.each<[string, Partial<StartOptions>]>([
    ["another user", { uid: 1000, gid: 1000 }],
    ["root without the capability", { capabilities: new Set(["SYS_CHROOT"]) }],
  ])("is not for %s", (_, options) => {
    expect(inProcess((self) => self.mount({ source: "tmpfs", type: "tmpfs" }, "/mnt"), options)).toBe("EPERM");
    expect(inProcess((self) => self.unmount("/proc"), options)).toBe("EPERM");
  });
});
