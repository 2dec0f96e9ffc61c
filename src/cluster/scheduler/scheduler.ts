// kube-scheduler: one process that takes a Lease, keeps a cache of nodes and Pods, and finds a node for one Pod at a time.

import type { ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { LeaderElector } from "#cluster/client/leader-election.ts";
import { SeriesRecorder } from "#cluster/client/series-recorder.ts";
import type { Simulation } from "#sim/simulation.ts";
import { SchedulingLoop } from "./scheduling-loop.ts";
import { DecisionLog } from "./trace.ts";

export interface SchedulerOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** The control-plane node: first part of the holder identity. */
  readonly hostname: string;
  /** Default `default-scheduler`. */
  readonly schedulerName?: string;
  /** The lease was lost: upstream's process ends, and its kubelet starts another. */
  onExit?(): void;
}

const user: UserInfo = { name: "system:kube-scheduler", groups: ["system:authenticated"] };

export class Scheduler {
  /** Kept over restarts of the process: it is for people, not for the scheduler. */
  readonly decisions = new DecisionLog();
  readonly #options: SchedulerOptions;
  #elector: LeaderElector | undefined;
  #informers: InformerFactory | undefined;
  #loop: SchedulingLoop | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get isLeader(): boolean {
    return this.#elector?.isLeader === true;
  }

  get identity(): string | undefined {
    return this.#elector?.identity;
  }

  /** Pods that wait for a node. */
  get pendingPods(): number {
    return this.#loop?.pendingPods ?? 0;
  }

  start(): void {
    if (this.#elector !== undefined) return;
    const { simulation, clients, hostname, schedulerName = "default-scheduler" } = this.#options;
    this.#elector = new LeaderElector({
      simulation,
      clients,
      user,
      name: "kube-scheduler",
      hostname,
      eventSource: schedulerName,
      onStarted: () => this.#run(),
      onLost: () => {
        this.stop();
        this.#options.onExit?.();
      },
    });
    this.#elector.start();
  }

  /** As a killed process: the Lease runs out. */
  stop(): void {
    this.#elector?.stop();
    this.#elector = undefined;
    this.#loop?.stop();
    this.#loop = undefined;
    this.#informers?.stop();
    this.#informers = undefined;
  }

  #run(): void {
    const { simulation, clients, hostname, schedulerName = "default-scheduler" } = this.#options;
    const client = clients.clientFor(user, "kube-scheduler/scheduler");
    const informers = new InformerFactory(simulation, client);
    const events = new SeriesRecorder(simulation, client, schedulerName, `${schedulerName}-${hostname}`);
    this.#informers = informers;
    this.#loop = new SchedulingLoop({ simulation, client, informers, events, schedulerName, decisions: this.decisions });
    informers.start();
  }
}
