// /runningpods/: what the runtime runs, whatever the API or a manifest say of it (pkg/kubelet/container: ToAPIPod, which knows no more
// of a pod than this). Images are named by their IDs, as the kubelet asked the runtime for them.

import type { JsonValue } from "#cluster/api/objects.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";

/** The newest pod first. */
export function runningPods(runtime: ContainerRuntime): JsonValue {
  const ready = runtime.podUids().flatMap((uid) => runtime.sandboxesOf(uid).filter(({ state }) => state === "ready"));
  const items = ready
    .sort((a, b) => b.createdMs - a.createdMs)
    .map(({ config: { name, namespace, podUid } }): JsonValue => {
      const running = runtime.containersOf(podUid).filter(({ state }) => state === "running");
      const containers = running.map(({ config }) => ({ name: config.name, image: config.image.id, resources: {} }));
      return {
        metadata: { name, namespace, uid: podUid },
        spec: { containers: containers.length === 0 ? null : containers },
        status: {},
      };
    });
  return { kind: "PodList", apiVersion: "v1", metadata: {}, items };
}
