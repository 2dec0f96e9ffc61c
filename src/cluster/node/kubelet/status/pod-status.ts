// The whole status of a Pod, as the kubelet would write it now.

import type { PodCondition, PodStatus } from "#cluster/api/generated/types.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { Sandbox } from "../../runtime/cri.ts";
import { isFinishedPhase, isHostNetwork, type StoredPod } from "../pod-spec.ts";
import { restartOfAll } from "../restart-all.ts";
import { conditionVerdicts, mergeConditions } from "./conditions.ts";
import { type ContainerFacts, containerStatuses } from "./container-statuses.ts";
import { phaseOf } from "./phase.ts";
import { qosClassOf } from "./qos.ts";

export interface StatusFacts extends ContainerFacts {
  readonly nodeAddress: string;
  /** The newest one, when it is ready. */
  readySandbox(podUid: string): Sandbox | undefined;
  resizeConditions(podUid: string): readonly PodCondition[];
}

export interface Verdict {
  readonly phase: "Failed";
  readonly reason: string;
  readonly message: string;
  /** Of the condition DisruptionTarget, where the pod gets it. */
  readonly disruption?: { readonly reason: string; readonly message: string };
}

export interface StatusRequest {
  /** Nothing will be started any more. */
  readonly isTerminal: boolean;
  /** The kubelet refused or ended the pod: this stands whatever the containers say. */
  readonly verdict: Verdict | undefined;
  readonly nowMs: number;
}

/** `before` is the status last written (or read); transition times and foreign conditions come from it. */
export function podStatus(pod: StoredPod, before: PodStatus, facts: StatusFacts, request: StatusRequest): PodStatus {
  const now = formatTime(request.nowMs);
  const restart = restartOfAll(pod, facts.containersOf(pod.metadata.uid), before.conditions);
  const statuses = containerStatuses({ ...pod, status: before }, facts, restart !== undefined);
  const computed = phaseOf(pod, statuses.app, statuses.init, request.isTerminal);
  const phase = isFinishedPhase(before.phase) ? (before.phase as string) : (request.verdict?.phase ?? computed);
  const sandbox = facts.readySandbox(pod.metadata.uid);
  const existing = withDisruption(before.conditions ?? [], request.verdict?.disruption, pod.metadata.generation, now);
  const verdicts = conditionVerdicts(pod, {
    phase,
    hasSandbox: sandbox !== undefined,
    initStatuses: statuses.init,
    statuses: statuses.app,
    isRemovingAll: restart === "removing",
    existing,
  });
  const { generation } = pod.metadata;
  const podIp = podIpOf(pod, before, facts, sandbox);
  const message = request.verdict?.message ?? before.message;
  const reason = request.verdict?.reason ?? before.reason;
  return {
    conditions: mergeConditions(verdicts, existing, generation, now, facts.resizeConditions(pod.metadata.uid)),
    containerStatuses: statuses.app,
    ...(statuses.ephemeral.length === 0 ? {} : { ephemeralContainerStatuses: statuses.ephemeral }),
    hostIP: facts.nodeAddress,
    hostIPs: [{ ip: facts.nodeAddress }],
    ...(statuses.init.length === 0 ? {} : { initContainerStatuses: statuses.init }),
    ...(message === undefined ? {} : { message }),
    ...(before.nominatedNodeName === undefined ? {} : { nominatedNodeName: before.nominatedNodeName }),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    phase,
    ...(podIp === "" ? {} : { podIP: podIp, podIPs: [{ ip: podIp }] }),
    qosClass: before.qosClass ?? qosClassOf(pod),
    ...(reason === undefined ? {} : { reason }),
    ...(before.resourceClaimStatuses === undefined ? {} : { resourceClaimStatuses: before.resourceClaimStatuses }),
    startTime: before.startTime ?? now,
  };
}

function withDisruption(
  conditions: readonly PodCondition[],
  disruption: Verdict["disruption"],
  observedGeneration: Int64 | undefined,
  now: string,
): readonly PodCondition[] {
  if (disruption === undefined) return conditions;
  const before = conditions.find(({ type }) => type === "DisruptionTarget");
  const { reason, message } = disruption;
  if (before?.status === "True" && before.reason === reason && before.message === message) return conditions;
  const condition: PodCondition = {
    lastTransitionTime: before?.status === "True" ? (before.lastTransitionTime ?? now) : now,
    message,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    reason,
    status: "True",
    type: "DisruptionTarget",
  };
  return [...conditions.filter(({ type }) => type !== "DisruptionTarget"), condition];
}

/** The address stays in the status after the sandbox has gone. */
function podIpOf(pod: StoredPod, before: PodStatus, facts: StatusFacts, sandbox: Sandbox | undefined): string {
  if (isHostNetwork(pod)) return sandbox === undefined ? (before.podIP ?? "") : facts.nodeAddress;
  return sandbox?.address ?? before.podIP ?? "";
}
