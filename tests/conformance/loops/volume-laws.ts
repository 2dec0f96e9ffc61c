// Laws of claims and volumes.

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { isPodReady } from "#cluster/controllers/pods.ts";
import { type Law, type Scene, workers } from "./law.test-kit.ts";
import { counts, deletePod, images, labels, meta, now, owned, revised, template, wants } from "./law-parts.ts";
import { statefulSet } from "./workload-laws.ts";

const claimed = (pod: Pod, name: string): boolean => counts(pod as Stored<Pod>) && claimsOf(pod).includes(name);
const claimsOf = ({ metadata, spec }: Pod): readonly string[] =>
  (spec?.volumes ?? []).flatMap(({ name, ephemeral, persistentVolumeClaim }) => [
    ...(ephemeral === undefined ? [] : [`${metadata?.name}-${name}`]),
    ...(persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName]),
  ]);
const claimSpec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } };

/** No claim goes while a Pod uses it, none gets another volume, and no volume another claim. */
function claimsStay(scene: Scene): void {
  scene.onWrite(kinds.persistentVolumeClaims, ({ object: { metadata, spec }, previous, deleted }) => {
    if (deleted) {
      const user = scene.podsNow().find((pod) => (pod.spec?.nodeName ?? "") !== "" && claimed(pod, metadata.name));
      scene.must(user === undefined, () => `claim ${metadata.name} goes, and ${user?.metadata.name} uses it`);
      return;
    }
    const [before, after] = [previous?.spec?.volumeName, spec?.volumeName];
    scene.must(before === undefined || before === after, () => `claim ${metadata.name} had ${before} and has ${after}`);
  });
  scene.onWrite(kinds.persistentVolumes, ({ object: { metadata, spec }, previous, deleted }) => {
    const [before, after] = [previous?.spec?.claimRef?.uid, spec?.claimRef?.uid];
    if (!deleted)
      scene.must(before === undefined || before === after, () => `${metadata.name} was of ${before} and is of ${after}`);
  });
}

export const volumes: Law = {
  addons: ["local-path-provisioner"],
  begin(scene) {
    claimsStay(scene);
    scene.create(kinds.statefulSets, {
      metadata: meta("db"),
      spec: {
        replicas: 2,
        serviceName: "db",
        podManagementPolicy: scene.pick(["OrderedReady", "Parallel"]),
        selector: { matchLabels: labels },
        template: template(images[0] as string),
        persistentVolumeClaimRetentionPolicy: scene.pick([
          { whenScaled: "Delete", whenDeleted: "Retain" },
          { whenScaled: "Retain", whenDeleted: "Retain" },
        ]),
        volumeClaimTemplates: [
          { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Mi" } } } },
        ],
      },
    });
  },
  edits: [
    (scene) => scene.patch(kinds.statefulSets, "db", { spec: { replicas: scene.between(0, 4) } }),
    (scene) => deletePod(scene),
    (scene) => scene.delete(kinds.persistentVolumeClaims, `data-db-${scene.between(0, 3)}`),
    (scene) => scene.patch(kinds.statefulSets, "db", revised(scene)),
    (scene) => scene.patch(kinds.nodes, scene.pick(workers), { spec: { unschedulable: scene.random.below(2) === 0 } }),
  ],
  end(scene) {
    for (const name of workers) scene.patch(kinds.nodes, name, { spec: { unschedulable: false } });
  },
  missing(scene) {
    const problems = [...statefulSet.missing(scene)];
    const claims = scene.list(kinds.persistentVolumeClaims);
    const persistent = scene.list(kinds.persistentVolumes);
    for (const { metadata, spec, status } of claims) {
      const own = persistent.filter(({ spec: { claimRef } = {} }) => claimRef?.uid === metadata.uid);
      const isUsed = scene
        .podsNow()
        .some((pod) => pod.spec?.volumes?.some((each) => each.persistentVolumeClaim?.claimName === metadata.name));
      wants(problems, metadata.deletionTimestamp === undefined || isUsed, `claim ${metadata.name} is still there`);
      const isBound = status?.phase === "Bound" && own.length === 1 && own[0]?.metadata.name === spec?.volumeName;
      wants(problems, isBound, `claim ${metadata.name} is ${status?.phase} and has ${own.length} volumes`);
    }
    wants(problems, persistent.length === claims.length, `${persistent.length} volumes of ${claims.length} claims`);
    // Whether a claim above the replicas is kept is not told: where its Pod went by other hands before the controller came to it, it stays
    // although the policy says Delete, as upstream's does.
    return problems;
  },
};

/** Claims that Pods bring along: each has its own, nobody else's is taken, and none goes while it is used. */
export const ephemeralVolumes: Law = {
  addons: ["local-path-provisioner"],
  begin(scene) {
    claimsStay(scene);
    scene.onWrite(kinds.pods, ({ object, previous, deleted }) => {
      const [before, after] = [previous?.status?.phase, object.status?.phase];
      if (deleted || before === after || after !== "Running") return;
      const claims = scene.list(kinds.persistentVolumeClaims);
      for (const name of claimsOf(object)) {
        const claim = claims.find(({ metadata }) => metadata.name === name);
        const isOwn = claim !== undefined && owned(claim, object.metadata.uid);
        scene.must(isOwn, () => `${object.metadata.name} runs with the claim ${name} of ${now(claim?.metadata.ownerReferences)}`);
      }
    });
    createWithVolume(scene);
  },
  edits: [
    createWithVolume,
    createWithVolume,
    createWithVolume,
    (scene) => deletePod(scene),
    (scene) => scene.delete(kinds.persistentVolumeClaims, `pod-${scene.between(1, 5)}-data`),
    // In the way of a Pod that comes.
    (scene) => scene.create(kinds.persistentVolumeClaims, { metadata: meta(`pod-${scene.between(1, 5)}-data`), spec: claimSpec }),
  ],
  end(scene) {
    for (const { metadata } of scene.list(kinds.persistentVolumeClaims))
      if (metadata.ownerReferences === undefined) scene.delete(kinds.persistentVolumeClaims, metadata.name);
  },
  missing(scene) {
    const problems: string[] = [];
    const claims = scene.list(kinds.persistentVolumeClaims);
    const running = scene.podsNow("app=web");
    for (const pod of running) {
      const { metadata, status } = pod;
      wants(problems, metadata.deletionTimestamp === undefined, `${metadata.name} is still there`);
      wants(problems, isPodReady(pod) || status?.phase === "Failed", `${metadata.name} is not Ready`);
      for (const name of claimsOf(pod)) {
        const claim = claims.find((each) => each.metadata.name === name);
        const isOwn = claim !== undefined && owned(claim, metadata.uid) && claim.status?.phase === "Bound";
        wants(
          problems,
          isOwn || status?.phase === "Failed",
          `claim ${name} is ${claim?.status?.phase} and of ${now(claim?.metadata.ownerReferences)}`,
        );
      }
    }
    const left = claims.filter((claim) => !running.some(({ metadata }) => owned(claim, metadata.uid)));
    wants(problems, left.length === 0, `claims of nobody: ${left.map(({ metadata }) => metadata.name).join(", ")}`);
    const persistent = scene.list(kinds.persistentVolumes).length;
    wants(problems, persistent === claims.length, `${persistent} volumes of ${claims.length} claims`);
    return problems;
  },
};

function createWithVolume(scene: Scene): void {
  scene.create(kinds.pods, {
    metadata: { ...meta(`pod-${scene.between(1, 5)}`), labels },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [{ name: "main", image: images[0] as string, volumeMounts: [{ name: "data", mountPath: "/data" }] }],
      volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }],
    },
  });
}
