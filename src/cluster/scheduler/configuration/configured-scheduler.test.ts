import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { cpu, podDraft } from "../scheduler.test-kit.ts";
import { classicProfiles } from "./classic-profile.test-kit.ts";
import { configured } from "./configured.test-kit.ts";

const app = { app: "web" };
const nodeOf = (world: ReturnType<typeof configured>, name: string): string | undefined => world.pod(name).spec?.nodeName;
const message = (world: ReturnType<typeof configured>, name: string): string | undefined =>
  world.pod(name).status?.conditions?.find(({ type }) => type === "PodScheduled")?.message;

describe("profiles side by side", () => {
  const text = `profiles:
- schedulerName: spreading
- schedulerName: packing
  pluginConfig:
  - name: NodeResourcesFit
    args: {scoringStrategy: {type: MostAllocated}}
  plugins:
    score:
      disabled: [{name: NodeResourcesBalancedAllocation}, {name: PodTopologySpread}]
`;

  it("score each by its own strategy", () => {
    const world = configured(text);
    world.addNode("a");
    world.addNode("b");
    world.addPod("there", { ...cpu("500m"), nodeName: "a" });
    world.run();
    world.addPod("apart", { ...cpu("500m"), schedulerName: "spreading" });
    world.addPod("together", { ...cpu("500m"), schedulerName: "packing" });
    world.run();
    expect([nodeOf(world, "apart"), nodeOf(world, "together")]).toEqual(["b", "a"]);
  });

  it("[WRK-308] [WRK-327] leave to others the Pods that name neither", () => {
    const world = configured(text);
    world.addNode("a");
    world.addPod("other");
    world.run();
    expect(nodeOf(world, "other")).toBeUndefined();
    expect(world.events("other")).toEqual([]);
  });
});

it("[WRK-344] NodeVolumeLimits acts in a configured profile, until it is switched off", () => {
  const refused = "0/1 nodes are available: 1 node(s) exceed max volume count.";
  for (const [plugins, wanted] of [
    ["{}", [undefined, expect.stringContaining(refused)]],
    ["{multiPoint: {disabled: [{name: NodeVolumeLimits}]}}", ["a", undefined]],
  ] as const) {
    const world = configured(`profiles: [{schedulerName: default-scheduler, plugins: ${plugins}}]\n`);
    const driver = "disk.example.com";
    const drivers = [{ name: driver, nodeID: "a", topologyKeys: [], allocatable: { count: 0 } }];
    world.addNode("a");
    world.client.create(kinds.csiNodes, { metadata: { name: "a" }, spec: { drivers } });
    world.client.create(kinds.persistentVolumes, {
      metadata: { name: "pv" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], csi: { driver, volumeHandle: "h" } },
    });
    world.client.create(kinds.persistentVolumeClaims, {
      metadata: { namespace: "default", name: "data", annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        storageClassName: "",
        volumeName: "pv",
      },
    });
    world.run();
    world.addPod("web", { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }] });
    world.run();
    expect([nodeOf(world, "web"), message(world, "web")]).toEqual(wanted);
  }
});

