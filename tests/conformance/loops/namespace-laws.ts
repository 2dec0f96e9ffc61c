// Laws of namespaces, of what they may hold, and of what goes with its owner.

import * as kinds from "#cluster/api/kinds.ts";
import type { ResourceType } from "#cluster/api/objects.ts";
import { type Law, namespace, type Scene, type Write } from "./law.test-kit.ts";
import { deletePod, images, labels, meta, now, template, wants, writer } from "./law-parts.ts";
import { noneTooMany } from "./workload-laws.ts";

export const quota: Law = {
  begin(scene) {
    noneTooMany(scene);
    scene.onWrite(kinds.pods, ({ object: { metadata }, previous, deleted }) => {
      if (deleted || previous !== undefined || metadata.namespace !== namespace) return;
      const counted = charged(scene);
      scene.must(counted <= 5 || recountsLate(scene), () => `${counted} Pods, 5 allowed`);
    });
    scene.create(kinds.resourceQuotas, { metadata: meta("few"), spec: { hard: { pods: "5", configmaps: "6" } } });
    scene.advance(2000);
    for (const name of ["one", "two"])
      scene.create(kinds.replicaSets, {
        metadata: meta(name),
        spec: {
          replicas: 2,
          selector: { matchLabels: { set: name } },
          template: { ...template(images[0] as string), metadata: { labels: { set: name } } },
        },
      });
  },
  edits: [
    (scene) => scene.patch(kinds.replicaSets, scene.pick(["one", "two"]), { spec: { replicas: scene.between(0, 5) } }),
    (scene) => deletePod(scene, ""),
    (scene) => scene.create(kinds.configMaps, { metadata: meta(`map-${scene.between(1, 9)}`) }),
    (scene) => scene.delete(kinds.configMaps, `map-${scene.between(1, 9)}`),
    (scene) =>
      scene.create(kinds.pods, {
        metadata: meta(`lone-${scene.between(1, 5)}`),
        spec: { containers: [{ name: "main", image: images[0] as string }] },
      }),
  ],
  missing(scene) {
    const problems: string[] = [];
    const used = scene.find(kinds.resourceQuotas, "few")?.status?.used;
    const counted = charged(scene);
    wants(problems, used?.["pods"] === String(counted), `used ${used?.["pods"]} Pods of ${counted}`);
    const maps = scene.list(kinds.configMaps).length;
    wants(problems, used?.["configmaps"] === String(maps), `used ${used?.["configmaps"]} ConfigMaps of ${maps}`);
    const asked = ["one", "two"].reduce((sum, name) => sum + (scene.find(kinds.replicaSets, name)?.spec?.replicas ?? 0), 0);
    const lone = scene.podsNow().filter(({ metadata }) => metadata.ownerReferences === undefined).length;
    const isRight = counted === Math.min(5, asked + lone) || (recountsLate(scene) && counted > 5 && counted <= asked + lone);
    wants(problems, isRight, `${counted} Pods, ${asked} asked for and ${lone} of nobody`);
    return problems;
  },
};

/** The quota controller counts its copies: one that has heard of a Pod's end and not of the next Pod's beginning frees what is taken, as upstream's. */
function recountsLate(scene: Scene): boolean {
  return scene.lagged.has("kube-controller-manager/pods");
}

/** Pods that a quota counts: not those that have ended, nor those that should have by now. */
function charged(scene: Scene): number {
  return scene.podsNow().filter(({ metadata, status }) => {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
    const isOverdue =
      deletionTimestamp !== undefined && scene.nowMs > Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
    return status?.phase !== "Succeeded" && status?.phase !== "Failed" && !isOverdue;
  }).length;
}

/** The collector deletes nothing whose owner is there, unless that waits for it. */
function onlyOrphansGo(scene: Scene): void {
  const there = new Map<string, { readonly name: string; readonly isLeaving: boolean }>();
  const look = <T extends object>({ object: { metadata }, previous, deleted }: Write<T>): void => {
    if (writer(scene) === "generic-garbage-collector" && (deleted || metadata.deletionTimestamp !== undefined)) {
      const owner = metadata.ownerReferences?.map(({ uid }) => there.get(uid)).find((each) => each?.isLeaving === false);
      if (previous?.metadata.deletionTimestamp === undefined)
        scene.must(owner === undefined, () => `${metadata.name} is deleted, and its owner ${owner?.name} is there`);
    }
    if (deleted) there.delete(metadata.uid);
    else {
      const isLeaving = metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes("foregroundDeletion") === true;
      there.set(metadata.uid, { name: metadata.name, isLeaving });
    }
  };
  scene.onWrite(kinds.deployments, look);
  scene.onWrite(kinds.replicaSets, look);
  scene.onWrite(kinds.pods, look);
}

