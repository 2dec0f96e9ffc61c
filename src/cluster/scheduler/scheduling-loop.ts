// The loop of one scheduler process: watch events fill the cache and the queue, and one cycle at a time places a Pod.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Node, Pod, PodCondition, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type Stored, splitKey } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { sameValue } from "#cluster/client/equality.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { SeriesRecorder } from "#cluster/client/series-recorder.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { runPreBindings } from "./binding-cycle.ts";
import { SchedulerCache } from "./cache.ts";
import { defaultProfile, volumePlugins } from "./default-profile.ts";
import { OwnerAndServiceSelectors } from "./default-selectors.ts";
import { type ExtenderChain, extenderName, type Filtered } from "./extenders.ts";
import { countReasons, fitErrorMessage, noNodesMessage, notFoundByPostFilter } from "./fit-error.ts";
import { type ClusterEvent, type PreBinding, SchedulingError } from "./framework.ts";
import { NominatedPods } from "./nominations.ts";
import { type FailureReason, podScheduledCondition, withCondition } from "./pod-conditions.ts";
import { PodInfo } from "./pod-info.ts";
import { bestCandidate, type Candidate, findCandidates } from "./preemption.ts";
import { type PluginParts, type Profile, schedulerOf } from "./profile.ts";
import { type FilterOutcome, SchedulingCycle } from "./scheduling-cycle.ts";
import { type Backoff, maxUnschedulableMs, type QueuedPod, SchedulingQueue, usualBackoff } from "./scheduling-queue.ts";
import type { DecisionLog, PluginScores, SchedulingDecision } from "./trace.ts";

/** What a configuration says of scheduling. */
export interface SchedulingSettings {
  /** Names that Pods ask for; the first one signs for the process. */
  readonly profiles: readonly string[];
  /** A profile for each name; absent: the default one for all. */
  readonly makeProfiles?: ((parts: PluginParts) => ReadonlyMap<string, Profile>) | undefined;
  /** Of all profiles that have none of their own; 0: by the number of nodes. */
  readonly percentageOfNodesToScore: number;
  readonly backoff: Backoff;
  readonly extenders?: ExtenderChain | undefined;
}

export const usualSettings: SchedulingSettings = {
  profiles: ["default-scheduler"],
  percentageOfNodesToScore: 0,
  backoff: usualBackoff,
};

export interface SchedulingLoopOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly informers: InformerFactory;
  /** The recorder of each profile, by the name that Pods ask for. */
  readonly recorders: ReadonlyMap<string, SeriesRecorder>;
  readonly decisions: DecisionLog;
  readonly settings: SchedulingSettings;
}

/** Virtual time that a cycle takes. */
const cycleMs = 1;
const errorDelayMs = 1000;

const noScores: readonly PluginScores[] = [];

/** What PostFilter came to. */
interface PostFiltered {
  readonly message: string;
  /** A node where room is being made; "" where the Pod's earlier nomination is void. */
  readonly nominated?: string | undefined;
}

type Preempted =
  | { readonly nominated: string }
  | { readonly refusal: string; readonly isVoid: boolean }
  | { readonly error: string };

export class SchedulingLoop {
  readonly #options: SchedulingLoopOptions;
  readonly #cache = new SchedulerCache();
  readonly #queue: SchedulingQueue;
  readonly #nominations = new NominatedPods();
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #cycle: SchedulingCycle;
  readonly #budgets: Informer<PodDisruptionBudget>;
  #wake: Timer | undefined;
  #flush: Timer | undefined;
  #stopped = false;
  /** The cycle waits for an extender; no other begins. */
  #isAsking = false;

