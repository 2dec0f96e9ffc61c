// The questions, asked of a small cluster in which a Deployment is made, scaled and broken.

import { beforeAll, describe, expect, it } from "vitest";
import { configMaps, deployments, pods } from "#cluster/api/kinds.ts";
import { storedObjects } from "#world/stored-objects.ts";
import { World } from "#world/world.ts";
import { historyAnswerers } from "./answers.ts";
import { everything, type HistoryAnswerers, type ObjectRef } from "./questions.ts";
import { Recorder } from "./recorder.ts";

const web: ObjectRef = { resource: "deployments.apps", namespace: "default", name: "web" };
const startMs = Date.UTC(2026, 0, 15, 9);

function run(world: World, command: string): void {
  let ended = false;
  world.workstation.runScript(command, () => {
    ended = true;
  });
  world.simulation.runUntil(() => ended, { limitMs: 60_000 });
}

describe("a history", () => {
  let world: World;
  let answers: HistoryAnswerers;
  let recorder: Recorder;
  beforeAll(() => {
    world = new World({ startMs, seed: 7, nodes: 2, files: {} });
    recorder = new Recorder(world);
    world.boot();
    answers = historyAnswerers(storedObjects(world), recorder);
    run(world, "kubectl create deployment web --image=nginx:1.27");
    world.simulation.advance(20_000);
    run(world, "kubectl scale deployment web --replicas=3");
    world.simulation.advance(20_000);
    run(world, "kubectl delete pod -l app=web --wait=false");
    world.simulation.advance(700);
    world.simulation.advance(60_000);
  });

  it("tells who wrote what, and what it changed", () => {
    const { entries } = answers.entries({ filter: { ...everything, object: web }, first: 0, count: 100 });
    const told = entries
      .filter(({ kind, component }) => kind === "write" && component.name !== "deployment-controller")
      .map(({ component, verb, subresource, changes }) => [component.name, verb, subresource, changes.map(({ path }) => path)]);
    expect(told).toEqual([
      ["kubectl", "create", "", []],
      ["kubectl", "patch", "scale", ["spec.replicas"]],
    ]);
    expect(entries.find(({ kind }) => kind === "event")).toMatchObject({
      component: { name: "deployment-controller", group: "controller" },
      reason: "ScalingReplicaSet",
      object: web,
    });
  });

  it("windows a filtered list, and finds an entry in it", () => {
    const filter = { ...everything, components: ["kubelet node-1"] };
    const all = answers.entries({ filter, first: 0, count: 500 });
    expect(all.entries.every(({ component }) => component.name === "kubelet node-1")).toBe(true);
    const wanted = all.entries[20]?.sequence;
    const window = answers.entries({ filter, first: -1, count: 5, around: wanted });
    expect([window.total, window.first, window.found]).toEqual([all.total, 18, 20]);
    expect(window.entries.map(({ sequence }) => sequence)).toEqual(all.entries.slice(18, 23).map(({ sequence }) => sequence));
    world.simulation.advance(600_000);
    expect(answers.entries({ filter, first: 0, count: 1 }).total).toBeGreaterThan(all.total);
  });

  it("keeps renewals of Leases to themselves", () => {
    const total = (beats: boolean) => answers.entries({ filter: { ...everything, beats }, first: 0, count: 1 }).total;
    expect([...recorder.entries.backwards()].some((entry) => entry.kind === "write" && entry.resource.startsWith("leases"))).toBe(
      false,
    );
    expect(total(true) - total(false)).toBe(recorder.beats.length);
    const { entries } = answers.entries({ filter: { ...everything, beats: true }, first: 0, count: 500 });
    const sequences = entries.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });

  it("follows a Pod from the request to Ready", () => {
    const { pods: offered } = answers.follow({ object: web });
    const first = offered.at(-1);
    const { steps, pod } = answers.follow({ object: web, pod: first });
    expect(pod).toEqual(first);
    expect(steps.map(({ step }) => step)).toEqual([
      "request",
      "authentication",
      "authorization",
      "admission",
      "storage",
      "deploymentController",
      "replicaSetController",
      "decision",
      "binding",
      "sandbox",
      "pulling",
      "pulled",
      "created",
      "started",
      "status",
    ]);
    expect(steps.map(({ timeMs }) => timeMs)).toEqual(steps.map(({ timeMs }) => timeMs).sort((a, b) => a - b));
    expect(steps[0]?.values).toMatchObject({ client: "kubectl", verb: "create", name: "Deployment web", changed: "" });
    expect(steps[3]?.values["validating"]).toContain("ValidatingAdmissionPolicy");
  });

  it("tells by which binding a request was allowed and which plugins looked at it, whatever has become of them since", () => {
    const own = new World({ startMs, seed: 7, nodes: 1, files: {} });
    const asked = historyAnswerers(storedObjects(own), new Recorder(own));
    own.boot();
    run(own, "kubectl create role writer --verb=create --resource=configmaps,deployments");
    run(own, "kubectl create rolebinding jane-writes --role=writer --user=jane");
    run(own, "kubectl create deployment web --image=nginx:1.27 --as=jane");
    const told = () => Object.fromEntries(asked.follow({ object: web }).steps.map(({ step, values }) => [step, values] as const));
    const before = told();
    expect(before["authorization"]).toMatchObject({
      user: "jane",
      reason: 'RBAC: allowed by RoleBinding "jane-writes/default" of Role "writer" to User "jane"',
    });
    expect(before["admission"]?.["mutating"]).toContain("MutatingAdmissionWebhook");
    run(own, "kubectl delete rolebinding jane-writes");
    own.cluster.apiServer.usePlugins(["NodeRestriction"], ["MutatingAdmissionWebhook"]);
    expect([told()["authorization"], told()["admission"]]).toEqual([before["authorization"], before["admission"]]);
  });

  it("follows a Pod of a scaled Deployment from the scaling", () => {
    const { pods: offered } = answers.follow({ object: web });
    const { steps } = answers.follow({ object: web, pod: offered.at(-2) });
    expect(steps[0]?.values).toMatchObject({ verb: "patch", changed: "spec.replicas: 1 → 3" });
    expect(steps[5]?.values["changed"]).toBe("spec.replicas: 1 → 3");
  });

  it("inspects an object as kubectl prints it, with owners, events and versions", () => {
    const name = answers.follow({ object: web }).pod?.name ?? "";
    const view = answers.object({ object: { resource: "pods", namespace: "default", name } });
    let printed = "";
    world.workstation.runScript(`kubectl get pod ${name} -o yaml`, ({ output }) => {
      printed = output;
    });
    world.simulation.advance(1000);
    expect(view?.yaml).toBe(printed);
    expect(view?.owners.map(({ kind }) => kind)).toEqual(["Deployment", "ReplicaSet", "Pod"]);
    expect(view?.events.map(({ reason }) => reason)).toContain("Scheduled");
    expect(view?.versions.at(-1)?.verb).toBe("create");
    const oldest = view?.versions.at(-1)?.sequence ?? 0;
    expect(answers.yaml({ object: { resource: "pods", namespace: "default", name }, version: oldest })).toContain("phase: Pending");
    expect(answers.object({ object: web })?.owned.map(({ kind }) => kind)).toEqual(["ReplicaSet"]);
  });

  it("still knows an object that is gone", () => {
    const { pods: offered } = answers.follow({ object: web });
    const gone = offered.at(-1) as ObjectRef;
    const view = answers.object({ object: gone });
    expect([view?.gone, view?.versions[0]?.verb]).toEqual([true, "delete"]);
    expect(answers.object({ object: { ...gone, name: "never" } })).toBeNull();
  });

  it("finds objects by kind, short name, namespace and name", () => {
    const found = (text: string) => answers.find({ text, limit: 50 }).map(({ kind, name }) => `${kind} ${name}`);
    expect(found("deploy web")).toEqual(["Deployment web"]);
    expect(found("po default/web")).toHaveLength(3);
    expect(found("node-1")).toContain("Node node-1");
  });

  it("has what a person touched last, not what the server wrote for it", () => {
    const own = new World({ startMs, seed: 7, nodes: 1, files: {} });
    const asked = historyAnswerers(storedObjects(own), new Recorder(own));
    own.boot();
    run(own, "kubectl create service clusterip web --tcp=80:80");
    own.simulation.advance(2000);
    expect(asked.touched({})).toEqual({ resource: "services", namespace: "default", name: "web" });
  });

  it("keeps the scheduler's decisions with every node's verdict", () => {
    const [last] = answers.decisions({ text: "default/web", limit: 10 });
    const detail = answers.decision({ sequence: last?.sequence ?? 0 });
    expect(detail?.outcome).toBe("scheduled");
    expect(detail?.nodes.map(({ refusedBy }) => refusedBy)).toEqual(["", "", "TaintToleration"]);
    expect(detail?.nodes[0]?.scores).toHaveLength(detail?.plugins.length ?? 0);
  });

  it("names refused writes with the server's words", () => {
    expect(() => world.client.delete(configMaps, { namespace: "default", name: "none" })).toThrow();
    const { entries } = answers.entries({
      filter: { ...everything, text: "configmaps/default/none" },
      first: -1,
      count: 5,
    });
    expect(entries).toMatchObject([{ kind: "refusal", verb: "delete", text: 'configmaps "none" not found' }]);
  });

  it("counts entries by component and by part of the time", () => {
    const { density, components, oldestMs, nowMs } = answers.overview({ parts: 20 });
    expect(density.reduce((sum, part) => sum + part, 0)).toBe(recorder.entries.length);
    expect(oldestMs).toBeLessThan(nowMs);
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(["kubectl", "kube-scheduler", "kubelet node-1"]));
    expect(world.client.list(deployments).items.length + world.client.list(pods).items.length).toBeGreaterThan(0);
  });
});
