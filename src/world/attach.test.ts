// Attaching to containers: when a stream ends, and what of the container.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function learner() {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  return sitDown(world, { columns: 220 });
}

const cat = "-- sh -c 'cat && echo stdin closed'";

describe("kubectl run --attach --stdin", () => {
  it("ends with its input where the container's stays open, and the container runs on", () => {
    const { run } = learner();
    const line = "echo abcd | kubectl run open --image=busybox:1.36 --restart=OnFailure --attach --stdin --leave-stdin-open";
    expect(run(`${line} ${cat}`)).not.toContain("stdin closed");
    expect(run("kubectl get pod open --no-headers -o custom-columns=PHASE:.status.phase; kubectl logs open")).toBe(
      "Running\nabcd\n",
    );
  });

  it("closes the container's input with its own otherwise, and ends with the container", () => {
    const { run } = learner();
    const said = run(`echo abcd | kubectl run once --image=busybox:1.36 --restart=OnFailure --attach --stdin ${cat}`);
    expect(said).toContain("stdin closed");
    expect(run("kubectl wait --for=jsonpath='{.status.phase}'=Succeeded pod/once")).toBe("pod/once condition met\n");
    expect(run("kubectl logs once")).toBe("abcd\nstdin closed\n");
  });
});
