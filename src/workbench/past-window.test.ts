import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { ClusterView } from "#lab/picture-view.ts";
import type { PastView } from "#lab/questions.ts";
import type { LabSession, SessionState } from "#lab/session.ts";
import { createPastWindow } from "./past-window.ts";

const empty: ClusterView = { nodes: [], pods: [], workloads: [], services: [], objects: [], ties: [] };

/** A session whose answers come when the test says so. */
function session() {
  const waiting: { readonly atMs: number; answer(): void; fail(): void }[] = [];
  const state = signal<SessionState>({ kind: "ready", resumed: false, lost: undefined });
  const cluster = signal<ClusterView>(empty);
  const ask = ((_name: string, { atMs }: { readonly atMs: number }) =>
    new Promise((resolve, reject) => {
      const view: PastView = { atMs, oldestMs: 0, cluster: { ...empty } };
      waiting.push({ atMs, answer: () => resolve(view), fail: () => reject(new Error("the world has ended")) });
    })) as LabSession["ask"];
  return { state, cluster, ask, waiting };
}

describe("looking back", () => {
  it("shows the moment asked for last, one question at a time", async () => {
    const world = session();
    const past = createPastWindow(world);
    past.show(100);
    past.show(200);
    past.show(300);
    expect(world.waiting.map(({ atMs }) => atMs)).toEqual([100]);
    world.waiting[0]?.answer();
    await Promise.resolve();
    expect(world.waiting.map(({ atMs }) => atMs)).toEqual([100, 300]);
    world.waiting[1]?.answer();
    await Promise.resolve();
    expect(past.atMs.value).toBe(300);
    expect(past.cluster.value).not.toBe(world.cluster.value);
  });

  it("returns to the present on request, whatever answers still come", async () => {
    const world = session();
    const past = createPastWindow(world);
    past.show(100);
    past.returnToNow();
    world.waiting[0]?.answer();
    await Promise.resolve();
    expect(past.atMs.value).toBeUndefined();
    expect(past.cluster.value).toBe(world.cluster.value);
  });

  it("returns to the present when the world ends", async () => {
    const world = session();
    const past = createPastWindow(world);
    past.show(100);
    world.waiting[0]?.answer();
    await Promise.resolve();
    world.state.value = { kind: "starting", phase: "loading" };
    expect(past.atMs.value).toBeUndefined();
  });
});
