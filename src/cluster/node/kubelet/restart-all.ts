// The restart rule RestartAllContainers: one container's end makes all of the pod run again in place (KEP-5532). First all
// init and app containers are ended and removed from the runtime, while the condition AllContainersRestarting is True; then
// the pod starts as one whose sandbox is there already. Ephemeral containers stay. Rules: ShouldAllContainersRestart and
// AllContainersRestartCleanedUp (pkg/kubelet/container).

import type { Container, PodCondition } from "#cluster/api/generated/types.ts";
import type { RuntimeContainer } from "../runtime/cri.ts";
import { containersOf, initContainersOf, restartRuleOf, type StoredPod } from "./pod-spec.ts";

export const allContainersRestarting = "AllContainersRestarting";
/** Reason of the states of containers that were removed to run again. */
export const restartingAllContainers = "RestartingAllContainers";

const action = "RestartAllContainers";

function hasRule({ restartPolicyRules }: Container): boolean {
  return restartPolicyRules?.some((rule) => rule.action === action) === true;
}

/** Whether any rule of the pod has the action: only such pods have the condition. */
export function mayRestartAll(pod: StoredPod): boolean {
  return containersOf(pod).some(hasRule) || initContainersOf(pod).some(hasRule);
}

/** The condition says that containers are being removed. */
export function isRestartingAll(conditions: readonly PodCondition[] | undefined): boolean {
  return conditions?.some(({ type, status }) => type === allContainersRestarting && status === "True") === true;
}

/** A container whose end makes all of the pod run again. */
export function isTrigger(spec: Container, { state, exitCode }: RuntimeContainer): boolean {
  return state === "exited" && restartRuleOf(spec, exitCode)?.action === action;
}

/**
 * Where a restart of all containers is: `removing` until the runtime has none of them, `removed` when they are to start again.
 * `containers`: newest first; `conditions`: those of the last status.
 */
export function restartOfAll(
  pod: StoredPod,
  containers: readonly RuntimeContainer[],
  conditions: readonly PodCondition[] | undefined,
): "removing" | "removed" | undefined {
  if (!mayRestartAll(pod)) return undefined;
  let isDue = isRestartingAll(conditions);
  let isRemoved = true;
  for (const spec of [...initContainersOf(pod), ...containersOf(pod)]) {
    const latest = containers.find(({ config }) => config.name === spec.name);
    if (latest === undefined) continue;
    isRemoved = false;
    isDue ||= isTrigger(spec, latest);
  }
  if (!isDue) return undefined;
  return isRemoved ? "removed" : "removing";
}
