// One of several equal components acts at a time: the holder of a Lease, which it renews. Figures and rules of client-go's
// leader election: a lease is good for 15 s, given up when it could not be renewed for 10 s, tried every 2 s.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Lease } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Client, ClientFactory, UserInfo } from "./client.ts";
import { EventRecorder } from "./event-recorder.ts";
import { isReason } from "./retry.ts";

export interface LeaderElectionOptions {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  readonly user: UserInfo;
  /** The component, `kube-scheduler`: its Lease has this name. */
  readonly name: string;
  /** Where the Lease is; default kube-system. */
  readonly namespace?: string;
  readonly hostname: string;
  readonly timing?: LeaderElectionTiming | undefined;
  /** The source of its events, where that is not the name. */
  readonly eventSource?: string;
  /** A line of the component's log; `place` is the file and line of upstream that writes it. */
  readonly log?: ((place: string, message: string) => void) | undefined;
  onStarted(): void;
  /** The lease was lost; upstream's process ends here. */
  onLost(): void;
}

export interface LeaderElectionTiming {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

const defaultNamespace = "kube-system";
const usualTiming: LeaderElectionTiming = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };
const jitter = 1.2;

export class LeaderElector {
  /** `<hostname>_<uuid>` */
  readonly identity: string;
  readonly #options: LeaderElectionOptions;
  readonly #timing: LeaderElectionTiming;
  readonly #client: Client;
  readonly #events: EventRecorder;
  #timer: Timer | undefined;
  #leading = false;
  #stopped = true;
  #renewedMs = 0;
  /** The lease as last seen, and since when it is unchanged by our own clock. */
  #observed: { readonly lease: Stored<Lease>; readonly sinceMs: number } | undefined;

  constructor(options: LeaderElectionOptions) {
    const { simulation, clients, user, name, eventSource = name } = options;
    this.#options = options;
    this.#timing = options.timing ?? usualTiming;
    this.#client = clients.clientFor(user, `${name}/leader-election`);
    this.#events = new EventRecorder(simulation, this.#client, { component: eventSource });
    this.identity = `${options.hostname}_${simulation.random.uuid()}`;
  }

  get #namespace(): string {
    return this.#options.namespace ?? defaultNamespace;
  }

  get isLeader(): boolean {
    return this.#leading;
  }

  start(): void {
    this.#stopped = false;
    this.#log("leaderelection.go:258", "Attempting to acquire leader lease...");
    this.#try();
  }

  /** As a process that ends in order and leaves the lease to whoever takes it first (client-go's ReleaseOnCancel). */
  release(): void {
    const { isLeader } = this;
    this.stop();
    if (!isLeader) return;
    try {
      this.#giveBack();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
    }
  }

  #giveBack(): void {
    const { simulation, name } = this.#options;
    const lease = this.#client.get(kinds.leases, { namespace: this.#namespace, name });
    if (lease.spec?.holderIdentity !== this.identity) return;
    const time = formatMicroTime(simulation.nowMs);
    const { leaseTransitions = 0 } = lease.spec;
    const spec = { holderIdentity: "", leaseDurationSeconds: 1, renewTime: time, acquireTime: time, leaseTransitions };
    this.#client.update(kinds.leases, { ...lease, spec });
  }

  /** As a killed process: the lease is kept until it runs out. */
  stop(): void {
    this.#stopped = true;
    this.#leading = false;
    this.#options.simulation.cancel(this.#timer);
  }

  #try(): void {
    const { simulation } = this.#options;
    const held = this.#acquireOrRenew();
    if (held) {
      this.#renewedMs = simulation.nowMs;
      if (!this.#leading) this.#begin();
    } else if (this.#leading && simulation.nowMs - this.#renewedMs >= this.#timing.renewDeadlineMs) {
      this.stop();
      this.#tell("stopped leading");
      this.#options.onLost();
    }
    if (this.#stopped) return;
    const delayMs = this.#leading
      ? this.#timing.retryPeriodMs
      : this.#timing.retryPeriodMs * (1 + jitter * simulation.random.fraction());
    this.#timer = simulation.after(delayMs, () => this.#try(), { background: true });
  }

  #begin(): void {
    this.#leading = true;
    this.#log("leaderelection.go:272", "Successfully acquired lease");
    this.#tell("became leader");
    this.#options.onStarted();
  }

  #log(place: string, message: string): void {
    this.#options.log?.(place, `${JSON.stringify(message)} lock="${this.#namespace}/${this.#options.name}"`);
  }

  #tell(what: string): void {
    const subject = this.#observed?.lease ?? {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { namespace: this.#namespace, name: this.#options.name },
    };
    this.#events.normal(subject, "LeaderElection", `${this.identity} ${what}`);
  }

  #acquireOrRenew(): boolean {
    try {
      return this.#leading ? this.#renew() : this.#acquire();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable))
        this.#options.simulation.faults.note(this.#options.name, "its lease", error);
      return false;
    }
  }

  /** The fast path: the holder updates the lease that it wrote last. */
  #renew(): boolean {
    const { simulation } = this.#options;
    const lease = this.#observed?.lease;
    if (lease === undefined) return this.#acquire();
    const renewTime = formatMicroTime(simulation.nowMs);
    try {
      this.#observe(this.#client.update(kinds.leases, { ...lease, spec: { ...lease.spec, renewTime } }));
      return true;
    } catch (error) {
      if (!isReason(error, "Conflict") && !isReason(error, "NotFound")) throw error;
      return this.#acquire();
    }
  }

  #acquire(): boolean {
    const { simulation, name } = this.#options;
    const namespace = this.#namespace;
    const time = formatMicroTime(simulation.nowMs);
    const leaseDurationSeconds = Math.trunc(this.#timing.leaseDurationMs / 1000);
    const mine = { holderIdentity: this.identity, leaseDurationSeconds, renewTime: time };
    let lease: Stored<Lease>;
    try {
      lease = this.#client.get(kinds.leases, { namespace, name });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
      const spec = { ...mine, acquireTime: time, leaseTransitions: 0 };
      this.#observe(this.#client.create(kinds.leases, { metadata: { namespace, name }, spec }));
      return true;
    }
    if (this.#observed?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion) this.#observe(lease);
    const holder = lease.spec?.holderIdentity ?? "";
    const goodUntilMs = (this.#observed?.sinceMs ?? 0) + (lease.spec?.leaseDurationSeconds ?? leaseDurationSeconds) * 1000;
    if (holder !== "" && holder !== this.identity && goodUntilMs > simulation.nowMs) return false;
    const same = holder === this.identity;
    const spec = {
      ...mine,
      acquireTime: same ? (lease.spec?.acquireTime ?? time) : time,
      leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + (same ? 0 : 1),
    };
    this.#observe(this.#client.update(kinds.leases, { ...lease, spec }));
    return true;
  }

  #observe(lease: Stored<Lease>): void {
    this.#observed = { lease, sinceMs: this.#options.simulation.nowMs };
  }
}
