// The kubelet as a service: it starts, stops, and is started again when it ends by itself; containers go on without it.
// `running-kubelet.ts` is what it does between a start and a stop.

import type { PodStatus } from "#cluster/api/generated/types.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { KubeletJournal } from "./kubelet-journal.ts";
import type { KubeletOptions } from "./kubelet-options.ts";
import { defaultKubeletVersion } from "./node-status.ts";
import type { StoredPod } from "./pod-spec.ts";
import { RunningKubelet } from "./running-kubelet.ts";
import { isServed, kubeadmEndpoints } from "./runtime-connection.ts";
import { lateStart } from "./start/late-start.ts";
import { StartRefusal } from "./start/start-refusal.ts";

/** RestartSec of the kubelet's unit. */
const restartMs = 10_000;

export class Kubelet {
  readonly options: KubeletOptions;
  readonly nodeName: string;
  readonly #simulation: Simulation;
  #running: RunningKubelet | undefined;
  #wasStarted = false;
  /** Until systemd starts it again. */
  #restart: Timer | undefined;
  /** How often systemd has started it in a row. */
  #restarts = 0;

  constructor(options: KubeletOptions) {
    this.options = options;
    this.nodeName = options.machine.name;
    this.#simulation = options.simulation;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** As systemd sees it: `restarting` is one that ended by itself and will be started again. */
  get state(): "running" | "stopped" | "restarting" {
    if (this.isRunning) return "running";
    return this.#restart === undefined ? "stopped" : "restarting";
  }

  /** Registers the node and takes up its pods; what already runs goes on. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#simulation.cancel(this.#restart);
    this.#restart = undefined;
    const { journal, files } = this.options.machine;
    journal.unitChanged("kubelet", "started");
    try {
      const settings = this.#wasStarted ? this.options.reread?.() : undefined;
      this.#wasStarted = true;
      if (settings === undefined) this.#checkMachine();
      const options = { ...this.options, ...settings };
      const { endpoints = kubeadmEndpoints } = options;
      if (!isServed(files, endpoints)) lateStart.code.checkRuntime(files, endpoints);
      this.#running = new RunningKubelet(options, this.#simulation);
      this.#restarts = 0;
      this.#running.start();
    } catch (error) {
      if (!(error instanceof StartRefusal)) throw error;
      new KubeletJournal(journal).refused(error);
      journal.unitFailed("kubelet", 1);
      this.#restart = this.#simulation.after(restartMs, () => this.#startAgain(), { background: true });
    }
  }

  /** At the start that does not read the machine's files. Throws StartRefusal. */
  #checkMachine(): void {
    const { machine, configuration = {}, version = defaultKubeletVersion } = this.options;
    if (machine.cgroupVersion === 1) lateStart.code.checkCgroups(1, configuration, version);
  }

  #startAgain(): void {
    this.#restarts += 1;
    this.options.machine.journal.unitRestarts("kubelet", this.#restarts);
    this.start();
  }

  /** No probes, restarts, status or heartbeats until the next start; containers go on. */
  stop(): void {
    if (this.#running !== undefined || this.#restart !== undefined) this.options.machine.journal.unitChanged("kubelet", "stopped");
    this.cutPower();
  }

  /** Its machine is without power: it stops without a word. */
  cutPower(): void {
    this.#restarts = 0;
    this.#simulation.cancel(this.#restart);
    this.#restart = undefined;
    this.#running?.stop();
    this.#running = undefined;
  }

  /** What it shows on port 10250; undefined while it does not run. */
  get servingCertificate(): Certificate | undefined {
    return this.#running?.servingCertificate;
  }

  /** A pod that this kubelet knows, by namespace and name. */
  findPod(namespace: string, name: string): StoredPod | undefined {
    return this.#running?.findPod(namespace, name);
  }

  /** The status as this kubelet has it, which may be newer than the API's. */
  statusOf(pod: StoredPod): PodStatus {
    return this.#running?.statusOf(pod) ?? pod.status ?? {};
  }

  /** Ends a pod for good with a reason. */
  evict(podUid: string, reason: string, message: string, graceSeconds: number): void {
    this.#running?.evict(podUid, { phase: "Failed", reason, message }, graceSeconds);
  }
}
