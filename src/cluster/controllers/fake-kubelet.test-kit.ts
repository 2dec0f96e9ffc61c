// Stands in for kubelets in tests of controllers and scheduler: bound Pods run and become ready, deleted ones go away.

import type { Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { isReason, retryOnConflict } from "#cluster/client/retry.ts";
import type { Simulation } from "#sim/simulation.ts";

export class FakeKubelet {
  /** Pods become ready this long after they were bound. */
  readyAfterMs = 1000;
  stopAfterMs = 100;
  /** Decides whether a Pod gets ready at all (a bad image, a failing probe). */
  becomesReady: (pod: Stored<Pod>) => boolean = () => true;
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #seen = new Set<string>();
  readonly #pods: Informer<Pod>;
  #addresses = 0;

  constructor(simulation: Simulation, client: Client) {
    this.#simulation = simulation;
    this.#client = client;
    this.#pods = new Informer(simulation, client, kinds.pods);
    this.#pods.addHandler((pod, _previous, deleted) => {
      if (!deleted) this.#onPod(pod);
    });
    this.#pods.start();
  }

  /** Sets the Ready condition of a running Pod. */
  setReady(key: string, ready: boolean): void {
    this.#write(key, ready);
  }

  #onPod(pod: Stored<Pod>): void {
    if ((pod.spec?.nodeName ?? "") === "") return;
    const key = keyOf(pod);
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined && !this.#seen.has(`${uid} gone`)) {
      this.#seen.add(`${uid} gone`);
      this.#simulation.after(this.stopAfterMs, () => this.#remove(key, uid));
    } else if (deletionTimestamp === undefined && !this.#seen.has(uid)) {
      this.#seen.add(uid);
      this.#simulation.after(this.readyAfterMs, () => this.#write(key, this.becomesReady(pod)));
    }
  }

  #remove(key: string, uid: string): void {
    try {
      this.#client.delete(kinds.pods, splitKey(key), { gracePeriodSeconds: 0, uid });
    } catch (error) {
      if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
    }
  }

  #write(key: string, ready: boolean): void {
    try {
      retryOnConflict(() => this.#writeOnce(key, ready));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
  }

  #writeOnce(key: string, ready: boolean): void {
    const pod = this.#client.get(kinds.pods, splitKey(key));
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const time = formatTime(this.#simulation.nowMs);
    const podIP = pod.status?.podIP ?? this.#nextAddress();
    const kept = (pod.status?.conditions ?? []).filter((condition) => condition.type !== "Ready");
    const status = ready ? "True" : "False";
    const former = pod.status?.conditions?.find((condition) => condition.type === "Ready");
    const lastTransitionTime = former?.status === status ? (former.lastTransitionTime ?? time) : time;
    const conditions = [...kept, { type: "Ready", status, lastTransitionTime }];
    this.#client.updateStatus(kinds.pods, {
      ...pod,
      status: {
        ...pod.status,
        phase: "Running",
        podIP,
        podIPs: [{ ip: podIP }],
        startTime: pod.status?.startTime ?? time,
        conditions,
      },
    });
  }

  #nextAddress(): string {
    this.#addresses += 1;
    return `10.244.${this.#addresses >> 8}.${this.#addresses & 255}`;
  }
}
