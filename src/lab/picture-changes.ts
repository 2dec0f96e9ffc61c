// How a picture travels from the worker to the page: of hundreds of Pods those alone that changed since the picture before.

import type { ClusterView, PodView } from "./picture-view.ts";

export interface ClusterChange extends Omit<ClusterView, "pods"> {
  /** A number is a place in the list of the picture before: that Pod, unchanged. */
  readonly pods: readonly (PodView | number)[];
}

export class ChangeWriter {
  #places: ReadonlyMap<PodView, number> = new Map();

  write(view: ClusterView): ClusterChange {
    const before = this.#places;
    this.#places = new Map(view.pods.map((pod, place) => [pod, place]));
    return { ...view, pods: view.pods.map((pod) => before.get(pod) ?? pod) };
  }
}

/** The picture after a change; unchanged Pods are the same objects as in the picture before. */
export function readChange(change: ClusterChange, before: ClusterView): ClusterView {
  const pods = change.pods.map((pod) => (typeof pod === "number" ? before.pods[pod] : pod));
  if (pods.includes(undefined)) throw new Error("a change of a picture that was never shown");
  return { ...change, pods: pods as readonly PodView[] };
}
