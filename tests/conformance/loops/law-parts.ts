// What several laws are told with.

import type { Condition, Node, Pod, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityMilliValue } from "#cluster/api/quantity.ts";
import { namespace, type Scene } from "./law.test-kit.ts";

export const images = ["registry.k8s.io/pause:3.9", "registry.k8s.io/pause:3.10", "nginx:1.27", "nginx:1.28"];
export const labels = { app: "web" };

export function template(image: string, more: object = {}): PodTemplateSpec {
  return { metadata: { labels }, spec: { containers: [{ name: "main", image }], terminationGracePeriodSeconds: 2, ...more } };
}

export const meta = (name: string) => ({ name, namespace });
export function deletePod(scene: Scene, selector = "app=web"): void {
  const found = scene.podsNow(selector);
  if (found.length === 0) return;
  scene.delete(
    kinds.pods,
    scene.pick(found).metadata.name ?? "",
    scene.pick([{}, { gracePeriodSeconds: 0 }, { gracePeriodSeconds: 1 }]),
  );
}

export function wants(problems: string[], holds: boolean, text: string): void {
  if (!holds) problems.push(text);
}

export const now = (value: unknown): string => JSON.stringify(value);

export const cpuOf = (pod: Pod): number =>
  (pod.spec?.containers ?? []).reduce(
    (sum, { resources }) => sum + Number(quantityMilliValue(parseQuantity(resources?.requests?.["cpu"] ?? "0"))),
    0,
  );
export const counts = (pod: Stored<Pod>): boolean => pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed";

export function allocatableCpu({ status }: Node): number {
  return Number(quantityMilliValue(parseQuantity(status?.allocatable?.["cpu"] ?? "0")));
}

export function roomOf(scene: Scene, name: string): number {
  const own = scene.world.client.list(kinds.pods, { fieldSelector: `spec.nodeName=${name}` }).items.filter(counts);
  return allocatableCpu(scene.find(kinds.nodes, name) ?? {}) - own.reduce((sum, pod) => sum + cpuOf(pod), 0);
}

export const owned = (
  object: { readonly metadata: { readonly ownerReferences?: readonly { readonly uid: string }[] } },
  uid: string,
) => object.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
export const revised = (scene: Scene): JsonValue => ({
  spec: { template: { metadata: { annotations: { revision: String(scene.nowMs) } } } },
});

export function setImage(scene: Scene): JsonValue {
  return { spec: { template: { spec: { containers: [{ name: "main", image: scene.pick(images) }] } } } };
}

export function releasePod(scene: Scene): void {
  const found = scene.podsNow("app=web");
  if (found.length > 0) scene.patch(kinds.pods, scene.pick(found).metadata.name ?? "", { metadata: { labels: { app: "loose" } } });
}

export const rememberedMs = 900_000;

export function isFinished(conditions: readonly Pick<Condition, "type" | "status">[] | undefined): boolean {
  return conditions?.some(({ type, status }) => (type === "Complete" || type === "Failed") && status === "True") === true;
}

/** Whose request is being served, without what all names of the cluster's parts begin with. */
export const writer = (scene: Scene): string =>
  (scene.world.servedRequest?.user.name ?? "").replace("system:serviceaccount:kube-system:", "");

/** A Pod that has ended stays so, no container's restarts are forgotten, and no kubelet lets a Pod go whose containers still run. */
export function podsGoOn(scene: Scene): void {
  scene.onWrite(kinds.pods, ({ object, previous, deleted }) => {
    const { name, uid } = object.metadata;
    if (deleted) {
      const [, nodeName] = /^system:node:(.+)$/u.exec(writer(scene)) ?? [];
      if (nodeName === undefined) return;
      const containers = scene.world.cluster.node(nodeName)?.runtime.containersOf(uid) ?? [];
      scene.must(!containers.some(({ state }) => state === "running"), () => `${name} is let go, and runs`);
      return;
    }
    if (previous === undefined) return;
    const [before, after] = [previous.status?.phase, object.status?.phase];
    const hasEnded = before === "Succeeded" || before === "Failed";
    scene.must(!hasEnded || before === after, () => `${name} has ${before} and is ${after}`);
    for (const { name: container, restartCount } of previous.status?.containerStatuses ?? []) {
      const later = object.status?.containerStatuses?.find((each) => each.name === container)?.restartCount;
      scene.must(
        later !== undefined && later >= restartCount,
        () => `${name}/${container} had ${restartCount} restarts, has ${later}`,
      );
    }
  });
}
