// One pass over a pod that may run: volumes, sandbox, then what its plan says (kubelet's SyncPod).

import type { HostPortMapping } from "#cluster/network/network.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import { lateUserNamespaces } from "../user-namespaces/late-user-namespaces.ts";
import { podGroupLimits } from "./container-resources.ts";
import { startContainer } from "./container-start.ts";
import { lateImageVolumes } from "./late-image-volumes.ts";
import { lateSysctlAdmission } from "./late-sysctl-admission.ts";
import type { KubeletParts } from "./parts.ts";
import { killContainer, killContainers, removeAllContainers } from "./pod-killer.ts";
import { type PodPlan, planPod } from "./pod-plan.ts";
import { containersOf, initContainersOf, isHostNetwork, isSidecar, nodenameOf, type StoredPod } from "./pod-spec.ts";
import { warnOfMissingPullSecrets } from "./pull-secrets.ts";
import { carryOutResize } from "./resize.ts";
import { isRestartingAll } from "./restart-all.ts";
import { qosClassOf } from "./status/qos.ts";
import { call, type Task } from "./task.ts";

export type SyncOutcome =
  | { readonly kind: "settled" }
  /** Look again after the next relist: something was killed or is on its way. */
  | { readonly kind: "soon" }
  | { readonly kind: "backOff"; readonly readyAtMs: number }
  | { readonly kind: "retry" };

function plan(parts: KubeletParts, pod: StoredPod): PodPlan {
  const { runtime, probes } = parts;
  const { uid } = pod.metadata;
  return planPod(pod, {
    sandboxes: runtime.sandboxesOf(uid),
    containers: runtime.containersOf(uid),
    failedProbe: probes.failedProbe,
    isStarted: (container, spec) => probes.isStarted(pod, container, spec),
  });
}

/** Brings the pod one pass nearer to its spec. `onRuntime` is called when the runtime's work begins, which is not broken off. */
export function* syncPod(parts: KubeletParts, pod: StoredPod, onRuntime: () => void): Task<SyncOutcome> {
  const problem = isHostNetwork(pod) ? undefined : parts.networkProblem();
  if (problem !== undefined) {
    parts.recorder.warning(pod, "NetworkNotReady", `network is not ready: ${problem}`);
    return { kind: "retry" };
  }
  warnOfMissingPullSecrets(parts, pod);
  const mounted = yield* parts.volumes.mount(pod);
  if (!mounted) return { kind: "retry" };
  onRuntime();
  if (isRestartingAll(parts.statuses.get(pod).conditions)) {
    yield* removeAllContainers(parts, pod);
    return { kind: "soon" };
  }
  const first = plan(parts, pod);
  if (first.newSandbox !== undefined) {
    const made = yield* makeSandbox(parts, pod, first.newSandbox.attempt);
    if (!made) return { kind: "retry" };
  } else {
    for (const { container, spec, message, probe } of first.kill) {
      const own = probe === undefined ? undefined : spec[`${probe}Probe`]?.terminationGracePeriodSeconds;
      const graceSeconds = Number(own ?? pod.spec?.terminationGracePeriodSeconds ?? 30);
      yield* killContainer(parts, pod, container, spec, { graceSeconds, message });
    }
  }
  const isDone = carryOutResize(parts, pod, first.resize);
  const outcome = yield* startAll(parts, pod, first);
  if (outcome.kind !== "settled" || !parts.allocations.isInProgress(pod)) return outcome;
  return { kind: isDone ? "soon" : "retry" };
}

