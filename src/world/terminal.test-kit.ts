// A learner at a terminal of a whole world, for tests: keys in, the screen out.

import { ShownScreen } from "#shell/editor/screen-fixture.ts";
import type { World } from "./world.ts";

export interface TypingLearner {
  readonly screen: ShownScreen;
  /** Sends keys and lets `ms` of virtual time pass; what the screen shows then. */
  press(keys: string, ms?: number): string;
  /** Types a command line into a cleared screen; what it printed, without the prompts, after at most `limitMs`. */
  run(line: string, limitMs?: number): string;
}

let terminals = 0;

export function sitDown(world: World, options: { readonly columns?: number; readonly rows?: number } = {}): TypingLearner {
  terminals += 1;
  const terminal = `test-${terminals}`;
  const screen = new ShownScreen();
  const decoder = new TextDecoder();
  world.onTerminalOutput.add((id, bytes) => {
    if (id === terminal) screen.write(decoder.decode(bytes, { stream: true }));
  });
  world.apply({ kind: "terminal-open", terminal, columns: options.columns ?? 120, rows: options.rows ?? 30 });
  world.simulation.advance(1000);
  const press = (keys: string, ms = 1500): string => {
    world.apply({ kind: "terminal-input", terminal, text: keys });
    world.simulation.advance(ms);
    return screen.text;
  };
  const run = (line: string, limitMs = 60_000): string => {
    press("\x15\x0c", 100);
    world.apply({ kind: "terminal-input", terminal, text: `${line}\r` });
    world.simulation.advance(100);
    const atPrompt = (): boolean => /\n\S+@\S+:\S+[$#]$/u.test(screen.text);
    world.simulation.runUntil(atPrompt, { limitMs });
    return `${screen.text.split("\n").slice(1, -1).join("\n")}\n`;
  };
  return { screen, press, run };
}
