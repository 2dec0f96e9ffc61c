// What a run has started ends with it, and so does what that has started.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { ownProcessesGone, spawnOwn } from "./own-process.ts";

/** A shell that starts a `sleep` in its background and tells its id. */
async function startTwo(rest: string, signal: AbortSignal): Promise<{ readonly child: ChildProcess; readonly grandchild: number }> {
  const child = spawnOwn("sh", ["-c", `sleep 600 & echo $!; ${rest}`], { signal, stdio: ["ignore", "pipe", "inherit"] });
  const [text] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, grandchild: Number(String(text)) };
}

/** A process that has ended and that nobody waits for any more is not running either. */
async function isRunning(id: number): Promise<boolean> {
  const state = spawnOwn("ps", ["-o", "stat=", "-p", String(id)], {
    signal: new AbortController().signal,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  state.stdout?.on("data", (part) => {
    text += String(part);
  });
  await once(state, "close");
  return text.trim() !== "" && !text.trim().startsWith("Z");
}

async function hasEnded(id: number): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    if (!(await isRunning(id))) return true;
    await delay(20);
  }
  return false;
}

it("ends with all that it started when the run is broken off, and the run can wait for that", async () => {
  const stop = new AbortController();
  const { child, grandchild } = await startTwo("wait", stop.signal);
  expect(await isRunning(grandchild)).toBe(true);
  stop.abort();
  await ownProcessesGone();
  expect(child.signalCode).toBe("SIGKILL");
  expect(await hasEnded(grandchild)).toBe(true);
});

it("takes with it what it leaves behind at its own end", async () => {
  const { child, grandchild } = await startTwo("exit 3", new AbortController().signal);
  await once(child, "close");
  expect(child.exitCode).toBe(3);
  expect(await hasEnded(grandchild)).toBe(true);
});

it("does not begin in a run that was broken off before", async () => {
  const child = spawnOwn("sleep", ["600"], { signal: AbortSignal.abort(), stdio: "ignore" });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
});
