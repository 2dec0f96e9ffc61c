import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import { machine, tree } from "../kernel.test-kit.ts";
import type { Process } from "../program.ts";
import { openAt } from "./calls.ts";

const image = tree({
  "/etc/passwd": "root:x:0:0\n",
  "/etc/shadow": { type: "file", content: "secret\n", permissions: 0o600 },
  "/usr/share/html/index.html": "<h1>hi</h1>\n",
  "/tmp": { type: "directory", permissions: 0o1777 },
  "/var/www": { type: "symlink", target: "../usr/share/html" },
  "/loop": { type: "symlink", target: "loop" },
});

/** Runs plain calls in a process and gives what they return, or the errno. */
function inProcess<T>(
  use: (self: Process) => T,
  options: {
    uid?: number;
    groups?: readonly number[];
    capabilities?: ReadonlySet<string>;
    world?: ReturnType<typeof machine>;
  } = {},
): T | string {
  const world = options.world ?? machine(image);
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
    { uid: options.uid ?? 0, gid: options.uid ?? 0, groups: options.groups ?? [], capabilities: options.capabilities },
  );
  return result;
}

function made(self: Process, path: string, mask = 0o022): FileStat {
  self.umask(mask);
  self.writeFile(path, "");
  return self.stat(path);
}

describe("paths", () => {
  it.each<[string, (self: Process) => unknown, unknown]>([
    ["follow links and ..", (self) => self.realpath("/var/www/../../share/./html/index.html"), "/usr/share/html/index.html"],
    ["end in a link that lstat does not follow", (self) => self.lstat("/var/www").type, "symlink"],
    ["end in a link that stat follows", (self) => self.stat("/var/www").type, "directory"],
    ["that run in circles", (self) => self.stat("/loop"), "ELOOP"],
    ["through a file", (self) => self.stat("/etc/passwd/x"), "ENOTDIR"],
    ["with a slash after a file", (self) => self.stat("/etc/passwd/"), "ENOTDIR"],
    ["that lead nowhere", (self) => self.stat("/no/where"), "ENOENT"],
    ["with names too long", (self) => self.stat(`/${"x".repeat(256)}`), "ENAMETOOLONG"],
    ["above the root", (self) => self.realpath("/../../etc"), "/etc"],
  ])("%s", (_title, use, expected) => {
    expect(inProcess(use)).toEqual(expected);
  });
});

describe("permissions", () => {
  it.each<[string, number, (self: Process) => unknown, unknown]>([
    ["others may not read 0600", 1000, (self) => self.readText("/etc/shadow"), "EACCES"],
    ["root may", 0, (self) => self.readText("/etc/shadow"), "secret\n"],
    ["others may not create in root's directory", 1000, (self) => self.mkdir("/etc/x"), "EACCES"],
    ["anyone may create in /tmp", 1000, (self) => made(self, "/tmp/x").uid, 1000],
    ["a mode is not for others to change", 1000, (self) => self.chmod("/etc/passwd", 0o777), "EPERM"],
    ["umask takes bits away", 0, (self) => made(self, "/tmp/x", 0o027).permissions, 0o640],
  ])("%s", (_title, uid, use, expected) => {
    expect(inProcess(use, { uid })).toEqual(expected);
  });

  it("in a sticky directory keep others' files safe", () => {
    const world = machine(image);
    inProcess((self) => self.writeFile("/tmp/mine", ""), { uid: 1, world });
    expect(inProcess((self) => self.unlink("/tmp/mine"), { uid: 2, world })).toBe("EPERM");
    expect(inProcess((self) => self.rename("/tmp/mine", "/tmp/yours"), { uid: 2, world })).toBe("EPERM");
    expect(inProcess((self) => self.unlink("/tmp/mine"), { uid: 1, world })).toBeUndefined();
  });
});

