// Pods in quotas: their number, what they ask for and may use (pkg/quota/v1/evaluator/core/pods.go).

import type { Pod, PodAffinityTerm, ScopedResourceSelectorRequirement } from "#cluster/api/generated/types.ts";
import { parseTime } from "#cluster/api/time.ts";
import { podQosClass } from "#cluster/resources/core/pods/pod-qos.ts";
import { type Countable, countName, type Evaluator, selectsValue } from "./evaluator.ts";
import { podTotals } from "./pod-totals.ts";
import type { ResourceList } from "./resource-list.ts";

const objectCount = countName("", "pods");
const native = ["cpu", "memory", "ephemeral-storage"];
const countedNames: ReadonlySet<string> = new Set([
  objectCount,
  "pods",
  ...native.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** Of these every container must say how much, where a quota limits them. */
const demandedNames: ReadonlySet<string> = new Set(
  ["cpu", "memory"].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

export const podEvaluator: Evaluator = {
  group: "",
  plural: "pods",
  handles: (operation, subresource) =>
    (operation === "CREATE" && subresource === "") || (operation === "UPDATE" && (subresource === "" || subresource === "resize")),
  changesUsage: (object, old, subresource) =>
    subresource === "resize" || isTerminating(object as Pod) !== isTerminating(old as Pod),
  matchingResources(names) {
    const known = names.filter((name) => countedNames.has(name)).sort();
    const others = names.filter(
      (name) =>
        name.startsWith("hugepages-") ||
        name.startsWith("requests.hugepages-") ||
        (name.startsWith("requests.") && isExtended(name.slice("requests.".length))),
    );
    return [...known, ...others];
  },
  isInScope: (selector, object) => isPodInScope(selector, object as Pod),
  missing: (required, object) => missingOf(required, object as Pod),
  usage: (object, nowMs) => podUsage(object as Countable & Pod, nowMs),
};

/** Pods that have ended, or should have, use nothing; they still are objects. */
export function isPodCharged(pod: Pod, nowMs: number): boolean {
  const phase = pod.status?.phase;
  if (phase === "Succeeded" || phase === "Failed") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return nowMs <= parseTime(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

/** Whether its time is limited: what quotas call terminating. */
export function isTerminating({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

function podUsage(pod: Pod, nowMs: number): ResourceList {
  if (pod.spec === undefined || !isPodCharged(pod, nowMs)) return { [objectCount]: "1" };
  return { [objectCount]: "1", ...computeUsage(podTotals(pod.spec, "requests"), podTotals(pod.spec, "limits")) };
}

function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage: { [name: string]: string } = { pods: "1" };
  for (const name in requests) {
    const amount = requests[name] as string;
    if (native.includes(name) || name.startsWith("hugepages-")) {
      usage[name] = amount;
      usage[`requests.${name}`] = amount;
    } else if (isExtended(name)) usage[`requests.${name}`] = amount;
  }
  for (const name of native) if (limits[name] !== undefined) usage[`limits.${name}`] = limits[name] as string;
  return usage;
}

function isExtended(name: string): boolean {
  return name.includes("/") && !name.includes("kubernetes.io/") && !name.startsWith("requests.");
}

function missingOf(required: readonly string[], pod: Pod): string | undefined {
  const demanded = required.filter((name) => demandedNames.has(name));
  if (demanded.length === 0 || pod.spec === undefined) return undefined;
  const { containers = [], initContainers = [], resources } = pod.spec;
  // A Pod that says it for all its containers need not say it for each.
  if (Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0) return undefined;
  const lacking = new Map<string, Set<string>>();
  for (const container of [...containers, ...initContainers]) {
    const { requests = {}, limits = {} } = container.resources ?? {};
    const said = computeUsage(requests, limits);
    for (const name of demanded) {
      if (said[name] !== undefined) continue;
      const names = lacking.get(name) ?? new Set();
      lacking.set(name, names.add(container.name));
    }
  }
  if (lacking.size === 0) return undefined;
  const texts = [...lacking.keys()].sort().map((name) => `${name} for: ${[...(lacking.get(name) ?? [])].sort().join(",")}`);
  return `must specify ${texts.join("; ")}`;
}

function isPodInScope(selector: ScopedResourceSelectorRequirement, pod: Pod): boolean {
  const { spec } = pod;
  if (spec === undefined) return false;
  const terminating = isTerminating(pod);
  switch (selector.scopeName) {
    case "Terminating":
      return terminating;
    case "NotTerminating":
      return !terminating;
    case "BestEffort":
      return podQosClass(spec) === "BestEffort";
    case "NotBestEffort":
      return podQosClass(spec) !== "BestEffort";
    case "PriorityClass":
      return selectsValue(selector, spec.priorityClassName ?? "");
    case "CrossNamespacePodAffinity":
      return looksAcrossNamespaces(pod);
    default:
      return false;
  }
}

function looksAcrossNamespaces(pod: Pod): boolean {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return required.some(isAcross) || preferred.some((term) => isAcross(term.podAffinityTerm));
  });
}

function isAcross(term: PodAffinityTerm): boolean {
  return (term.namespaces?.length ?? 0) > 0 || term.namespaceSelector !== undefined;
}
