// The words that findings of the Pod Security Standards are made of.

import type { Container } from "#cluster/api/generated/types.ts";
import type { PodView } from "./pod-security-check.ts";

/** `"a", "b"` */
export function quoted(items: readonly string[]): string {
  return items.map((item) => `"${item}"`).join(", ");
}

export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

/** `container "a"`, `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return `${plural(names.length, "container", "containers")} ${quoted(names)}`;
}

/** Sorted, each once. */
export function sortedSet(items: Iterable<string>): readonly string[] {
  return [...new Set(items)].sort();
}

/** `pod and container "a"`: who of them sets something. */
export function settersText(byPod: boolean, names: readonly string[]): string {
  return [...(byPod ? ["pod"] : []), ...(names.length === 0 ? [] : [containersText(names)])].join(" and ");
}

/** The names of the containers for which something holds. */
export function namesOf(pod: PodView, holds: (container: Container) => boolean): readonly string[] {
  return pod.containers.filter(holds).map(({ name }) => name);
}
