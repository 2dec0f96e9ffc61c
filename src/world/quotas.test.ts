import { describe, expect, it } from "vitest";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

describe("quotas as who types sees them", () => {
  it("[WRK-472] [WRK-474] [WRK-469] may be lowered below what is used; ending Pods count; tables show used and hard", () => {
    const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 1, files: {} });
    world.boot();
    const typist = new Typist(world);
    const run = (line: string): string => typist.run(line).output.trimEnd().replace(/ {2,}/gu, " ");
    run("kubectl create quota few --hard=pods=3");
    run(
      "kubectl run a --image=busybox:1.36 -- sleep 1d; kubectl run b --image=busybox:1.36 -- sleep 1d; kubectl wait pod/a pod/b --for=condition=Ready",
    );
    expect(run("kubectl get quota")).toMatch(/^NAME REQUEST LIMIT AGE\nfew pods: 2\/3 \d+s$/u);
    expect(run("kubectl describe quota few")).toBe(
      "Name: few\nNamespace: default\nResource Used Hard\n-------- ---- ----\npods 2 3",
    );
    expect(run(`kubectl patch quota few -p '{"spec":{"hard":{"pods":"1"}}}'; sleep 2`)).toBe("resourcequota/few patched");
    expect(run("kubectl get pods --no-headers").split("\n")).toHaveLength(2);
    expect(run("kubectl run c --image=nginx:1.27")).toContain(
      "exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=1",
    );
    run("kubectl delete pod a --wait=false; sleep 5");
    expect(run("kubectl get quota --no-headers")).toMatch(/^few pods: 2\/1 /u);
    run("sleep 40");
    expect(run("kubectl get quota --no-headers")).toMatch(/^few pods: 1\/1 /u);
  });
});