describe("a classic profile", () => {
  it("knows neither taints nor preemption", () => {
    const world = configured(classicProfiles);
    world.addNode("a", { taints: [{ key: "k", effect: "NoSchedule" }] });
    world.addPod("usual");
    world.addPod("early", { schedulerName: "classic" });
    world.addPod("full", { ...cpu("2"), schedulerName: "classic", priorityClassName: "high" });
    world.run();
    expect(nodeOf(world, "usual")).toBeUndefined();
    expect(nodeOf(world, "early")).toBe("a");
    world.addPod("more", { ...cpu("2"), schedulerName: "classic", priorityClassName: "system-node-critical" });
    world.run();
    expect(message(world, "more")).toBe("0/1 nodes are available: 1 Insufficient cpu.");
  });

  it("[WRK-350] gives so many tenths as are free, and each priority the weight 1", () => {
    const world = configured(classicProfiles);
    for (const name of ["a", "b"]) world.addNode(name);
    world.addPod("there", { ...cpu("500m"), nodeName: "a" });
    world.run();
    world.addPod("p", { ...cpu("500m"), schedulerName: "classic" });
    world.run();
    const [decision] = world.scheduler.decisions.newest();
    const given = decision?.scores.map(({ plugin, weight, raw }) => ({ plugin, weight, raw }));
    // cpu 50 % and 25 % used, memory (200Mi stand for no request) 9 % and 4 %; rounded, where LeastAllocated would cut to 70 and 85.
    expect(given).toEqual([
      { plugin: "NodeResourcesFit", weight: 1, raw: [71, 86] },
      { plugin: "NodeResourcesBalancedAllocation", weight: 1, raw: [69, 68] },
    ]);
    expect(nodeOf(world, "p")).toBe("b");
  });

  it("[WRK-356] spreads the Pods of a Service over nodes alone", () => {
    const world = configured(classicProfiles);
    for (const name of ["a", "b", "c"]) world.addNode(name);
    world.client.create(kinds.services, {
      metadata: { namespace: "default", name: "web" },
      spec: { selector: app, ports: [{ port: 80 }] },
    });
    world.run();
    for (const name of ["p", "q", "r"]) {
      world.addPod(name, { schedulerName: "classic" }, app);
      world.run();
    }
    expect(["p", "q", "r"].map((name) => nodeOf(world, name)).sort()).toEqual(["a", "b", "c"]);
  });

  it.each(["LeastRequestedPriority", "EqualPriority", "ServiceSpreadingPriority"])(
    "[WRK-359] has no plugin by the name of %s",
    (name) => {
      expect(() => configured(`profiles:\n- plugins: {score: {enabled: [{name: ${name}}]}}\n`)).toThrow(
        `initializing profiles: creating profile for scheduler name default-scheduler: ScorePlugin ${JSON.stringify(name)} does not exist`,
      );
    },
  );
});

describe("plugins of a profile", () => {
  it("do not refuse where they are disabled", () => {
    const world = configured("profiles:\n- plugins: {filter: {disabled: [{name: TaintToleration}]}}\n");
    world.addNode("a", { taints: [{ key: "k", effect: "NoSchedule" }] });
    world.addPod("p");
    world.run();
    expect(nodeOf(world, "p")).toBe("a");
  });

  it("refuse in the order of their point", () => {
    const tainted = { unschedulable: true, taints: [{ key: "k", effect: "NoSchedule" }] };
    const usual = configured("");
    const turned = configured("profiles:\n- plugins: {filter: {enabled: [{name: TaintToleration}]}}\n");
    for (const world of [usual, turned]) {
      world.addNode("a", tainted);
      world.addPod("p");
      world.run();
    }
    expect(message(usual, "p")).toContain("1 node(s) were unschedulable.");
    expect(message(turned, "p")).toContain("1 node(s) had untolerated taint(s).");
  });

  it("score by the weights of their point", () => {
    const preferring = (weight: number) => `profiles:\n- plugins: {score: {enabled: [{name: NodeAffinity, weight: ${weight}}]}}\n`;
    const preferred = { weight: 1, preference: { matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] } };
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferred] } };
    const chosen = [1, 50].map((weight) => {
      const world = configured(preferring(weight));
      world.addNode("liked", { taints: [{ key: "k", effect: "PreferNoSchedule" }] }, { disk: "ssd" });
      world.addNode("clean");
      world.addPod("p", { affinity });
      world.run();
      return nodeOf(world, "p");
    });
    expect(chosen).toEqual(["clean", "liked"]);
  });

  it("leave a Pod as it is where no PostFilter is left", () => {
    const world = configured('profiles:\n- plugins: {postFilter: {disabled: [{name: "*"}]}}\n');
    world.addNode("a");
    world.addPod("low", { ...cpu("2"), nodeName: "a" });
    world.run();
    world.addPod("p", { ...cpu("1"), priorityClassName: "high" });
    world.run();
    expect(message(world, "p")).toBe("0/1 nodes are available: 1 Insufficient cpu.");
    expect(world.pod("low").metadata.deletionTimestamp).toBeUndefined();
  });

  it("say of preemption alone where DynamicResources is disabled", () => {
    const world = configured("profiles:\n- plugins: {postFilter: {disabled: [{name: DynamicResources}]}}\n");
    world.addNode("a");
    world.addPod("p", cpu("3"));
    world.run();
    expect(message(world, "p")).toBe(
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
  });

  it("fail where what prepares them is disabled", () => {
    const world = configured("profiles:\n- plugins: {preFilter: {disabled: [{name: NodeResourcesFit}]}}\n");
    world.addNode("a");
    world.addPod("p", cpu("1"));
    world.run();
    const failure =
      'running "NodeResourcesFit" filter plugin: error reading "PreFilterNodeResourcesFit" from cycleState: not found';
    expect(world.events("p")[0]).toBe(`Warning FailedScheduling ${failure}`);
    expect(world.pod("p").status?.conditions?.[0]).toMatchObject({ reason: "SchedulerError", message: failure });
  });

  it("let a gated Pod through to the API server where SchedulingGates is disabled", () => {
    const world = configured("profiles:\n- plugins: {preEnqueue: {disabled: [{name: SchedulingGates}]}}\n");
    world.addNode("a");
    world.addPod("p", { schedulingGates: [{ name: "wait" }] });
    world.run();
    expect(nodeOf(world, "p")).toBeUndefined();
    expect(world.events("p").join("\n")).toMatch(/running Bind plugin "DefaultBinder"/u);
  });
});

