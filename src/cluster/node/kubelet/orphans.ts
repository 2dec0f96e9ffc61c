// Pods that run here and are in no source any more: deleted by force, or with their node, while no kubelet watched
// (HandlePodCleanups and SyncTerminatingRuntimePod).

import type { KubeletParts } from "./parts.ts";
import { killPod } from "./pod-killer.ts";
import type { StoredPod } from "./pod-spec.ts";
import type { Task } from "./task.ts";

/** Nobody says how long such a pod may take. */
const graceSeconds = 1;

/** Ends what the runtime has of a pod, then removes it. Its spec is gone, and with it preStop hooks and the grace period. */
export function* endOrphan(parts: KubeletParts, uid: string): Task<void> {
  const { runtime } = parts;
  const [sandbox] = runtime.sandboxesOf(uid);
  if (sandbox === undefined) return;
  const { name, namespace } = sandbox.config;
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, uid },
    spec: { containers: runtime.containersOf(uid).map(({ config }) => ({ name: config.name, image: config.imageName })) },
  } as unknown as StoredPod;
  yield* killPod(parts, pod, graceSeconds);
  const containers = [...runtime.containersOf(uid)];
  for (const container of containers) {
    runtime.removeContainer(container.id);
    parts.journal.removed(container);
  }
  parts.logs.removePod(pod, containers);
  if (sandbox.config.userNamespace !== undefined) parts.userNamespaces().release(uid);
  parts.volumes.remove(uid);
  for (const { id } of [...runtime.sandboxesOf(uid)]) runtime.removeSandbox(id);
}
