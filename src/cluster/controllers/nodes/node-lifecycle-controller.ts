// Notices nodes that stop reporting, turns conditions into taints, and marks the Pods of lost nodes as not ready
// (pkg/controller/nodelifecycle).

import type { Lease, Node, NodeCondition, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime, parseTime } from "#cluster/api/time.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason, unlessRefused } from "#cluster/client/retry.ts";
import type { Timer } from "#sim/simulation.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { conditionStatus, noExecuteTaints, noScheduleTaints, notReadyTaint, unreachableTaint, writeTaints } from "./node-taints.ts";
import { type EvictionRates, usualEvictionRates } from "./zone-rates.ts";
import { type ZoneCount, type ZoneReport, ZoneStates, zoneOf } from "./zone-states.ts";

/** `graceMs`: how long a node may be silent, 50 s unless the process's flag says otherwise. */
export function nodeLifecycleController(graceMs = 50_000, rates = usualEvictionRates): ControllerDefinition {
  return {
    name: "node-lifecycle-controller",
    serviceAccount: "node-controller",
    eventSource: "node-controller",
    create: (context) => new NodeLifecycleController(context, graceMs, rates),
  };
}

const monitorPeriodMs = 5_000;
const startupGraceMs = 60_000;
export const podsByNode = "nodeName";

/** The last sign of life, by our own clock: clocks of nodes are not trusted. */
interface Health {
  seenMs: number;
  heartbeat: string;
  leaseRenewed: string;
  /** Status of Ready as last seen or written here. */
  ready: string | undefined;
}

export class NodeLifecycleController implements Controller {
  readonly name = "node-lifecycle-controller";
  readonly watches = [
    watchRule<Node>({ resource: kinds.nodes, keys: (node, _previous, deleted) => this.#onNode(node, deleted) }),
    watchRule<Lease>({ resource: kinds.leases, keys: () => [] }),
    watchRule<Pod>({ resource: kinds.pods, keys: () => [] }),
  ];
  readonly #context: ControllerContext;
  readonly #graceMs: number;
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: Informer<Pod>;
  readonly #health = new Map<string, Health>();
  /** Those of the last look: that nodes come and go is told once in five seconds. */
  readonly #known = new Map<string, Stored<Node>>();
  /** Names of nodes that wait to be tainted NoExecute. */
  readonly #toTaint = new Set<string>();
  readonly #zones: ZoneStates;
  #timer: Timer | undefined;
  /** When a node's turn comes before the next look at all. */
  #taintTimer: Timer | undefined;

  constructor(context: ControllerContext, graceMs: number, rates: EvictionRates) {
    this.#context = context;
    this.#graceMs = graceMs;
    this.#zones = new ZoneStates(rates, (line, message) => this.#log(line, message));
    this.#nodes = context.informers.informer(kinds.nodes);
    this.#leases = context.informers.informer(kinds.leases);
    this.#pods = context.informers.informer(kinds.pods);
    this.#pods.addIndex(podsByNode, (pod) => (pod.spec?.nodeName === undefined ? [] : [pod.spec.nodeName]));
  }

  start(): void {
    const tick = (): void => {
      this.#timer = this.#context.simulation.after(monitorPeriodMs, tick, { background: true });
      this.#monitor();
    };
    this.#timer = this.#context.simulation.after(monitorPeriodMs, tick, { background: true });
  }

  stop(): void {
    this.#context.simulation.cancel(this.#timer);
    this.#context.simulation.cancel(this.#taintTimer);
  }

  get zones(): readonly ZoneReport[] {
    return this.#zones.reports;
  }

  /** `message` as upstream logs it with its values, at a line of its file. */
  #log(line: number, message: string): void {
    const text = message.replace(/^"(?:[^"\\]|\\.)*"/, (words) => `${words} logger="${this.name}"`);
    this.#context.log?.(`node_lifecycle_controller.go:${line}`, text);
  }

  /** NoSchedule taints follow the conditions at once. */
  reconcile(key: string): Requeue | undefined {
    const node = this.#nodes.get(key);
    if (node === undefined) return undefined;
    const taints = noScheduleTaints(node, this.#context.simulation.nowMs);
    if (taints !== undefined) writeTaints(this.#context.client, node, taints);
    return undefined;
  }

  #onNode(node: Stored<Node>, deleted: boolean): readonly string[] {
    if (deleted) {
      this.#health.delete(node.metadata.name);
      this.#toTaint.delete(node.metadata.name);
      return [];
    }
    return [node.metadata.name];
  }

  #tell(node: Stored<Node>, reason: string, message: string): void {
    this.#context.events.normal(node, reason, message);
  }

