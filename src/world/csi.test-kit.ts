// A cluster with the CSI driver, and what tests ask of it.

import type { CoreV1Event, VolumeAttachment } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { ClusterWish } from "./cluster-shape.ts";
import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

export function claimText(name: string, more = "", modes = "ReadWriteOnce"): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}}
spec:
  storageClassName: csi-sim
  accessModes: [${modes}]
  resources: {requests: {storage: 1500Mi}}
${more}---
`;
}

/** `claims`: mounted at /NAME. */
export function podText(name: string, node: string, claims: readonly string[], command = "sleep 1000000", more = ""): string {
  const volumes = claims.map((claim) => `{name: ${claim}, persistentVolumeClaim: {claimName: ${claim}}}`);
  return `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  terminationGracePeriodSeconds: 1
${node === "" ? "" : `  nodeSelector: {kubernetes.io/hostname: ${node}}\n`}${more}  volumes: [${volumes.join(", ")}]
  containers:
  - name: app
    image: busybox:1.36
    command: ["sh", "-c", ${JSON.stringify(command)}]
    volumeMounts: [${claims.map((claim) => `{name: ${claim}, mountPath: /${claim}}`).join(", ")}]
---
`;
}

export function csiWorld(wish: Partial<ClusterWish> = {}) {
  const world = new World({ startMs: 1_767_225_600_000, seed: 5, files: {}, nodes: 2, addons: ["csi-driver"], ...wish });
  world.boot();
  const learner = sitDown(world, { columns: 300, rows: 100 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  return {
    world,
    learner,
    wait,
    run: (line: string): string => learner.run(line, 120_000),
    apply: (text: string, seconds = 30): void => {
      world.apply({ kind: "file-write", path: "given.yaml", text });
      learner.run("kubectl apply -f given.yaml");
      wait(seconds);
    },
    /** `type reason message` in the order of their writing. */
    events: (name: string): readonly string[] =>
      world.client
        .list<CoreV1Event>(kinds.events)
        .items.filter(({ involvedObject }) => involvedObject.name === name)
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ type, reason, message }) => `${type} ${reason} ${message}`),
    volume: () => world.client.list(kinds.persistentVolumes).items[0],
    attachments: (): readonly Stored<VolumeAttachment>[] => world.client.list(kinds.volumeAttachments).items,
    node: (name: string) => world.client.get(kinds.nodes, { namespace: "", name }),
  };
}
