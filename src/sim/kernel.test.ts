import { describe, expect, it } from "vitest";
import type { SysError } from "./errors.ts";
import { collector, machine, tree } from "./kernel.test-kit.ts";
import { Kernel } from "./kernel.ts";
import type { Program } from "./program.ts";
import type { Signal } from "./signals.ts";

const echo: Program = function* (self) {
  yield* self.write(1, `${self.argv.slice(1).join(" ")}\n`);
  return 0;
};

describe("the world's own bounds", () => {
  it("leave room for the files of as many machines as there are, or for 256 MiB", () => {
    const { kernel } = machine();
    const limits = [2, 300, 5000].map((machines) => {
      const many = new Kernel(kernel.simulation);
      for (let count = 0; count < machines; count += 1) many.createDisk(tree({}));
      return many.backing.files.limitBytes / 1024 ** 2;
    });
    expect(limits).toEqual([256, 300, 5000]);
  });
});

describe("starting programs", () => {
  it("runs a program given directly and gives its output and exit code", () => {
    const { run } = machine();
    const program: Program = function* (self) {
      yield* self.write(1, "out\n");
      yield* self.write(2, "err\n");
      return 3;
    };
    expect(run(program)).toEqual({ code: 3, stdout: "out\n", stderr: "err\n" });
  });

  it("finds executables by path and along PATH, and runs scripts by their interpreter", () => {
    const { run } = machine(
      tree({
        "/bin/echo": echo,
        "/opt/hello": { type: "file", content: "#!/bin/echo -x y\n", permissions: 0o755 },
      }),
    );
    expect(run("/bin/echo", { argv: ["echo", "a", "b"] }).stdout).toBe("a b\n");
    expect(run("echo", { argv: ["echo", "c"] }).stdout).toBe("c\n");
    expect(run("/opt/hello", { argv: ["hello", "z"] }).stdout).toBe("-x y /opt/hello z\n");
  });

  it.each([
    ["/nowhere", "No such file or directory"],
    ["/etc/passwd", "Permission denied"],
    ["/etc", "Permission denied"],
    ["/opt/plain", "Exec format error"],
  ])("refuses to start %s: %s", (path, message) => {
    const { start } = machine(
      tree({ "/etc/passwd": "root\n", "/opt/plain": { type: "file", content: "hello\n", permissions: 0o755 } }),
    );
    expect(() => start(path)).toThrow(message);
  });

  it("starts a copy of a binary", () => {
    const { run } = machine(tree({ "/bin/echo": echo, "/tmp": { type: "directory" } }));
    const program: Program = function* (self) {
      self.writeFile("/tmp/copy", self.readFile("/bin/echo"), { permissions: 0o755 });
      const pid = self.spawn({ run: "/tmp/copy", argv: ["copy", "works"] });
      return (yield* self.wait(pid))?.code ?? 9;
    };
    expect(run(program)).toEqual({ code: 0, stdout: "works\n", stderr: "" });
  });
});

describe("pipes between processes", () => {
  it("connects a child's output to another's input", () => {
    const { run } = machine();
    const upper: Program = function* (self) {
      for (;;) {
        const bytes = yield* self.read(0);
        if (bytes.length === 0) return 0;
        yield* self.write(1, new TextDecoder().decode(bytes).toUpperCase());
      }
    };
    const shell: Program = function* (self) {
      const [read, write] = self.pipe();
      const first = self.spawn({
        run: echo,
        argv: ["echo", "hello"],
        fds: new Map([
          [0, 0],
          [1, write],
          [2, 2],
        ]),
      });
      const second = self.spawn({
        run: upper,
        argv: ["upper"],
        fds: new Map([
          [0, read],
          [1, 1],
          [2, 2],
        ]),
      });
      self.close(read);
      self.close(write);
      yield* self.wait(first);
      yield* self.wait(second);
      return 0;
    };
    expect(run(shell)).toEqual({ code: 0, stdout: "HELLO\n", stderr: "" });
  });

  it("ends a writer whose reader has gone with PIPE", () => {
    const { run } = machine();
    const shell: Program = function* (self) {
      const [read, write] = self.pipe();
      const yes: Program = function* (child) {
        for (;;) yield* child.write(1, "y\n");
      };
      const pid = self.spawn({ run: yes, argv: ["yes"], fds: new Map([[1, write]]) });
      self.close(write);
      yield* self.read(read, 2);
      self.close(read);
      const status = yield* self.wait(pid);
      yield* self.write(1, `${status?.code} ${status?.signal}\n`);
      return 0;
    };
    expect(run(shell).stdout).toBe("141 PIPE\n");
  });
});