  #monitor(): void {
    const nodes = [...this.#nodes.list()];
    const gone = new Map(this.#known);
    for (const node of nodes) {
      const { name } = node.metadata;
      if (!gone.delete(name)) this.#tell(node, "RegisteredNode", `Node ${name} event: Registered Node ${name} in Controller`);
      this.#known.set(name, node);
      this.#zones.meet(zoneOf(node));
    }
    for (const [name, node] of gone) {
      this.#known.delete(name);
      this.#tell(node, "RemovingNode", `Node ${name} event: Removing Node ${name} from Controller`);
    }
    for (const node of nodes) unlessRefused(() => this.#monitorNode(node));
    unlessRefused(() => this.#judgeZones());
    unlessRefused(() => this.#taintLostNodes());
  }

  #monitorNode(cached: Stored<Node>): void {
    const { name } = cached.metadata;
    const before = conditionStatus(cached, "Ready");
    const node = this.#checkHeartbeat(cached);
    const ready = conditionStatus(node, "Ready");
    // Of a node that has never said how it is nothing is known for a minute.
    if (ready !== undefined) this.#queueTaint(node, before, ready);
    const health = this.#health.get(name);
    if (health === undefined) return;
    // Only where this pass has found it silent: a node that says itself that it is not ready also says it of its Pods.
    if (ready !== "True" && before === "True") {
      this.#tell(node, "NodeNotReady", `Node ${name} status is now: NodeNotReady`);
      this.#markPodsNotReady(node);
    }
    health.ready = ready ?? "Unknown";
  }

  /** A node that was silent for too long has its conditions set to Unknown. */
  #checkHeartbeat(node: Stored<Node>): Stored<Node> {
    const { nowMs } = this.#context.simulation;
    const { name } = node.metadata;
    const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
    const heartbeat = ready === undefined ? "" : `${ready.lastHeartbeatTime ?? ""} ${ready.status}`;
    const leaseRenewed = this.#leases.get(`kube-node-lease/${name}`)?.spec?.renewTime ?? "";
    let health = this.#health.get(name);
    if (health === undefined) {
      const seenMs = ready === undefined ? parseTime(node.metadata.creationTimestamp) : nowMs;
      health = { seenMs, heartbeat, leaseRenewed, ready: undefined };
      this.#health.set(name, health);
      if (ready !== undefined) this.#log(873, `"Missing timestamp for Node. Assuming now as a timestamp" node="${name}"`);
    } else if (heartbeat !== health.heartbeat || leaseRenewed !== health.leaseRenewed) {
      // Our own writes of Unknown are no sign of life.
      if (ready?.status !== "Unknown" || leaseRenewed !== health.leaseRenewed) health.seenMs = nowMs;
      health.heartbeat = heartbeat;
      health.leaseRenewed = leaseRenewed;
    }
    const grace = ready === undefined ? startupGraceMs : this.#graceMs;
    return nowMs - health.seenMs < grace ? node : this.#markUnknown(node);
  }

  #markUnknown(node: Stored<Node>): Stored<Node> {
    const time = formatTime(this.#context.simulation.nowMs);
    const conditions = [...(node.status?.conditions ?? [])];
    let changed = false;
    for (const type of ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]) {
      const index = conditions.findIndex((condition) => condition.type === type);
      const current = conditions[index];
      if (current === undefined) {
        conditions.push(
          unknown(type, "NodeStatusNeverUpdated", "Kubelet never posted node status.", time, node.metadata.creationTimestamp),
        );
        changed = true;
      } else if (current.status !== "Unknown") {
        const heartbeat = current.lastHeartbeatTime;
        conditions[index] = unknown(type, "NodeStatusUnknown", "Kubelet stopped posting node status.", time, heartbeat);
        changed = true;
      }
    }
    if (!changed) return node;
    try {
      return this.#context.client.updateStatus(kinds.nodes, { ...node, status: { ...node.status, conditions } });
    } catch (error) {
      if (isReason(error, "NotFound") || isReason(error, "Conflict")) return node;
      throw error;
    }
  }

  /** The first taint of a silent node comes a pass after its conditions, so it goes by what was seen before this pass wrote them. */
  #queueTaint(node: Stored<Node>, before: string | undefined, ready: string | undefined): void {
    const { name } = node.metadata;
    if (before === "True") {
      this.#toTaint.delete(name);
      this.#writeNoExecute(node, "");
    } else {
      const key = ready === "False" ? notReadyTaint : unreachableTaint;
      // A taint of the other key is swapped at once; a new one waits for its turn.
      const other = key === notReadyTaint ? unreachableTaint : notReadyTaint;
      const taints = node.spec?.taints ?? [];
      if (taints.some((taint) => taint.effect === "NoExecute" && taint.key === other)) this.#writeNoExecute(node, key);
      else if (!taints.some((taint) => taint.effect === "NoExecute" && taint.key === key)) this.#toTaint.add(name);
    }
  }

