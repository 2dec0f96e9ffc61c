// Laws of who is scheduled when: what nodes can bear, Pods behind gates, Pods that make room for more important ones or for a drain.

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { compileRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { isPodReady } from "#cluster/controllers/pods.ts";
import { type Law, namespace, type Scene, workers } from "./law.test-kit.ts";
import { allocatableCpu, counts, cpuOf, deletePod, images, labels, meta, now, roomOf, template, wants } from "./law-parts.ts";

export const scheduler: Law = {
  begin(scene) {
    scene.onWrite(kinds.pods, ({ object, previous, deleted }) => {
      const [before, after] = [previous?.spec?.nodeName ?? "", object.spec?.nodeName ?? ""];
      if (deleted || before !== "" || !workers.includes(after)) return;
      const room = roomOf(scene, after);
      scene.must(room >= 0, () => `${after} has ${-room}m more than it can bear`);
    });
    scene.create(kinds.priorityClasses, { metadata: { name: "high" }, value: 1000 });
  },
  edits: [
    (scene) =>
      scene.create(kinds.pods, {
        metadata: { ...meta(`pod-${scene.between(1, 30)}`), labels },
        spec: {
          terminationGracePeriodSeconds: 2,
          containers: [
            {
              name: "main",
              image: images[0] as string,
              resources: { requests: { cpu: `${scene.pick([100, 300, 700, 1100, 1900])}m` } },
            },
          ],
          ...(scene.random.below(3) === 0 ? { priorityClassName: "high" } : {}),
          ...(scene.random.below(4) === 0 ? { nodeSelector: { disk: "ssd" } } : {}),
        },
      }),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { metadata: { labels: { disk: scene.pick([null, "ssd"]) } } }),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
    (scene) => deletePod(scene),
    (scene) => deletePod(scene),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems: string[] = [];
    const nodes = scene.list(kinds.nodes).filter(({ metadata }) => workers.includes(metadata.name ?? ""));
    for (const pod of scene.podsNow()) {
      const name = pod.metadata.name ?? "";
      if (pod.metadata.deletionTimestamp !== undefined) problems.push(`${name} is still there`);
      if ((pod.spec?.nodeName ?? "") !== "") {
        // What a node refused stays as it is.
        if (!isPodReady(pod) && pod.status?.phase !== "Failed") problems.push(`${name} is not Ready`);
        continue;
      }
      const matches = compileRequirements(requirementsOf({ matchLabels: pod.spec?.nodeSelector ?? {} }));
      const fitting = nodes.filter(({ metadata }) => matches(metadata.labels) && roomOf(scene, metadata.name ?? "") >= cpuOf(pod));
      if (fitting.length > 0) problems.push(`${name} waits, though it fits on ${fitting[0]?.metadata.name}`);
    }
    return problems;
  },
};

/** Evictions as `kubectl drain` asks for them. */
export const budgets: Law = {
  // What people and machines end counts too, and no budget holds them up.
  faults: ["components", "watches", "writers"],
  begin(scene) {
    scene.onWrite(kinds.pods, ({ object, previous, deleted }) => {
      const isEvicted = (pod: Pod | undefined): boolean => pod?.metadata?.deletionTimestamp !== undefined;
      if (deleted || !isEvicted(object) || isEvicted(previous)) return;
      const healthy = scene
        .podsNow("app=web")
        .filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined).length;
      scene.must(healthy >= 2, () => `${healthy} healthy Pods are left, 2 needed`);
    });
    scene.create(kinds.replicaSets, {
      metadata: meta("web"),
      spec: { replicas: 4, selector: { matchLabels: labels }, template: template("nginx:1.27") },
    });
    scene.create(kinds.podDisruptionBudgets, {
      metadata: meta("web"),
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    });
    scene.advance(20_000);
  },
  edits: [
    ...Array.from({ length: 3 }, () => evict),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems: string[] = [];
    const { status } = scene.find(kinds.podDisruptionBudgets, "web") ?? {};
    const figures = [status?.currentHealthy, status?.desiredHealthy, status?.disruptionsAllowed, status?.expectedPods];
    wants(problems, now(figures) === "[4,2,2,4]", `the budget says ${now(figures)}`);
    wants(problems, now(status?.disruptedPods ?? {}) === "{}", "Pods are noted that have gone");
    return problems;
  },
};

function evict(scene: Scene): void {
  const found = scene.podsNow("app=web");
  if (found.length === 0) return;
  const { name = "" } = scene.pick(found).metadata;
  scene.try(`evict ${name}`, () =>
    scene.client.createSubresource(kinds.pods, { namespace, name }, "eviction", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
    }),
  );
}

