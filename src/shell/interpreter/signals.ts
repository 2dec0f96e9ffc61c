// Traps and caught signals.

import { asciiUpperCase } from "#sim/ascii.ts";
import type { Sys } from "#sim/program.ts";
import { type Signal, signalNumbers } from "#sim/signals.ts";
import { Interrupted } from "./control.ts";
import type { Shell } from "./shell.ts";

/** Runs what is trapped; INT without a trap goes back to the prompt. */
export function* handleSignals(shell: Shell): Sys<void> {
  if (shell.runningTrap) return;
  for (const signal of shell.self.takeSignals()) {
    if (shell.traps.has(signal)) yield* runTrap(shell, signal);
    else if (signal === "INT" && shell.interactive) {
      yield* shell.writeError("\n");
      throw new Interrupted();
    }
  }
}

/** Runs the command of a trap; `$?` is kept. */
export function* runTrap(shell: Shell, name: string): Sys<void> {
  const command = shell.traps.get(name);
  if (command === undefined || command === "" || shell.runningTrap) return;
  const { status, pipeStatus } = shell;
  shell.runningTrap = name !== "EXIT";
  try {
    yield* shell.engine.runText(shell, command, "trap");
  } finally {
    shell.runningTrap = false;
  }
  shell.status = status;
  shell.pipeStatus = pipeStatus;
}

/** A signal by name (with or without SIG) or number. */
export function signalByName(text: string): Signal | undefined {
  const name = asciiUpperCase(text).replace(/^SIG/u, "");
  if (name in signalNumbers) return name as Signal;
  return /^\d+$/u.test(text) ? signalByNumber(Number(text)) : undefined;
}

export function signalByNumber(number: number): Signal | undefined {
  return (Object.keys(signalNumbers) as Signal[]).find((name) => signalNumbers[name] === number);
}
