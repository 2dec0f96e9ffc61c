// Which Pods wait for room on which node after preemption.

import type { PodInfo } from "./pod-info.ts";
import type { Nominations } from "./scheduling-cycle.ts";

const none: readonly PodInfo[] = [];

export class NominatedPods implements Nominations {
  readonly #byNode = new Map<string, PodInfo[]>();
  readonly #nodeOf = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#nodeOf.size === 0;
  }

  on(nodeName: string): readonly PodInfo[] {
    return this.#byNode.get(nodeName) ?? none;
  }

  set(pod: PodInfo, nodeName: string): void {
    this.remove(pod.uid);
    if (nodeName === "") return;
    this.#nodeOf.set(pod.uid, nodeName);
    this.#byNode.set(nodeName, [...this.on(nodeName), pod]);
  }

  remove(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const left = this.on(nodeName).filter((pod) => pod.uid !== uid);
    if (left.length === 0) this.#byNode.delete(nodeName);
    else this.#byNode.set(nodeName, left);
  }
}
