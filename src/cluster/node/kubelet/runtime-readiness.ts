// Whether the runtime answers, and gives Pods a network: why the node is not ready (pkg/kubelet: runtimeState).

import { formatGoDuration } from "#cluster/api/duration.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ContainerRuntime } from "../runtime/cri.ts";
import type { NetworkReadiness } from "./network-readiness.ts";

/** For so long it may not answer before the node is not ready, and before its events count as missed. */
const toleranceMs = 30_000;
const relistToleranceMs = 180_000;

export class RuntimeReadiness {
  readonly #simulation: Simulation;
  readonly #runtime: ContainerRuntime;
  readonly #network: NetworkReadiness;
  #told: readonly string[] = [];

  constructor(simulation: Simulation, runtime: ContainerRuntime, network: NetworkReadiness) {
    this.#simulation = simulation;
    this.#runtime = runtime;
    this.#network = network;
  }

  /** In the kubelet's words; the same list as long as nothing changes. */
  get problems(): readonly string[] {
    const network = this.#network.problems;
    const { stoppedMs } = this.#runtime;
    const downMs = stoppedMs === undefined ? 0 : this.#simulation.nowMs - stoppedMs;
    if (downMs < toleranceMs) return network;
    const relist = downMs < relistToleranceMs ? [] : [relistProblem(downMs)];
    const problems = ["container runtime is down", ...relist, ...network];
    if (problems.join() !== this.#told.join()) this.#told = problems;
    return this.#told;
  }
}

function relistProblem(sinceMs: number): string {
  return `PLEG is not healthy: pleg was last seen active ${formatGoDuration(sinceMs)} ago; threshold is 3m0s`;
}
