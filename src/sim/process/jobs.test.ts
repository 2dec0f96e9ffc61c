import { describe, expect, it } from "vitest";
import { machine } from "../kernel.test-kit.ts";
import type { Program } from "../program.ts";

const napper: Program = function* (self) {
  yield* self.sleep(100);
  return 4;
};

describe("children", () => {
  it("are waited for by pid, any, or not at all", () => {
    const { run } = machine();
    const result = run(function* (self) {
      const first = self.spawn({ run: napper, argv: ["a"] });
      const second = self.spawn({ run: napper, argv: ["b"] });
      const early = yield* self.wait(-1, { noHang: true });
      const one = yield* self.wait(second);
      const other = yield* self.wait(-1);
      let none = "";
      try {
        yield* self.wait(-1);
      } catch (error) {
        none = (error as Error).message;
      }
      yield* self.write(1, `${early} ${one?.pid === second} ${one?.code} ${other?.pid === first} ${none}`);
      return 0;
    });
    expect(result.stdout).toBe("undefined true 4 true No child processes");
  });

  it("stay as zombies until waited for, and pass to init when their parent ends", () => {
    const { simulation, start, pidNamespace } = machine();
    start(function* (self) {
      self.spawn({
        run: function* (middle) {
          middle.spawn({ run: napper, argv: ["orphan"] });
          return 0;
        },
        argv: ["middle"],
      });
      yield* self.sleep(1000);
      return 0;
    });
    const view = () => pidNamespace.infos().map(({ argv, ppid, state }) => `${argv[0]} ${ppid} ${state}`);
    simulation.advance(50);
    expect(view()).toEqual(["init 0 sleeping", "test 0 sleeping", "middle 2 zombie", "orphan 1 sleeping"]);
    simulation.advance(2000);
    expect(view()).toEqual(["init 0 sleeping", "middle 1 zombie", "orphan 1 zombie"]);
  });

  it("report a stop to a parent that asks for it", () => {
    const { run } = machine();
    const result = run(function* (self) {
      const pid = self.spawn({ run: napper, argv: ["a"], group: "new" });
      self.kill(pid, "STOP");
      const stopped = yield* self.wait(pid, { untraced: true });
      self.kill(-pid, "CONT");
      const ended = yield* self.wait(pid, { untraced: true });
      yield* self.write(1, `${stopped?.stopped} ${ended?.stopped} ${ended?.code}`);
      return 0;
    });
    expect(result.stdout).toBe("true false 4");
  });

  it("get signals by group, and keep ignoring what their parent ignored", () => {
    const { run } = machine();
    const result = run(function* (self) {
      self.setSignal("HUP", "ignore");
      const pid = self.spawn({ run: napper, argv: ["a"], group: "new" });
      self.kill(-pid, "HUP");
      self.kill(-pid, "INT");
      const status = yield* self.wait(pid);
      yield* self.write(1, String(status?.signal));
      return 0;
    });
    expect(result.stdout).toBe("INT");
  });

  it("may not be signalled by other users", () => {
    const { run } = machine();
    const result = run(
      function* (self) {
        try {
          self.kill(1, "TERM");
        } catch (error) {
          yield* self.write(1, (error as Error).message);
        }
        return 0;
      },
      { uid: 1000 },
    );
    expect(result.stdout).toBe("Operation not permitted");
  });
});
