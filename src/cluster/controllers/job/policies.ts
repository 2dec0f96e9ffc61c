// What failures and successes mean to a Job that says so itself (pkg/controller/job/pod_failure_policy.go, success_policy.go).

import type {
  ContainerStatus,
  Job,
  Pod,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { parseIndexes } from "./completion-indexes.ts";

export interface FailureVerdict {
  readonly counts: boolean;
  readonly action: string | undefined;
  /** For action FailJob: why. */
  readonly message: string | undefined;
}

const counted: FailureVerdict = { counts: true, action: undefined, message: undefined };

/** The first rule that fits a failed Pod decides. */
export function judgeFailure(job: Job, pod: Stored<Pod>): FailureVerdict {
  const rules = job.spec?.podFailurePolicy?.rules ?? [];
  for (const [index, rule] of rules.entries()) {
    const what = matchedBy(rule, pod);
    if (what === undefined) continue;
    const { action } = rule;
    if (action === "Ignore") return { counts: false, action, message: undefined };
    const message = action === "FailJob" ? `${what} matching FailJob rule at index ${index}` : undefined;
    return { counts: true, action, message };
  }
  return counted;
}

/** How the message tells what the rule found. */
function matchedBy(rule: PodFailurePolicyRule, pod: Stored<Pod>): string | undefined {
  const { namespace, name } = pod.metadata;
  if (rule.onExitCodes !== undefined) {
    const found = matchingContainer(pod, rule.onExitCodes);
    if (found === undefined) return undefined;
    return `Container ${found.name} for pod ${namespace}/${name} failed with exit code ${found.state?.terminated?.exitCode}`;
  }
  const patterns = rule.onPodConditions ?? [];
  const condition = pod.status?.conditions?.find((one) =>
    patterns.some(({ type, status }) => type === one.type && (status ?? "True") === one.status),
  );
  return condition === undefined ? undefined : `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function matchingContainer(pod: Stored<Pod>, requirement: PodFailurePolicyOnExitCodesRequirement): ContainerStatus | undefined {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return statuses.find(({ name, state }) => {
    const code = state?.terminated?.exitCode;
    if (code === undefined || code === 0) return false;
    if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
    return requirement.values.includes(code) === (requirement.operator === "In");
  });
}

/** The message of the first rule of the success policy that is met. */
export function metSuccessRule(job: Job, succeeded: ReadonlySet<number>): string | undefined {
  const { successPolicy, completions = 0 } = job.spec ?? {};
  if (successPolicy === undefined || succeeded.size === 0) return undefined;
  const index = successPolicy.rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount;
    const required = parseIndexes(succeededIndexes, completions);
    const reached = [...required].filter((one) => succeeded.has(one)).length;
    return required.size > 0 && (reached === required.size || (succeededCount !== undefined && reached >= succeededCount));
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
