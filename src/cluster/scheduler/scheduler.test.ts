import { describe, expect, it } from "vitest";
import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { cpu, podDraft, startScheduling } from "./scheduler.test-kit.ts";
import { verdicts } from "./verdicts.ts";

describe("the scheduler", () => {
  it("[POD-140] [POD-157] [WRK-316] [WRK-317] binds a Pod and says so", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("one");
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.pod("one").status?.conditions?.find(({ type }) => type === "PodScheduled")?.status).toBe("True");
    expect(world.events("one")).toEqual(["Normal Scheduled Successfully assigned default/one to node-1"]);
  });

  it("[WRK-319] counts what it says again as long as the Pod is the same version; the condition of the first time makes another", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("big", cpu("64"));
    world.run();
    const counts = (): readonly number[] =>
      world.client
        .list(kinds.events)
        .items.filter(({ reason }) => reason === "FailedScheduling")
        .map(({ series }) => series?.count ?? 1);
    expect(counts()).toEqual([1]);
    // Whatever happens, after five minutes it is tried again.
    world.simulation.advance(330_000);
    expect(counts()).toEqual([1, 1]);
    world.simulation.advance(330_000);
    expect(counts()).toEqual([1, 2]);
  });

  it("[POD-157] [WRK-319] [WRK-320] says why a Pod fits nowhere, in event and condition", () => {
    const world = startScheduling();
    world.addNode("cp", { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });
    for (const name of ["node-1", "node-2", "node-3"]) world.addNode(name);
    world.scheduler.start();
    world.addPod("big", cpu("64"));
    world.run();
    const message =
      "0/4 nodes are available: 1 node(s) had untolerated taint(s), 3 Insufficient cpu. no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.";
    expect(world.events("big")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(world.pod("big").status?.conditions?.find(({ type }) => type === "PodScheduled")).toMatchObject({
      status: "False",
      reason: "Unschedulable",
      message,
    });
    const [decision] = world.scheduler.decisions.newest();
    expect(decision && verdicts(decision).map(({ nodeName, refusedBy }) => `${nodeName} ${refusedBy}`)).toEqual([
      "cp TaintToleration",
      "node-1 NodeResourcesFit",
      "node-2 NodeResourcesFit",
      "node-3 NodeResourcesFit",
    ]);
  });

  it("[POD-157] says that it failed itself when the API server does not take its Binding, and tries again", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.client.create(kinds.validatingAdmissionPolicies, {
      metadata: { name: "no-bindings" },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/binding"] }],
        },
        validations: [{ expression: "false", message: "not now" }],
      },
    });
    world.client.create(kinds.validatingAdmissionPolicyBindings, {
      metadata: { name: "no-bindings" },
      spec: { policyName: "no-bindings", validationActions: ["Deny"] },
    });
    world.scheduler.start();
    world.addPod("one");
    world.run();
    const message =
      "running Bind plugin \"DefaultBinder\": pods \"one\" is forbidden: ValidatingAdmissionPolicy 'no-bindings' with binding 'no-bindings' denied request: not now";
    expect(world.events("one")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(world.pod("one").status?.conditions).toMatchObject([
      { type: "PodScheduled", status: "False", reason: "SchedulerError", message },
    ]);
    world.client.delete(kinds.validatingAdmissionPolicyBindings, { namespace: "", name: "no-bindings" });
    world.run(10_000);
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
  });

  it("[WRK-321] says so when there are no nodes at all", () => {
    const world = startScheduling();
    world.scheduler.start();
    world.addPod("one");
    world.run();
    expect(world.events("one")).toEqual(["Warning FailedScheduling no nodes available to schedule pods"]);
  });

  it("[WRK-009] leaves Pods without events while it is stopped, and catches up", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.addPod("one");
    world.run(60_000);
    expect(world.pod("one").spec?.nodeName).toBeUndefined();
    expect(world.events("one")).toEqual([]);
    world.scheduler.start();
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
  });

  it("[WRK-309] [WRK-310] takes Pods by priority; one that does not fit blocks nobody", () => {
    const world = startScheduling();
    world.addNode("node-1", {}, {}, "1");
    world.addPod("low", cpu("1"));
    world.addPod("big", { ...cpu("8"), priorityClassName: "high" });
    world.scheduler.start();
    world.run();
    const order = [...world.scheduler.decisions.newest()].reverse().map(({ podKey, outcome }) => `${podKey} ${outcome}`);
    expect(order).toEqual(["default/big unschedulable", "default/low scheduled"]);
  });

  it("[WRK-311] tries a Pod again when a node appears that it fits", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("big", cpu("3"));
    world.run(60_000);
    expect(world.scheduler.decisions.total).toBe(1);
    world.addNode("node-2", {}, {}, "4");
    world.run();
    expect(world.pod("big").spec?.nodeName).toBe("node-2");
  });

  it("[WRK-318] counts what it has placed at once", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    for (const name of ["a", "b", "c"]) world.addPod(name, cpu("1"));
    world.run();
    expect(["a", "b", "c"].map((name) => world.pod(name).spec?.nodeName)).toEqual(["node-1", "node-1", undefined]);
  });

  it("[WRK-327] leaves Pods of other schedulers alone", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("mine", { schedulerName: "mine" });
    world.run(10_000);
    expect(world.events("mine")).toEqual([]);
    expect(world.scheduler.pendingPods).toBe(0);
  });

  it.each([
    ["[WRK-328]", { unschedulable: true }, {}, "1 node(s) were unschedulable"],
    ["[WRK-330]", { taints: [{ key: "a", value: "b", effect: "NoSchedule" }] }, {}, "1 node(s) had untolerated taint(s)"],
    ["[WRK-332]", {}, { nodeSelector: { disk: "ssd" } }, "1 node(s) didn't match Pod's node affinity/selector"],
    ["[WRK-336]", {}, cpu("2100m"), "1 Insufficient cpu"],
  ])("%s refuses a node with upstream's words", (_id, nodeSpec, podSpec, reason) => {
    const world = startScheduling();
    world.addNode("node-1", nodeSpec);
    world.scheduler.start();
    world.addPod("one", podSpec);
    world.run();
    expect(world.events("one")[0]).toContain(`0/1 nodes are available: ${reason}. `);
  });

  it("[WRK-335] gives a host port of a node away once", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    const spec = { containers: [{ name: "main", image: "nginx", ports: [{ containerPort: 80, hostPort: 80 }] }] };
    world.addPod("one", spec);
    world.addPod("two", spec);
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.events("two")[0]).toContain("1 node(s) didn't have free ports for the requested pod ports");
  });

  it("[POD-339] a host port of a sidecar is taken too, one of a plain init container is not", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    const containers = [{ name: "main", image: "nginx" }];
    const helper = { name: "helper", image: "nginx", ports: [{ containerPort: 80, hostPort: 80 }] };
    world.addPod("plain", { containers, initContainers: [helper] });
    world.addPod("one", { containers, initContainers: [{ ...helper, restartPolicy: "Always" }] });
    world.addPod("two", { containers, initContainers: [{ ...helper, restartPolicy: "Always" }] });
    world.run();
    expect([world.pod("plain").spec?.nodeName, world.pod("one").spec?.nodeName]).toEqual(["node-1", "node-1"]);
    expect(world.events("two")[0]).toContain("1 node(s) didn't have free ports for the requested pod ports");
  });

  it("[WRK-345] keeps within maxSkew over zones", () => {
    const world = startScheduling();
    const zone = "topology.kubernetes.io/zone";
    world.addNode("node-1", {}, { [zone]: "a" });
    world.addNode("node-2", { unschedulable: true }, { [zone]: "b" });
    world.scheduler.start();
    const labelSelector = { matchLabels: { app: "web" } };
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: "DoNotSchedule", labelSelector }];
    for (const name of ["one", "two"]) world.addPod(name, { topologySpreadConstraints }, { app: "web" });
    world.run();
    expect(world.pod("one").spec?.nodeName).toBe("node-1");
    expect(world.events("two")[0]).toContain(
      "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable. ",
    );
  });

  it("[POD-427] does not count Pods that have ended", () => {
    const world = startScheduling();
    world.addNode("node-1", {}, { zone: "a" });
    world.addNode("node-2", { unschedulable: true }, { zone: "b" });
    world.scheduler.start();
    const labelSelector = { matchLabels: { app: "web" } };
    const topologySpreadConstraints = [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector }];
    world.addPod("one", { topologySpreadConstraints }, { app: "web" });
    world.run();
    world.client.updateStatus(kinds.pods, { ...world.pod("one"), status: { phase: "Succeeded" } });
    world.addPod("two", { topologySpreadConstraints }, { app: "web" });
    world.run();
    expect(world.pod("two").spec?.nodeName).toBe("node-1");
  });

  it("[POD-435] [WRK-356] spreads by default what a Service or an owner holds together: 3 over nodes, 5 over zones, as a wish", () => {
    const world = startScheduling();
    const zone = "topology.kubernetes.io/zone";
    world.addNode("node-1", {}, { [zone]: "a" });
    world.addNode("node-2", {}, { [zone]: "b" });
    world.client.create(kinds.services, {
      metadata: { namespace: "default", name: "web" },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    });
    world.scheduler.start();
    const raw = (name: string, spec: Parameters<typeof world.addPod>[1], app: string): number | undefined => {
      world.addPod(name, spec, { app });
      world.run();
      const [newest] = world.scheduler.decisions.newest();
      return newest && verdicts(newest)[0]?.scores.find(({ plugin }) => plugin === "PodTopologySpread")?.raw;
    };
    const labelSelector = { matchLabels: { app: "none" } };
    const wish = { maxSkew: 8, topologyKey: zone, whenUnsatisfiable: "ScheduleAnyway", labelSelector };
    // Nothing is counted yet: what is left of a score is (3 - 1) + (5 - 1).
    expect(raw("held", {}, "web")).toBe(6);
    expect(raw("loose", {}, "other")).toBeUndefined();
    expect(raw("own", { topologySpreadConstraints: [wish] }, "web")).toBe(7);
    expect(
      raw("owned-only", { topologySpreadConstraints: [{ ...wish, whenUnsatisfiable: "DoNotSchedule" }] }, "web"),
    ).toBeUndefined();
  });

  it("[WRK-347] [WRK-348] keeps Pods with anti-affinity apart, and lets the first of a self-affine group start", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.addNode("node-2");
    world.scheduler.start();
    const term = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "kubernetes.io/hostname" };
    const apart = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
    for (const name of ["one", "two", "three"]) world.addPod(name, apart, { app: "db" });
    world.run();
    expect(new Set([world.pod("one").spec?.nodeName, world.pod("two").spec?.nodeName])).toEqual(new Set(["node-1", "node-2"]));
    expect(world.events("three")[0]).toContain("2 node(s) didn't match pod anti-affinity rules");
    const near = { ...term, labelSelector: { matchLabels: { app: "cache" } } };
    world.addPod(
      "first",
      { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] } } },
      { app: "cache" },
    );
    world.run();
    expect(world.pod("first").spec?.nodeName).toBeDefined();
  });

  it.each<[string, object, string]>([
    ["the Pod's own namespace", {}, "node-1"],
    ["namespaces by their labels", { namespaceSelector: { matchLabels: { team: "shop" } } }, "node-2"],
    [
      "namespaces by name and by their labels",
      { namespaces: ["default"], namespaceSelector: { matchLabels: { team: "none" } } },
      "node-1",
    ],
    ["all namespaces", { namespaceSelector: {} }, "node-2"],
  ])("looks for the Pods of an affinity term in %s", (_where, scope, expected) => {
    const world = startScheduling();
    for (const name of ["node-1", "node-2"]) world.addNode(name, {}, { disk: name });
    world.client.create(kinds.namespaces, { metadata: { name: "shop", labels: { team: "shop" } } });
    world.client.create(kinds.serviceAccounts, { metadata: { namespace: "shop", name: "default" } });
    world.scheduler.start();
    const labels = { app: "db" };
    world.addPod("here", { nodeSelector: { disk: "node-1" } }, labels);
    const draft = podDraft("there", { nodeSelector: { disk: "node-2" } }, labels);
    world.client.create(kinds.pods, { ...draft, metadata: { ...draft.metadata, namespace: "shop" } });
    world.run();
    const term = { labelSelector: { matchLabels: labels }, topologyKey: "kubernetes.io/hostname", ...scope };
    // Of all namespaces both are near: a Pod keeps away from its own namespace's.
    const away = { labelSelector: { matchLabels: labels }, topologyKey: "kubernetes.io/hostname" };
    const isOfAll = expected === "node-2";
    world.addPod("near", {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        ...(isOfAll ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [away] } } : {}),
      },
    });
    world.run();
    expect(world.pod("near").spec?.nodeName).toBe(expected);
  });

  it("[WRK-349] [WRK-350] [WRK-358] spreads over equal nodes, and keeps every score", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.addNode("node-2");
    world.scheduler.start();
    for (const name of ["a", "b", "c", "d"]) {
      world.addPod(name, cpu("100m"));
      world.run();
    }
    const placed = ["a", "b", "c", "d"].map((name) => world.pod(name).spec?.nodeName).sort();
    expect(placed).toEqual(["node-1", "node-1", "node-2", "node-2"]);
    const first = [...world.scheduler.decisions.newest()].at(-1);
    // 100m of 2 CPU and the default 200 MiB of 4 GiB: (95 + 95) / 2.
    expect(first && verdicts(first)[0]?.scores.find(({ plugin }) => plugin === "NodeResourcesFit")).toEqual({
      plugin: "NodeResourcesFit",
      weight: 1,
      raw: 95,
      normalized: 95,
    });
    const weights = Object.fromEntries(first?.scores.map(({ plugin, weight }) => [plugin, weight]) ?? []);
    expect(weights).toEqual({ TaintToleration: 3, NodeResourcesFit: 1, NodeResourcesBalancedAllocation: 1 });
  });

  it("[POD-169] [POD-170] [WRK-372] [WRK-373] [WRK-375] [WRK-376] [WRK-377] removes Pods of lower priority for one of higher", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("low", cpu("2"));
    world.run();
    const high = world.addPod("high", { ...cpu("1"), priorityClassName: "high" });
    world.run();
    expect(world.pod("high").status?.nominatedNodeName).toBe("node-1");
    expect(world.pod("low").metadata.deletionTimestamp).toBeDefined();
    expect(world.pod("low").status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "PreemptionByScheduler",
      message: "default-scheduler: preempting to accommodate a higher priority pod",
    });
    expect(world.events("low")).toContain(`Normal Preempted Preempted by pod ${high.metadata.uid} on node node-1`);
    expect(world.events("high")).toEqual(["Warning FailedScheduling 0/1 nodes are available: 1 Insufficient cpu."]);
    world.client.delete(kinds.pods, { namespace: "default", name: "low" }, { gracePeriodSeconds: 0 });
    world.run();
    expect(world.pod("high").spec?.nodeName).toBe("node-1");
  });

  it("[WRK-383] never preempts Pods of equal priority", () => {
    const world = startScheduling();
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("one", cpu("2"));
    world.run();
    world.addPod("two", cpu("1"));
    world.run();
    expect(world.events("two")[0]).toMatch(
      /preemption: 0\/1 nodes are available: 1 No preemption victims found for incoming pod\.$/,
    );
    expect(world.pod("one").metadata.deletionTimestamp).toBeUndefined();
  });
});

