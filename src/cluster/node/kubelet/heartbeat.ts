// Keeps the Node's object and Lease: registers, renews the Lease every 10 s, looks every 10 s at the status and posts it when it is
// another than it was, or every 5 minutes. The first report after a start or a change comes up to half of that earlier or later, so
// that kubelets that changed at one time do not report at one time for ever (pkg/kubelet: delayAfterNodeStatusChange).

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Lease, Node, NodeCondition, NodeStatus } from "#cluster/api/generated/types.ts";
import { leases, nodes } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { Random } from "#sim/random.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { KubeletJournal } from "./kubelet-journal.ts";
import type { KubeletOptions } from "./kubelet-options.ts";
import { defaultLabels } from "./node-labels.ts";
import { extendedOf, type NodeFacts, newNode, nodeStatus } from "./node-status.ts";
import { isSameValue } from "./status/same-value.ts";

const leaseNamespace = "kube-node-lease";
const leaseSeconds = 40;
const renewMs = 10_000;
const statusMs = 10_000;
const reportMs = 300_000;
const registerRetryMs = 400;
const leaseRetryMs = 200;
const longestRetryMs = 7_000;
/** How often, and for how long, a kubelet that has just started looks whether its Node is there (fastStatusUpdateOnce). */
const firstLooksMs = 100;
const readyGraceMs = 120_000;
const background = { background: true } as const;

/** What the node controller turns to Unknown when it hears nothing of a kubelet. */
const ownConditions = ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"];

function statusOf(conditions: readonly NodeCondition[] | undefined, type: string): string | undefined {
  return conditions?.find((condition) => condition.type === type)?.status;
}

export interface HeartbeatOptions {
  readonly options: KubeletOptions;
  readonly recorder: EventRecorder;
  readonly journal: KubeletJournal;
  readonly facts: () => NodeFacts;
  /** Those of the facts, by themselves: asked for every ten seconds. */
  readonly problems: () => readonly string[];
  /** As for problems: another object when it has changed. */
  readonly pressure: () => NodeFacts["pressure"];
  readonly devices: () => NodeFacts["devices"];
  /** Whether no device plugin has ever registered here: then resources that the Node has from before count no more. */
  readonly isWithoutDevices: () => boolean;
  readonly labels: { readonly [key: string]: string };
  readonly onRegistered: () => void;
}

export class Heartbeat {
  readonly #heartbeat: HeartbeatOptions;
  readonly #simulation: Simulation;
  readonly #timers = new Set<Timer>();
  #lease: Stored<Lease> | undefined;
  #reportDueMs = 0;
  #posted: unknown;
  /** As the server has it since. */
  #written: NodeStatus | undefined;
  #imageRevision = -1;
  #problems: readonly string[] | undefined;
  #pressure: NodeFacts["pressure"] | undefined;
  #devices: NodeFacts["devices"] | undefined;
  #handlers: KubeletOptions["runtime"]["handlers"] | undefined;
  #isStopped = false;
  #isUnschedulable = false;
  /** Whether the server has said that there is no such Node. */
  #isMissing = false;
  /** Its own, of the boot: when a status is due changes nothing else of the world. */
  readonly #random: Random;

  constructor(heartbeat: HeartbeatOptions) {
    this.#heartbeat = heartbeat;
    this.#simulation = heartbeat.options.simulation;
    this.#random = new Random(Number.parseInt(heartbeat.options.machine.bootId.slice(0, 8), 16));
  }

  start(): void {
    this.#register(registerRetryMs);
    if (this.#isMissing) this.#lookSoon(this.#simulation.nowMs + readyGraceMs);
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) this.#simulation.cancel(timer);
  }

  /** Something that the status tells has changed: posts at once. */
  postNow(): void {
    this.#post();
  }

