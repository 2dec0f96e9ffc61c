import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { World } from "#world/world.ts";
import { FlowLog } from "./flow-log.ts";

const startMs = Date.UTC(2026, 0, 15, 9);

function loggedWorld() {
  const world = new World({ startMs, seed: 5, nodes: 1, files: {} });
  world.cluster.boot();
  const log = new FlowLog(world);
  world.apply({ kind: "terminal-open", terminal: "one", columns: 100, rows: 30 });
  const run = (line: string, forMs = 4000) => {
    world.apply({ kind: "terminal-input", terminal: "one", text: `${line}\r` });
    world.simulation.advance(forMs);
  };
  return { world, log, run };
}

describe("the log of flows", () => {
  it("has connections to Services and Pods, counted by their way", () => {
    const { world, log, run } = loggedWorld();
    run("kubectl run web --image=nginx && kubectl expose pod web --name=shop --port=80 --type=NodePort", 15_000);
    run("kubectl create service clusterip nobody --tcp=80", 2000);
    log.take();
    const port = "$(kubectl get svc shop -o jsonpath='{.spec.ports[0].nodePort}')";
    run(`for i in 1 2 3; do curl -s 172.18.0.3:${port} > /dev/null; done`);
    const [pod] = world.client.list(pods, { namespace: "default" }).items;
    expect(log.take()).toMatchObject([{ from: "172.18.255.1", asked: "172.18.0.3", to: pod?.status?.podIP, count: 3, failed: 0 }]);
    run("kubectl exec web -- curl -s nobody; kubectl exec web -- curl -s shop -o /dev/null");
    const flows = log.take().filter(({ port: asked }) => asked === 80);
    expect(flows.map(({ to, failed }) => [to === "", failed])).toEqual([
      [true, 1],
      [false, 0],
    ]);
    expect(log.isEmpty).toBe(true);
  });

  it("has nothing while nobody does anything: probes and the cluster's own talk are not traffic", () => {
    const { log, run, world } = loggedWorld();
    const container = { name: "site", image: "nginx", livenessProbe: { httpGet: { port: 80 }, periodSeconds: 5 } };
    run(`kubectl run site --image=nginx --overrides='${JSON.stringify({ spec: { containers: [container] } })}'`, 10_000);
    log.take();
    world.simulation.advance(60_000);
    expect(log.take()).toEqual([]);
  });
});
