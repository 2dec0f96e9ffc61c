// What `kubectl get pods` shows: readiness, the status in one word, restarts (pkg/printers/internalversion, printPod).

import type { Container, ContainerStatus, Pod } from "#cluster/api/generated/types.ts";
import { parseTime } from "#cluster/api/time.ts";
import { ageColumn, column, nameColumn, sinceCell } from "../../columns.ts";
import type { TableCell, TableColumn, TableContext, TableRowCondition, Typed } from "../../definition.ts";

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
  column("Status", "The aggregate status of the containers in this pod."),
  column(
    "Restarts",
    "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
  ),
  ageColumn,
  column("IP", "", { wide: true }),
  column("Node", "", { wide: true }),
  column("Nominated Node", "", { wide: true }),
  column("Readiness Gates", "", { wide: true }),
];

export function podRow(pod: Typed<Pod>, context: TableContext): readonly TableCell[] {
  const summary = podSummary(pod);
  const { restarts, lastRestart } = summary;
  const ago = restarts !== 0 && lastRestart !== undefined ? ` (${sinceCell(lastRestart, context)} ago)` : "";
  return [
    pod.metadata.name ?? "",
    `${summary.ready}/${summary.total}`,
    summary.status,
    `${restarts}${ago}`,
    sinceCell(pod.metadata.creationTimestamp, context),
    pod.status?.podIPs?.[0]?.ip || "<none>",
    pod.spec?.nodeName || "<none>",
    pod.status?.nominatedNodeName || "<none>",
    readinessGates(pod),
  ];
}

const succeeded = [{ type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." }];
const failed = [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }];

export function podRowConditions({ status }: Typed<Pod>): readonly TableRowCondition[] | undefined {
  if (status?.phase === "Succeeded") return succeeded;
  return status?.phase === "Failed" ? failed : undefined;
}

export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

/** What the columns READY, STATUS and RESTARTS are made of. */
export function podSummary(pod: Typed<Pod>): PodSummary {
  const initial = initialReason(pod);
  const init = summarizeInit(pod, initial);
  const total = (pod.spec?.containers?.length ?? 0) + sidecarsOf(pod).size;
  const past = !init.initializing || conditionIs(pod, "Initialized");
  const main = past ? summarizeMain(pod, init) : init;
  return {
    ready: main.ready,
    total,
    status: finalReason(pod, main.reason),
    restarts: main.restarts,
    lastRestart: main.lastRestart,
  };
}

interface Progress {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

interface InitProgress extends Progress {
  readonly initializing: boolean;
  /** Restarts of sidecars alone: what counts once the pod is initialized. */
  readonly sidecarRestarts: number;
  readonly sidecarLastRestart: string | undefined;
}

function initialReason(pod: Typed<Pod>): string {
  const gated = pod.status?.conditions?.some(({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated");
  return gated === true ? "SchedulingGated" : pod.status?.reason || pod.status?.phase || "";
}

function summarizeInit(pod: Typed<Pod>, initial: string): InitProgress {
  const sidecars = sidecarsOf(pod);
  const statuses = pod.status?.initContainerStatuses ?? [];
  let reason = initial;
  let [ready, restarts, sidecarRestarts, initializing] = [0, 0, 0, false];
  let lastRestart: string | undefined;
  let sidecarLastRestart: string | undefined;
  for (const [index, status] of statuses.entries()) {
    const isSidecar = sidecars.has(status.name);
    restarts += status.restartCount;
    lastRestart = later(lastRestart, status.lastState?.terminated?.finishedAt);
    if (isSidecar) {
      sidecarRestarts += status.restartCount;
      sidecarLastRestart = later(sidecarLastRestart, status.lastState?.terminated?.finishedAt);
    }
    if (status.state?.terminated?.exitCode === 0) continue;
    if (isSidecar && status.started === true) {
      if (status.ready) ready += 1;
      continue;
    }
    reason = initReason(status, index, pod.spec?.initContainers?.length ?? 0);
    initializing = true;
    break;
  }
  return { reason, ready, restarts, lastRestart, initializing, sidecarRestarts, sidecarLastRestart };
}

function initReason(status: ContainerStatus, index: number, count: number): string {
  const { terminated, waiting } = status.state ?? {};
  if (terminated !== undefined) {
    if (terminated.reason) return `Init:${terminated.reason}`;
    return terminated.signal ? `Init:Signal:${terminated.signal}` : `Init:ExitCode:${terminated.exitCode}`;
  }
  if (waiting?.reason && waiting.reason !== "PodInitializing") return `Init:${waiting.reason}`;
  return `Init:${index}/${count}`;
}

function summarizeMain(pod: Typed<Pod>, init: InitProgress): Progress {
  const statuses = pod.status?.containerStatuses ?? [];
  let { reason, ready, sidecarRestarts: restarts, sidecarLastRestart: lastRestart } = init;
  let hasRunning = false;
  for (const status of [...statuses].reverse()) {
    const { waiting, terminated, running } = status.state ?? {};
    restarts += status.restartCount;
    lastRestart = later(lastRestart, status.lastState?.terminated?.finishedAt);
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated?.reason) reason = terminated.reason;
    else if (terminated !== undefined)
      reason = terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
    else if (status.ready && running !== undefined) {
      hasRunning = true;
      ready += 1;
    }
  }
  if (reason === "Completed" && hasRunning) reason = conditionIs(pod, "Ready") ? "Running" : "NotReady";
  return { reason, ready, restarts, lastRestart };
}

function finalReason(pod: Typed<Pod>, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (pod.status?.reason === "NodeLost") return "Unknown";
  const ended = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  return ended ? reason : "Terminating";
}

/** Init containers that keep running. */
function sidecarsOf(pod: Typed<Pod>): ReadonlySet<string> {
  const containers: readonly Container[] = pod.spec?.initContainers ?? [];
  return new Set(containers.filter((container) => container.restartPolicy === "Always").map((container) => container.name));
}

function conditionIs(pod: Typed<Pod>, type: string): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}

function later(a: string | undefined, b: string | undefined | null): string | undefined {
  if (b === undefined || b === null) return a;
  return a === undefined || parseTime(b) > parseTime(a) ? b : a;
}

function readinessGates(pod: Typed<Pod>): string {
  const gates = pod.spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  return `${gates.filter((gate) => conditionIs(pod, gate.conditionType)).length}/${gates.length}`;
}
