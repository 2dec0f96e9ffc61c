// Programs that take the whole screen: what is seen meanwhile, which keys they take, and what is there afterwards.

import { describe, expect, it } from "vitest";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { ShownScreen } from "../editor/screen-fixture.ts";
import { terminalShell } from "../shell-fixture.ts";

const numbers = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join("");

function open(command: string, flavour: "gnu" | "busybox" = "gnu") {
  const shell = terminalShell({ flavour, files: { "/root/long": numbers, "/root/short": "one\ntwo\n" } });
  const screen = new ShownScreen();
  shell.terminal.onOutput = (bytes) => screen.write(decodeUtf8(bytes));
  const press = (keys: string, ms = 300): string => {
    shell.terminal.input(encodeUtf8(keys));
    shell.simulation.advance(ms);
    return screen.text;
  };
  press(`${command}\r`);
  return { ...shell, screen, press };
}

describe("less", () => {
  it("takes the screen, also for a text that fits, and gives it back", () => {
    const { screen, press, terminal } = open("less short");
    expect(screen.fullScreen).toBe(true);
    expect(terminal.modes.canonical).toBe(false);
    expect(screen.text).toMatch(/^one\ntwo\n\(END\)/u);
    press("q");
    expect(screen.fullScreen).toBe(false);
    expect(screen.text).toBe("$ less short\n$");
  });

  it("takes keys that come together one after the other, and what the window's new size shows", () => {
    const { screen, press, terminal, simulation } = open("less long");
    expect(press("\x1b[B\x1b[Bj").split("\n")[0]).toBe("line 4");
    expect(press("/line 30\r").split("\n")[0]).toBe("line 30");
    press("g");
    terminal.resize(80, 10);
    simulation.advance(100);
    expect(screen.text).toMatch(/line 9\n:$/u);
  });

  it("Esc is nothing to it", () => {
    const { press, screen } = open("less long");
    press("\x1b\x1b");
    expect(screen.fullScreen).toBe(true);
    expect(screen.text.split("\n")[0]).toBe("line 1");
  });

  it("by the name more prints what fits", () => {
    const { screen } = open("more short");
    expect(screen.text).toBe("$ more short\none\ntwo\n$");
  });
});

describe("watch", () => {
  it("takes the screen, hides keys, follows the window's size, and gives the screen back at Ctrl-C with status 0", () => {
    const { screen, press, terminal, simulation } = open("watch -n 1 cat long");
    expect(screen.fullScreen).toBe(true);
    expect(terminal.modes).toMatchObject({ canonical: false, echo: false, signals: true });
    expect(screen.text).toMatch(/^Every 1\.0s: cat long/u);
    expect(screen.text).toMatch(/line 22$/u);
    terminal.resize(80, 12);
    simulation.advance(100);
    expect(screen.text).toMatch(/line 10$/u);
    press("\x03");
    expect(screen.fullScreen).toBe(false);
    expect(press("echo status $?\r")).toMatch(/\nstatus 0\n\$$/u);
  });

  it("of busybox stays on the shell's screen and ends as any command", () => {
    const { screen, press } = open("watch -n 1 cat short", "busybox");
    expect(screen.fullScreen).toBe(false);
    expect(press("\x03echo status $?\r")).toContain("status 130");
  });
});

describe("top", () => {
  it("ends at q alone, and shows no more than fits", () => {
    const { screen, press, terminal } = open("top");
    expect(terminal.modes.canonical).toBe(false);
    expect(screen.text).toMatch(/^top - /u);
    expect(press("q")).toMatch(/\$$/u);
    expect(terminal.modes.echo).toBe(false);
  });
});