describe("signals", () => {
  const sleeper: Program = function* (self) {
    yield* self.sleep(1e9);
    return 0;
  };
  const careful: Program = function* (self) {
    self.setSignal("TERM", "catch");
    try {
      yield* self.sleep(1e9);
    } catch {
      yield* self.write(1, `${self.takeSignals().join()} at ${self.nowMs - 1_767_225_600_000}\n`);
    }
    return 7;
  };

  it("ends a process by default, with 128 + number", () => {
    const { start, simulation } = machine();
    const handle = start(sleeper);
    simulation.advance(10);
    handle.signal("TERM");
    expect(handle.exit).toEqual({ code: 143, signal: "TERM", outOfMemory: false });
  });

  it("interrupts the blocking call of a process that catches it", () => {
    const { start, simulation } = machine();
    const output = collector();
    const handle = start(careful, { stdout: output.sink });
    simulation.advance(10);
    handle.signal("TERM");
    simulation.advance(10);
    expect([handle.exit?.code, output.text()]).toEqual([7, "TERM at 10\n"]);
  });

  it("spares PID 1 without a handler from everything but KILL from outside", () => {
    const { start, simulation, kernel } = machine();
    const handle = start(sleeper, { pidNamespace: kernel.createPidNamespace() });
    simulation.advance(10);
    handle.signal("TERM");
    handle.signal("INT");
    expect([handle.pid, handle.exit]).toEqual([1, undefined]);
    handle.signal("KILL");
    expect(handle.exit?.code).toBe(137);
  });

  it("lets a process of the machine stop and kill a container's PID 1, with no other signal", () => {
    const { start, simulation, kernel } = machine();
    const host = kernel.createPidNamespace();
    start(sleeper, { pidNamespace: host });
    const handle = start(sleeper, { pidNamespace: kernel.createPidNamespace(host) });
    const signal = (name: Signal): number | string => {
      start(
        function* (self) {
          self.kill(handle.outerPid, name);
          return 0;
        },
        { pidNamespace: host },
      );
      simulation.advance(10);
      return handle.exit?.code ?? handle.info().state;
    };
    expect(["TERM", "STOP", "CONT", "KILL"].map((name) => signal(name as Signal))).toEqual([
      "sleeping",
      "stopped",
      "sleeping",
      137,
    ]);
  });

  it("kills the rest of a PID namespace with its init", () => {
    const { start, simulation, kernel } = machine();
    const pidNamespace = kernel.createPidNamespace();
    const init = start(sleeper, { pidNamespace });
    const exec = start(sleeper, { pidNamespace });
    const told: string[] = [];
    exec.onExit = (status) => told.push(`exec ${status.code}`);
    init.onExit = (status) => told.push(`init ${status.code}`);
    simulation.advance(10);
    init.signal("KILL");
    simulation.advance(0);
    expect([told, pidNamespace.size]).toEqual([["exec 137", "init 137"], 0]);
  });

  it("shows a container's processes on its node under other numbers", () => {
    const { start, simulation, kernel, pidNamespace } = machine();
    const inside = kernel.createPidNamespace(pidNamespace);
    start(sleeper, { pidNamespace: inside, argv: ["nginx"] });
    simulation.advance(1);
    expect(inside.infos().map(({ pid, argv }) => [pid, ...argv])).toEqual([[1, "nginx"]]);
    expect(pidNamespace.infos().map(({ pid, argv }) => [pid, ...argv])).toEqual([
      [1, "init"],
      [2, "nginx"],
    ]);
  });

  it("runs the finally blocks of a killed program, in which no call works", () => {
    const { start, simulation } = machine();
    const log: string[] = [];
    const handle = start(function* (self) {
      try {
        yield* self.sleep(1e9);
      } finally {
        log.push("stopped");
        self.writeFile("/tmp/x", "");
        log.push("never");
      }
      return 0;
    });
    simulation.advance(1);
    handle.signal("KILL");
    expect(log).toEqual(["stopped"]);
  });

  it("stops and continues a process", () => {
    const { start, simulation } = machine();
    const output = collector();
    const ticker: Program = function* (self) {
      for (;;) {
        yield* self.write(1, ".");
        yield* self.sleep(1000);
      }
    };
    const handle = start(ticker, { stdout: output.sink });
    simulation.advance(2500);
    handle.signal("STOP");
    simulation.advance(5000);
    expect([output.text(), handle.info().state]).toEqual(["...", "stopped"]);
    handle.signal("CONT");
    simulation.advance(1500);
    expect(output.text()).toBe(".....");
  });
});

