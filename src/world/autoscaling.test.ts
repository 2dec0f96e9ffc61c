// Load in a whole cluster: requests, the processor time they cost, metrics-server, an autoscaler.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const key = { namespace: "default", name: "tickets" };

function start(): { readonly world: World; readonly learner: TypingLearner } {
  const world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, addons: ["metrics-server"], files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 160, rows: 60 });
  learner.run("kubectl create deployment tickets --image=registry.k8s.io/hpa-example --port=80");
  learner.run("kubectl set resources deployment tickets --requests=cpu=200m --limits=cpu=500m");
  learner.run("kubectl expose deployment tickets");
  learner.run("kubectl rollout status deployment tickets");
  return { world, learner };
}

describe("a web server under load", () => {
  let world: World;
  let learner: TypingLearner;

  beforeAll(() => {
    ({ world, learner } = start());
    // Its first measurings are of the start.
    world.simulation.advance(60_000);
  });

  const replicas = () => world.client.get(kinds.deployments, key).spec?.replicas;
  const hpa = () =>
    learner
      .run("kubectl get hpa")
      .trim()
      .split(/ {2,}|\n/);

  it("[WRK-165] gets its autoscaler by kubectl autoscale, once", () => {
    const line = "kubectl autoscale deployment tickets --cpu=50% --min=1 --max=10";
    expect(learner.run(line)).toBe("horizontalpodautoscaler.autoscaling/tickets autoscaled\n");
    expect(learner.run(line)).toBe(
      'Error from server (AlreadyExists): horizontalpodautoscalers.autoscaling "tickets" already exists\n',
    );
  });

  it("[WRK-166] gets one by the older flag, too, with a warning", () => {
    const line = "kubectl autoscale deployment tickets --name=older --max=3 --cpu-percent=60";
    expect(learner.run(line)).toBe(
      "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).\nhorizontalpodautoscaler.autoscaling/older autoscaled\n",
    );
    expect(learner.run("kubectl get hpa older --no-headers")).toMatch(/cpu: <unknown>\/60% +1 +3 /);
    learner.run("kubectl delete hpa older");
  });

  it("[WRK-163] is unknown first, and idle after a pass", () => {
    expect(hpa()).toEqual([
      ...["NAME", "REFERENCE", "TARGETS", "MINPODS", "MAXPODS", "REPLICAS", "AGE"],
      ...["tickets", "Deployment/tickets", "cpu: <unknown>/50%", "1", "10", "0", expect.stringMatching(/^\ds$/)],
    ]);
    world.simulation.advance(16_000);
    expect(hpa().slice(7, 13)).toEqual(["tickets", "Deployment/tickets", "cpu: 0%/50%", "1", "10", "1"]);
  });

  it("[WRK-157] [WRK-168] has more Pods within a minute of requests in a loop", () => {
    learner.run(`kubectl run load --image=busybox:1.36 -- sh -c "while sleep 0.01; do wget -q -O- http://tickets; done"`);
    const isUp = world.simulation.runUntil(() => (replicas() ?? 0) > 1, { limitMs: 60_000 });
    expect(isUp).toBe(true);
    world.simulation.advance(120_000);
    // One client waits for each answer: five Pods have 100m each, and the sixth would change nothing.
    expect(replicas()).toBe(5);
    expect(hpa()[9]).toMatch(/^cpu: 4\d%\/50%$/);
    expect(learner.run("kubectl rollout history deployment tickets")).not.toContain("\n3");
  });

  it("[WRK-159] [WRK-160] keeps them for five minutes after the last request", () => {
    learner.run("kubectl delete pod load --now");
    const stoppedMs = world.simulation.nowMs;
    expect(world.simulation.runUntil(() => replicas() === 1, { limitMs: 600_000 })).toBe(true);
    const waitedSeconds = (world.simulation.nowMs - stoppedMs) / 1000;
    // The metric still shows the load for a scrape and a pass.
    expect(waitedSeconds).toBeGreaterThan(300);
    expect(waitedSeconds).toBeLessThan(345);
    expect(learner.run("kubectl describe hpa tickets")).toContain("New size: 1; reason: All metrics below target");
  });

  it("shows in kubectl describe what the autoscaler thinks", () => {
    world.simulation.advance(16_000);
    const told = learner.run("kubectl describe hpa tickets").split("\n");
    const lines = told.slice(
      told.findIndex((line) => line.startsWith("Reference")),
      told.findIndex((line) => line.startsWith("Events")),
    );
    expect(lines).toEqual([
      "Reference:                                             Deployment/tickets",
      "Metrics:                                               ( current / target )",
      "  resource cpu on pods  (as a percentage of request):  0% (0) / 50%",
      "Min replicas:                                          1",
      "Max replicas:                                          10",
      "Deployment pods:                                       1 current / 1 desired",
      "Conditions:",
      "  Type            Status  Reason            Message",
      "  ----            ------  ------            -------",
      "  AbleToScale     True    ReadyForNewScale  recommended size matches current size",
      "  ScalingActive   True    ValidMetricFound  the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
      "  ScalingLimited  True    TooFewReplicas    the desired replica count is less than the minimum replica count",
    ]);
  });
});

