// Copies of resources that lag, by watch-delay on the workstation: what a controller does that does not see yet what it has done.

import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const startMs = 1_768_467_600_000;
const labels = { app: "slow" };
const key = { namespace: "default", name: "slow" };

function sitting(replicas = 0) {
  const world = new World({ startMs, seed: 3, nodes: 2, files: {} });
  world.boot();
  world.client.create(kinds.replicaSets, {
    metadata: key,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }], terminationGracePeriodSeconds: 1 },
      },
    },
  });
  world.simulation.advance(20_000);
  const told: string[] = [];
  world.onWrite.add(({ object, previous, deleted }, resource) => {
    if (resource !== "pods" || object.metadata?.namespace !== "default") return;
    if (previous === undefined) told.push("created");
    else if (deleted) told.push("gone");
  });
  const count = (what: string): number => told.filter((one) => one === what).length;
  const scale = (to: number) => world.client.patch(kinds.replicaSets, key, "merge", { spec: { replicas: to } });
  const touch = () =>
    world.client.patch(kinds.replicaSets, key, "merge", { metadata: { annotations: { touched: `${world.simulation.nowMs}` } } });
  const said = () => world.client.get(kinds.replicaSets, key).status?.replicas;
  const there = () => world.client.list(kinds.pods, { namespace: "default" }).items.length;
  return {
    world,
    ...sitDown(world),
    wait: (seconds: number) => world.simulation.advance(seconds * 1000),
    count,
    scale,
    touch,
    said,
    there,
  };
}

describe("a controller manager that hears of Pods late", () => {
  it("[WRK-029] makes exactly five for a ReplicaSet that is scaled to five, and counts them when it hears of them", () => {
    const { run, wait, scale, touch, said, count, there } = sitting();
    expect(run("watch-delay kube-controller-manager pods 10s")).toBe(
      "COMPONENT                 RESOURCE   DELAY\nkube-controller-manager   pods       10s\n",
    );
    scale(5);
    for (const second of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      wait(1);
      touch();
      expect([second, there(), said()]).toEqual([second, 5, 0]);
    }
    wait(2);
    expect([there(), said()]).toEqual([5, 5]);
    wait(60);
    expect([count("created"), count("gone"), there(), said()]).toEqual([5, 0, 5, 5]);
  });

  it("[WRK-029] takes exactly three away when it is scaled from five to two, whatever wakes it meanwhile", () => {
    const { run, wait, scale, touch, said, count, there } = sitting(5);
    run("watch-delay kube-controller-manager pods 30s");
    scale(2);
    for (let second = 0; second < 25; second += 1) {
      wait(1);
      touch();
      expect(said()).toBe(5);
    }
    expect([count("created"), count("gone"), there()]).toEqual([0, 3, 2]);
    wait(60);
    expect([count("created"), count("gone"), there(), said()]).toEqual([0, 3, 2, 2]);
  });

  it("[WRK-029] gives up what it expects after five minutes: it deletes anew what it still sees, and finds it gone", () => {
    const { world, run, wait, scale, touch, count, there } = sitting(5);
    const refused: string[] = [];
    world.onRefused.add(({ verb, resource, userAgent, code }) => {
      if (resource === "pods" && userAgent.startsWith("kube-controller-manager/replicaset")) refused.push(`${verb} ${code}`);
    });
    run("watch-delay kube-controller-manager pods 400s");
    scale(2);
    wait(290);
    touch();
    wait(5);
    expect(refused).toEqual([]);
    wait(10);
    touch();
    wait(5);
    expect(refused).toEqual(["delete 404", "delete 404", "delete 404"]);
    wait(200);
    expect([count("created"), count("gone"), there()]).toEqual([0, 3, 2]);
  });

  it("[WRK-475] makes no sixth Pod even then: a copy that misses what it has made itself is not acted on (v1.36)", () => {
    const { run, wait, scale, touch, count, said } = sitting();
    run("watch-delay kube-controller-manager pods 400s");
    scale(5);
    wait(350);
    touch();
    wait(10);
    expect([count("created"), said()]).toEqual([5, 0]);
    wait(100);
    expect([count("created"), count("gone"), said()]).toEqual([5, 0, 5]);
  });

  it("begins only when the list has come, after it was killed meanwhile: still five", () => {
    const { world, run, wait, scale, count, said } = sitting();
    run("watch-delay kube-controller-manager pods 20s");
    scale(5);
    wait(2);
    const { runtime } = world.cluster.node("control-plane") ?? {};
    const manager = runtime
      ?.podUids()
      .flatMap((uid) => runtime.containersOf(uid))
      .find(({ config, state }) => config.name === "kube-controller-manager" && state === "running");
    runtime?.signalContainer(manager?.id ?? "", "KILL");
    wait(120);
    expect([count("created"), count("gone"), said()]).toEqual([5, 0, 5]);
  });

  it("hears at once of all that is under way when the delay ends", () => {
    const { run, wait, scale, said } = sitting();
    run("watch-delay kube-controller-manager pods 10m");
    scale(3);
    wait(60);
    expect(said()).toBe(0);
    expect(run("watch-delay kube-controller-manager pods 0s")).toBe("Nothing is held up.\n");
    wait(1);
    expect(said()).toBe(3);
  });
});

describe("a scheduler that hears of Pods late", () => {
  it("binds them when it hears of them", () => {
    const { run, wait, world } = sitting();
    run("watch-delay kube-scheduler pods 10s");
    run("kubectl run lone --image=registry.k8s.io/pause:3.10");
    const node = () => world.client.get(kinds.pods, { namespace: "default", name: "lone" }).spec?.nodeName ?? "";
    wait(5);
    expect(node()).toBe("");
    wait(10);
    expect(node()).not.toBe("");
  });
});

describe("watch-delay", () => {
  it("says what lags, and refuses what it cannot hold up", () => {
    const { run } = sitting();
    expect(run("watch-delay")).toBe("Nothing is held up.\n");
    run("watch-delay kube-scheduler nodes 90s");
    run("watch-delay kube-controller-manager replicasets 500ms");
    expect(run("watch-delay")).toBe(
      [
        "COMPONENT                 RESOURCE           DELAY",
        "kube-controller-manager   replicasets.apps   500ms",
        "kube-scheduler            nodes              1m30s",
        "",
      ].join("\n"),
    );
    expect(run("watch-delay kubelet pods 1s; echo $?")).toBe(
      'watch-delay: no component "kubelet": there are kube-controller-manager, kube-scheduler\n1\n',
    );
    expect(run("watch-delay kube-scheduler secrets 1s")).toMatch(
      /^watch-delay: kube-scheduler keeps no copy of "secrets": there are .*, nodes, .*, pods, /,
    );
    expect(run("watch-delay kube-scheduler pods soon; echo $?")).toBe(
      'watch-delay: "soon" is no delay: write 10s, 1m30s or 0s\n1\n',
    );
    expect(run("watch-delay kube-scheduler pods; echo $?")).toMatch(/^Usage: watch-delay [\s\S]*No part of\nKubernetes\.\n2\n$/);
    expect(run("watch-delay --help; echo $?")).toMatch(/^Usage: watch-delay [\s\S]*No part of\nKubernetes\.\n0\n$/);
  });
});
