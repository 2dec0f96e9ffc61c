// Runs one Pod of a DaemonSet on each node that fits it (pkg/controller/daemon).

import type { ControllerRevision, DaemonSet, DaemonSetStatus, Node, Pod } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { parseTime } from "#cluster/api/time.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";
import { byController, claim, concernedOwners, indexByOwner, ownerKey } from "../ownership.ts";
import { PodControl } from "../pod-control.ts";
import { availableInMs } from "../pods.ts";
import { daemonPod, daemonTolerations, decideNode, nodeOfDaemonPod, revisionLabel } from "./daemon-pods.ts";
import { currentRevision, trimHistory } from "./revisions.ts";
import type { DaemonNode } from "./rolling-update.ts";
import { planUpdate } from "./rolling-update.ts";

export const daemonSetController: ControllerDefinition = {
  name: "daemonset-controller",
  serviceAccount: "daemon-set-controller",
  create: (context) => new DaemonSetController(context),
};

const failedBackoffMs = 1_000;
const maxFailedBackoffMs = 900_000;
const burst = 250;

export class DaemonSetController implements Controller {
  readonly name = "daemonset-controller";
  readonly watches = [
    watchRule<DaemonSet>({ resource: kinds.daemonSets, keys: (set) => [keyOf(set)] }),
    watchRule<ControllerRevision>({ resource: kinds.controllerRevisions, keys: () => [] }),
    watchRule<Pod>({ resource: kinds.pods, keys: (pod, previous, deleted) => this.#setsOfPod(pod, previous, deleted) }),
    watchRule<Node>({ resource: kinds.nodes, keys: (node, previous, deleted) => this.#setsOfNode(node, previous, deleted) }),
  ];
  readonly #context: ControllerContext;
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #podControl: PodControl;
  /** Failures of daemon Pods by set and node, and until when the next is not deleted. */
  readonly #failures = new Map<string, { count: number; untilMs: number }>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#podControl = new PodControl(context);
    this.#sets = context.informers.informer(kinds.daemonSets);
    this.#pods = context.informers.informer(kinds.pods);
    this.#nodes = context.informers.informer(kinds.nodes);
    this.#revisions = context.informers.informer(kinds.controllerRevisions);
    indexByOwner(this.#pods);
    indexByOwner(this.#revisions);
  }

  reconcile(key: string): Requeue | undefined {
    const set = this.#sets.get(key);
    if (set === undefined) {
      this.#podControl.forget(key);
      return undefined;
    }
    this.#podControl.requireSeen(key, set);
    if (set.metadata.deletionTimestamp !== undefined) return undefined;
    const { client, simulation } = this.#context;
    const revisions = claim(client, this.#revisions, set, fitsSelector(set));
    const revision = currentRevision(client, revisions, set);
    const hash = revision.metadata.labels?.[revisionLabel] ?? "";
    const nodes = this.#survey(set);
    let waitMs: number | undefined;
    let failure: Error | undefined;
    if (this.#podControl.satisfied(key)) {
      ({ waitMs, failure } = this.#manage(key, set, nodes, hash));
      const isRolling = (set.spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate";
      if (failure === undefined && isRolling && this.#podControl.satisfied(key)) {
        const { create, remove } = planUpdate(set, nodes, hash, simulation.nowMs);
        failure = this.#act(key, set, create, remove, hash);
      }
    }
    if (failure === undefined) {
      const inUse = new Set(nodes.flatMap(({ pods }) => pods.map((pod) => pod.metadata.labels?.[revisionLabel] ?? "")));
      trimHistory(client, revisions, set, hash, inUse);
    }
    const requeue = this.#writeStatus(set, nodes, hash, waitMs);
    if (failure !== undefined) throw failure;
    return requeue;
  }

  #survey(set: Stored<DaemonSet>): readonly DaemonNode[] {
    const template = set.spec?.template ?? {};
    const tolerations = daemonTolerations(template);
    const podsOf = new Map<string, Stored<Pod>[]>();
    const fits = fitsSelector(set);
    for (const pod of claim(this.#context.client, this.#pods, set, fits)) {
      const name = nodeOfDaemonPod(pod);
      const pods = podsOf.get(name);
      if (pods === undefined) podsOf.set(name, [pod]);
      else pods.push(pod);
    }
    return [...this.#nodes.list()].map((node) => {
      const { name } = node.metadata;
      const pods = (podsOf.get(name) ?? []).sort(
        (a, b) => parseTime(a.metadata.creationTimestamp) - parseTime(b.metadata.creationTimestamp),
      );
      return { name, pods, ...decideNode(template, tolerations, node) };
    });
  }

  /** `waitMs`: how long a failed Pod still has to wait for its end. */
  #manage(
    key: string,
    set: Stored<DaemonSet>,
    nodes: readonly DaemonNode[],
    hash: string,
  ): { readonly waitMs: number | undefined; readonly failure: Error | undefined } {
    const create: string[] = [];
    const remove: Stored<Pod>[] = [];
    let waitMs: number | undefined;
    for (const node of nodes) {
      const alive = node.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
      if (!node.shouldContinue) {
        remove.push(...alive);
        continue;
      }
      const failed = alive.filter((pod) => pod.status?.phase === "Failed");
      const running = alive.filter((pod) => pod.status?.phase !== "Failed");
      for (const pod of failed) {
        const delayMs = this.#failureDelay(key, node.name);
        if (delayMs > 0) {
          waitMs = Math.min(waitMs ?? delayMs, delayMs);
          continue;
        }
        const message = `Found failed daemon pod ${keyOf(pod)} on node ${node.name}, will try to kill it`;
        this.#context.events.warning(set, "FailedDaemonPod", message);
        remove.push(pod);
      }
      if (node.shouldRun && node.pods.length === 0) create.push(node.name);
      // Of several the oldest stays, unless a surge update put a second one there: then the old one, once the new one will do.
      if ((set.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0) === 0) remove.push(...running.slice(1));
      else remove.push(...latePasses.code.surplusOfSurge(set, running, hash, this.#context.simulation.nowMs));
    }
    return { waitMs, failure: this.#act(key, set, create, remove, hash) };
  }

  #failureDelay(key: string, nodeName: string): number {
    const { nowMs } = this.#context.simulation;
    const id = `${key}/${nodeName}`;
    const known = this.#failures.get(id);
    if (known !== undefined && known.untilMs > nowMs) return known.untilMs - nowMs;
    const count = known !== undefined && nowMs - known.untilMs < 2 * maxFailedBackoffMs ? known.count + 1 : 1;
    this.#failures.set(id, { count, untilMs: nowMs + Math.min(maxFailedBackoffMs, failedBackoffMs * 2 ** (count - 1)) });
    return 0;
  }

  /** Answers the first failure; what could be done besides has been done. */
  #act(
    key: string,
    set: Stored<DaemonSet>,
    nodeNames: readonly string[],
    victims: readonly Stored<Pod>[],
    hash: string,
  ): Error | undefined {
    return this.#podControl.run(key, set, {
      create: Math.min(nodeNames.length, burst),
      make: (index) => daemonPod(set, nodeNames[index] as string, hash),
      remove: victims.slice(0, burst),
    });
  }

  #writeStatus(set: Stored<DaemonSet>, nodes: readonly DaemonNode[], hash: string, wait: number | undefined): Requeue | undefined {
    const { status, nextAvailableMs } = countStatus(set, nodes, hash, this.#context.simulation.nowMs);
    if (!sameValue(status, set.status)) this.#podControl.updateStatus(kinds.daemonSets, { ...set, status });
    const delays = [wait, nextAvailableMs].filter((delay) => delay !== undefined);
    return delays.length === 0 ? undefined : { requeueAfterMs: Math.min(...delays) };
  }

  #setsOfPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): readonly string[] {
    const owner = ownerKey(pod, this.#sets);
    if (owner !== undefined) this.#podControl.seen(owner, pod, previous, deleted);
    return concernedOwners(pod, previous, deleted, this.#sets, (set) => matcherOf(set.spec?.selector)(pod.metadata.labels));
  }

  /**
   * Heartbeats wake nothing, and of what decides where daemons run only what asks for a Pod more or less (syncNodeUpdate). A node that
   * comes again may find its Pods still there: it is counted all the same.
   */
  #setsOfNode(node: Stored<Node>, previous: Stored<Node> | undefined, deleted: boolean): readonly string[] {
    const sets = [...this.#sets.list()];
    if (deleted || previous === undefined) return sets.map(keyOf);
    if (sameValue(node.metadata.labels, previous.metadata.labels) && sameValue(node.spec, previous.spec)) return [];
    return sets.filter((set) => this.#concerns(node, set)).map(keyOf);
  }

  #concerns(node: Stored<Node>, set: Stored<DaemonSet>): boolean {
    const template = set.spec?.template ?? {};
    const { shouldRun, shouldContinue } = decideNode(template, daemonTolerations(template), node);
    const isScheduled = [...this.#pods.byIndex(byController, set.metadata.uid)].some(
      (pod) => pod.spec?.nodeName === node.metadata.name,
    );
    return isScheduled ? !shouldContinue || (set.status?.numberMisscheduled ?? 0) > 0 : shouldRun;
  }
}

function fitsSelector(set: Stored<DaemonSet>): (object: Stored<Pod | ControllerRevision>) => boolean {
  const matches = matcherOf(set.spec?.selector);
  return ({ metadata }) => matches(metadata.labels);
}

function countStatus(set: Stored<DaemonSet>, nodes: readonly DaemonNode[], hash: string, nowMs: number) {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  let nextAvailableMs: number | undefined;
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const { pods, shouldRun } of nodes) {
    if (!shouldRun) {
      if (pods.length > 0) counts.misscheduled += 1;
      continue;
    }
    counts.desired += 1;
    const [pod] = pods;
    if (pod === undefined) continue;
    counts.current += 1;
    const inMs = availableInMs(pod, minReadySeconds, nowMs);
    if (inMs !== undefined) counts.ready += 1;
    if (inMs === 0) counts.available += 1;
    else if (inMs !== undefined) nextAvailableMs = Math.min(nextAvailableMs ?? inMs, inMs);
    if (pods.some((candidate) => candidate.metadata.labels?.[revisionLabel] === hash)) counts.updated += 1;
  }
  const optional = {
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: counts.updated,
    numberAvailable: counts.available,
    numberUnavailable: counts.desired - counts.available,
    collisionCount: set.status?.collisionCount ?? 0,
  };
  const status: DaemonSetStatus = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...Object.fromEntries(Object.entries(optional).filter(([, count]) => count !== 0)),
  };
  return { status, nextAvailableMs };
}