describe("flags of the controller manager for autoscaling", () => {
  it("act after its static Pod was changed", () => {
    const { world, learner } = start();
    world.simulation.advance(60_000);
    const manifest = "/etc/kubernetes/manifests/kube-controller-manager.yaml";
    const flags = "--horizontal-pod-autoscaler-sync-period=5s\\n    - --horizontal-pod-autoscaler-downscale-stabilization=30s";
    learner.run(`ssh control-plane "sed -i 's/^    - --leader-elect=true/&\\n    - ${flags}/' ${manifest}"`);
    world.simulation.advance(60_000);
    learner.run("kubectl autoscale deployment tickets --cpu=50% --min=1 --max=10");
    learner.run("kubectl scale deployment tickets --replicas=3");
    const scaledMs = world.simulation.nowMs;
    const replicas = () => world.client.get(kinds.deployments, key).spec?.replicas;
    expect(world.simulation.runUntil(() => replicas() === 1, { limitMs: 300_000 })).toBe(true);
    expect((world.simulation.nowMs - scaledMs) / 1000).toBeLessThan(90);
  });
});

describe("hey", () => {
  it("tells how long its requests took, from a Pod and from the workstation", () => {
    const { learner } = start();
    learner.run("kubectl expose deployment tickets --name=door --type=NodePort; sleep 2");
    const port = "$(kubectl get service door -o jsonpath='{.spec.ports[0].nodePort}')";
    const told = learner.run(`hey -n 20 -c 4 http://node-1:${port}/`);
    // Four at a time, 60 ms each, half a processor.
    const average = Number(/Average:\s*([\d.]+) secs/.exec(told)?.[1]);
    expect(average).toBeGreaterThan(0.4);
    expect(average).toBeLessThan(0.6);
    expect(told).toMatch(/\[200\]\s*20 responses/);
    expect(told).toMatch(/Total data:\s*60 bytes\n {2}Size\/request:\s*3 bytes/);
    learner.run("kubectl run load --image=williamyeh/hey --restart=Never -- -z 3s -c 2 -q 2 http://tickets/none");
    learner.run("kubectl wait --for=jsonpath='{.status.phase}'=Succeeded pod/load --timeout=30s");
    expect(learner.run("kubectl logs load")).toMatch(/\[404\]\s*12 responses/);
    expect(learner.run("hey -n 2 -c 1 http://node-1:81/")).toContain(
      '[2]Get "http://node-1:81/": dial tcp 172.18.0.3:81: connect: connection refused',
    );
    expect(learner.run("hey -n 2 -c 3 http://node-1:81/").split("\n")[0]).toBe("-n cannot be less than -c.");
    expect(learner.run("hey -n 2 -c 1 -o '{{ .Fastest }}' http://node-1:81/").split("\n")[0]).toBe("-o takes only csv here");
    expect(learner.run("hey -n 2 -c 1 -a nobody http://node-1:81/").split("\n")[0]).toBe(
      "could not parse the provided input; input = nobody",
    );
    learner.run(`hey -n 1 -c 1 -H "User-Agent: probe" -a ada:secret http://node-1:${port}/`);
    expect(learner.run("kubectl logs deploy/tickets --tail=1")).toContain('"probe hey/0.0.1"');
  });
});
