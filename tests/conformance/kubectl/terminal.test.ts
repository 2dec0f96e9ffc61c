// What needs a real terminal: sessions in containers, and Ctrl-C.

import { beforeAll, describe, expect, it } from "vitest";
import { World } from "#world/world.ts";

const terminal = "session";
const interrupt = "\u0003";
const endOfFile = "\u0004";

/** Keeps the keyboard and the screen of one terminal. */
class Screen {
  readonly #world: World;
  #shown = "";

  constructor(world: World) {
    this.#world = world;
    const decoder = new TextDecoder();
    world.onTerminalOutput.add((_id, bytes) => {
      this.#shown += decoder.decode(bytes, { stream: true });
    });
    world.apply({ kind: "terminal-open", terminal, columns: 100, rows: 30 });
    this.type("", 1000);
  }

  /** Types, lets virtual time pass and returns what has appeared, without escape sequences and carriage returns. */
  type(text: string, durationMs = 2000): string {
    this.#shown = "";
    this.#world.apply({ kind: "terminal-input", terminal, text });
    this.#world.simulation.advance(durationMs);
    return this.#shown.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  }
}

describe("kubectl in a terminal", () => {
  let screen: Screen;
  const prompt = "learner@workstation:~$ ";

  beforeAll(() => {
    const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 3, nodes: 1, files: {} });
    world.boot();
    screen = new Screen(world);
    screen.type("kubectl run shell --image=nginx\r", 20_000);
  });

  it("gives keys to a shell in a container and ends with its exit code", () => {
    expect(screen.type("kubectl exec -it shell -- sh\r")).toMatch(/# $/);
    expect(screen.type("hostname\r")).toContain("\nshell\n");
    expect(screen.type("sleep 100\r")).not.toMatch(/# $/);
    expect(screen.type(interrupt)).toMatch(/^\^C\n.*# $/);
    screen.type("cat\r");
    expect(screen.type("typed\r")).toBe("typed\ntyped\n");
    screen.type(endOfFile);
    expect(screen.type("exit 2\r")).toContain("command terminated with exit code 2\n");
    expect(screen.type("echo $?\r")).toContain("\n2\n");
  });

  it.each(["logs -f shell", "get pods --watch", "attach shell", "exec shell -- sleep 1000", "port-forward shell 8080:80"])(
    "ends %s with Ctrl-C",
    (command) => {
      expect(screen.type(`kubectl ${command}\r`).endsWith(prompt)).toBe(false);
      expect(screen.type(interrupt).endsWith(`^C\n${prompt}`)).toBe(true);
      expect(screen.type("echo $?\r")).toContain("\n130\n");
    },
  );
});
