// DefaultPreemption: finds a node where removing Pods of lower priority makes room, and the fewest and least important of
// them (pkg/scheduler/framework/preemption, plugins/defaultpreemption).

import type { Pod, PodDisruptionBudget } from "#cluster/api/generated/types.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Random } from "#sim/random.ts";
import type { SchedulerCache } from "./cache.ts";
import { countReasons, fitErrorMessage } from "./fit-error.ts";
import { type Rejection, rejection } from "./framework.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import type { Profile } from "./profile.ts";
import { type Nominations, prepareFilters, rejectionWithNominated } from "./scheduling-cycle.ts";

const notHelpful = rejection("DefaultPreemption", "Preemption is not helpful for scheduling", true);
const noVictims = rejection("DefaultPreemption", "No preemption victims found for incoming pod");

export type PreemptionOutcome =
  | { readonly kind: "candidates"; readonly candidates: readonly Candidate[] }
  | { readonly kind: "fail"; readonly message: string; readonly clearNomination: boolean };

export interface Candidate {
  readonly nodeName: string;
  /** Most important first. */
  readonly victims: readonly PodInfo[];
  readonly violations: number;
}

export interface PreemptionInput {
  readonly profile: Profile;
  readonly cache: SchedulerCache;
  readonly nominations: Nominations;
  readonly budgets: Iterable<Stored<PodDisruptionBudget>>;
  readonly random: Random;
}

/** The nodes on which room can be made for a Pod. */
export function findCandidates(input: PreemptionInput, pod: PodInfo, refused: ReadonlyMap<string, Rejection>): PreemptionOutcome {
  const ineligible = whyIneligible(input, pod, refused);
  if (ineligible !== undefined) return { kind: "fail", message: ineligible, clearNomination: false };
  const results = new Map<string, Rejection>();
  const potential: NodeInfo[] = [];
  for (const node of input.cache.nodes) {
    if (refused.get(node.name)?.unresolvable === false) potential.push(node);
    else results.set(node.name, notHelpful);
  }
  const candidates = dryRun(input, pod, potential, results);
  if (candidates.length > 0) return { kind: "candidates", candidates };
  const message = `${fitErrorMessage(input.cache.nodes.length, countReasons(results.values()))}`;
  return { kind: "fail", message, clearNomination: true };
}

export function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  return candidates.reduce<Candidate | undefined>(
    (chosen, next) => (chosen === undefined || isBetter(next, chosen) ? next : chosen),
    undefined,
  );
}

