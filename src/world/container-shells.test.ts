// Shells of containers as one meets them: their prompts, and what they say of a command that is not there.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("a shell in a container", () => {
  let world: World;

  beforeAll(() => {
    world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const { run } = sitDown(world);
    run("kubectl run web --image=nginx:1.27; kubectl run box --image=busybox:1.36 -- sleep 1d");
    run("kubectl wait --for=condition=Ready pod/web pod/box");
  });

  it.each([
    [
      "web -- bash",
      "root@web:/# frobnicate\nbash: frobnicate: command not found\nroot@web:/# cd /etc\nroot@web:/etc# exit\nexit\n",
    ],
    ["web -- sh", "# frobnicate\nsh: 1: frobnicate: not found\n# cd /etc\n# exit\n"],
    ["box -- sh", "/ # frobnicate\nsh: frobnicate: not found\n/ # cd /etc\n/etc # exit\n"],
  ])("kubectl exec -it %s", (command, shown) => {
    const { press } = sitDown(world);
    press("clear\r");
    press(`kubectl exec -it ${command}\r`, 3000);
    press("frobnicate\r");
    press("cd /etc\r");
    expect(press("exit\r", 3000)).toContain(shown);
  });

  it("sh counts the lines that it has read", () => {
    const { press } = sitDown(world);
    press("kubectl exec -it web -- /bin/sh\r", 3000);
    press("true\r");
    expect(press("nothere | cat\r")).toContain("/bin/sh: 2: nothere: not found");
  });
});