const gateNames = ["example.com/budget", "example.com/licence", "example.com/data"];

/** Nobody is bound behind a gate, whatever order they open in, and all are when the last is open. */
export const gates: Law = {
  begin(scene) {
    scene.onWrite(kinds.pods, ({ object: { metadata, spec }, deleted }) => {
      const shut = spec?.schedulingGates ?? [];
      if (!deleted)
        scene.must(shut.length === 0 || (spec?.nodeName ?? "") === "", () => `${metadata.name} is bound behind ${now(shut)}`);
    });
    for (let left = 3; left > 0; left -= 1) createGated(scene);
  },
  edits: [
    createGated,
    createGated,
    ...Array.from({ length: 4 }, () => openGate),
    (scene) => deletePod(scene),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { metadata: { labels: { disk: scene.pick([null, "ssd"]) } } }),
  ],
  end(scene) {
    for (const pod of scene.podsNow("app=web")) setGates(scene, pod, []);
    for (const name of workers) scene.patch(kinds.nodes, name, { metadata: { labels: { disk: "ssd" } } });
  },
  missing(scene) {
    const problems: string[] = [];
    for (const pod of scene.podsNow("app=web")) {
      const { metadata, spec, status } = pod;
      if (metadata.deletionTimestamp !== undefined) problems.push(`${metadata.name} is still there`);
      wants(problems, (spec?.schedulingGates ?? []).length === 0, `${metadata.name} has gates`);
      wants(problems, isPodReady(pod) || status?.phase === "Failed", `${metadata.name} is not Ready`);
      const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
      wants(problems, scheduled?.status === "True", `${metadata.name} is ${scheduled?.reason}`);
    }
    return problems;
  },
};

function createGated(scene: Scene): void {
  scene.create(kinds.pods, {
    metadata: { ...meta(`gated-${scene.between(1, 12)}`), labels },
    spec: {
      terminationGracePeriodSeconds: 1,
      schedulingGates: gateNames.slice(0, scene.between(1, 3)).map((name) => ({ name })),
      containers: [{ name: "main", image: images[0] as string }],
      ...(scene.random.below(3) === 0 ? { nodeSelector: { disk: "ssd" } } : {}),
    },
  });
}

function openGate(scene: Scene): void {
  const shut = scene.podsNow("app=web").filter(({ spec }) => (spec?.schedulingGates ?? []).length > 0);
  if (shut.length === 0) return;
  const pod = scene.pick(shut);
  const own = pod.spec?.schedulingGates ?? [];
  const opened = scene.pick(own).name;
  setGates(
    scene,
    pod,
    own.filter(({ name }) => name !== opened),
  );
}

function setGates(scene: Scene, { metadata, spec }: Stored<Pod>, left: readonly { readonly name: string }[]): void {
  if ((spec?.schedulingGates ?? []).length === left.length) return;
  scene.patch(kinds.pods, metadata.name, {
    spec: { schedulingGates: left.length === 0 ? null : left.map(({ name }) => ({ name })) },
  });
}

const priorities: { readonly [name: string]: number } = { low: 100, middle: 500, high: 1000, patient: 1000 };
/** The scheduler has heard of everything by then. */
const knownAfterMs = 90_000;

