// The kubelet and containerd of one machine as systemd's units: what starts and stops them, and what starts containerd again.

import { plain, type ServiceUnit } from "#cluster/node/host/journal.ts";
import type { Machine } from "#cluster/node/host/machine.ts";
import type { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import type { Containerd } from "#cluster/node/runtime/containerd.ts";
import { containerdConfigurationPath, plainRuntimes } from "#cluster/node/runtime/handlers.ts";
import { SysError } from "#sim/errors.ts";
import type { Timer } from "#sim/simulation.ts";
import { ContainerdConfigurationError, readContainerdConfiguration } from "./containerd-configuration.ts";

/** A unit of a machine. */
export interface Service {
  readonly isRunning: boolean;
  /** Its program ended with an error and is started again and again. */
  readonly isFailing: boolean;
  /** When it was last started or stopped. */
  sinceMs: number;
  /** What is to be told about it; undefined: it could not be started. */
  start(): readonly string[] | undefined;
  stop(): void;
  /** The machine is without power. */
  cutPower(): void;
}

/** What they need of a machine. */
export interface ServiceMachine {
  readonly machine: Pick<Machine, "name" | "startedMs" | "files" | "journal" | "simulation">;
  readonly kubelet: Pick<Kubelet, "state" | "start" | "stop" | "cutPower">;
  readonly runtime: Pick<Containerd, "isRunning" | "start" | "stop" | "cutPower">;
}

/** Between two starts of containerd, as its unit says (Restart=always). */
const containerdRetryMs = 5000;

export type NodeServices = { readonly [unit in ServiceUnit]: Service };

export function nodeServices(node: ServiceMachine): NodeServices {
  return { containerd: new ContainerdService(node), kubelet: kubeletService(node) };
}

function kubeletService({ kubelet, machine }: ServiceMachine): Service {
  return {
    get isRunning() {
      return kubelet.state === "running";
    },
    get isFailing() {
      return kubelet.state === "restarting";
    },
    sinceMs: machine.startedMs,
    start: () => {
      kubelet.start();
      return [];
    },
    stop: () => kubelet.stop(),
    cutPower: () => kubelet.cutPower(),
  };
}

class ContainerdService implements Service {
  readonly #node: ServiceMachine;
  sinceMs: number;
  /** Until it is started again. */
  #retry: Timer | undefined;

  constructor(node: ServiceMachine) {
    this.#node = node;
    this.sinceMs = node.machine.startedMs;
  }

  get isRunning(): boolean {
    return this.#node.runtime.isRunning;
  }

  get isFailing(): boolean {
    return this.#retry !== undefined;
  }

  start(): readonly string[] | undefined {
    const { runtime, machine } = this.#node;
    const { simulation, journal, files } = machine;
    this.#endRetry();
    try {
      const { runtimes, withoutEffect } = files.exists(containerdConfigurationPath)
        ? readContainerdConfiguration(files.readText(containerdConfigurationPath))
        : { runtimes: plainRuntimes, withoutEffect: [] };
      runtime.start(runtimes);
      return withoutEffect.map((path) => `${containerdConfigurationPath}: ${path}: not simulated, has no effect`);
    } catch (error) {
      if (!(error instanceof ContainerdConfigurationError || error instanceof SysError)) throw error;
      journal.write("containerd", plain, error.message);
      journal.unitFailed("containerd", 1);
      this.#retry = simulation.after(containerdRetryMs, () => this.start(), { background: true });
      return undefined;
    }
  }

  stop(): void {
    this.#endRetry();
    this.#node.runtime.stop();
  }

  cutPower(): void {
    this.#endRetry();
    this.#node.runtime.cutPower();
  }

  #endRetry(): void {
    this.#node.machine.simulation.cancel(this.#retry);
    this.#retry = undefined;
  }
}