export const owners: Law = {
  begin(scene) {
    onlyOrphansGo(scene);
    for (const name of ["one", "two"]) makeTree(scene, name);
  },
  edits: [
    (scene) => makeTree(scene, scene.pick(["one", "two", "three"])),
    (scene) =>
      scene.delete(
        kinds.deployments,
        scene.pick(["one", "two", "three"]),
        scene.pick([{}, { propagationPolicy: "Orphan" }, { propagationPolicy: "Foreground" }, { propagationPolicy: "Background" }]),
      ),
    (scene) => deletePod(scene, ""),
    (scene) => {
      const sets = scene.podsNow().length === 0 ? [] : scene.list(kinds.replicaSets);
      if (sets.length > 0)
        scene.delete(
          kinds.replicaSets,
          scene.pick(sets).metadata.name ?? "",
          scene.pick([{}, { propagationPolicy: "Foreground" }, { propagationPolicy: "Orphan" }]),
        );
    },
  ],
  missing(scene) {
    const problems: string[] = [];
    const all = [...scene.list(kinds.deployments), ...scene.list(kinds.replicaSets), ...scene.list(kinds.pods)];
    const known = new Set(all.map(({ metadata }) => metadata.uid));
    for (const { kind, metadata } of all) {
      if (metadata.deletionTimestamp !== undefined)
        problems.push(`${kind} ${metadata.name} is still there, with ${now(metadata.finalizers)}`);
      const gone = metadata.ownerReferences?.filter(({ uid }) => !known.has(uid)) ?? [];
      if (gone.length > 0) problems.push(`${kind} ${metadata.name} has an owner that has gone`);
    }
    return problems;
  },
};

function makeTree(scene: Scene, name: string): void {
  scene.create(kinds.deployments, {
    metadata: meta(name),
    spec: {
      replicas: 2,
      selector: { matchLabels: { tree: name } },
      template: { ...template(images[0] as string), metadata: { labels: { tree: name } } },
    },
  });
}

const room = "room";

/** Nothing comes into a namespace that goes, and nothing is left in one that has gone. */
function emptyWhenGone(scene: Scene): void {
  const inside = new Set<string>();
  let state: "there" | "going" | "gone" = "gone";
  scene.world.onWrite.add(({ object: { metadata }, previous, deleted }, resource) => {
    if (resource === "namespaces" && metadata?.name === room) {
      if (deleted) scene.must(inside.size === 0, () => `${room} has gone and leaves ${[...inside].join(", ")}`);
      const isGoing = metadata.deletionTimestamp !== undefined;
      state = isGoing ? "going" : "there";
      if (deleted) state = "gone";
    }
    if (metadata?.namespace !== room) return;
    const name = `${resource}/${metadata.name}`;
    if (previous === undefined && !deleted) scene.must(state === "there", () => `${name} comes, and ${room} is ${state}`);
    if (deleted) inside.delete(name);
    else inside.add(name);
  });
}

export const namespaces: Law = {
  begin(scene) {
    emptyWhenGone(scene);
    fill(scene);
  },
  edits: [
    fill,
    (scene) => scene.delete(kinds.namespaces, room),
    (scene) =>
      scene.try("create a ConfigMap there", () =>
        scene.client.create(kinds.configMaps, { metadata: { name: `map-${scene.between(1, 9)}`, namespace: room } }),
      ),
  ],
  end: (scene) => scene.delete(kinds.namespaces, room),
  missing(scene) {
    const problems: string[] = [];
    wants(problems, scene.find(kinds.namespaces, room) === undefined, "the namespace is still there");
    const emptied: readonly ResourceType<unknown>[] = [
      kinds.pods,
      kinds.replicaSets,
      kinds.configMaps,
      kinds.secrets,
      kinds.serviceAccounts,
      kinds.endpointSlices,
    ];
    for (const type of emptied)
      wants(problems, scene.client.list(type, { namespace: room }).items.length === 0, `${type.plural} are left`);
    return problems;
  },
};

function fill(scene: Scene): void {
  scene.create(kinds.namespaces, { metadata: { name: room } });
  scene.try("fill it", () => {
    scene.client.create(kinds.secrets, { metadata: { name: "key", namespace: room } });
    scene.client.create(kinds.deployments, {
      metadata: { name: "web", namespace: room },
      spec: { replicas: 2, selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
    scene.client.create(kinds.services, {
      metadata: { name: "web", namespace: room },
      spec: { selector: labels, ports: [{ port: 80 }] },
    });
  });
}
