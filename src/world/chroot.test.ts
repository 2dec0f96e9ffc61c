import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

describe("a debugging Pod on a node", () => {
  it("makes the node's files its own with chroot", () => {
    const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
    world.boot();
    const learner = sitDown(world, { columns: 200 });
    const line =
      "kubectl debug node/node-1 -i --image=busybox:1.36 --profile=sysadmin -- chroot /host sh -c 'hostname; ls /etc/cni/net.d'";
    learner.run(line);
    world.simulation.advance(10_000);
    const pod = learner.run("kubectl get pods -o name").trim();
    expect(learner.run(`kubectl logs ${pod}`)).toBe("node-1\n10-pod-network.conflist\n");
  });
});