  constructor(options: SchedulingLoopOptions) {
    this.#options = options;
    const { client, informers, simulation, settings } = options;
    this.#profiles = profilesOf(settings, { client, informers, selectors: new OwnerAndServiceSelectors(informers) });
    this.#queue = new SchedulingQueue(settings.backoff);
    const { percentageOfNodesToScore, extenders } = settings;
    const limits = { percentageOfNodesToScore, needsAll: extenders?.hasFilters === true || extenders?.hasPrioritizers === true };
    this.#cycle = new SchedulingCycle(limits, this.#cache, this.#nominations, simulation.random);
    this.#budgets = informers.informer(kinds.podDisruptionBudgets);
    informers.informer(kinds.nodes).addHandler((node, previous, deleted) => this.#onNode(node, previous, deleted));
    informers.informer(kinds.pods).addHandler((pod, previous, deleted) => this.#onPod(pod, previous, deleted));
    informers.informer(kinds.namespaces).addHandler(({ metadata: { name, labels } }, _previous, deleted) => {
      if (deleted) this.#cache.removeNamespace(name);
      else this.#cache.setNamespace(name, labels);
    });
    informers.informer(kinds.persistentVolumeClaims).addHandler((claim, previous, deleted) => {
      if (!deleted) this.#notify({ kind: "claimChanged", claim, isNew: previous === undefined });
    });
    informers.informer(kinds.persistentVolumes).addHandler((_volume, _previous, deleted) => {
      if (!deleted) this.#notify({ kind: "volumeChanged" });
    });
    informers.informer(kinds.storageClasses).addHandler((now, previous, deleted) => {
      if (!deleted) this.#notify({ kind: "classChanged", class: now, previous });
    });
    informers.informer(kinds.csiNodes).addHandler((_node, previous, deleted) => {
      if (!deleted) this.#notify({ kind: "csiNodeChanged", isNew: previous === undefined });
    });
    informers.informer(kinds.volumeAttachments).addHandler((_attachment, _previous, deleted) => {
      if (deleted) this.#notify({ kind: "attachmentRemoved" });
    });
  }

  pendingByQueue(): ReadonlyMap<string, number> {
    return this.#queue.countByPlace();
  }

  get pendingPods(): number {
    return this.#queue.size;
  }

  stop(): void {
    this.#stopped = true;
    this.#options.simulation.cancel(this.#wake);
    this.#options.simulation.cancel(this.#flush);
  }

  // What the watches tell.

  #onNode(node: Stored<Node>, previous: Stored<Node> | undefined, deleted: boolean): void {
    if (deleted) {
      this.#cache.removeNode(node.metadata.name);
      this.#notify({ kind: "nodeRemoved", node });
      return;
    }
    this.#cache.setNode(node);
    if (previous === undefined) this.#notify({ kind: "nodeAdded", node });
    else if (mattersToPods(node, previous)) this.#notify({ kind: "nodeUpdated", node, previous });
  }

  #onPod(pod: Stored<Pod>, previous: Stored<Pod> | undefined, deleted: boolean): void {
    const { uid } = pod.metadata;
    // A Pod of the same name may have replaced one whose end was not seen.
    if (previous !== undefined && previous.metadata.uid !== uid) this.#forget(previous);
    const phase = pod.status?.phase;
    const nodeName = pod.spec?.nodeName ?? "";
    if (deleted || phase === "Succeeded" || phase === "Failed") this.#forget(pod);
    else if (nodeName !== "") this.#onAssigned(pod, previous, nodeName);
    else this.#onPending(pod, previous);
  }