/** Who makes room is less important, no budget is broken without need, and nobody who could have room waits. */
export const preemption: Law = {
  begin(scene) {
    const known = new Map<string, Stored<Pod>>();
    // As they were before the first of them was taken away: the event comes later.
    let before: { readonly atMs: number; readonly pods: readonly Stored<Pod>[] } = { atMs: -1, pods: [] };
    scene.onWrite(kinds.pods, ({ object, deleted, timeMs }) => {
      if (!deleted) known.set(object.metadata.uid, object);
      if (isPreempted(object) && timeMs !== before.atMs) before = { atMs: timeMs, pods: scene.client.list(kinds.pods).items };
    });
    scene.onWrite(kinds.events, ({ object: { reason, message, involvedObject }, previous }) => {
      if (reason !== "Preempted" || previous !== undefined) return;
      const [, uid = ""] = /^Preempted by pod (\S+) on node/u.exec(message ?? "") ?? [];
      const [victim, preemptor] = [known.get(involvedObject?.uid ?? ""), known.get(uid)];
      scene.must(victim !== undefined && preemptor !== undefined, () => `nobody knows who preempted whom: ${message}`);
      if (victim !== undefined && preemptor !== undefined) judge(scene, victim, preemptor, before.pods);
    });
    for (const [name, value] of Object.entries(priorities))
      scene.create(kinds.priorityClasses, {
        metadata: { name },
        value,
        ...(name === "patient" ? { preemptionPolicy: "Never" } : {}),
      });
    // More than there ever are: each eviction would break it.
    scene.create(kinds.podDisruptionBudgets, {
      metadata: meta("guard"),
      spec: { minAvailable: 50, selector: { matchLabels: { guarded: "yes" } } },
    });
    scene.advance(1000);
    for (let left = 5; left > 0; left -= 1) createImportant(scene, scene.pick(["low", "middle"]));
  },
  edits: [
    ...Array.from({ length: 3 }, () => (scene: Scene) => createImportant(scene, scene.pick(["low", "low", "middle"]))),
    ...Array.from({ length: 4 }, () => (scene: Scene) => createImportant(scene, scene.pick(["middle", "high", "high", "patient"]))),
    (scene) => deletePod(scene),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems: string[] = [];
    for (const pod of scene.podsNow("app=web")) {
      const { metadata, spec, status } = pod;
      if (metadata.deletionTimestamp !== undefined) problems.push(`${metadata.name} is still there`);
      if ((spec?.nodeName ?? "") !== "") {
        wants(problems, isPodReady(pod) || status?.phase === "Failed", `${metadata.name} is not Ready`);
        continue;
      }
      const room = spec?.preemptionPolicy === "Never" ? () => 0 : (name: string) => yielding(scene, name, pod);
      const place = workers.find((name) => roomOf(scene, name) + room(name) >= cpuOf(pod));
      if (place !== undefined)
        problems.push(`${metadata.name} (${spec?.priorityClassName}) waits, though there is room on ${place}`);
    }
    return problems;
  },
};

const isPreempted = ({ status }: Pod): boolean => status?.conditions?.some(({ type }) => type === "DisruptionTarget") === true;
const isGuarded = ({ metadata }: Stored<Pod>): boolean => metadata.labels?.["guarded"] === "yes";

function judge(scene: Scene, victim: Stored<Pod>, preemptor: Stored<Pod>, before: readonly Stored<Pod>[]): void {
  const [one, other] = [preemptor.metadata.name, victim.metadata.name];
  const priority = preemptor.spec?.priority ?? 0;
  scene.must(
    (victim.spec?.priority ?? 0) < priority,
    () => `${one} (${priority}) takes the place of ${other} (${victim.spec?.priority})`,
  );
  scene.must(preemptor.spec?.preemptionPolicy !== "Never", () => `${one} never takes a place, and takes that of ${other}`);
  if (!isGuarded(victim) || scene.calmMs < knownAfterMs) return;
  const stays = (pod: Stored<Pod>, name: string): boolean => {
    if (!counts(pod) || pod.metadata.uid === preemptor.metadata.uid) return false;
    if ((pod.spec?.nodeName ?? "") === "") return pod.status?.nominatedNodeName === name && (pod.spec?.priority ?? 0) >= priority;
    return pod.spec?.nodeName === name && ((pod.spec?.priority ?? 0) >= priority || isGuarded(pod));
  };
  const better = scene
    .list(kinds.nodes)
    .filter(({ spec, metadata }) => spec?.unschedulable !== true && workers.includes(metadata.name))
    .find((node) => {
      const left = before
        .filter((pod) => stays(pod, node.metadata.name))
        .reduce((room, pod) => room - cpuOf(pod), allocatableCpu(node));
      return left >= cpuOf(preemptor);
    });
  scene.must(
    better === undefined,
    () => `${one} takes the place of ${other}, whom a budget guards, and not one on ${better?.metadata.name}`,
  );
}

/** What less important Pods of a node would give. */
function yielding(scene: Scene, nodeName: string, pod: Stored<Pod>): number {
  return scene.client
    .list(kinds.pods, { fieldSelector: `spec.nodeName=${nodeName}` })
    .items.filter((other) => counts(other) && (other.spec?.priority ?? 0) < (pod.spec?.priority ?? 0))
    .reduce((sum, other) => sum + cpuOf(other), 0);
}

function createImportant(scene: Scene, priorityClassName: string): void {
  scene.create(kinds.pods, {
    metadata: {
      ...meta(`pod-${scene.between(1, 30)}`),
      labels: { ...labels, ...(scene.random.below(3) === 0 ? { guarded: "yes" } : {}) },
    },
    spec: {
      priorityClassName,
      terminationGracePeriodSeconds: scene.pick([0, 2, 10]),
      containers: [
        { name: "main", image: images[0] as string, resources: { requests: { cpu: `${scene.pick([300, 700, 1100, 1500])}m` } } },
      ],
    },
  });
}
