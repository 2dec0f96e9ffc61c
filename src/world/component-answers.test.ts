// The ports of the controller manager and the scheduler, as one asks them on the control plane.

import { describe, expect, it } from "vitest";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function start() {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world);
  world.simulation.advance(30_000);
  const ask = (port: number, path: string, more = ""): string =>
    learner.run(`ssh control-plane "curl -ks ${more} https://127.0.0.1:${port}${path}; echo"`);
  return { world, learner, ask };
}

describe.each([
  [10257, "kube-controller-manager"],
  [10259, "kube-scheduler"],
])("port %i", (port, component) => {
  it("answers health checks to all, and metrics to those whom the API server lets", () => {
    const { learner, ask } = start();
    expect(ask(port, "/healthz")).toBe("ok\n");
    const refused = ask(port, "/metrics");
    expect(JSON.parse(refused)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'forbidden: User "system:anonymous" cannot get path "/metrics"',
      reason: "Forbidden",
      details: {},
      code: 403,
    });
    expect(JSON.parse(ask(port, "/metrics", "-H 'Authorization: Bearer nobody'"))).toMatchObject({
      code: 401,
      message: "Unauthorized",
    });
    const token = learner.run("kubectl create token default").trim();
    const bearer = `-H 'Authorization: Bearer ${token}'`;
    expect(JSON.parse(ask(port, "/metrics", bearer))).toMatchObject({
      code: 403,
      message: 'forbidden: User "system:serviceaccount:default:default" cannot get path "/metrics"',
    });
    learner.run("kubectl create clusterrole scrape --verb=get --non-resource-url=/metrics");
    learner.run("kubectl create clusterrolebinding scrape --clusterrole=scrape --serviceaccount=default:default");
    const text = ask(port, "/metrics", bearer);
    expect(text).toContain('kubernetes_build_info{build_date="');
    expect(text).toContain(`leader_election_master_status{name="${component}"} 1\n`);
    expect(text).toMatch(/\nprocess_start_time_seconds 1\.767\d+e\+09\n/);
    expect(ask(port, "/elsewhere", bearer)).toContain('cannot get path \\"/elsewhere\\"');
  });
});

describe("the scheduler's metrics", () => {
  it("tell where Pods without a node wait", () => {
    const { learner, world, ask } = start();
    learner.run('kubectl run huge --image=nginx --overrides=\'{"spec":{"nodeSelector":{"disk":"none"}}}\'');
    world.simulation.advance(2_000);
    learner.run("kubectl create clusterrole scrape --verb=get --non-resource-url=/metrics");
    learner.run("kubectl create clusterrolebinding scrape --clusterrole=scrape --serviceaccount=default:default");
    const token = learner.run("kubectl create token default").trim();
    const text = ask(10259, "/metrics", `-H 'Authorization: Bearer ${token}'`);
    expect(text).toContain(
      'scheduler_pending_pods{queue="active"} 0\nscheduler_pending_pods{queue="backoff"} 0\nscheduler_pending_pods{queue="gated"} 0\nscheduler_pending_pods{queue="unschedulable"} 1\n',
    );
  });
});