describe("layers", () => {
  it("keep a container's changes from the image and from other containers", () => {
    const { kernel } = machine();
    const [one, two] = [kernel.createOverlay(image), kernel.createOverlay(image)];
    const [first, second] = [one, two].map((layer) => kernel.files(kernel.createMountNamespace(layer)));
    first?.writeFile("/etc/passwd", "changed\n");
    first?.unlink("/usr/share/html/index.html");
    first?.writeFile("/usr/share/html/new.html", "new");
    expect(first?.readText("/etc/passwd")).toBe("changed\n");
    expect(first?.readdir("/usr/share/html")).toEqual(["new.html"]);
    expect(second?.readText("/etc/passwd")).toBe("root:x:0:0\n");
    expect(second?.readdir("/usr/share/html")).toEqual(["index.html"]);
    expect([one.usedBytes, two.usedBytes]).toEqual([11, 0]);
  });

  it("count bytes, give them back with the last link, and refuse what is beyond the limit", () => {
    const { kernel } = machine();
    const layer = kernel.createTmpfs({ limitBytes: 100 });
    const files = kernel.files(kernel.createMountNamespace(layer));
    files.writeFile("/a", "x".repeat(60));
    expect(() => files.writeFile("/b", "x".repeat(60))).toThrow("No space left on device");
    files.unlink("/a");
    files.writeFile("/b", "x".repeat(60));
    expect(layer.usedBytes).toBe(60);
  });

  it("make a content that is provided when it is first read or measured, not when it is asked whether there is one", () => {
    const world = machine(image);
    let makings = 0;
    world.files.provideFile("/etc/key", () => {
      makings += 1;
      return "long work";
    });
    expect(inProcess((self) => self.exists("/etc/key"), { world })).toBe(true);
    expect(makings).toBe(0);
    expect(inProcess((self) => self.stat("/etc/key").sizeBytes, { world })).toBe(9);
    expect(inProcess((self) => self.readText("/etc/key"), { world })).toBe("long work");
    expect(makings).toBe(1);
  });

  it("leave the way to a device as it is, whoever writes to it; the way to a file becomes the layer's", () => {
    const { kernel } = machine();
    const layer = kernel.createOverlay(tree({ "/log/out": { type: "symlink", target: "/dev/null" }, "/etc/conf": "a\n" }));
    const mountNamespace = kernel.createMountNamespace(layer);
    const context = { uid: 0, gid: 0, groups: [], mountNamespace, cwd: "/", umaskBits: 0o022, nowMs: 0 };
    const ownEntries = (): number => (layer.root.shared ? 0 : [...layer.root.ownChildren()].length);
    const append = { write: true, append: true, create: true };
    openAt(context, "/log/out", append).tryWrite(encodeUtf8("x"), undefined as never);
    expect(ownEntries()).toBe(0);
    openAt(context, "/etc/conf", append).tryWrite(encodeUtf8("b\n"), undefined as never);
    expect([ownEntries(), kernel.files(mountNamespace).readText("/etc/conf")]).toEqual([1, "a\nb\n"]);
  });

  it.each([
    ["/run/secrets/token", "/run/secrets/token"],
    ["/var/run/secrets/token", "/run/secrets/token"],
    ["/var/run//secrets/./token/", "/run/secrets/token"],
    ["/var/run/dangling/sub", "/nowhere/sub"],
    ["/var/run/dangling", "/nowhere"],
    ["/file/below", "/file/below"],
    ["/loop/a", "/loop/a"],
    ["/new/a/b", "/new/a/b"],
  ])("show a mount at %s at %s, where its path leads", (path, end) => {
    const { kernel } = machine();
    const files = tree({
      "/run/lock": { type: "directory" },
      "/run/dangling": { type: "symlink", target: "/nowhere" },
      "/var/run": { type: "symlink", target: "/run" },
      "/file": "x",
      "/loop": { type: "symlink", target: "loop" },
    });
    const mounts = kernel.createMountNamespace(kernel.createOverlay(files));
    mounts.addAtEnd({ path, fileSystem: kernel.createTmpfs() });
    expect(mounts.mounts.at(-1)?.path).toBe(end);
  });

  it("show mounts over the tree: directories, single files, read-only ones, and the way to them", () => {
    const { kernel, files: host } = machine();
    host.makeDirectories("/var/lib/kubelet/volume");
    host.writeFile("/var/lib/kubelet/volume/key", "value");
    host.writeFile("/var/lib/kubelet/hosts", "127.0.0.1 localhost\n");
    const mounts = kernel.createMountNamespace(kernel.createOverlay(image), [
      { path: "/etc/hosts", ...host.bind("/var/lib/kubelet/hosts") },
      { path: "/var/run/secrets/token", ...host.bind("/var/lib/kubelet/volume"), readOnly: true },
    ]);
    const inside = kernel.files(mounts);
    expect(inside.readText("/etc/hosts")).toBe("127.0.0.1 localhost\n");
    expect(inside.readText("/var/run/secrets/token/key")).toBe("value");
    expect(inside.readdir("/var")).toEqual(["run", "www"]);
    expect(inside.readdir("/etc")).toEqual(["hosts", "passwd", "shadow"]);
    expect(() => inside.writeFile("/var/run/secrets/token/key", "x")).toThrow("Read-only file system");
    inside.writeFile("/var/run/pid", "1");
    expect(inside.readdir("/var/run")).toEqual(["pid", "secrets"]);
    host.writeFile("/var/lib/kubelet/volume/key", "new value");
    expect(inside.readText("/var/run/secrets/token/key")).toBe("new value");
  });

  it("swap a symbolic link in one step, as atomic volume updates do", () => {
    const { files } = machine();
    files.mkdir("/v1");
    files.writeFile("/v1/key", "old");
    files.mkdir("/v2");
    files.writeFile("/v2/key", "new");
    files.symlink("v1", "/..data");
    files.symlink("..data/key", "/key");
    expect(files.readText("/key")).toBe("old");
    files.symlink("v2", "/..data_tmp");
    files.rename("/..data_tmp", "/..data");
    expect([files.readText("/key"), files.readdir("/").includes("..data_tmp")]).toEqual(["new", false]);
  });
});

