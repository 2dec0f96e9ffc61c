// The Endpoints of old, as kubectl shows them.

import { describe, expect, it } from "vitest";
import { Typist } from "../../tests/typist.ts";
import { World } from "./world.ts";

const warning = "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n";

function sitting() {
  const world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 11, nodes: 3, files: {} });
  world.boot();
  const typist = new Typist(world);
  const run = (line: string): string => typist.run(line).output.trimEnd().replace(/ {2,}/gu, " ");
  run("kubectl create deployment web --image=nginx:1.27 --replicas=5; kubectl rollout status deployment/web");
  run("kubectl expose deployment web --port=80 --labels=team=shop; sleep 2");
  return run;
}

describe("Endpoints", () => {
  it("[WRK-461] [WRK-463] are shown with a warning, three addresses and how many more", () => {
    const run = sitting();
    run("kubectl create service clusterip bare --tcp=80; sleep 2");
    expect(run("kubectl get endpoints bare web")).toMatch(
      new RegExp(
        `^${warning.replaceAll(".", "\\.").replaceAll("+", "\\+")}NAME ENDPOINTS AGE\nbare <none> \\d+s\nweb (10\\.244\\.\\d+\\.\\d+:80,){2}10\\.244\\.\\d+\\.\\d+:80 \\+ 2 more\\.\\.\\. \\d+s$`,
        "u",
      ),
    );
    expect(run(`kubectl patch endpoints web -p '{"metadata":{"labels":{"a":"b"}}}'`)).toBe(`${warning}endpoints/web patched`);
  });

  it("[WRK-457] [WRK-458] [WRK-460] have the Service's labels, who manages them, and when something changed", () => {
    const run = sitting();
    const read = (name: string, path: string): string =>
      run(`kubectl get endpoints ${name} -o jsonpath='${path}' 2>/dev/null; echo`);
    expect(JSON.parse(read("web", "{.metadata.labels}"))).toEqual({
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
      team: "shop",
    });
    expect(read("web", "{.metadata.annotations}")).toMatch(
      /^\{"endpoints\.kubernetes\.io\/last-change-trigger-time":"2026-01-15T09:00:\d\dZ"\}$/u,
    );
    const service = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "head" },
      spec: { clusterIP: "None", selector: { app: "web" } },
    };
    run(`echo '${JSON.stringify(service)}' | kubectl create -f -; sleep 2`);
    expect(JSON.parse(read("head", "{.metadata.labels}"))).toEqual({
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
      "service.kubernetes.io/headless": "",
    });
    expect(read("head", "{.subsets[0].ports}")).toBe("");
    expect(read("head", "{.subsets[0].addresses[*].ip}").split(" ")).toHaveLength(5);
  });

  it("[WRK-462] are put right when one of the Pods changes, whatever somebody wrote", () => {
    const run = sitting();
    const count = (): string => run("kubectl get endpoints web -o jsonpath='{.subsets[0].addresses[*].ip}' 2>/dev/null | wc -w");
    run(
      `kubectl patch endpoints web --type=json -p '[{"op":"remove","path":"/subsets/0/addresses/0"},{"op":"remove","path":"/subsets/0/addresses/0"}]'`,
    );
    expect(count()).toBe("3");
    run("kubectl scale deployment web --replicas=6; sleep 30");
    expect(count()).toBe("6");
  });
});