describe("preemption in a cluster", () => {
  const high = (amount: string, priorityClassName = "high") => ({ ...cpu(amount), priorityClassName });

  /** A node of 2 CPU with a Pod of priority 0 on it, and another node if it is asked for. */
  function withLow(amount: string, more: readonly string[] = []) {
    const world = startScheduling();
    world.client.create(kinds.priorityClasses, { metadata: { name: "higher" }, value: 2000 });
    world.addNode("node-1");
    world.scheduler.start();
    world.addPod("low", cpu(amount));
    world.run();
    for (const name of more) world.addNode(name);
    const isGoing = (name: string): boolean => world.pod(name).metadata.deletionTimestamp !== undefined;
    return { ...world, isGoing };
  }

  it("[WRK-384] does not happen while there is room", () => {
    const world = withLow("2", ["node-2"]);
    world.addPod("vip", high("1"));
    world.run();
    expect([world.pod("vip").spec?.nodeName, world.isGoing("low")]).toEqual(["node-2", false]);
  });

  it("[WRK-378] keeps the room for who was promised it, against Pods of lower priority", () => {
    const world = withLow("1");
    world.addPod("vip", high("1500m"));
    world.run();
    expect([world.pod("vip").status?.nominatedNodeName, world.isGoing("low")]).toEqual(["node-1", true]);
    world.addPod("small", cpu("1"));
    world.run();
    expect(world.events("small")[0]).toContain("1 Insufficient cpu");
    world.client.delete(kinds.pods, { namespace: "default", name: "low" }, { gracePeriodSeconds: 0 });
    world.run(2_000);
    expect([world.pod("vip").spec?.nodeName, world.pod("small").spec?.nodeName]).toEqual(["node-1", undefined]);
  });

  it("[WRK-379] does not tie a Pod to the node that it was promised", () => {
    const world = withLow("2");
    world.addNode("node-2");
    world.addPod("other", { ...high("2"), nodeName: "node-2" });
    world.addPod("vip", high("2"));
    world.run();
    expect(world.pod("vip").status?.nominatedNodeName).toBe("node-1");
    world.client.delete(kinds.pods, { namespace: "default", name: "other" }, { gracePeriodSeconds: 0 });
    world.run(2_000);
    expect(world.pod("vip").spec?.nodeName).toBe("node-2");
  });

  it("[WRK-380] for a still more important Pod takes the promise away again", () => {
    const world = withLow("2");
    world.addPod("vip", high("2"));
    world.run();
    expect(world.pod("vip").status?.nominatedNodeName).toBe("node-1");
    world.client.delete(kinds.pods, { namespace: "default", name: "low" }, { gracePeriodSeconds: 0 });
    world.addPod("first", high("2", "higher"));
    world.run(3_000);
    expect([world.pod("first").spec?.nodeName, world.pod("vip").spec?.nodeName]).toEqual(["node-1", undefined]);
  });

  it("[WRK-381] waits for its victims before it takes others", () => {
    const world = withLow("1");
    world.addPod("also-low", cpu("1"));
    world.run();
    world.addPod("vip", high("1"));
    world.run();
    expect([world.isGoing("low"), world.isGoing("also-low")].filter(Boolean)).toHaveLength(1);
    // The node grows a little: the Pod is tried again.
    const node = world.client.get(kinds.nodes, { namespace: "", name: "node-1" });
    const allocatable = { ...node.status?.allocatable, cpu: "2100m" };
    world.client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, allocatable } });
    world.run(3_000);
    expect([world.isGoing("low"), world.isGoing("also-low")].filter(Boolean)).toHaveLength(1);
    const [last] = world.scheduler.decisions.newest();
    expect([last?.attempt, last?.message]).toEqual([
      2,
      expect.stringContaining("not eligible due to a terminating pod on the nominated node."),
    ]);
  });

  it("[WRK-386] takes nobody away whom the Pod needs beside it", () => {
    const world = withLow("2");
    world.client.patch(kinds.pods, { namespace: "default", name: "low" }, "merge", { metadata: { labels: { app: "db" } } });
    const near = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "kubernetes.io/hostname" };
    world.addPod("vip", { ...high("1"), affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near] } } });
    world.run();
    expect([world.isGoing("low"), world.pod("vip").status?.nominatedNodeName]).toEqual([false, undefined]);
  });

  it("[WRK-389] takes nobody away when that makes no room, or room for a part of a group only", () => {
    const world = withLow("1", ["node-2"]);
    world.addPod("vip", high("3"));
    world.run();
    expect([world.isGoing("low"), world.pod("vip").status?.nominatedNodeName]).toEqual([false, undefined]);
    expect(world.events("vip")[0]).toContain("preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.");
    // Two that belong together: each is looked at by itself, and the first takes the room that there is.
    for (const name of ["one", "two"]) world.addPod(name, { ...high("2"), nodeSelector: { "kubernetes.io/hostname": "node-1" } });
    world.run();
    expect(world.isGoing("low")).toBe(true);
    expect(["one", "two"].map((name) => world.pod(name).status?.nominatedNodeName)).toEqual(["node-1", undefined]);
  });

  it("[WRK-387] takes nobody away from other nodes", () => {
    const world = withLow("1", ["node-2"]);
    for (const name of ["node-1", "node-2"]) {
      world.client.patch(kinds.nodes, { namespace: "", name }, "merge", { metadata: { labels: { zone: "a" } } });
    }
    world.client.patch(kinds.pods, { namespace: "default", name: "low" }, "merge", { metadata: { labels: { app: "db" } } });
    const apart = { labelSelector: { matchLabels: { app: "db" } }, topologyKey: "zone" };
    world.addPod("vip", {
      ...high("1"),
      nodeSelector: { "kubernetes.io/hostname": "node-2" },
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
    });
    world.run();
    expect([world.isGoing("low"), world.pod("vip").spec?.nodeName]).toEqual([false, undefined]);
    expect(world.events("vip")[0]).toContain("1 node(s) didn't match pod anti-affinity rules");
  });
});