  #after(delayMs: number, callback: () => void): void {
    const timer = this.#simulation.after(
      delayMs,
      () => {
        this.#timers.delete(timer);
        if (!this.#isStopped) callback();
      },
      background,
    );
    this.#timers.add(timer);
  }

  /** Calls the server; undefined when it cannot be reached or refuses. */
  #try<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable))
        this.#simulation.faults.note(`kubelet ${this.#heartbeat.options.machine.name}`, "its node", error);
      return undefined;
    }
  }

  #register(retryMs: number): void {
    const { client, machine, taints, registerNode = true } = this.#heartbeat.options;
    const { name } = machine;
    const facts = this.#heartbeat.facts();
    let registered = this.#own();
    const wasThere = registered !== undefined;
    const resets = registerNode && wasThere && this.#heartbeat.isWithoutDevices();
    if (registerNode) {
      const made = newNode(name, this.#heartbeat.labels, taints);
      registered ??= this.#try(() => client.create(nodes, facts.cloud?.register(made) ?? made));
    }
    if (registered === undefined) {
      // Who registers nothing looks with each status that is due whether somebody else did.
      if (registerNode) this.#after(retryMs, () => this.#register(Math.min(retryMs * 2, longestRetryMs)));
      else {
        if (this.#isMissing) this.#heartbeat.journal.nodeMissing(name);
        this.#after(statusMs, () => this.#register(retryMs));
      }
      return;
    }
    this.#isMissing = false;
    if (registerNode) this.#heartbeat.journal.registered(name, wasThere);
    const current = registered;
    this.#after(statusMs, () => this.#look());
    if (registerNode) this.#keepLabels(current);
    this.#tellBoot(current.status?.nodeInfo?.bootID, facts.machine.bootId);
    this.#post({ resets });
    this.#renew();
    this.#heartbeat.onRegistered();
  }

  /** Until the Node is there. */
  #lookSoon(untilMs: number): void {
    this.#own();
    if (!this.#isMissing) return;
    const { journal, options } = this.#heartbeat;
    if (this.#simulation.nowMs >= untilMs) {
      journal.lateReady();
      return;
    }
    journal.notListed(options.machine.name);
    this.#after(firstLooksMs, () => this.#lookSoon(untilMs));
  }

  #keepLabels(current: Stored<Node>): void {
    const { client } = this.#heartbeat.options;
    const kept = Object.entries(this.#heartbeat.labels).filter(([key]) => defaultLabels.includes(key));
    const labels = { ...current.metadata.labels, ...Object.fromEntries(kept) };
    if (!isSameValue(labels, current.metadata.labels)) {
      this.#try(() => client.update(nodes, { ...current, metadata: { ...current.metadata, labels } }));
    }
  }

  #tellBoot(before: string | undefined, now: string): void {
    if (before === undefined || before === now || before === "") return;
    const { machine } = this.#heartbeat.options;
    this.#heartbeat.recorder.warning(this.#subject(), "Rebooted", `Node ${machine.name} has been rebooted, boot id: ${now}`);
  }

  /** Events about a node carry its name as uid (kubelet's nodeRef). */
  #subject() {
    const { name } = this.#heartbeat.options.machine;
    return { apiVersion: "v1", kind: "Node", metadata: { name, uid: name } };
  }

  #look(): void {
    this.#after(statusMs, () => this.#look());
    const node = this.#own();
    if (node === undefined) {
      if (this.#isMissing) this.#heartbeat.journal.nodeMissing(this.#heartbeat.options.machine.name);
      return;
    }
    this.#tellSchedulable(node);
    const { revision } = this.#heartbeat.options.runtime.imageStore;
    const { problems, pressure, devices, options } = this.#heartbeat;
    const isNew =
      revision !== this.#imageRevision ||
      problems() !== this.#problems ||
      pressure() !== this.#pressure ||
      devices() !== this.#devices ||
      options.runtime.handlers !== this.#handlers ||
      this.#isWrittenOver(node);
    if (isNew) this.#post();
    else if (this.#simulation.nowMs >= this.#reportDueMs) this.#post({ isReport: true });
  }

  /** Somebody else has written what the node has, or how it is: it is put right, and what they advertise becomes allocatable. */
  #isWrittenOver({ status }: Stored<Node>): boolean {
    const { capacity, allocatable, conditions } = this.#written ?? {};
    if (!isSameValue(status?.capacity, capacity) || !isSameValue(status?.allocatable, allocatable)) return true;
    return (
      status?.conditions !== conditions &&
      ownConditions.some((type) => statusOf(status?.conditions, type) !== statusOf(conditions, type))
    );
  }

  #own(): Stored<Node> | undefined {
    const { client, machine } = this.#heartbeat.options;
    this.#isMissing = false;
    return this.#try(() => {
      try {
        return client.get(nodes, { namespace: "", name: machine.name });
      } catch (error) {
        this.#isMissing = error instanceof ApiError && error.code === 404;
        throw error;
      }
    });
  }

  /** NodeNotSchedulable and NodeSchedulable: told by the kubelet when it next looks at its node. */
  #tellSchedulable(node: Stored<Node>): void {
    const { machine } = this.#heartbeat.options;
    const isUnschedulable = node.spec?.unschedulable === true;
    if (isUnschedulable === this.#isUnschedulable) return;
    this.#isUnschedulable = isUnschedulable;
    const event = isUnschedulable ? "NodeNotSchedulable" : "NodeSchedulable";
    this.#heartbeat.recorder.normal(this.#subject(), event, `Node ${machine.name} status is now: ${event}`);
  }

  /** `resets`: what others have advertised becomes 0 (reconcileExtendedResource). `isReport`: nothing has changed, it is time. */
  #post({ resets = false, isReport = false } = {}): void {
    const { options } = this.#heartbeat;
    const { client } = options;
    const node = this.#own();
    if (node === undefined) return;
    const facts = this.#heartbeat.facts();
    const before = node.status ?? {};
    const none = resets ? Object.keys(extendedOf(before.capacity)).map((name) => [name, "0"]) : [];
    const status = nodeStatus(facts, { ...before, capacity: { ...before.capacity, ...Object.fromEntries(none) } });
    const written = this.#try(() => client.patchStatus(nodes, { ...node, status }));
    if (written === undefined) return;
    this.#written = written.status;
    this.#devices = facts.devices;
    this.#imageRevision = options.runtime.imageStore.revision;
    this.#problems = facts.problems;
    this.#pressure = facts.pressure;
    this.#handlers = options.runtime.handlers;
    const spreadMs = isReport ? 0 : (this.#random.fraction() - 0.5) * reportMs;
    this.#reportDueMs = this.#simulation.nowMs + reportMs + spreadMs;
    this.#tellConditions((this.#posted ?? []) as readonly NodeCondition[], status.conditions ?? []);
    this.#posted = status.conditions;
  }

  /** NodeReady, NodeHasSufficientMemory …: one event for each condition whose status changed since this kubelet's start. */
  #tellConditions(before: readonly NodeCondition[], now: readonly NodeCondition[]): void {
    const { recorder, options } = this.#heartbeat;
    for (const { type, status, reason } of now) {
      const old = before.find((condition) => condition.type === type)?.status;
      if (old === status) continue;
      let event: string | undefined;
      if (type === "Ready") event = status === "True" ? "NodeReady" : "NodeNotReady";
      else if (reason?.startsWith("KubeletHas")) event = `NodeHas${reason.slice("KubeletHas".length)}`;
      if (type === "Ready" && status === "False" && old === undefined) event = undefined;
      if (event !== undefined) recorder.normal(this.#subject(), event, `Node ${options.machine.name} status is now: ${event}`);
    }
  }

  /** With what it wrote last, without looking; the next time after 10 s and up to 4 % more. */
  #renew(): void {
    const renewTime = formatMicroTime(this.#simulation.nowMs);
    const { client } = this.#heartbeat.options;
    const lease = this.#lease;
    if (lease !== undefined) {
      this.#lease = this.#try(() => client.update(leases, { ...lease, spec: { ...lease.spec, renewTime } }));
    }
    if (this.#lease === undefined) this.#ensureLease(leaseRetryMs);
    else this.#renewLater();
  }

  #renewLater(): void {
    const jitterMs = this.#simulation.random.below(400);
    this.#after(renewMs + jitterMs, () => this.#renew());
  }

  /** Somebody wrote it, it is gone, or the server does not answer: tried again after 0.2 s, 0.4 s … 7 s (lease controller). */
  #ensureLease(retryMs: number): void {
    const renewTime = formatMicroTime(this.#simulation.nowMs);
    const { name } = this.#heartbeat.options.machine;
    this.#lease = this.#try(() => this.#renewFound(renewTime)) ?? this.#try(() => this.#createLease(name, renewTime));
    if (this.#lease !== undefined) this.#renewLater();
    else this.#after(retryMs, () => this.#ensureLease(Math.min(retryMs * 2, longestRetryMs)));
  }

  #renewFound(renewTime: string): Stored<Lease> {
    const { client, machine } = this.#heartbeat.options;
    const found = client.get(leases, { namespace: leaseNamespace, name: machine.name });
    return client.update(leases, { ...found, spec: { ...found.spec, holderIdentity: machine.name, renewTime } });
  }

  #createLease(name: string, renewTime: string): Stored<Lease> {
    const { client } = this.#heartbeat.options;
    const node = client.get(nodes, { namespace: "", name });
    return client.create(leases, {
      metadata: {
        name,
        namespace: leaseNamespace,
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid: node.metadata.uid }],
      },
      spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
    });
  }
}
