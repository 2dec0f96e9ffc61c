// For tests of the kubelet: a node that runs, and short words for what tests ask of its pods.

import type { ContainerStatus } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer } from "../runtime/cri.ts";
import { SmallCluster, type SmallClusterOptions } from "../small-cluster.test-kit.ts";

/** With the images of most tests on the node already. */
export function startedCluster(options: SmallClusterOptions = {}): SmallCluster {
  const cluster = new SmallCluster(options);
  for (const name of ["busybox:1.36", "nginx:1.27"]) cluster.node.runtime.importImage(cluster.image(name));
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  return cluster;
}

export function shell(name: string, script: string, more: object = {}) {
  return { name, image: "busybox:1.36", command: ["sh", "-c", script], ...more };
}

export function statusOf(cluster: SmallCluster, pod: string, container: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = cluster.pod(pod).status ?? {};
  return [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].find(({ name }) => name === container);
}

/** Newest first. */
export function instancesOf(cluster: SmallCluster, pod: string, container: string): readonly RuntimeContainer[] {
  const { uid } = cluster.pod(pod).metadata;
  return cluster.node.runtime.containersOf(uid).filter(({ config }) => config.name === container);
}

export function logOf(cluster: SmallCluster, pod: string, container: string): string {
  return instancesOf(cluster, pod, container)[0]?.log.tailText(1000, 100_000) ?? "";
}

/** `waiting: REASON`, `running`, `terminated: REASON CODE`. */
export function stateOf(cluster: SmallCluster, pod: string, container: string): string {
  const { running, waiting, terminated } = statusOf(cluster, pod, container)?.state ?? {};
  if (terminated !== undefined) return `terminated: ${terminated.reason} ${terminated.exitCode}`;
  if (waiting !== undefined) return `waiting: ${waiting.reason}`;
  return running === undefined ? "none" : "running";
}

export function conditionOf(cluster: SmallCluster, pod: string, type: string): string {
  const { status, reason, message } = cluster.pod(pod).status?.conditions?.find((one) => one.type === type) ?? {};
  return [status, reason, message].filter((part) => part !== undefined).join(" ");
}

/** Seconds between the starts of a container's instances, watched for so many seconds. */
export function pausesBetweenStarts(cluster: SmallCluster, pod: string, container: string, seconds: number): readonly number[] {
  const starts: number[] = [];
  for (let step = 0; step < seconds * 10; step += 1) {
    cluster.simulation.advance(100);
    const attempt = instancesOf(cluster, pod, container)[0]?.config.attempt ?? -1;
    if (attempt >= starts.length) starts.push(cluster.simulation.nowMs);
  }
  return starts.slice(1).map((time, index) => Math.round((time - (starts[index] as number)) / 1000));
}
