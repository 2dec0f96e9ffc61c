import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { Sleepers } from "./sleepers.ts";

it.runIf(existsSync("/proc/self/stat"))(
  "a line sleeps while all its programs do, also one that came later, and not while one works",
  async () => {
    const child = spawn("bash", ["-c", "read line; (while :; do :; done) & read line; kill %1; wait; cat"], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    const sleepers = new Sleepers(child.pid ?? 0);
    const comes = async (wanted: boolean): Promise<void> => {
      // So often in a row, as the door asks for it.
      for (let count = 0; count < 3; count = sleepers.asleep() === wanted ? count + 1 : 0) await pause(4);
    };
    await comes(true);
    child.stdin.write("on\n");
    await comes(false);
    child.stdin.write("off\n");
    await comes(true);
    child.stdin.end();
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  },
);
