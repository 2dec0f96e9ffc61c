import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";
import { collector, machine } from "../kernel.test-kit.ts";
import type { Program } from "../program.ts";

/** Writes what it reads to the log, a line a read. */
function reader(log: string[]): Program {
  return function* (self) {
    for (;;) {
      const bytes = yield* self.read(0);
      log.push(decodeUtf8(bytes));
      if (bytes.length === 0) return 0;
    }
  };
}

function terminalWith(program: Program) {
  const world = machine();
  const terminal = world.kernel.createTerminal({ columns: 80, rows: 24 });
  const screen = collector();
  terminal.onOutput = screen.sink;
  const handle = world.start(program, { terminal });
  world.simulation.advance(1);
  const type = (text: string): void => {
    terminal.input(encodeUtf8(text));
    world.simulation.advance(1);
  };
  return { ...world, terminal, screen, handle, type };
}

describe("a terminal in canonical mode", () => {
  it.each([
    ["a line", "hello\r", ["hello\n"], "hello\r\n"],
    ["erasing", "helo\x7f\x7fllo\r", ["hello\n"], "helo\b \b\b \bllo\r\n"],
    ["nothing to erase", "\x7fa\r", ["a\n"], "a\r\n"],
    ["a wide character erased by two columns", "帆船\x7f\r", ["帆\n"], "帆船\b \b\b \b\r\n"],
    ["a word", "one two \x17three\r", ["one three\n"], "one two \b \b\b \b\b \b\b \bthree\r\n"],
    ["the whole line", "abc\x15x\r", ["x\n"], "abc\b \b\b \b\b \bx\r\n"],
    ["a control character shown as ^X", "a\x01b\r", ["a\x01b\n"], "a^Ab\r\n"],
    ["two lines, one a read", "a\rb\r", ["a\n", "b\n"], "a\r\nb\r\n"],
    ["end of file after text, then at the start", "ab\x04\x04", ["ab", ""], "ab"],
    ["a quoted interrupt", "\x16\x03\r", ["\x03\n"], "^C\r\n"],
  ])("takes %s", (_title, keys, lines, shown) => {
    const log: string[] = [];
    const { type, screen } = terminalWith(reader(log));
    type(keys);
    expect([log, screen.text()]).toEqual([lines, shown]);
  });

  it("takes multi-byte characters cut between inputs", () => {
    const log: string[] = [];
    const { terminal, simulation } = terminalWith(reader(log));
    for (const byte of encodeUtf8("海\r")) terminal.input(new Uint8Array([byte]));
    simulation.advance(1);
    expect(log).toEqual(["海\n"]);
  });

  it("shows ^C and interrupts the foreground group, throwing the typed line away", () => {
    const { type, screen, handle } = terminalWith(function* (self) {
      self.setSignal("INT", "catch");
      for (;;) {
        try {
          yield* self.write(1, `[${decodeUtf8(yield* self.read(0))}]`);
        } catch {
          yield* self.write(1, `<${self.takeSignals().join()}>`);
        }
      }
    });
    type("abc\x03d\r");
    expect([screen.text(), handle.exit]).toEqual(["abc^Cd\r\n<INT>[d\r\n]", undefined]);
  });
});

describe("a terminal in raw mode", () => {
  it("gives keys as they come, without echo, carriage return untouched", () => {
    const log: string[] = [];
    const { type, screen } = terminalWith(function* (self) {
      self.terminal(0).setModes({ canonical: false, echo: false, signals: false, outputCrLf: false });
      return yield* reader(log)(self);
    });
    type("a\x03\r\x1b[A");
    expect([log, screen.text()]).toEqual([["a\x03\r\x1b[A"], ""]);
  });
});

describe("a controlling terminal", () => {
  it("stops a background process that reads it, until it is in the foreground", () => {
    const log: string[] = [];
    const { type, screen } = terminalWith(function* (self) {
      self.setSignal("TTOU", "ignore");
      const pid = self.spawn({ run: reader(log), argv: ["cat"], group: "new" });
      const stopped = yield* self.wait(pid, { untraced: true });
      yield* self.write(1, `stopped ${stopped?.stopped}\n`);
      self.terminal(0).setForegroundGroup(pid);
      self.kill(-pid, "CONT");
      yield* self.wait(pid);
      return 0;
    });
    type("for cat\r");
    expect([log, screen.text()]).toEqual([["for cat\n"], "stopped true\r\nfor cat\r\n"]);
  });

  it("tells the foreground of a new size", () => {
    const { terminal, simulation, screen } = terminalWith(function* (self) {
      self.setSignal("WINCH", "catch");
      try {
        yield* self.pause();
      } catch {
        const { columns, rows } = self.terminal(1);
        yield* self.write(1, `${self.takeSignals().join()} ${columns}x${rows}`);
      }
      return 0;
    });
    terminal.resize(120, 40);
    simulation.advance(1);
    expect(screen.text()).toBe("WINCH 120x40");
  });

  it("hangs up its session when it goes", () => {
    const { terminal, simulation, handle } = terminalWith(function* (self) {
      yield* self.sleep(1e9);
      return 0;
    });
    terminal.hangUp();
    simulation.advance(1);
    expect(handle.exit?.signal).toBe("HUP");
  });
});
