import { describe, expect, it } from "vitest";
import { collector, machine, tree } from "../kernel.test-kit.ts";
import type { Program } from "../program.ts";

const patient: Program = function* (self) {
  yield* self.write(1, `${self.argv.join(" ")}: ${self.pid} ${self.env.get("MODE")} ${self.descriptors().join("")}\n`);
  yield* self.sleep(1000);
  return 4;
};

describe("exec", () => {
  it("runs another program in the same process, with the descriptors and the environment it is given", () => {
    const { run, pidNamespace } = machine(tree({ "/bin/patient": patient, "/tmp": { type: "directory" } }));
    const result = run(function* (self) {
      self.open("/tmp/a", { write: true, create: true });
      const errors = self.dup(2);
      const fds = new Map([
        [0, 0],
        [1, errors],
        [2, 2],
      ]);
      self.startThread(function* () {
        yield* self.sleep(500);
        yield* self.write(1, "a thread of the old program\n");
      });
      yield* self.exec({ run: "patient", argv: ["patient", "x"], env: new Map([["MODE", "new"]]), fds });
      yield* self.write(1, "never\n");
      return 1;
    });
    expect(result).toEqual({ code: 4, stdout: "", stderr: "patient x: 2 new 012\n" });
    expect(pidNamespace.infos().map(({ argv }) => argv.join(" "))).toEqual(["init"]);
  });

  it("goes on in the caller when there is no such program", () => {
    const { run } = machine();
    const result = run(function* (self) {
      try {
        yield* self.exec({ run: "/bin/nothing", argv: ["nothing"] });
      } catch (error) {
        yield* self.write(1, (error as Error).message);
      }
      return 3;
    });
    expect(result).toEqual({ code: 3, stdout: "No such file or directory", stderr: "" });
  });

  it("returns caught signals to the default, keeps ignored ones and children", () => {
    const { start, simulation } = machine(tree({ "/bin/patient": patient }));
    const output = collector();
    const first = start(
      function* (self) {
        self.setSignal("TERM", "catch");
        self.setSignal("HUP", "ignore");
        self.spawn({ run: patient, argv: ["child"] });
        return yield* self.exec({ run: "patient", argv: ["patient"] });
      },
      { stdout: output.sink },
    );
    simulation.advance(10);
    first.signal("HUP");
    simulation.advance(10);
    expect([first.exit, output.text().split("\n").length]).toEqual([undefined, 3]);
    first.signal("TERM");
    simulation.advance(10);
    expect(first.exit).toMatchObject({ code: 143, signal: "TERM" });
  });

  it("ends no reading or writing of the old program's `finally` blocks in the new one's descriptors", () => {
    const { run } = machine(tree({ "/bin/patient": patient }));
    const result = run(function* (self) {
      try {
        return yield* self.exec({ run: "patient", argv: ["patient"] });
      } finally {
        self.close(1);
      }
    });
    expect([result.code, result.stdout]).toEqual([4, "patient: 2 undefined 012\n"]);
  });
});