describe("room on nodes", () => {
  const amounts = { cpu: "1800m", memory: "1Gi", pods: "3", "ephemeral-storage": "10Gi", "example.com/foo": "2" };
  const tooFew =
    "no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
  const never = "no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  const asking = (requests: { [resource: string]: string }, limits = {}): Partial<NonNullable<Pod["spec"]>> => ({
    containers: [{ name: "main", image: "nginx", resources: { requests, limits } }],
  });

  /** One node with a Pod that asks for 680m of its 1800m. */
  function oneNode() {
    const world = startScheduling();
    const node = world.addNode("node-1");
    world.client.updateStatus(kinds.nodes, { ...node, status: { capacity: amounts, allocatable: amounts } });
    world.scheduler.start();
    world.addPod("first", asking({ cpu: "680m", memory: "512Mi" }));
    world.run();
    return world;
  }

  it.each<[string, { [resource: string]: string }, string | undefined]>([
    ["[POD-452] [POD-462] what is left to the last thousandth", { cpu: "1120m" }, undefined],
    ["[POD-452] [POD-456] [POD-462] a thousandth more", { cpu: "1121m" }, `1 Insufficient cpu. ${tooFew}`],
    ["[POD-453] nothing", {}, undefined],
    ["[POD-453] zero", { cpu: "0", memory: "0" }, undefined],
    ["[POD-452] the rest of the memory", { memory: "512Mi" }, undefined],
    ["[POD-456] more memory", { memory: "513Mi" }, `1 Insufficient memory. ${tooFew}`],
    [
      "[POD-456] two resources that are short",
      { cpu: "1200m", memory: "600Mi" },
      `1 Insufficient cpu, 1 Insufficient memory. ${tooFew}`,
    ],
    ["[POD-456] local storage", { "ephemeral-storage": "11Gi" }, `1 Insufficient ephemeral-storage. ${never}`],
    ["[POD-456] an extended resource", { "example.com/foo": "3" }, `1 Insufficient example.com/foo. ${never}`],
    ["[POD-461] more than any node has", { cpu: "4" }, `1 Insufficient cpu. ${never}`],
  ])("%s", (_title, requests, refusal) => {
    const world = oneNode();
    world.addPod("next", asking(requests, requests["example.com/foo"] === undefined ? {} : requests));
    world.run();
    const condition = world.pod("next").status?.conditions?.find(({ type }) => type === "PodScheduled");
    expect(world.pod("next").spec?.nodeName).toBe(refusal === undefined ? "node-1" : undefined);
    if (refusal === undefined) return;
    const message = `0/1 nodes are available: ${refusal}`;
    expect(world.events("next")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(condition).toMatchObject({ status: "False", reason: "Unschedulable", message });
  });

  it("[POD-452] [POD-453] [POD-456] [WRK-337] counts Pods, whatever they ask for", () => {
    const world = oneNode();
    for (const name of ["second", "third", "fourth"]) world.addPod(name);
    world.run();
    expect(["second", "third", "fourth"].map((name) => world.pod(name).spec?.nodeName)).toEqual(["node-1", "node-1", undefined]);
    expect(world.events("fourth")).toEqual([`Warning FailedScheduling 0/1 nodes are available: 1 Too many pods. ${tooFew}`]);
  });

  it("[POD-455] [POD-457] [POD-458] names taints and what is short, and says so in the condition", () => {
    const world = startScheduling();
    world.addNode("control-plane", { taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" }] });
    for (const name of ["node-1", "node-2"]) world.addNode(name);
    world.scheduler.start();
    for (const name of ["a", "b", "c"]) world.addPod(name, cpu("1500m"));
    world.run();
    const message =
      "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.";
    expect(world.events("c")).toEqual([`Warning FailedScheduling ${message}`]);
    expect(world.pod("c").status?.conditions).toEqual([
      expect.objectContaining({ type: "PodScheduled", status: "False", reason: "Unschedulable", message }),
    ]);
  });

  it.each<[string, (world: ReturnType<typeof oneNode>) => void]>([
    [
      "when a Pod is deleted",
      ({ client }) => client.delete(kinds.pods, { namespace: "default", name: "first" }, { gracePeriodSeconds: 0 }),
    ],
    [
      "when a Pod ends",
      ({ client, pod }) =>
        client.updateStatus(kinds.pods, { ...pod("first"), status: { ...pod("first").status, phase: "Succeeded" } }),
    ],
    [
      "when the node has more to give",
      ({ client }) => {
        const allocatable = { ...amounts, cpu: "4" };
        const node = client.get(kinds.nodes, { namespace: "", name: "node-1" });
        client.updateStatus(kinds.nodes, { ...node, status: { capacity: allocatable, allocatable } });
      },
    ],
    ["when a node is added", ({ addNode }) => addNode("node-2")],
  ])("[POD-459] [POD-465] tries again %s", (_title, change) => {
    const world = oneNode();
    world.addPod("waits", asking({ cpu: "1500m" }));
    world.run(60_000);
    expect(world.pod("waits").spec?.nodeName).toBeUndefined();
    change(world);
    world.run(15_000);
    expect(world.pod("waits").spec?.nodeName).toBeDefined();
  });

  it("[POD-459] tries again after five minutes when nothing has changed", () => {
    const world = oneNode();
    world.addPod("waits", asking({ cpu: "1500m" }));
    world.run(1000);
    const { total } = world.scheduler.decisions;
    world.run(4 * 60_000);
    expect(world.scheduler.decisions.total).toBe(total);
    world.run(2 * 60_000);
    expect(world.scheduler.decisions.total).toBe(total + 1);
  });
});
