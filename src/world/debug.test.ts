import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function learnerBesideServer() {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 220 });
  learner.run("kubectl run server --image=gcr.io/google-samples/hello-app:1.0");
  learner.run("kubectl wait --for=condition=Ready pod/server");
  return { ...learner, world };
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

  it("[POD-363] [POD-354] [POD-356] opens a shell, which another terminal joins until it ends; describe tells of it", () => {
    const learner = learnerBesideServer();
    const said = learner.press("kubectl debug server -it --image=busybox:1.36 -c debugger\r", 20_000);
    expect(said).toContain(
      "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n" +
        "If you don't see a command prompt, try pressing enter.",
    );
    learner.press("\r");
    const other = sitDown(learner.world, { columns: 220, rows: 60 });
    const described = other.run("kubectl describe pod server");
    const order = ["\nContainers:\n  server:\n", "\nEphemeral Containers:\n  debugger:\n", "\nConditions:\n"].map((part) =>
      described.indexOf(part),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    const block = described.slice(order[1], order[2]);
    expect(block).toMatch(/\n {4}State: +Running\n {6}Started: .*\n {4}Ready: +False\n {4}Restart Count: +0\n/u);
    other.press("kubectl attach -it server -c debugger\r", 3_000);
    other.press("echo from $((2 + 3))\r");
    expect(other.screen.text).toContain("\nfrom 5\n");
    expect(learner.screen.text).toContain("\nfrom 5\n");
    learner.press("exit\r", 5_000);
    const resume =
      "Session ended, the ephemeral container will not be restarted but may be reattached using 'kubectl attach server -c debugger -n default -i -t' if it is still running\n";
    expect(learner.screen.text).toContain(resume);
    expect(other.screen.text).toContain(resume);
    expect(other.run("kubectl attach -it server -c debugger; echo $?")).toMatch(
      /^All commands .*\nIf you don't see .*\nerror: Internal error occurred: unable to upgrade connection: container debugger not found in pod server_default\n1\n$/u,
    );
  });

  it("[POD-364] shows the log of a container that has ended before it could be attached to", () => {
    const learner = learnerBesideServer();
    expect(learner.run("kubectl debug server -i --image=busybox:1.36 -c quick -- echo done")).toBe("done\n");
  });

  it("[POD-373] warns of capabilities that the Pod's user cannot use", () => {
    const learner = learnerBesideServer();
    const overrides = '{"spec":{"securityContext":{"runAsUser":1000}}}';
    learner.run(`kubectl run user --image=busybox:1.36 --overrides='${overrides}' -- sleep 1d`);
    learner.run("kubectl wait --for=condition=Ready pod/user");
    const warning =
      'Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug profile may not work. Please consider using "--custom" with a custom profile that specifies "securityContext.runAsUser: 0".\n';
    expect(learner.run("kubectl debug user --image=busybox:1.36 -c one --profile=netadmin")).toBe(warning);
    expect(learner.run("kubectl debug user --image=busybox:1.36 -c two --profile=restricted")).toBe("\n");
    learner.run(`echo '{"securityContext":{"runAsUser":0}}' > root.json`);
    expect(learner.run("kubectl debug user --image=busybox:1.36 -c three --profile=netadmin --custom=root.json")).toBe("\n");
  });

  it("says why its container waits", () => {
    const learner = learnerBesideServer();
    const shown = learner.run("timeout 40 kubectl debug server -i --image=busybox:1.99 -c tools");
    expect(shown).toMatch(/^Warning: container tools: rpc error: code = NotFound desc = failed to pull/);
    expect(shown).toContain('Warning: container tools: Back-off pulling image "busybox:1.99"');
  });
});
