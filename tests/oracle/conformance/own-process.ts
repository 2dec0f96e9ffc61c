// Programs that end with the run: nothing that it started, nor what these started, outlives it.

import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const running = new Set<Promise<void>>();

export interface OwnProcessOptions extends SpawnOptions {
  /** Ends it at once, with all that it has started. */
  readonly signal: AbortSignal;
}

/**
 * In a process group of its own: a test of the suite that is killed leaves kubectls behind (`proxy`, `port-forward`), which would run on
 * for ever. They end with it.
 */
export function spawnOwn(command: string, args: readonly string[], { signal, ...options }: OwnProcessOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  const endAll = () => endGroup(child.pid);
  if (signal.aborted) endAll();
  signal.addEventListener("abort", endAll, { once: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  running.add(promise);
  // What it left behind may hold its output open: "close" waits for that, "exit" does not.
  child.once("exit", endAll);
  for (const event of ["error", "close"]) {
    child.once(event, () => {
      signal.removeEventListener("abort", endAll);
      running.delete(promise);
      resolve();
    });
  }
  return child;
}

/** Resolves when none of them is left. */
export async function ownProcessesGone(): Promise<void> {
  await Promise.all(running);
}

function endGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    process.kill(-id, "SIGKILL");
  } catch (error) {
    // ESRCH: nobody is left in it. EPERM: macOS says so of a group whose processes have all ended.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
