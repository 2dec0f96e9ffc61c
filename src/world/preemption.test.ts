import { describe, expect, it } from "vitest";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

describe("victims of preemption", () => {
  it("[WRK-391] are made again by their Deployment, and wait", () => {
    const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 1, files: {} });
    world.boot();
    const typist = new Typist(world);
    const run = (line: string): string => typist.run(line).output.trimEnd().replace(/ {2,}/gu, " ");
    run("kubectl create priorityclass vip --value=1000");
    run(
      "kubectl create deployment web --image=nginx:1.27; kubectl set resources deployment web --requests=cpu=1500m; kubectl rollout status deployment/web",
    );
    run(
      `kubectl run vip --image=nginx:1.27 --overrides='{"spec":{"priorityClassName":"vip","containers":[{"name":"vip","image":"nginx:1.27","resources":{"requests":{"cpu":"1"}}}]}}'`,
    );
    expect(run("kubectl wait pod/vip --for=condition=Ready --timeout=120s")).toBe("pod/vip condition met");
    const [web = ""] = run("kubectl get pods -l app=web --no-headers").split("\n");
    expect(web).toMatch(/^web-\S+ 0\/1 Pending 0 /u);
    expect(
      run(`kubectl get events --field-selector involvedObject.name=${web.split(" ")[0]} -o custom-columns=R:.reason --no-headers`),
    ).toContain("FailedScheduling");
  });
});
