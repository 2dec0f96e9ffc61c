// The probes of all containers of a node, and what they say: started, ready, to be killed.

import type { Container } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer } from "../../runtime/cri.ts";
import type { StoredPod } from "../pod-spec.ts";
import type { ProbeKind } from "./probe-counts.ts";
import { ProbeCounts } from "./probe-counts.ts";
import { type ProbeContext, ProbeWorker } from "./probe-worker.ts";

/** Whom probes ask. */
interface Asked {
  readonly pod: StoredPod;
  readonly container: RuntimeContainer;
  readonly spec: Container;
}

interface Probed {
  readonly podUid: string;
  readonly workers: ProbeWorker[];
  started: boolean;
  ready: boolean;
  failed: "liveness" | "startup" | undefined;
}

export interface ProbeManagerOptions extends Omit<ProbeContext, "counts"> {
  /** A result changed that the pod's worker must act on. */
  readonly onChange: (podUid: string) => void;
  readonly isInPostStart: (container: RuntimeContainer) => boolean;
}

export class ProbeManager {
  readonly counts = new ProbeCounts();
  readonly #options: ProbeManagerOptions;
  readonly #context: ProbeContext;
  /** By container id; only containers that have probes. */
  readonly #probed = new Map<string, Probed>();

  constructor(options: ProbeManagerOptions) {
    this.#options = options;
    this.#context = { ...options, counts: this.counts };
  }

  /** Begins to probe a container that has just started. */
  containerStarted(pod: StoredPod, container: RuntimeContainer, spec: Container): void {
    this.#begin(pod, container, spec, false, undefined);
  }

  /** Goes on with a container that was running before this kubelet; its readiness stays what it was. */
  containerFound(pod: StoredPod, container: RuntimeContainer, spec: Container, was: { started: boolean; ready: boolean }): void {
    const { simulation } = this.#options;
    const firstDelayMs = Math.ceil(simulation.random.fraction() * 1000 * (spec.readinessProbe?.periodSeconds ?? 10));
    this.#begin(pod, container, spec, was.started, firstDelayMs);
    const probed = this.#probed.get(container.id);
    if (probed !== undefined) probed.ready = was.ready;
  }

  /** Past its startup probe and postStart hook. */
  readonly isStarted = (_pod: StoredPod, container: RuntimeContainer, spec: Container): boolean => {
    if (container.state !== "running" || this.#options.isInPostStart(container)) return false;
    return spec.startupProbe === undefined || this.#probed.get(container.id)?.started === true;
  };

  readonly isReady = (_pod: StoredPod, container: RuntimeContainer, spec: Container): boolean => {
    return spec.readinessProbe === undefined || this.#probed.get(container.id)?.ready === true;
  };

  readonly failedProbe = (container: RuntimeContainer): "liveness" | "startup" | undefined => {
    return this.#probed.get(container.id)?.failed;
  };

  /** Liveness and startup end with the pod; readiness goes on while containers run. */
  podTerminating(podUid: string): void {
    this.counts.forget(podUid, (kind) => kind !== "readiness");
    for (const probed of this.#probed.values()) {
      if (probed.podUid !== podUid) continue;
      for (const worker of probed.workers) if (worker.kind !== "readiness") worker.stop();
    }
  }

  forgetPod(podUid: string): void {
    this.counts.forget(podUid, () => true);
    for (const [id, probed] of this.#probed) {
      if (probed.podUid !== podUid) continue;
      for (const worker of probed.workers) worker.stop();
      this.#probed.delete(id);
    }
  }

  /** A container ended: nothing is to be asked of it any more. */
  containerEnded(id: string): void {
    const probed = this.#probed.get(id);
    if (probed === undefined) return;
    for (const worker of probed.workers) worker.stop();
    this.#probed.delete(id);
  }

  stop(): void {
    for (const probed of this.#probed.values()) for (const worker of probed.workers) worker.stop();
    this.#probed.clear();
  }

  #begin(pod: StoredPod, container: RuntimeContainer, spec: Container, started: boolean, firstDelayMs: number | undefined): void {
    const { startupProbe, livenessProbe, readinessProbe } = spec;
    if (startupProbe === undefined && livenessProbe === undefined && readinessProbe === undefined) return;
    const probed: Probed = {
      podUid: pod.metadata.uid,
      workers: [],
      started: started || startupProbe === undefined,
      ready: false,
      failed: undefined,
    };
    this.#probed.set(container.id, probed);
    const asked = { pod, container, spec };
    if (!probed.started) this.#add(probed, "startup", asked, firstDelayMs);
    else this.#addOthers(probed, asked, firstDelayMs);
  }

  /** Liveness and readiness: their time comes when the container has started up. */
  #addOthers(probed: Probed, asked: Asked, firstDelayMs: number | undefined): void {
    this.#add(probed, "liveness", asked, firstDelayMs);
    this.#add(probed, "readiness", asked, firstDelayMs);
  }

  #add(probed: Probed, kind: ProbeKind, asked: Asked, firstDelayMs: number | undefined): void {
    const probe = asked.spec[`${kind}Probe`];
    if (probe === undefined) return;
    const worker = new ProbeWorker(this.#context, kind, { ...asked, probe }, (succeeded) => {
      if (kind === "readiness") probed.ready = succeeded;
      else if (!succeeded) {
        probed.failed = kind;
        worker.stop();
      } else if (kind === "startup") {
        probed.started = true;
        worker.stop();
        this.#addOthers(probed, asked, undefined);
      } else return;
      this.#options.onChange(probed.podUid);
    });
    probed.workers.push(worker);
    worker.start(firstDelayMs);
  }
}
