// How a shell process ends: what is thrown to leave it becomes its status, and the EXIT trap runs.

import type { Sys } from "#sim/program.ts";
import { ExpansionError, FunctionReturn, Interrupted, LoopJump, ShellExit } from "./control.ts";
import type { Shell } from "./shell.ts";
import { runTrap } from "./signals.ts";

/** Runs a shell's work until the process is to end; its exit status. */
export function* runToEnd(shell: Shell, body: () => Sys<number>): Sys<number> {
  let status: number;
  try {
    status = yield* catchExit(shell, body);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    status = 130;
  }
  shell.status = status;
  if (shell.traps.get("EXIT")) {
    const exited = yield* catchExit(shell, function* () {
      yield* runTrap(shell, "EXIT");
      return status;
    });
    return exited & 255;
  }
  return status & 255;
}

function* catchExit(shell: Shell, body: () => Sys<number>): Sys<number> {
  try {
    return yield* body();
  } catch (error) {
    if (error instanceof ShellExit || error instanceof FunctionReturn) return error.status;
    if (error instanceof LoopJump) return shell.status;
    if (error instanceof ExpansionError) {
      if (error.message !== "") yield* shell.complain(error.message);
      return error.status;
    }
    throw error;
  }
}