function* makeSandbox(parts: KubeletParts, pod: StoredPod, attempt: number): Task<boolean> {
  const { runtime, recorder, statuses, nodeName } = parts;
  if (attempt > 0) {
    recorder.normal(pod, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.");
    yield* killContainers(parts, pod, Number(pod.spec?.terminationGracePeriodSeconds ?? 30));
  }
  const { uid, name, namespace = "" } = pod.metadata;
  const refuse = (fault: string): false => {
    recorder.warning(pod, "FailedCreatePodSandBox", `Failed to create pod sandbox: ${fault}`);
    return false;
  };
  let hostname: string;
  try {
    parts.volumes.makeResolvConf(pod);
    hostname = nodenameOf(pod, nodeName, parts.clusterDomain);
  } catch (error) {
    if (isOwnError(error)) return refuse(error.message);
    throw error;
  }
  const runtimeClass = parts.runtimeHandlerOf(pod);
  if ("fault" in runtimeClass) return refuse(runtimeClass.fault);
  const isOwnUsers = pod.spec?.hostUsers === false;
  const userNamespace = isOwnUsers
    ? lateUserNamespaces.code.userNamespaceFor(parts.userNamespaces(), runtime, uid, runtimeClass.handler)
    : undefined;
  if (userNamespace !== undefined && "fault" in userNamespace) return refuse(userNamespace.fault);
  const result = yield* call<Parameters<Parameters<typeof runtime.runSandbox>[1]>[0]>((done) =>
    runtime.runSandbox(
      {
        podUid: uid,
        qosClass: qosClassOf(pod),
        namespace,
        name,
        attempt,
        hostname,
        hostNetwork: isHostNetwork(pod),
        hostPid: pod.spec?.hostPID === true,
        hostIpc: pod.spec?.hostIPC === true,
        shareProcessNamespace: pod.spec?.shareProcessNamespace === true,
        userNamespace,
        hostPorts: hostPortsOf(pod),
        sysctls: pod.spec?.securityContext?.sysctls && lateSysctlAdmission.code.sysctlsOf(pod),
        runtimeHandler: runtimeClass.handler,
        limits: podGroupLimits(pod),
      },
      done,
    ),
  );
  if (!result.ok) return refuse(`rpc error: code = Unknown desc = ${result.message}`);
  statuses.set(pod, withSandbox(parts, pod));
  return true;
}

function hostPortsOf(pod: StoredPod): readonly HostPortMapping[] {
  const sidecars = initContainersOf(pod).filter(isSidecar);
  return [...containersOf(pod), ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, containerPort, protocol = "TCP" }) =>
      hostPort === undefined || hostPort === 0
        ? []
        : [
            {
              hostPort,
              containerPort,
              protocol: asciiLowerCase(protocol) as HostPortMapping["protocol"],
              ...(hostIP === undefined ? {} : { hostIp: hostIP }),
            },
          ],
    ),
  );
}

/** Only the condition changes: the rest of the status waits for the next pass. */
function withSandbox(parts: KubeletParts, pod: StoredPod) {
  const status = parts.statuses.get(pod);
  const now = parts.now();
  const conditions = status.conditions?.map((condition) =>
    condition.type === "PodReadyToStartContainers" && condition.status !== "True"
      ? { ...condition, status: "True", lastTransitionTime: now }
      : condition,
  );
  return { ...status, ...(conditions === undefined ? {} : { conditions }) };
}

function* startAll(parts: KubeletParts, pod: StoredPod, { start }: PodPlan): Task<SyncOutcome> {
  let outcome: SyncOutcome = { kind: "settled" };
  const hasImages = start.length > 0 && pod.spec?.volumes?.some(({ image }) => image !== undefined) === true;
  const imageVolumes = hasImages ? yield* lateImageVolumes.code.pullImageVolumes(parts, pod) : undefined;
  for (const { spec, kind } of start) {
    const result = yield* startContainer(parts, pod, spec, kind, imageVolumes);
    if (result.ok) {
      // Its end, or its start-up, is what the next pass waits for.
      continue;
    }
    if (result.readyAtMs === undefined) outcome = { kind: "retry" };
    else if (outcome.kind === "settled") outcome = { kind: "backOff", readyAtMs: result.readyAtMs };
    else if (outcome.kind === "backOff") outcome = { kind: "backOff", readyAtMs: Math.min(outcome.readyAtMs, result.readyAtMs) };
    // A sidecar that cannot start keeps nobody waiting (kubelet's SyncPod).
    if (kind === "init" && !isSidecar(spec)) break;
  }
  return outcome;
}
