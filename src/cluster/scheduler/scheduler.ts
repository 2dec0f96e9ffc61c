// kube-scheduler: one process that takes a Lease, keeps a cache of nodes and Pods, and finds a node for one Pod at a time.

import type { ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { type LeaderElectionOptions, LeaderElector } from "#cluster/client/leader-election.ts";
import { SeriesRecorder } from "#cluster/client/series-recorder.ts";
import type { WatchDelays } from "#cluster/client/watch-delays.ts";
import type { Simulation } from "#sim/simulation.ts";
import { SchedulingLoop, type SchedulingSettings, usualSettings } from "./scheduling-loop.ts";
import { DecisionLog } from "./trace.ts";

export interface SchedulerOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** The control-plane node: first part of the holder identity. */
  readonly hostname: string;
  /** Whom the process acts as. Default: the scheduler that kubeadm installs. */
  readonly user?: UserInfo;
  /** Where decisions are kept; several schedulers may have one in common. */
  readonly decisions?: DecisionLog;
  /** How far its copies of resources lag behind. */
  readonly watchDelays?: WatchDelays;
  /** The lease was lost: upstream's process ends, and its kubelet starts another. */
  onExit?(): void;
}

/** How one process of it is started. */
export interface SchedulerStart {
  /** See LeaderElectionOptions. */
  readonly log?: LeaderElectionOptions["log"];
  /** False: it schedules from its start on, whoever else does. Default true. */
  readonly leaderElect?: boolean;
  /** Default `kube-scheduler` in kube-system. */
  readonly lease?: { readonly name: string; readonly namespace: string };
  readonly timing?: LeaderElectionOptions["timing"];
  /** Default: one profile, `default-scheduler`. */
  readonly settings?: SchedulingSettings;
}

/** The scheduler that kubeadm installs. */
export const schedulerUser: UserInfo = { name: "system:kube-scheduler", groups: ["system:authenticated"] };

export class Scheduler {
  /** Kept over restarts of the process: it is for people, not for the scheduler. */
  readonly decisions: DecisionLog;
  readonly #options: SchedulerOptions;
  #elector: LeaderElector | undefined;
  #informers: InformerFactory | undefined;
  #loop: SchedulingLoop | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.decisions = options.decisions ?? new DecisionLog();
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

  /** By the queue in which they stand (`active`, `backoff`, `unschedulable`, `gated`). */
  pendingByQueue(): ReadonlyMap<string, number> {
    return this.#loop?.pendingByQueue() ?? new Map();
  }

  start({ log, leaderElect = true, lease, timing, settings = usualSettings }: SchedulerStart = {}): void {
    if (this.#elector !== undefined || this.#loop !== undefined) return;
    const { simulation, clients, hostname, user = schedulerUser } = this.#options;
    if (!leaderElect) {
      this.#run(settings);
      return;
    }
    this.#elector = new LeaderElector({
      simulation,
      clients,
      user,
      name: lease?.name ?? "kube-scheduler",
      ...(lease === undefined ? {} : { namespace: lease.namespace }),
      hostname,
      timing,
      log,
      eventSource: settings.profiles[0] ?? "",
      onStarted: () => this.#run(settings),
      onLost: () => {
        this.stop();
        this.#options.onExit?.();
      },
    });
    this.#elector.start();
  }

  /** As a process that was asked to end: another one may have the Lease at once. */
  end(): void {
    this.#elector?.release();
    this.stop();
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

  #run(settings: SchedulingSettings): void {
    const { simulation, clients, hostname, user = schedulerUser, watchDelays } = this.#options;
    const client = clients.clientFor(user, "kube-scheduler/scheduler");
    const informers = new InformerFactory(simulation, client, watchDelays);
    const recorders = new Map(
      settings.profiles.map((name) => [name, new SeriesRecorder(simulation, client, name, `${name}-${hostname}`)] as const),
    );
    this.#informers = informers;
    informers.whenDelayedHaveCome(() => {
      this.#loop = new SchedulingLoop({ simulation, client, informers, recorders, decisions: this.decisions, settings });
      informers.start();
    });
  }
}
