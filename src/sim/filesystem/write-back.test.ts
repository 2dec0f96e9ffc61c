// Disks that take their time.

import { describe, expect, it } from "vitest";
import { machine } from "../kernel.test-kit.ts";
import type { Process, Sys } from "../program.ts";
import { WriteBack } from "./write-back.ts";

const mebibyte = 1024 ** 2;

function* writeMebibytes(self: Process, count: number): Sys<number> {
  const fd = self.open("/tmp/file", { write: true, create: true, append: true }, 0o644);
  for (let written = 0; written < count; written += 1) yield* self.write(fd, new Uint8Array(mebibyte));
  return fd;
}

/** A machine whose disk writes a mebibyte a second, and lets ten wait. */
function slowMachine() {
  const made = machine();
  const { fileSystem } = made.mounts.mounts[0] ?? {};
  if (fileSystem === undefined) throw new Error("a machine has a disk");
  const disk = new WriteBack({ simulation: made.simulation, bytesPerSecond: mebibyte, mayWaitBytes: () => 10 * mebibyte });
  fileSystem.writeBack = disk;
  /** Seconds. */
  const timed = (program: (self: Process) => Sys<unknown>) => {
    const beforeMs = made.simulation.nowMs;
    made.run(function* (self) {
      yield* program(self);
      return 0;
    });
    return Math.round((made.simulation.nowMs - beforeMs) / 1000);
  };
  return { ...made, disk, timed };
}

describe("a disk with a speed", () => {
  it("has memory take what is written, and makes writers wait for what is too much only", () => {
    const { timed } = slowMachine();
    expect(timed((self) => writeMebibytes(self, 8))).toBe(0);
    expect(timed((self) => writeMebibytes(self, 20))).toBe(18);
  });

  it("is waited for by fsync and sync, of its own files only", () => {
    const { timed } = slowMachine();
    expect(
      timed(function* (self) {
        yield* self.fsync(yield* writeMebibytes(self, 8));
      }),
    ).toBe(8);
    timed((self) => writeMebibytes(self, 8));
    expect(timed((self) => self.fsync(1))).toBe(0);
    expect(timed((self) => self.sync())).toBe(8);
  });

  it("has whoever waits in state D, which no signal but KILL ends", () => {
    const { start, simulation, pidNamespace } = slowMachine();
    const handle = start(function* (self) {
      self.setSignal("INT", "catch");
      yield* writeMebibytes(self, 100);
      return 0;
    });
    simulation.advance(5000);
    const state = () => pidNamespace.infos().find(({ pid }) => pid === 2)?.state;
    expect(state()).toBe("waiting for the disk");
    handle.signal("INT");
    simulation.advance(100);
    expect([state(), handle.exit]).toEqual(["waiting for the disk", undefined]);
    handle.signal("KILL");
    simulation.advance(100);
    expect(handle.exit?.signal).toBe("KILL");
  });

  it("writes what waits at once when the limit goes", () => {
    const { disk, timed } = slowMachine();
    timed((self) => writeMebibytes(self, 8));
    disk.bytesPerSecond = Number.POSITIVE_INFINITY;
    expect(timed((self) => self.sync())).toBe(0);
  });

  it("goes on from where it was when its speed changes", () => {
    const { disk, simulation } = slowMachine();
    const startMs = simulation.nowMs;
    let doneMs: number | undefined;
    disk.whenReached(disk.hand(10 * mebibyte), () => {
      doneMs = simulation.nowMs - startMs;
    });
    simulation.advance(4000);
    disk.bytesPerSecond = 2 * mebibyte;
    simulation.advance(10_000);
    expect(doneMs).toBe(7000);
  });
});