/** Pods that must not preempt now, with the text that says so. */
function whyIneligible(input: PreemptionInput, pod: PodInfo, refused: ReadonlyMap<string, Rejection>): string | undefined {
  if (pod.pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = pod.pod.status?.nominatedNodeName ?? "";
  if (nominated === "" || refused.get(nominated)?.unresolvable === true) return undefined;
  for (const other of input.cache.node(nominated)?.pods.values() ?? []) {
    if (other.priority < pod.priority && isVictimOnItsWay(other.pod))
      return "not eligible due to a terminating pod on the nominated node.";
  }
  return undefined;
}

function isVictimOnItsWay(pod: Stored<Pod>): boolean {
  if (pod.metadata.deletionTimestamp === undefined) return false;
  return (
    pod.status?.conditions?.some(
      ({ type, status, reason }) => type === "DisruptionTarget" && status === "True" && reason === "PreemptionByScheduler",
    ) === true
  );
}

function dryRun(
  input: PreemptionInput,
  pod: PodInfo,
  potential: readonly NodeInfo[],
  results: Map<string, Rejection>,
): readonly Candidate[] {
  if (potential.length === 0) return [];
  const budgets = [...input.budgets];
  const { percentage, absolute } = input.profile.candidateNodes;
  const wanted = Math.min(potential.length, Math.max(absolute, Math.floor((potential.length * percentage) / 100)));
  const offset = input.random.below(potential.length);
  const candidates: Candidate[] = [];
  for (let index = 0; index < potential.length && candidates.length < wanted; index += 1) {
    const node = potential[(offset + index) % potential.length] as NodeInfo;
    const outcome = selectVictims(input, pod, node, budgets);
    if ("victims" in outcome) candidates.push(outcome);
    else results.set(node.name, outcome);
  }
  return candidates;
}

function selectVictims(
  input: PreemptionInput,
  pod: PodInfo,
  node: NodeInfo,
  budgets: readonly Stored<PodDisruptionBudget>[],
): Candidate | Rejection {
  const lower = [...node.pods.values()].filter((other) => other.priority < pod.priority).sort(byImportance);
  if (lower.length === 0) return noVictims;
  const { cache } = input;
  const refusal = (): Rejection | undefined => {
    const prepared = prepareFilters(input.profile, pod, cache);
    return prepared.podRejection ?? rejectionWithNominated(prepared.filters, pod, node, input.nominations);
  };
  for (const victim of lower) cache.removePod(victim.uid);
  const removed = new Set(lower);
  const putBack = (victim: PodInfo): void => {
    cache.assume(victim, node.name);
    removed.delete(victim);
  };
  try {
    const alone = refusal();
    if (alone !== undefined) return alone;
    const { violating, others } = splitByBudgets(lower, budgets);
    const victims: PodInfo[] = [];
    let violations = 0;
    for (const candidate of [...violating, ...others]) {
      putBack(candidate);
      if (refusal() === undefined) continue;
      cache.removePod(candidate.uid);
      removed.add(candidate);
      victims.push(candidate);
      if (violating.includes(candidate)) violations += 1;
    }
    return { nodeName: node.name, victims: victims.sort(byImportance), violations };
  } finally {
    for (const victim of [...removed]) putBack(victim);
  }
}

function startTime(pod: PodInfo): string {
  return pod.pod.status?.startTime ?? "9999";
}

/** Higher priority first, then the one that started earlier. */
function byImportance(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || compareTexts(startTime(a), startTime(b));
}

/** Pods whose removal would break a budget, when all of them were removed in this order. */
function splitByBudgets(pods: readonly PodInfo[], budgets: readonly Stored<PodDisruptionBudget>[]) {
  const left = budgets.map((budget) => budget.status?.disruptionsAllowed ?? 0);
  const matchers = budgets.map((budget) => matcherOf(budget.spec?.selector));
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    let violates = false;
    for (const [index, budget] of budgets.entries()) {
      if (budget.metadata.namespace !== info.pod.metadata.namespace || matchers[index]?.(info.pod.metadata.labels) !== true)
        continue;
      if (
        Object.keys(info.pod.metadata.labels ?? {}).length === 0 ||
        budget.status?.disruptedPods?.[info.pod.metadata.name] !== undefined
      )
        continue;
      left[index] = (left[index] ?? 0) - 1;
      if ((left[index] ?? 0) < 0) violates = true;
    }
    (violates ? violating : others).push(info);
  }
  return { violating, others };
}

/** Added so that sums of negative priorities compare like counts. */
const priorityOffset = 2_147_483_648;

/** The first difference decides; equal candidates: the first found stays. */
function isBetter(a: Candidate, b: Candidate): boolean {
  const differences = [
    a.violations - b.violations,
    highestPriority(a) - highestPriority(b),
    prioritySum(a) - prioritySum(b),
    a.victims.length - b.victims.length,
  ];
  for (const difference of differences) if (difference !== 0) return difference < 0;
  return earliestStart(a) > earliestStart(b);
}

function highestPriority({ victims }: Candidate): number {
  return victims[0]?.priority ?? Number.NEGATIVE_INFINITY;
}

function prioritySum({ victims }: Candidate): number {
  return victims.reduce((sum, { priority }) => sum + priority + priorityOffset, 0);
}

/** Of the victims with the highest priority. */
function earliestStart(candidate: Candidate): string {
  const highest = highestPriority(candidate);
  const starts = candidate.victims.filter(({ priority }) => priority === highest).map(startTime);
  return starts.sort()[0] ?? "";
}
