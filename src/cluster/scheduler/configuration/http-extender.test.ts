import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { cpu } from "../scheduler.test-kit.ts";
import { type Answerer, configured, reply } from "./configured.test-kit.ts";

type World = ReturnType<typeof configured>;

const nodeOf = (world: World, name: string): string | undefined => world.pod(name).spec?.nodeName;
const extender = (fields: string) => `extenders:\n- {urlPrefix: "http://10.96.0.9:8888/api/", ${fields}}\n`;
const names = (body: unknown): readonly string[] => (body as { readonly NodeNames: readonly string[] }).NodeNames;

function withNodes(text: string, answer?: Answerer, nodes: readonly string[] = ["a", "b", "c"]): World {
  const world = configured(text, answer);
  for (const name of nodes) world.addNode(name);
  world.run();
  return world;
}

const device = {
  containers: [
    { name: "main", image: "nginx", resources: { requests: { "example.com/foo": "1" }, limits: { "example.com/foo": "1" } } },
  ],
};

describe("an extender that filters", () => {
  it("gets the Pod and the names of the nodes, and leaves some of them", () => {
    const world = withNodes(extender("filterVerb: filter, nodeCacheCapable: true"), () => reply({ NodeNames: ["b"] }));
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("b");
    const [call] = world.calls;
    expect(call?.url).toBe("http://10.96.0.9:8888/api/filter");
    expect(call?.body).toMatchObject({
      Pod: { metadata: { name: "p", namespace: "default" }, spec: { schedulerName: "default-scheduler" }, status: {} },
      Nodes: null,
      NodeNames: ["a", "b", "c"],
    });
    expect(call?.body).not.toHaveProperty("Pod.kind");
  });

  it("gets whole nodes where it keeps none, and gives them back", () => {
    const world = withNodes(extender("filterVerb: filter"), (_call, body) => {
      const { items } = (
        body as { readonly Nodes: { readonly items: readonly { readonly metadata: { readonly name: string } }[] } }
      ).Nodes;
      return reply({ Nodes: { items: items.filter(({ metadata }) => metadata.name === "c") } });
    });
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("c");
    expect(world.calls[0]?.body).toMatchObject({
      NodeNames: null,
      Nodes: { items: [{ metadata: { name: "a" }, status: { allocatable: { cpu: "2" } } }, {}, {}] },
    });
  });

  it("is not asked about nodes that a plugin has refused, nor at all when there are none", () => {
    const world = configured(extender("filterVerb: filter, nodeCacheCapable: true"), () => reply({ NodeNames: ["b"] }));
    world.addNode("a", { unschedulable: true });
    world.addNode("b");
    world.addPod("p");
    world.addPod("large", cpu("9"));
    world.run();
    expect(world.calls.map(({ body }) => names(body))).toEqual([["b"]]);
  });

  it("tells why, and its words are counted with those of plugins", () => {
    const answer = { NodeNames: [], FailedNodes: { a: "too noisy" }, FailedAndUnresolvableNodes: { b: "no licence" } };
    const world = withNodes(extender("filterVerb: filter, nodeCacheCapable: true"), () => reply(answer), ["a", "b"]);
    world.addNode("c", { unschedulable: true });
    world.addPod("p");
    world.run();
    expect(world.events("p")).toEqual([
      "Warning FailedScheduling 0/3 nodes are available: 1 no licence, 1 node(s) were unschedulable, 1 too noisy. no new claims to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
    ]);
  });

  it("may leave out nodes without a word", () => {
    const world = withNodes(extender("filterVerb: filter, nodeCacheCapable: true"), () => reply({ nodenames: [] }), ["a"]);
    world.addPod("p");
    world.run();
    expect(world.events("p")[0]).toBe(
      "Warning FailedScheduling 0/1 nodes are available: no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
  });

  it("has a refused Pod tried again after any event", () => {
    let isOpen = false;
    const world = withNodes(extender("filterVerb: filter, nodeCacheCapable: true"), () =>
      reply(isOpen ? { NodeNames: ["a"] } : { NodeNames: [], FailedNodes: { a: "closed" } }),
    );
    world.addPod("p");
    world.run(3_000);
    isOpen = true;
    world.addPod("other", { nodeName: "b" });
    world.run(3_000);
    expect(nodeOf(world, "p")).toBe("a");
  });

  it.each<[string, Answerer, string]>([
    [
      "is not there",
      () => ({ error: 'Post "http://10.96.0.9:8888/api/filter": dial tcp 10.96.0.9:8888: connect: connection refused' }),
      'Post "http://10.96.0.9:8888/api/filter": dial tcp 10.96.0.9:8888: connect: connection refused',
    ],
    [
      "answers with another status",
      () => ({ status: 500, text: "oops" }),
      "failed filter with extender at URL http://10.96.0.9:8888/api/filter, code 500",
    ],
    ["names an error", () => reply({ Error: "out of order" }), "out of order"],
    ["answers nothing", () => ({ status: 200, text: "" }), "EOF"],
    ["answers no JSON", () => ({ status: 200, text: "hello" }), "invalid character 'h' looking for beginning of value"],
    ["answers another document", () => reply([]), "json: cannot unmarshal array into Go value of type v1.ExtenderFilterResult"],
    [
      "names a node that it was not asked about",
      () => reply({ NodeNames: ["z"] }),
      'extender "http://10.96.0.9:8888/api/" claims a filtered node "z" which is not found in the input node list',
    ],
  ])("fails the Pod when it %s, unless it may be ignored", (_title, answer, failure) => {
    const fields = "filterVerb: filter, nodeCacheCapable: true";
    const strict = withNodes(extender(fields), answer);
    strict.addPod("p");
    strict.run();
    expect(nodeOf(strict, "p")).toBeUndefined();
    expect(strict.events("p")).toEqual([`Warning FailedScheduling ${failure}`]);
    expect(strict.pod("p").status?.conditions?.[0]).toMatchObject({ reason: "SchedulerError", message: failure });
    const lenient = withNodes(extender(`${fields}, ignorable: true`), answer);
    lenient.addPod("p");
    lenient.run();
    expect(nodeOf(lenient, "p")).toBeDefined();
  });

  it("holds up all other Pods while it thinks", () => {
    const world = configured(
      extender("filterVerb: filter, nodeCacheCapable: true"),
      (_call, body) => reply({ NodeNames: names(body) }),
      2_000,
    );
    world.addNode("a");
    world.addPod("p");
    world.addPod("q");
    world.run(3_000);
    expect([nodeOf(world, "p"), nodeOf(world, "q")]).toEqual(["a", undefined]);
    world.run(2_000);
    expect(nodeOf(world, "q")).toBe("a");
  });

  it("answers for nothing when the Pod is gone meanwhile", () => {
    const world = configured(
      extender("filterVerb: filter, nodeCacheCapable: true"),
      (_call, body) => reply({ NodeNames: names(body) }),
      2_000,
    );
    world.addNode("a");
    world.addPod("p");
    world.run();
    world.client.delete(kinds.pods, { namespace: "default", name: "p" });
    world.addPod("q");
    world.run(5_000);
    expect(nodeOf(world, "q")).toBe("a");
    expect(world.events("p")).toEqual([]);
  });
});

it("asks extenders one after the other, those that may be ignored last", () => {
  const text = `extenders:
- {urlPrefix: "http://maybe", filterVerb: f, nodeCacheCapable: true, ignorable: true}
- {urlPrefix: "http://first", filterVerb: f, nodeCacheCapable: true}
- {urlPrefix: "http://second", filterVerb: f, nodeCacheCapable: true}
`;
  const world = withNodes(text, ({ url }, body) => {
    if (url === "http://maybe/f") return { error: "down" };
    return reply({ NodeNames: url === "http://first/f" ? ["a", "b"] : names(body).slice(1) });
  });
  world.addPod("p");
  world.run();
  expect(world.calls.map(({ url, body }) => [url, names(body)])).toEqual([
    ["http://first/f", ["a", "b", "c"]],
    ["http://second/f", ["a", "b"]],
    ["http://maybe/f", ["b"]],
  ]);
  expect(nodeOf(world, "p")).toBe("b");
});

describe("an extender that prioritizes", () => {
  it("adds ten times its score by its weight to the plugins' sum", () => {
    const text = extender("prioritizeVerb: rank, weight: 5, nodeCacheCapable: true");
    const world = withNodes(text, () =>
      reply([
        { Host: "c", Score: 10 },
        { Host: "a", Score: 1 },
      ]),
    );
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("c");
    const [decision] = world.scheduler.decisions.newest();
    const scores = decision?.scores.find(({ plugin }) => plugin === "http://10.96.0.9:8888/api/");
    expect(scores).toMatchObject({ weight: 5, raw: [1, 0, 10], normalized: [10, 0, 100] });
  });

  it("is let be when it does not answer", () => {
    const text = extender("prioritizeVerb: rank, weight: 1, nodeCacheCapable: true");
    const world = withNodes(text, () => ({ status: 503, text: "" }));
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBeDefined();
    expect(world.events("p").join("\n")).toMatch(/^Normal Scheduled/u);
  });

  it("is not asked about a single node", () => {
    const world = withNodes(extender("prioritizeVerb: rank, weight: 1"), undefined, ["a"]);
    world.addPod("p");
    world.run();
    expect([nodeOf(world, "p"), world.calls.length]).toEqual(["a", 0]);
  });
});

describe("an extender that binds", () => {
  const bound =
    (world: World, isDone: boolean): Answerer =>
    (_call, body) => {
      const { PodName, PodNamespace, PodUID, Node } = body as { readonly [name: string]: string };
      if (isDone)
        world.client.createSubresource(kinds.pods, { namespace: PodNamespace ?? "", name: PodName ?? "" }, "binding", {
          apiVersion: "v1",
          kind: "Binding",
          metadata: { name: PodName ?? "", namespace: PodNamespace ?? "", uid: PodUID ?? "" },
          target: { kind: "Node", name: Node ?? "" },
        } as never);
      return reply(isDone ? {} : { Error: "no luck" });
    };

  it("does it instead of DefaultBinder, and the event is the scheduler's", () => {
    let answer: Answerer = () => reply({});
    const world = withNodes(extender("bindVerb: bind"), (call, body) => answer(call, body), ["a"]);
    answer = bound(world, true);
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("a");
    expect(world.calls[0]?.body).toEqual({
      PodName: "p",
      PodNamespace: "default",
      PodUID: world.pod("p").metadata.uid,
      Node: "a",
    });
    expect(world.events("p")).toEqual(["Normal Scheduled Successfully assigned default/p to a"]);
  });

  it("fails the Pod with its error, and the room is free again", () => {
    let answer: Answerer = () => reply({});
    const world = withNodes(extender("bindVerb: bind"), (call, body) => answer(call, body), ["a"]);
    answer = bound(world, false);
    world.addPod("p", cpu("2"));
    world.run();
    expect(world.events("p")).toEqual(["Warning FailedScheduling no luck"]);
    answer = bound(world, true);
    world.run(5_000);
    expect(nodeOf(world, "p")).toBe("a");
  });

  it("leaves it to DefaultBinder when it fails and may be ignored", () => {
    const world = withNodes(extender("bindVerb: bind, ignorable: true"), () => reply({ Error: "no luck" }), ["a"]);
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("a");
  });
});

describe("an extender that preempts", () => {
  function occupied(text: string, answer: Answerer): World {
    const world = withNodes(text, answer, ["a", "b"]);
    world.addPod("low-a", { ...cpu("2"), nodeName: "a" });
    world.addPod("low-b", { ...cpu("2"), nodeName: "b" });
    world.run();
    return world;
  }
  const preemptor = { ...cpu("2"), priorityClassName: "high" };

  it("chooses among the nodes that victims were found on", () => {
    const world = occupied(extender("preemptVerb: preempt, nodeCacheCapable: true"), (_call, body) => {
      const { NodeNameToMetaVictims: all } = body as { readonly NodeNameToMetaVictims: { readonly [node: string]: unknown } };
      return reply({ NodeNameToMetaVictims: { b: all["b"] } });
    });
    const uids = ["low-a", "low-b"].map((name) => world.pod(name).metadata.uid);
    world.addPod("p", preemptor);
    world.run();
    expect(world.pod("p").status?.nominatedNodeName).toBe("b");
    expect(world.calls[0]?.body).toMatchObject({
      Pod: { metadata: { name: "p" } },
      NodeNameToVictims: null,
      NodeNameToMetaVictims: {
        a: { Pods: [{ UID: uids[0] }], NumPDBViolations: 0 },
        b: { Pods: [{ UID: uids[1] }], NumPDBViolations: 0 },
      },
    });
  });

  it("gets whole Pods where it keeps none", () => {
    const world = occupied(extender("preemptVerb: preempt"), () => reply({ NodeNameToMetaVictims: {} }));
    world.addPod("p", preemptor);
    world.run();
    expect(world.calls[0]?.body).toMatchObject({
      NodeNameToMetaVictims: null,
      NodeNameToVictims: { a: { Pods: [{ metadata: { name: "low-a" } }], NumPDBViolations: 0 } },
    });
    expect(world.events("p")[0]).toMatch(/no new claims to deallocate, preemption: no candidate node for preemption$/u);
  });

  it.each<[string, unknown, string]>([
    ["no victims", { NodeNameToMetaVictims: { a: { Pods: [] } } }, 'expected at least one victim pod on node "a"'],
    [
      "a Pod that is not there",
      { NodeNameToMetaVictims: { a: { Pods: [{ UID: "x" }] } } },
      "extender: http://10.96.0.9:8888/api/ claims to preempt pod (UID: &{x}) on node: a, but the pod is not found on that node",
    ],
    ["a node that is not there", { NodeNameToMetaVictims: { z: { Pods: [] } } }, 'nodeinfo not found for node name "z"'],
  ])("must not name %s", (_title, answer, error) => {
    const world = occupied(extender("preemptVerb: preempt"), () => reply(answer));
    world.addPod("p", preemptor);
    world.run();
    expect(world.events("p")[0]).toBe(`Warning FailedScheduling 0/2 nodes are available: 2 Insufficient cpu. preemption: ${error}`);
    expect(world.pod("p").status?.nominatedNodeName).toBeUndefined();
  });

  it("does not stand in the way when it may be ignored", () => {
    const world = occupied(extender("preemptVerb: preempt, ignorable: true"), () => ({ error: "down" }));
    world.addPod("p", preemptor);
    world.run();
    expect(world.pod("p").status?.nominatedNodeName).toMatch(/^[ab]$/u);
  });
});

it("[POD-534] a resource that an extender sees to is not looked for on nodes, and the extender is asked about Pods that want it alone", () => {
  const managed = "managedResources: [{name: example.com/foo, ignoredByScheduler: true}]";
  const fields = `filterVerb: filter, nodeCacheCapable: true, ${managed}`;
  const world = withNodes(extender(fields), () => reply({ NodeNames: ["b"] }));
  world.addPod("wants", device);
  world.addPod("does-not");
  world.run();
  expect(nodeOf(world, "wants")).toBe("b");
  expect(nodeOf(world, "does-not")).toBeDefined();
  expect(
    world.calls.map(({ body }) => (body as { readonly Pod: { readonly metadata: { readonly name: string } } }).Pod.metadata.name),
  ).toEqual(["wants"]);
  const heeded = withNodes(extender("filterVerb: filter, managedResources: [{name: example.com/foo}]"), () => reply({}));
  heeded.addPod("wants", device);
  heeded.run();
  expect(heeded.events("wants")[0]).toContain("3 Insufficient example.com/foo");
  expect(heeded.calls).toEqual([]);
});
