// The images of static pods in the API: read-only there, made again when someone deletes them.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { nodes, pods } from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { Listeners } from "#sim/listeners.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { StoredPod } from "./pod-spec.ts";

const hashAnnotation = "kubernetes.io/config.hash";
const mirrorAnnotation = "kubernetes.io/config.mirror";
const retryMs = 3_000;

function fullName(pod: StoredPod): string {
  return `${pod.metadata.namespace}/${pod.metadata.name}`;
}

export class MirrorPods {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #nodeName: string;
  /** By namespace/name. */
  readonly #static = new Map<string, StoredPod>();
  readonly #mirrors = new Map<string, StoredPod>();
  #retry: Timer | undefined;
  /** A mirror pod is there (again): its status is to be written. */
  readonly onMirror = new Listeners<StoredPod>();

  constructor(simulation: Simulation, client: Client, nodeName: string) {
    this.#simulation = simulation;
    this.#client = client;
    this.#nodeName = nodeName;
  }

  /** The mirror of a static pod, when the API has one of this very pod. */
  mirrorOf(pod: StoredPod): StoredPod | undefined {
    const mirror = this.#mirrors.get(fullName(pod));
    return mirror !== undefined && isMirrorOf(mirror, pod) ? mirror : undefined;
  }

  staticAdded(pod: StoredPod): void {
    this.#static.set(fullName(pod), pod);
    this.#reconcile(fullName(pod));
  }

  staticRemoved(pod: StoredPod): void {
    const name = fullName(pod);
    if (this.#static.get(name)?.metadata.uid === pod.metadata.uid) this.#static.delete(name);
    this.#reconcile(name);
  }

  /** The API's view of a mirror pod changed. */
  mirrorChanged(mirror: StoredPod, deleted: boolean): void {
    const name = fullName(mirror);
    if (deleted) this.#mirrors.delete(name);
    else this.#mirrors.set(name, mirror);
    this.#reconcile(name);
  }

  /** All of them again: the node has just been registered, or the server answers again. */
  reconcileAll(): void {
    for (const name of new Set([...this.#static.keys(), ...this.#mirrors.keys()])) this.#reconcile(name);
  }

  stop(): void {
    this.#simulation.cancel(this.#retry);
  }

  #reconcile(name: string): void {
    const pod = this.#static.get(name);
    const mirror = this.#mirrors.get(name);
    try {
      const isStale = mirror !== undefined && (pod === undefined || !isMirrorOf(mirror, pod));
      if (mirror !== undefined && (isStale || mirror.metadata.deletionTimestamp !== undefined)) {
        this.#remove(mirror);
        this.#mirrors.delete(name);
      }
      if (pod !== undefined && !this.#mirrors.has(name)) this.#create(name, pod);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.#retryLater();
    }
  }

  /** Whatever else has taken its name since is not touched. */
  #remove({ metadata: { namespace = "", name, uid } }: StoredPod): void {
    try {
      this.#client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0, uid });
    } catch (error) {
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
    }
  }

  #create(name: string, pod: StoredPod): void {
    const node = this.#client.get(nodes, { namespace: "", name: this.#nodeName });
    const { labels, annotations, namespace = "" } = pod.metadata;
    const created = this.#client.create(pods, {
      metadata: {
        name: pod.metadata.name,
        namespace,
        ...(labels === undefined ? {} : { labels }),
        annotations: { ...annotations, [mirrorAnnotation]: annotations?.[hashAnnotation] ?? "" },
        ownerReferences: [{ apiVersion: "v1", controller: true, kind: "Node", name: node.metadata.name, uid: node.metadata.uid }],
      },
      ...(pod.spec === undefined ? {} : { spec: pod.spec }),
    });
    this.#mirrors.set(name, created);
    this.onMirror.tell(pod);
  }

  #retryLater(): void {
    this.#simulation.cancel(this.#retry);
    this.#retry = this.#simulation.after(retryMs, () => this.reconcileAll(), { background: true });
  }
}

function isMirrorOf(mirror: StoredPod, pod: StoredPod): boolean {
  return mirror.metadata.annotations?.[mirrorAnnotation] === pod.metadata.annotations?.[hashAnnotation];
}
