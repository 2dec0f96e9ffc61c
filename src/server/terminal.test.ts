import { PassThrough } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { expect, it } from "vitest";
import { World } from "#world/world.ts";
import { openTerminal } from "./terminal.ts";

it("reads the lines of a pipe to their end, then leaves the shell", async () => {
  const world = new World({ startMs: Date.UTC(2026, 0, 1), seed: 1, nodes: 1, files: {} });
  world.boot();
  const stdin = new PassThrough();
  const stdout = new PassThrough({ encoding: "utf8" });
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  openTerminal(
    { world, enter: (action) => action() },
    { stdin: stdin as unknown as ReadStream, stdout: stdout as unknown as WriteStream },
    end,
  );
  stdin.end("sleep 2\necho $((6 * 7))\n");
  await new Promise((resolve) => stdin.once("close", resolve));
  world.simulation.advance(5000);
  expect(stdout.read()).toMatch(/\b2004l42\r\n[\s\S]*exit[\s\S]*logout\r\n$/u);
  expect(hasEnded).toBe(true);
});
