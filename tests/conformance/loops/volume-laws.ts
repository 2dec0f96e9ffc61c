// Laws of claims and volumes.

import * as kinds from "#cluster/api/kinds.ts";
import { type Law, workers } from "./law.test-kit.ts";
import { deletePod, images, labels, meta, revised, template, wants } from "./law-parts.ts";
import { statefulSet } from "./workload-laws.ts";

export const volumes: Law = {
  addons: ["local-path-provisioner"],
  begin(scene) {
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