  #writeNoExecute(node: Stored<Node>, key: string): void {
    const current = this.#nodes.get(node.metadata.name) ?? node;
    const newest = Number(node.metadata.resourceVersion) > Number(current.metadata.resourceVersion) ? node : current;
    const taints = noExecuteTaints(newest, key, this.#context.simulation.nowMs);
    if (taints === undefined) return;
    try {
      writeTaints(this.#context.client, newest, taints);
    } catch (error) {
      // Tried again in the next round.
      if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
    }
  }

  #judgeZones(): void {
    const counts = new Map<string, ZoneCount>();
    for (const node of this.#nodes.list()) {
      if (node.metadata.labels?.["node.kubernetes.io/exclude-disruption"] !== undefined) continue;
      const zone = counts.get(zoneOf(node)) ?? { ready: 0, notReady: 0 };
      counts.set(zoneOf(node), zone);
      if (this.#health.get(node.metadata.name)?.ready === "True") zone.ready += 1;
      else zone.notReady += 1;
    }
    const { nowMs } = this.#context.simulation;
    const turn = this.#zones.judge(counts, nowMs);
    if (turn === "lost") {
      // Nobody reports: rather this process is cut off. Nothing more is evicted; those who still wait do so until somebody is back.
      this.#toTaint.clear();
      for (const node of [...this.#nodes.list()]) this.#writeNoExecute(node, "");
    } else if (turn === "back") for (const health of this.#health.values()) health.seenMs = nowMs;
  }

  /** Those whose turn it is, in each zone as fast as it may go. */
  #taintLostNodes(): void {
    const { simulation } = this.#context;
    simulation.cancel(this.#taintTimer);
    this.#taintTimer = undefined;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const name of [...this.#toTaint]) {
      const node = this.#nodes.get(name);
      const zone = node === undefined ? undefined : zoneOf(node);
      if (node === undefined || zone === undefined) continue;
      if (this.#zones.take(zone, simulation.nowMs)) this.#taintLostNode(node, zone);
      else nextMs = Math.min(nextMs, this.#zones.nextMs(zone));
    }
    if (nextMs !== Number.POSITIVE_INFINITY)
      this.#taintTimer = simulation.at(nextMs, () => unlessRefused(() => this.#taintLostNodes()), { background: true });
  }

  /** By what it says now: it may have come back while it waited. */
  #taintLostNode(node: Stored<Node>, zone: string): void {
    this.#toTaint.delete(node.metadata.name);
    const ready = conditionStatus(node, "Ready");
    if (ready === "True") return;
    this.#writeNoExecute(node, ready === "False" ? notReadyTaint : unreachableTaint);
    this.#zones.countEviction(zone);
  }

  #markPodsNotReady(node: Stored<Node>): void {
    const { client, events, simulation } = this.#context;
    const lastTransitionTime = formatTime(simulation.nowMs);
    for (const pod of [...this.#pods.byIndex(podsByNode, node.metadata.name)]) {
      const conditions = pod.status?.conditions ?? [];
      const index = conditions.findIndex(({ type, status }) => type === "Ready" && status === "True");
      const ready = conditions[index];
      if (ready === undefined) continue;
      try {
        const changed = conditions.with(index, { ...ready, status: "False", lastTransitionTime });
        client.updateStatus(kinds.pods, { ...pod, status: { ...pod.status, conditions: changed } });
      } catch (error) {
        if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
      }
      events.warning(pod, "NodeNotReady", "Node is not ready");
    }
  }
}

function unknown(
  type: string,
  reason: string,
  message: string,
  time: string,
  lastHeartbeatTime: string | undefined,
): NodeCondition {
  return {
    type,
    status: "Unknown",
    reason,
    message,
    lastTransitionTime: time,
    ...(lastHeartbeatTime === undefined ? {} : { lastHeartbeatTime }),
  };
}
