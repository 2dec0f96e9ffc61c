// What several laws are told with.

import type { Node, Pod, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
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
