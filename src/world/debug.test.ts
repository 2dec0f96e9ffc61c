import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function learnerBesideServer() {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 220 });
  learner.run("kubectl run server --image=gcr.io/google-samples/hello-app:1.0");
  learner.run("kubectl wait --for=condition=Ready pod/server");
  return learner;
}

describe("kubectl debug", () => {
  it("[POD-359] [POD-372] shows another user's files with the capability that its profile gives, and not without", () => {
    const learner = learnerBesideServer();
    const look = (profile: string) =>
      learner.run(
        `kubectl debug server -q -i --image=busybox:1.36 --target=server --profile=${profile} -- ls -l /proc/1/root /proc/1/root/`,
      );
    expect(look("general")).toContain("/proc/1/root -> /\n");
    expect(look("general")).toContain("hello-app");
    const denied = look("baseline");
    expect(denied).toContain("ls: /proc/1/root: cannot read link: Permission denied\n");
    expect(denied).toContain("ls: /proc/1/root/: Permission denied\n");
    expect(denied).not.toContain("hello-app");
  });

  it("says why its container waits", () => {
    const learner = learnerBesideServer();
    const shown = learner.run("timeout 40 kubectl debug server -i --image=busybox:1.99 -c tools");
    expect(shown).toMatch(/^Warning: container tools: rpc error: code = NotFound desc = failed to pull/);
    expect(shown).toContain('Warning: container tools: Back-off pulling image "busybox:1.99"');
  });
});