describe("arguments of plugins", () => {
  const withArgs = (name: string, args: string) => `profiles:\n- pluginConfig: [{name: ${name}, args: ${args}}]\n`;

  it("NodeAffinity: nodes must match what is added", () => {
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    const terms = "{nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [web]}]}]}";
    const world = configured(withArgs("NodeAffinity", `{addedAffinity: {${required}: ${terms}}}`));
    world.addNode("a");
    world.addPod("p");
    world.run();
    expect(message(world, "p")).toContain("1 node(s) didn't match scheduler-enforced node affinity.");
    world.addNode("b", {}, { pool: "web" });
    world.run(12_000);
    expect(nodeOf(world, "p")).toBe("b");
  });

  it("NodeResourcesFit: ignored resources are not asked for", () => {
    const asking = {
      containers: [
        { name: "main", image: "nginx", resources: { requests: { "example.com/a": "1" }, limits: { "example.com/a": "1" } } },
      ],
    };
    for (const args of ["{ignoredResources: [example.com/a]}", "{ignoredResourceGroups: [example.com]}"]) {
      const world = configured(withArgs("NodeResourcesFit", args));
      world.addNode("a");
      world.addPod("p", asking);
      world.run();
      expect(nodeOf(world, "p")).toBe("a");
    }
  });

  it("PodTopologySpread: a list of default constraints is for Pods of one Service or owner, and may be hard", () => {
    const constraint = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}";
    const world = configured(withArgs("PodTopologySpread", `{defaultingType: List, defaultConstraints: [${constraint}]}`));
    world.client.create(kinds.services, {
      metadata: { namespace: "default", name: "web" },
      spec: { selector: app, ports: [{ port: 80 }] },
    });
    world.addNode("a", {}, { zone: "one" });
    world.addNode("b", { unschedulable: true }, { zone: "two" });
    world.run();
    for (const name of ["p", "q"]) {
      world.addPod(name, {}, app);
      world.run();
    }
    world.addPod("other");
    world.run();
    expect([nodeOf(world, "p"), nodeOf(world, "q"), nodeOf(world, "other")]).toEqual(["a", undefined, "a"]);
    expect(message(world, "q")).toContain("1 node(s) didn't match pod topology spread constraints");
  });

  it("PodTopologySpread: an empty list spreads nothing", () => {
    const world = configured(withArgs("PodTopologySpread", "{defaultingType: List}"));
    world.client.create(kinds.services, {
      metadata: { namespace: "default", name: "web" },
      spec: { selector: app, ports: [{ port: 80 }] },
    });
    world.addNode("a");
    world.addNode("b");
    world.run();
    world.addPod("p", {}, app);
    world.run();
    const [decision] = world.scheduler.decisions.newest();
    expect(decision?.scores.map(({ plugin }) => plugin)).not.toContain("PodTopologySpread");
  });

  it.each([
    ["", ["a", 100]],
    ["{hardPodAffinityWeight: 0}", ["a", 0]],
    ["{ignorePreferredTermsOfExistingPods: true}", ["a", undefined]],
  ] as const)("InterPodAffinity: %s", (args, [node, score]) => {
    const world = configured(args === "" ? "" : withArgs("InterPodAffinity", args));
    world.addNode("a");
    world.addNode("b");
    const term = { labelSelector: { matchLabels: app }, topologyKey: "kubernetes.io/hostname" };
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    world.client.create(kinds.pods, podDraft("first", { affinity, nodeName: node }, app));
    world.run();
    world.addPod("p", {}, app);
    world.run();
    const [decision] = world.scheduler.decisions.newest();
    const index = decision?.feasible.findIndex(({ name }) => name === node) ?? -1;
    const scores = decision?.scores.find(({ plugin }) => plugin === "InterPodAffinity");
    expect(scores?.normalized[index]).toBe(score === 0 ? undefined : score);
  });

  it("DefaultPreemption: only so many nodes are tried", () => {
    const chosen = ["{minCandidateNodesPercentage: 100}", "{minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1}"].map(
      (args) => {
        const world = configured(withArgs("DefaultPreemption", args));
        // The cheapest victim is on the last node.
        for (const [index, name] of ["a", "b", "c", "d"].entries()) {
          world.addNode(name);
          world.client.create(kinds.priorityClasses, { metadata: { name }, value: 40 - index });
          world.addPod(`on-${name}`, { ...cpu("2"), nodeName: name, priorityClassName: name });
        }
        world.run();
        world.addPod("p", { ...cpu("1"), priorityClassName: "high" });
        world.run();
        return world.pod("p").status?.nominatedNodeName;
      },
    );
    expect(chosen).toEqual(["d", expect.stringMatching(/^[abc]$/u)]);
  });
});

