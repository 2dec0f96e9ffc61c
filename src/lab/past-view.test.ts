// The picture of the past, held against the pictures that were seen when it was the present.

import { beforeAll, describe, expect, it } from "vitest";
import { Recorder } from "#history/recorder.ts";
import { World } from "#world/world.ts";
import { Answers } from "./answers.ts";
import { ClusterViewer } from "./cluster-view.ts";
import type { ClusterView } from "./picture-view.ts";

describe("the past", () => {
  let world: World;
  let answers: Answers;
  const shots: { readonly atMs: number; readonly view: ClusterView }[] = [];
  const viewer = new ClusterViewer();
  const wishes = [{ resource: "replicasets", name: "" }];
  const shoot = (): void => {
    shots.push({ atMs: world.simulation.nowMs, view: viewer.viewOf(world, wishes) });
    world.simulation.advance(1);
  };
  const run = (command: string): void => {
    let ended = false;
    world.workstation.runScript(command, () => {
      ended = true;
    });
    world.simulation.runUntil(() => ended, { limitMs: 60_000 });
  };

  beforeAll(() => {
    world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 2, files: {} });
    const recorder = new Recorder(world);
    world.boot();
    answers = new Answers(world, recorder, { wishes });
    shoot();
    run("kubectl create deployment web --image=nginx:1.27");
    shoot();
    world.simulation.advance(20_000);
    shoot();
    run("kubectl scale deployment web --replicas=3");
    world.simulation.advance(20_000);
    shoot();
    run("kubectl delete pod -l app=web --wait=false");
    shoot();
    world.simulation.advance(700);
    shoot();
    world.simulation.advance(60_000);
  });

  it("shows the cluster as it was, and changes nothing by it", () => {
    const revision = world.cluster.apiServer.store.revision;
    const requests = world.cluster.apiServer.audit.total;
    expect(shots.map(({ view }) => view.pods.filter(({ namespace }) => namespace === "default").length)).toEqual([
      0, 0, 1, 3, 4, 3,
    ]);
    for (const { atMs, view } of shots) expect(answers.answer("past", { atMs }).cluster).toEqual(view);
    expect([world.cluster.apiServer.store.revision, world.cluster.apiServer.audit.total]).toEqual([revision, requests]);
  });
});
