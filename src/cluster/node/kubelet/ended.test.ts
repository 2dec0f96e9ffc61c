// What is left of a pod when nothing of it runs any more: on the node, and in its last status.

import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../small-cluster.test-kit.ts";
import { instancesOf, shell, startedCluster, stateOf, statusOf } from "./kubelet.test-kit.ts";

const key = { namespace: "default", name: "p" };
const orderly = "trap 'exit 0' TERM; while true; do sleep 1; done";
const held = { finalizers: ["example.com/hold"] };

describe("the node", () => {
  it("[POD-269] has no cgroup, volume and live sandbox left when the last phase is told, and nothing at all once the pod is gone", () => {
    const cluster = startedCluster();
    const { runtime, machine } = cluster.node;
    const container = shell("c", orderly, { volumeMounts: [{ name: "v", mountPath: "/v" }] });
    cluster.createPod("p", { volumes: [{ name: "v", emptyDir: {} }], containers: [container] });
    cluster.untilReady("p");
    const { uid } = cluster.pod("p").metadata;
    const directory = `/var/lib/kubelet/pods/${uid}`;
    const left = (): string =>
      [
        ...runtime.containersOf(uid).map(({ state }) => `container ${state}`),
        ...runtime.sandboxesOf(uid).map(({ state }) => `sandbox ${state}`),
        ...(machine.files.exists(`${directory}/volumes/kubernetes.io~empty-dir/v`) ? ["volume"] : []),
        ...(machine.files.exists(directory) ? ["directory"] : []),
        ...([...machine.podGroups.BestEffort.children()].length > 0 ? ["group"] : []),
      ].join(", ");
    const seen: string[] = [left()];
    const { resourceVersion = "" } = cluster.client.list(pods).metadata;
    cluster.client.watch(
      pods,
      { namespace: "default", resourceVersion },
      {
        onEvent: (event) => {
          if (!("object" in event)) return;
          const { metadata, status } = event.object;
          seen.push(`${event.type} ${status?.phase}, grace ${metadata.deletionGracePeriodSeconds}: ${left()}`);
        },
        onClose: () => {},
      },
    );
    cluster.client.delete(pods, key);
    cluster.simulation.advance(20_000);
    expect([seen[0], ...seen.slice(-2)]).toEqual([
      "container running, sandbox ready, volume, directory, group",
      "MODIFIED Succeeded, grace 30: container exited, sandbox notReady, directory",
      "DELETED Succeeded, grace 0: ",
    ]);
  });
});

describe("the last status", () => {
  const lost = {
    exitCode: 137,
    message: "The container could not be located when the pod was terminated",
    reason: "ContainerStatusUnknown",
  };

  function ended(end: (cluster: SmallCluster, lose: () => void) => void): SmallCluster {
    const cluster = startedCluster();
    const containers = [shell("ran", orderly), { name: "never", image: "nobody/nothing:1" }, shell("removed", orderly)];
    cluster.createPod("p", { containers }, held);
    cluster.simulation.advance(12_000);
    end(cluster, () => {
      for (const { id } of [...instancesOf(cluster, "p", "removed")]) cluster.node.runtime.removeContainer(id);
    });
    cluster.simulation.advance(12_000);
    return cluster;
  }

  it.each<[string, (cluster: SmallCluster, lose: () => void) => void]>([
    [
      "was deleted",
      (cluster, lose) => {
        cluster.node.kubelet.stop();
        lose();
        cluster.client.delete(pods, key);
        cluster.node.kubelet.start();
      },
    ],
    [
      "was evicted",
      (cluster, lose) => {
        lose();
        const verdict = { phase: "Failed", reason: "Evicted", message: "low" } as const;
        cluster.node.kubelet.evict(cluster.pod("p").metadata.uid, verdict.reason, verdict.message, 1);
      },
    ],
  ])("[POD-182] of a pod that %s: what the runtime does not have ended in a way that nobody knows", (_how, end) => {
    const cluster = ended(end);
    expect(cluster.pod("p").status?.phase).toBe("Failed");
    expect(stateOf(cluster, "p", "ran")).toBe("terminated: Completed 0");
    expect(statusOf(cluster, "p", "never")?.state).toEqual({ terminated: lost });
    expect(statusOf(cluster, "p", "removed")?.state).toEqual({ terminated: lost });
    expect(statusOf(cluster, "p", "removed")?.lastState?.terminated?.message).toBe(
      "The container could not be located when the pod was deleted.  The container used to be Running",
    );
  });

  it("[POD-182] leaves alone what the pod never came to", () => {
    const cluster = startedCluster();
    const initContainers = [{ name: "first", image: "nobody/nothing:1" }, shell("second", "true")];
    cluster.createPod("p", { initContainers, containers: [shell("c", orderly)] }, held);
    cluster.simulation.advance(12_000);
    cluster.client.delete(pods, key);
    cluster.simulation.advance(12_000);
    expect(cluster.pod("p").status?.phase).toBe("Failed");
    expect(["first", "second", "c"].map((name) => stateOf(cluster, "p", name))).toEqual([
      "terminated: ContainerStatusUnknown 137",
      "waiting: PodInitializing",
      "waiting: PodInitializing",
    ]);
  });
});