describe("the queue and the search", () => {
  it("backs off as long as the configuration says", () => {
    const world = configured("podInitialBackoffSeconds: 4\npodMaxBackoffSeconds: 4\n");
    world.addNode("a", { unschedulable: true });
    world.addPod("busy", cpu("1"));
    world.run();
    const attempts = () => [...world.scheduler.decisions.newest()].length;
    expect(attempts()).toBe(1);
    const startMs = world.simulation.nowMs;
    world.addPod("other", cpu("1"));
    world.run();
    const node = world.client.get(kinds.nodes, { namespace: "", name: "a" });
    world.client.update(kinds.nodes, { ...node, spec: { ...node.spec, unschedulable: false } });
    world.run(100);
    expect(nodeOf(world, "busy")).toBe("a");
    expect(world.simulation.nowMs - startMs).toBeLessThan(4_000);
  });

  it("looks at so many percent of the nodes, a profile's own share before the common one", () => {
    const text =
      "percentageOfNodesToScore: 60\nprofiles:\n- schedulerName: common\n- schedulerName: own\n  percentageOfNodesToScore: 80\n";
    const world = configured(text);
    for (let index = 0; index < 200; index += 1) world.addNode(`n${index}`);
    world.run();
    const looked = ["common", "own"].map((schedulerName) => {
      world.addPod(schedulerName, { schedulerName });
      world.run();
      const [decision] = world.scheduler.decisions.newest();
      return decision?.feasible.length;
    });
    expect(looked).toEqual([120, 160]);
  });

  it("goes on with the next node each time, and takes the first that fits where nothing scores", () => {
    const world = configured('profiles:\n- plugins: {score: {disabled: [{name: "*"}]}}\n');
    for (const name of ["a", "b", "c"]) world.addNode(name);
    world.run();
    const chosen = ["p", "q", "r", "s"].map((name) => {
      world.addPod(name);
      world.run();
      return nodeOf(world, name);
    });
    expect(chosen).toEqual(["a", "b", "c", "a"]);
  });
});