  #forget(pod: Stored<Pod>): void {
    const { uid } = pod.metadata;
    this.#queue.remove(uid);
    const mattered = this.#cache.isPlaced(uid) || !this.#nominations.isEmpty;
    this.#nominations.remove(uid);
    this.#cache.removePod(uid);
    if (mattered) this.#notify({ kind: "podRemoved", pod });
  }

  #onAssigned(pod: Stored<Pod>, previous: Stored<Pod> | undefined, nodeName: string): void {
    const { uid } = pod.metadata;
    this.#queue.remove(uid);
    this.#nominations.remove(uid);
    const known = this.#cache.isPlaced(uid);
    this.#cache.setPod(pod, nodeName);
    if (!known || (previous?.spec?.nodeName ?? "") === "") this.#notify({ kind: "podAssigned", pod });
    else if (previous !== undefined && mattersToQueue(pod, previous)) this.#notify({ kind: "podUpdated", pod, previous });
  }

  #onPending(pod: Stored<Pod>, previous: Stored<Pod> | undefined): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const profile = this.#profiles.get(schedulerOf(pod));
    if (profile === undefined) return;
    if (deletionTimestamp !== undefined) {
      this.#queue.remove(uid);
      this.#nominations.remove(uid);
      return;
    }
    const { nowMs } = this.#options.simulation;
    const gated = profile.preEnqueue.some((plugin) => plugin.preEnqueue?.(pod) !== undefined);
    const entry = this.#queue.get(uid);
    const nominated = pod.status?.nominatedNodeName ?? "";
    if (nominated !== (previous?.status?.nominatedNodeName ?? "")) this.#nominations.set(new PodInfo(pod), nominated);
    if (entry === undefined) {
      if (!this.#cache.isPlaced(uid)) this.#queue.add(pod, gated, nowMs);
    } else {
      const before = entry.pod;
      entry.pod = pod;
      if (entry.place === "gated" && !gated) this.#queue.ungate(entry, nowMs);
      else if (entry.place === "unschedulable" && mattersToQueue(pod, before)) {
        if (this.#mayHelp({ kind: "podUpdated", pod, previous: before }, entry)) this.#queue.wake(entry, nowMs);
      }
    }
    this.#wakeUp();
  }

  /** Wakes the Pods that a plugin which refused them says this may help. */
  #notify(event: ClusterEvent): void {
    const { nowMs } = this.#options.simulation;
    for (const entry of [...this.#queue.unschedulable()]) if (this.#mayHelp(event, entry)) this.#queue.wake(entry, nowMs);
    this.#wakeUp();
  }

  #mayHelp(event: ClusterEvent, entry: QueuedPod): boolean {
    if (entry.refusedBy.size === 0 || entry.refusedBy.has(extenderName)) return true;
    const { byName } = this.#profileOf(entry.pod);
    for (const name of entry.refusedBy) if (byName.get(name)?.mayHelp?.(event, entry.pod, this.#cache) === true) return true;
    return false;
  }

  #profileOf(pod: Stored<Pod>): Profile {
    return this.#profiles.get(schedulerOf(pod)) as Profile;
  }

  #wakeUp(): void {
    if (this.#stopped || this.#isAsking || this.#wake?.callback !== undefined || !this.#queue.hasReady) return;
    this.#wake = this.#options.simulation.after(cycleMs, () => this.#next());
  }

  /** Pods that no event has helped for five minutes are tried again. */
  #flushLater(): void {
    if (this.#stopped || this.#flush?.callback !== undefined) return;
    const oldestMs = this.#queue.oldestUnschedulableMs;
    if (oldestMs === undefined) return;
    const { simulation } = this.#options;
    const flush = (): void => {
      for (const entry of [...this.#queue.unschedulable()]) {
        if (simulation.nowMs - entry.unschedulableSinceMs >= maxUnschedulableMs) this.#queue.wake(entry, simulation.nowMs);
      }
      this.#flushLater();
      this.#wakeUp();
    };
    this.#flush = simulation.at(oldestMs + maxUnschedulableMs, flush, { background: true });
  }

  // One cycle.

  #next(): void {
    const { nowMs } = this.#options.simulation;
    const entry = this.#queue.pop(nowMs);
    if (entry === undefined) return;
    try {
      this.#attempt(entry, () => this.#schedule(entry));
    } finally {
      this.#wakeUp();
    }
  }

  #attempt(entry: QueuedPod, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#failed(entry, error);
    }
  }

  /** The cycle goes on when extenders have answered. */
  #ask<Answer>(entry: QueuedPod, question: (done: (answer: Answer) => void) => void, then: (answer: Answer) => void): void {
    this.#isAsking = true;
    question((answer) => {
      if (this.#stopped) return;
      this.#isAsking = false;
      if (entry.place === "taken") this.#attempt(entry, () => then(answer));
      this.#wakeUp();
    });
  }

  #schedule(entry: QueuedPod): void {
    const pod = new PodInfo(entry.pod);
    const outcome = this.#cycle.findFeasible(this.#profileOf(entry.pod), pod);
    const { extenders } = this.#options.settings;
    if (outcome.feasible.length === 0) this.#fail(entry, pod, outcome);
    else if (extenders === undefined) this.#place(entry, pod, outcome);
    else
      this.#ask<Filtered>(
        entry,
        (done) => extenders.filter(pod, outcome.feasible, done),
        (filtered) => this.#goOn(entry, pod, outcome, filtered),
      );
  }

  /** After extenders have filtered. */
  #goOn(entry: QueuedPod, pod: PodInfo, before: FilterOutcome, filtered: Filtered): void {
    if ("error" in filtered) throw new SchedulingError(filtered.error);
    const { extenders } = this.#options.settings;
    const outcome = { ...before, feasible: filtered.feasible, refused: new Map([...before.refused, ...filtered.refused]) };
    if (outcome.feasible.length === 0) this.#fail(entry, pod, outcome);
    else if (outcome.feasible.length === 1 || extenders === undefined) this.#place(entry, pod, outcome);
    else
      this.#ask<readonly PluginScores[]>(
        entry,
        (done) => extenders.prioritize(pod, outcome.feasible, done),
        (scores) => this.#place(entry, pod, outcome, scores),
      );
  }

  #place(entry: QueuedPod, pod: PodInfo, outcome: FilterOutcome, further = noScores): void {
    const profile = this.#profileOf(entry.pod);
    const { node, scores } = this.#cycle.choose(profile, pod, outcome.feasible, further);
    this.#cache.assume(pod, node.name);
    this.#nominations.remove(pod.uid);
    const bound = (): void => {
      const note = `Successfully assigned ${pod.key} to ${node.name}`;
      this.#events(pod).record(pod.pod, { type: "Normal", reason: "Scheduled", action: "Binding", note });
      this.#queue.remove(pod.uid);
      this.#log(entry, outcome, { outcome: "scheduled", nodeName: node.name, message: "", scores });
    };
    const bind = (): void => this.#bindBySomebody(entry, pod, node.name, bound);
    const steps = profile.preBinding.flatMap((plugin) => plugin.preBind?.(pod, node) ?? []);
    if (steps.length > 0) this.#bindLater(entry, pod, steps, bind);
    else this.#orGiveBack(pod, bind);
  }

  /** Extenders come before DefaultBinder. */
  #bindBySomebody(entry: QueuedPod, pod: PodInfo, nodeName: string, bound: () => void): void {
    const { extenders } = this.#options.settings;
    const bindOurselves = (): void => {
      this.#bind(pod, nodeName);
      bound();
    };
    if (extenders?.binds(pod) !== true) {
      bindOurselves();
      return;
    }
    extenders.bind(pod, nodeName, (answer) => {
      if (this.#stopped) return;
      const go = (): void => {
        if (answer.kind === "failed") throw new SchedulingError(answer.error);
        if (answer.kind === "bound") bound();
        else bindOurselves();
      };
      this.#attempt(entry, () => this.#orGiveBack(pod, go));
      this.#wakeUp();
    });
  }

  /** A Pod that could not be bound takes no room. */
  #orGiveBack(pod: PodInfo, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#cache.removePod(pod.uid);
      throw error;
    }
  }

  #bindLater(entry: QueuedPod, pod: PodInfo, steps: readonly PreBinding[], finish: () => void): void {
    runPreBindings(this.#options.simulation, steps, {
      timeoutMs: this.#profileOf(entry.pod).bindTimeoutMs,
      isWanted: () => !this.#stopped && entry.place === "taken",
      bound: () => this.#attempt(entry, () => this.#orGiveBack(pod, finish)),
      failed: (message) => {
        this.#cache.removePod(pod.uid);
        this.#failed(entry, new SchedulingError(`running PreBind plugin "VolumeBinding": ${message}`));
      },
    });
  }

  /** Events come from the profile that a Pod asks for. */
  #events({ pod }: PodInfo): SeriesRecorder {
    return this.#options.recorders.get(schedulerOf(pod)) as SeriesRecorder;
  }

  #bind(pod: PodInfo, nodeName: string): void {
    const { client } = this.#options;
    const { namespace = "", name, uid } = pod.pod.metadata;
    try {
      client.createSubresource(kinds.pods, { namespace, name }, "binding", {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { namespace, name, uid },
        target: { kind: "Node", name: nodeName },
      });
    } catch (error) {
      // Gone, or with a node already: its event is on the way. A gate that nobody heeded is a conflict as well.
      const isGated = (pod.pod.spec?.schedulingGates ?? []).length > 0;
      if (!(error instanceof ApiError) || isReason(error, "NotFound") || (isReason(error, "Conflict") && !isGated)) throw error;
      throw new SchedulingError(`running Bind plugin "DefaultBinder": ${error.message}`);
    }
  }

  /** Refusals and outages are retried; so is a cycle that failed as nobody expected, with an event that says so. */
  #failed(entry: QueuedPod, thrown: unknown): void {
    if (thrown instanceof ApiError || thrown instanceof ApiUnreachable) {
      this.#retryAfterError(entry, thrown);
      return;
    }
    const error = thrown instanceof SchedulingError ? thrown : this.#unexpected(entry, thrown);
    // Whatever becomes of the telling, the Pod is tried again.
    this.#retryAfterError(entry, error);
    this.#tellFailure(new PodInfo(entry.pod), error.message, undefined, "SchedulerError");
  }

  #unexpected(entry: QueuedPod, thrown: unknown): Error {
    const { namespace, name } = entry.pod.metadata;
    const { message } = this.#options.simulation.faults.note("kube-scheduler", `${namespace}/${name}`, thrown);
    return new Error(`running the scheduling cycle: ${message}`);
  }

  #retryAfterError(entry: QueuedPod, error: Error): void {
    const { simulation } = this.#options;
    if (isReason(error, "NotFound") || isReason(error, "Conflict")) {
      // The Pod is gone, or has a node already: its event is on the way.
      this.#queue.remove(entry.uid);
      return;
    }
    this.#queue.putBack(entry, new Set(), simulation.nowMs);
    simulation.after(errorDelayMs, () => {
      if (this.#stopped) return;
      this.#queue.wake(entry, simulation.nowMs);
      this.#wakeUp();
    });
  }

  #fail(entry: QueuedPod, pod: PodInfo, outcome: FilterOutcome): void {
    const total = this.#cache.nodes.length;
    if (total === 0) this.#tellUnschedulable(entry, pod, outcome, { message: noNodesMessage });
    else
      this.#postFilter(entry, pod, outcome, ({ message, nominated }) => {
        const { podRejection: whole, refused } = outcome;
        const reasons = whole === undefined ? countReasons(refused.values()) : whole.reasons.join(", ");
        const text = fitErrorMessage(total, reasons, message);
        this.#tellUnschedulable(entry, pod, outcome, { message: text, nominated });
      });
  }

  #tellUnschedulable(entry: QueuedPod, pod: PodInfo, outcome: FilterOutcome, { message, nominated }: PostFiltered): void {
    const refusedBy = new Set<string>();
    for (const { plugin } of outcome.refused.values()) refusedBy.add(plugin);
    this.#giveUp(entry, pod, message, refusedBy, nominated);
    this.#log(entry, outcome, {
      outcome: nominated ? "preempting" : "unschedulable",
      nodeName: nominated ?? "",
      message,
      scores: [],
    });
  }

  /** One PostFilter after the other, until one has found a way (runtime/framework.go, RunPostFilterPlugins). */
  #postFilter(entry: QueuedPod, pod: PodInfo, outcome: FilterOutcome, then: (result: PostFiltered) => void): void {
    const { postFilters } = this.#profileOf(entry.pod);
    const reasons: string[] = [];
    let nominated: string | undefined;
    const run = (index: number): void => {
      const which = postFilters[index];
      if (which === undefined) then({ message: reasons.join(", "), nominated });
      else if (which === "DefaultPreemption")
        this.#preempt(entry, pod, outcome, (result) => {
          if ("nominated" in result) then({ message: "", nominated: result.nominated });
          else if ("error" in result) then({ message: `preemption: ${result.error}` });
          else {
            reasons.push(`preemption: ${result.refusal}`);
            if (result.isVoid) nominated = "";
            run(index + 1);
          }
        });
      else if (outcome.podRejection !== undefined) then({ message: notFoundByPostFilter });
      else {
        // DynamicResources has nothing to give back for Pods without claims.
        const claims = pod.pod.spec?.resourceClaims ?? [];
        reasons.push(claims.length > 0 ? "still not schedulable" : "no new claims to deallocate");
        run(index + 1);
      }
    };
    run(0);
  }

  /** Tells that a Pod found no place, and lets it wait. */
  #giveUp(entry: QueuedPod, pod: PodInfo, message: string, refusedBy: ReadonlySet<string>, nominated: string | undefined): void {
    this.#queue.putBack(entry, refusedBy, this.#options.simulation.nowMs);
    this.#flushLater();
    this.#tellFailure(pod, message, nominated, "Unschedulable");
  }

  #tellFailure(pod: PodInfo, message: string, nominated: string | undefined, reason: FailureReason): void {
    this.#events(pod).record(pod.pod, { type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: message });
    this.#writeFailure(pod, podScheduledCondition(pod.pod, reason, message), nominated);
  }

  #preempt(entry: QueuedPod, pod: PodInfo, outcome: FilterOutcome, then: (result: Preempted) => void): void {
    const { simulation, settings } = this.#options;
    const input = {
      profile: this.#profileOf(entry.pod),
      cache: this.#cache,
      nominations: this.#nominations,
      budgets: this.#budgets.list(),
      random: simulation.random,
    };
    const found = findCandidates(input, pod, outcome.refused);
    const { extenders } = settings;
    if (found.kind === "fail") then({ refusal: found.message, isVoid: found.clearNomination });
    else if (extenders === undefined) then(this.#nominate(pod, found.candidates));
    else
      this.#ask<{ readonly candidates: readonly Candidate[] } | { readonly error: string }>(
        entry,
        (done) => extenders.preempt(pod, found.candidates, { nodeOf: (name) => this.#cache.node(name), done }),
        (answer) => then("error" in answer ? answer : this.#nominate(pod, answer.candidates)),
      );
  }

  #nominate(pod: PodInfo, candidates: readonly Candidate[]): Preempted {
    const best = bestCandidate(candidates);
    if (best === undefined) return { refusal: "no candidate node for preemption", isVoid: false };
    this.#nominations.set(pod, best.nodeName);
    for (const other of this.#nominations.on(best.nodeName)) {
      if (other.priority < pod.priority) this.#clearNomination(other);
    }
    for (const victim of best.victims) this.#evict(victim, pod, best.nodeName);
    return { nominated: best.nodeName };
  }

  #clearNomination(pod: PodInfo): void {
    this.#nominations.remove(pod.uid);
    this.#writeStatus(pod.pod, { nominatedNodeName: "" });
  }

  #evict(victim: PodInfo, preemptor: PodInfo, nodeName: string): void {
    const { client, simulation } = this.#options;
    const { pod } = victim;
    if (pod.metadata.deletionTimestamp !== undefined) return;
    const message = `${schedulerOf(preemptor.pod)}: preempting to accommodate a higher priority pod`;
    const condition = { type: "DisruptionTarget", status: "True", reason: "PreemptionByScheduler", message };
    try {
      this.#writeStatus(pod, { conditions: withCondition(pod, condition, simulation.nowMs) });
      client.delete(kinds.pods, splitKey(victim.key));
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    const note = `Preempted by pod ${preemptor.uid} on node ${nodeName}`;
    this.#events(preemptor).record(pod, { type: "Normal", reason: "Preempted", action: "Preempting", note });
  }

  #writeFailure(pod: PodInfo, condition: PodCondition, nominated: string | undefined): void {
    const { simulation } = this.#options;
    const conditions = withCondition(pod.pod, condition, simulation.nowMs);
    const current = pod.pod.status?.nominatedNodeName ?? "";
    const nomination = nominated === undefined || nominated === current ? {} : { nominatedNodeName: nominated };
    if (conditions === pod.pod.status?.conditions && Object.keys(nomination).length === 0) return;
    try {
      this.#writeStatus(pod.pod, { conditions, ...nomination });
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
    }
  }

  #writeStatus(pod: Stored<Pod>, change: Pick<NonNullable<Pod["status"]>, "conditions" | "nominatedNodeName">): void {
    const { namespace = "", name } = pod.metadata;
    const patch = readJson(
      JSON.stringify({ status: { ...change, ...(change.nominatedNodeName === "" ? { nominatedNodeName: null } : {}) } }),
    );
    this.#options.client.patch(kinds.pods, { namespace, name }, "strategic", patch, { subresource: "status" });
  }

  #log(
    entry: QueuedPod,
    outcome: FilterOutcome,
    result: Pick<SchedulingDecision, "outcome" | "nodeName" | "message" | "scores">,
  ): void {
    const { simulation, decisions } = this.#options;
    const { name, namespace, uid } = entry.pod.metadata;
    decisions.add({
      timeMs: simulation.nowMs,
      podKey: `${namespace}/${name}`,
      podUid: uid,
      attempt: entry.attempts,
      totalNodes: this.#cache.nodes.length,
      refused: outcome.refused,
      feasible: outcome.feasible,
      ...result,
    });
  }
}

function profilesOf(settings: SchedulingSettings, parts: PluginParts): ReadonlyMap<string, Profile> {
  const made = settings.makeProfiles?.(parts);
  if (made !== undefined) return made;
  const usual = defaultProfile(parts.selectors, volumePlugins(parts.client, parts.informers));
  return new Map(settings.profiles.map((name) => [name, usual]));
}

/** Status and annotations of a Pod change nothing that any Pod could wait for. */
function mattersToQueue(pod: Stored<Pod>, previous: Stored<Pod>): boolean {
  return pod.spec !== previous.spec || !sameValue(pod.metadata.labels, previous.metadata.labels);
}

/** Heartbeats change nothing that a Pod could wait for. */
function mattersToPods(node: Stored<Node>, previous: Stored<Node>): boolean {
  if (node.spec !== previous.spec && !sameValue(node.spec, previous.spec)) return true;
  if (!sameValue(node.metadata.labels, previous.metadata.labels)) return true;
  return node.status !== previous.status && !sameValue(node.status?.allocatable, previous.status?.allocatable);
}
