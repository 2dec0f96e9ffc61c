// What checks see of a world beyond its objects.

import { beforeEach, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

let world: World;
let learner: TypingLearner;

beforeEach(() => {
  world = new World({ startMs: Date.UTC(2026, 0, 15, 9), seed: 7, nodes: 2, files: {} });
  world.boot();
  learner = sitDown(world);
  learner.run("kubectl create deployment web --image=nginx:1.27 --replicas=2");
  learner.run("kubectl rollout status deployment/web");
  learner.run("kubectl expose deployment web --port=80");
  world.simulation.advance(5000);
});

const podName = (): string => learner.run("kubectl get pods -l app=web -o jsonpath='{.items[0].metadata.name}'; echo").trim();

/** Reads until there is an answer, as checks do. */
function answered<Answer>(read: () => Answer | undefined): Answer | undefined {
  for (let tries = 0; tries < 20 && read() === undefined; tries += 1) world.simulation.advance(500);
  return read();
}

describe("what a world shows to checks", () => {
  it("reads events and logs", () => {
    expect(world.observable.events("default")).toContainEqual({
      type: "Normal",
      reason: "ScalingReplicaSet",
      message: expect.stringMatching(/^Scaled up replica set web-\S+ from 0 to 2$/),
      kind: "Deployment",
      name: "web",
      uid: learner.run("kubectl get deployment web -o jsonpath='{.metadata.uid}'; echo").trim(),
      count: 1,
    });
    const pod = podName();
    learner.run(`kubectl exec ${pod} -- curl -s localhost`);
    expect(world.observable.logs("default", pod, "")).toContain('"GET / HTTP/1.1" 200');
    expect(world.observable.logs("default", pod, "nginx")).toBe(world.observable.logs("default", pod, ""));
    expect(world.observable.logs("default", "gone", "")).toBeUndefined();
    expect(() => world.observable.logs("default", pod, "gone")).toThrow("container gone is not valid for pod");
  });

  it("reads custom objects while their kind is served", () => {
    const { observable } = world;
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "tours.museum.example.com" },
      spec: {
        group: "museum.example.com",
        scope: "Namespaced",
        names: { plural: "tours", kind: "Tour" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const tour = { apiVersion: "museum.example.com/v1", kind: "Tour", metadata: { name: "steam" } };
    expect(observable.objects("tours.museum.example.com", undefined)).toEqual([]);
    expect(observable.object("tours.museum.example.com", "default", "steam")).toBeUndefined();
    learner.run(`echo '${JSON.stringify(crd)}' | kubectl create -f -`);
    learner.run("kubectl wait --for=condition=Established crd/tours.museum.example.com");
    learner.run(`echo '${JSON.stringify(tour)}' | kubectl create -f -`);
    expect(observable.objects("tours.museum.example.com", undefined)).toMatchObject([tour]);
    expect(observable.objects("tours.museum.example.com", "kube-system")).toEqual([]);
    expect(observable.object("tours.museum.example.com", "default", "steam")).toMatchObject(tour);
    expect(observable.object("tours.museum.example.com", "default", "signals")).toBeUndefined();
    expect(observable.objects("tours.example.com", undefined)).toEqual([]);
    learner.run("kubectl delete crd tours.museum.example.com");
    expect(observable.object("tours.museum.example.com", "default", "steam")).toBeUndefined();
    for (const none of ["tours", "deployment.apps", "deployments.apps"]) {
      expect(() => observable.objects(none, undefined)).toThrow(`there is no resource "${none}"`);
    }
  });

  it("knows who wrote an object, and through which subresource, before any client has read it", () => {
    learner.run("kubectl scale deployment web --replicas=1");
    const entries = world.observable.managers("deployments", "default", "web");
    expect(entries).toContainEqual(expect.objectContaining({ manager: "kubectl-create", operation: "Update" }));
    expect(entries).toContainEqual(expect.objectContaining({ subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } }));
    expect(world.observable.managers("deployments", "default", "gone")).toBeUndefined();
  });

  it("asks for pages from a Pod, from a node's Pods and from the workstation", () => {
    const { observable } = world;
    const inPod = `default/${podName()}`;
    expect(observable.http(inPod, "http://web")).toBeUndefined();
    expect(answered(() => observable.http(inPod, "http://web"))).toMatchObject({ code: 200, failed: false });
    expect(answered(() => observable.http("node-2", "http://web/nothing"))).toMatchObject({ code: 404, failed: false });
    expect(answered(() => observable.http("workstation", "http://web"))).toEqual({
      code: 0,
      body: "",
      failed: true,
      certificate: "",
    });
    expect(answered(() => observable.http("default/gone", "http://web"))).toEqual({
      code: 0,
      body: "",
      failed: true,
      certificate: "",
    });
    expect(learner.run("kubectl get pods -o name").trim().split("\n")).toHaveLength(2);
    expect(learner.run("ps -e")).not.toContain("client");
  });

  it("asks again for as long as someone reads, and tells when the answer is another", () => {
    const read = () => world.observable.http("node-1", "http://web");
    let told = 0;
    expect(answered(read)).toMatchObject({ code: 200 });
    const remove = world.onChange.add(() => {
      told += 1;
      read();
    });
    learner.run("kubectl delete service web");
    world.simulation.advance(25_000);
    expect(read()).toMatchObject({ failed: true });
    expect(told).toBeGreaterThan(0);
    remove();
  });

  it("looks names up as a Pod of a namespace does", () => {
    const { observable } = world;
    const address = learner.run("kubectl get service web -o jsonpath='{.spec.clusterIP}'; echo").trim();
    expect(answered(() => observable.dns("default", "web"))).toEqual([address]);
    expect(answered(() => observable.dns("kube-system", "web"))).toEqual([]);
    expect(answered(() => observable.dns("kube-system", "web.default"))).toEqual([address]);
  });
});

describe("steady clients", () => {
  it("count what they send and what fails, until they are stopped", () => {
    world.startTraffic([{ name: "web", from: "node-1", url: "http://web", everyMs: 200 }]);
    world.simulation.advance(10_000);
    expect(world.observable.traffic["web"]).toEqual({ sent: 50, failed: 0 });
    learner.run("kubectl scale deployment web --replicas=0");
    world.simulation.advance(10_000);
    const { sent, failed } = world.observable.traffic["web"] ?? { sent: 0, failed: 0 };
    expect({ sent: sent > 90, failed: failed > 40 && failed < sent - 50 }).toEqual({ sent: true, failed: true });
    world.stopTraffic();
    world.simulation.advance(5000);
    const after = world.observable.traffic["web"]?.sent;
    world.simulation.advance(5000);
    expect(world.observable.traffic["web"]?.sent).toBe(after);
  });

  it("reach both Pods through the rules of their node, and show in nothing else", () => {
    world.startTraffic([{ name: "web", from: "node-1", url: "http://web", everyMs: 200 }]);
    world.simulation.advance(20_000);
    const names = learner.run("kubectl get pods -l app=web -o jsonpath='{.items[*].metadata.name}'; echo").trim().split(" ");
    const lines = names.map((name) => world.observable.logs("default", name, "")?.match(/steady-client/g)?.length ?? 0);
    expect(lines.every((count) => count > 25)).toBe(true);
    expect(learner.run("kubectl get pods -A -o name | wc -l").trim()).toBe("11");
  });
});