describe("open files", () => {
  it("append, seek and truncate", () => {
    const result = inProcess((self) => {
      self.writeFile("/tmp/log", "one\n");
      self.writeFile("/tmp/log", "two\n", { append: true });
      self.truncate("/tmp/log", 6);
      self.link("/tmp/log", "/tmp/again");
      return [self.readText("/tmp/again"), self.stat("/tmp/log").links];
    });
    expect(result).toEqual(["one\ntw", 2]);
  });

  it("behave like a plain array of bytes", () => {
    const operation = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), at: fc.nat(200), length: fc.nat(100) }),
      fc.record({ kind: fc.constant("truncate" as const), at: fc.nat(250), length: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const { run } = machine();
        let model = new Uint8Array(0);
        run(function* (self) {
          const fd = self.open("/tmp/file", { read: true, write: true, create: true });
          for (const [index, { kind, at, length }] of operations.entries()) {
            let size = at;
            if (kind === "write") size = length === 0 ? model.length : Math.max(model.length, at + length);
            const next = new Uint8Array(size);
            next.set(model.subarray(0, size));
            if (kind === "write") {
              const data = new Uint8Array(length).fill(index + 1);
              next.set(data, length === 0 ? 0 : at);
              self.seek(fd, at);
              yield* self.write(fd, data);
            } else self.truncate("/tmp/file", at);
            model = next;
          }
          expect([...self.readFile("/tmp/file")]).toEqual([...model]);
          return 0;
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe("devices and /proc", () => {
  it("give null, zero, random bytes and the process's own descriptors", () => {
    const { run } = machine();
    const result = run(function* (self) {
      const zero = self.open("/dev/zero", { read: true });
      const bytes = yield* self.read(zero, 4);
      self.writeFile("/dev/null", "gone");
      self.writeFile("/dev/stdout", `${bytes.join()} ${self.readFile("/dev/null").length}\n`);
      yield* self.write(1, self.readText("/proc/self/cmdline").replaceAll("\0", " "));
      yield* self.write(1, `${self.readlink("/proc/self/fd/1")} ${self.readdir("/proc/self/fd").join()}\n`);
      const status = self.readText("/proc/1/status").split("\n");
      yield* self.write(1, `${status[0]} / ${status[2]}\n`);
      return 0;
    });
    expect(result.stdout).toBe("0,0,0,0 0\ntest pipe:[0] 0,1,2,3\nName:\tinit / State:\tS (sleeping)\n");
  });
});

describe("what root may do with files", () => {
  const shadow = "/etc/shadow";
  const mine = "/tmp/of-1000";
  const worldWithMine = () => {
    const world = machine(image);
    const writeMine = (self: Process) => {
      self.writeFile(mine, "secret");
      self.chmod(mine, 0o600);
      self.mkdir("/tmp/dir-of-1000", 0o700);
    };
    expect(inProcess(writeMine, { uid: 1000, world })).toBeUndefined();
    return world;
  };
  const calls: { readonly [name: string]: (self: Process) => unknown } = {
    "chown own": (self) => self.chown(shadow, 1000, 1000),
    "read another's": (self) => self.readText(mine),
    "write another's": (self) => self.writeFile(mine, "x"),
    "list another's directory": (self) => self.readdir("/tmp/dir-of-1000"),
    "make in another's directory": (self) => self.writeFile("/tmp/dir-of-1000/x", ""),
    "chmod another's": (self) => self.chmod(mine, 0o644),
    chroot: (self) => self.chroot("/tmp"),
  };
  const allowed = (...capabilities: readonly string[]): readonly string[] =>
    Object.entries(calls).flatMap(([name, call]) =>
      inProcess((self) => String(call(self)), { world: worldWithMine(), capabilities: new Set(capabilities) }) === "EPERM" ||
      inProcess((self) => String(call(self)), { world: worldWithMine(), capabilities: new Set(capabilities) }) === "EACCES"
        ? []
        : [name],
    );

  it("hangs on its capabilities", () => {
    expect(allowed()).toEqual([]);
    expect(allowed("CHOWN")).toEqual(["chown own"]);
    expect(allowed("FOWNER")).toEqual(["chmod another's"]);
    expect(allowed("DAC_READ_SEARCH")).toEqual(["read another's", "list another's directory"]);
    expect(allowed("DAC_OVERRIDE")).toEqual([
      "read another's",
      "write another's",
      "list another's directory",
      "make in another's directory",
    ]);
    expect(allowed("SYS_CHROOT")).toEqual(["chroot"]);
  });
});

describe("a directory with the set-group-ID bit", () => {
  it("gives its group to what is made in it, and its bit to directories", () => {
    const world = machine(image);
    const shared = (self: Process) => {
      self.mkdir("/tmp/shared", 0o777);
      self.chown("/tmp/shared", 0, 2000);
      self.chmod("/tmp/shared", 0o2777);
    };
    expect(inProcess(shared, { world })).toBeUndefined();
    const found = inProcess(
      (self) => {
        self.writeFile("/tmp/shared/file", "");
        self.mkdir("/tmp/shared/sub");
        self.writeFile("/tmp/shared/sub/file", "");
        self.writeFile("/tmp/plain", "");
        return ["shared/file", "shared/sub", "shared/sub/file", "plain"].map((name) => {
          const { gid, permissions } = self.stat(`/tmp/${name}`);
          return `${gid} ${permissions.toString(8)}`;
        });
      },
      { uid: 1000, groups: [2000], world },
    );
    expect(found).toEqual(["2000 644", "2000 2755", "2000 644", "1000 644"]);
  });
});