describe("who a process is", () => {
  it("changes for root with the capabilities, once", () => {
    const nginx = { uid: 101, gid: 102, groups: [102] };
    const { stdout } = machine().run(function* (self) {
      self.setUser(nginx);
      try {
        self.setUser({ uid: 0, gid: 0, groups: [] });
      } catch (error) {
        yield* self.write(1, `${self.uid} ${self.gid} ${self.groups} ${(error as SysError).code}`);
      }
      return 0;
    });
    expect(stdout).toBe("101 102 102 EPERM");
  });

  it("is told to those who catch its signals, unless it is in another namespace", () => {
    const { start, simulation } = machine();
    const seen: string[] = [];
    const handle = start(function* (self) {
      for (const signal of ["CHLD", "HUP"] as const) self.setSignal(signal, "catch");
      self.usePids(10);
      const own = self.pid;
      const run: Program = function* (child) {
        child.kill(own, "HUP");
        yield* child.sleep(1);
        return 0;
      };
      seen.push(`child ${self.spawn({ run, argv: ["child"] }) - own}`);
      for (;;) {
        try {
          yield* self.pause();
        } catch {
          for (const { signal, from } of self.takeSignalInfos()) seen.push(`${signal} ${from === 0 ? 0 : from - own}`);
        }
      }
    });
    simulation.advance(10);
    handle.signal("HUP");
    simulation.advance(10);
    expect(seen).toEqual(["child 11", "HUP 11", "CHLD 11", "HUP 0"]);
  });
});

describe("limits", () => {
  it("makes a busy loop take virtual time, so that the world goes on", () => {
    const { start, simulation } = machine();
    const busy: Program = function* (self) {
      for (;;) yield* self.sleep(0);
    };
    const handle = start(busy);
    simulation.advance(5);
    handle.signal("KILL");
    expect(handle.exit?.code).toBe(137);
  });

  it("ends a program that never blocks, and says so", () => {
    const { run, kernel } = machine();
    kernel.onProgramError = undefined;
    const result = run(function* (self) {
      for (;;) self.umask() === 0 || self.stat("/");
    });
    expect(result).toEqual({ code: 1, stdout: "", stderr: "test: killed: 200000 system calls without blocking\n" });
  });

  it("kills the largest process of a control group that exceeds its memory", () => {
    const { start, simulation, kernel } = machine();
    const controlGroup = kernel.createControlGroup({ memoryBytes: 100e6 });
    const handle = start(
      function* (self) {
        self.declareUse({ memoryBytes: 90e6 });
        yield* self.sleep(1000);
        self.declareUse({ memoryBytes: 120e6 });
        yield* self.sleep(1000);
        return 0;
      },
      { controlGroup },
    );
    simulation.advance(500);
    expect([controlGroup.memoryBytes, handle.exit]).toEqual([90e6, undefined]);
    simulation.advance(1000);
    expect([controlGroup.memoryBytes, handle.exit]).toEqual([0, { code: 137, signal: "KILL", outOfMemory: true }]);
  });
});
