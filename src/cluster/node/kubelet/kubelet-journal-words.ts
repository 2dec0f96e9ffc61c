// The words of the kubelet's lines in its node's journal: klog's form, and for each line the place that logs it upstream.

import { klogText } from "#cluster/api/klog.ts";
import type { JournalForm } from "../host/journal.ts";

/** Keys of values in order; those that end with `=` are written without quotes. Without a message the first value is the whole text. */
export function klogForm(severity: "I" | "W" | "E", place: string, message: string, ...keys: readonly string[]): JournalForm {
  return ({ timeMs, pid, values }) => {
    if (message === "") return klogText({ nowMs: timeMs, pid }, severity, place, values[0] ?? "");
    const pairs = keys.map((key, index) => {
      const value = values[index] ?? "";
      return key.endsWith("=") ? ` ${key}${value}` : ` ${key}=${JSON.stringify(value)}`;
    });
    return klogText({ nowMs: timeMs, pid }, severity, place, `${JSON.stringify(message)}${pairs.join("")}`);
  };
}

const line = klogForm;

/** Of entries whose values are put together only here. */
function joined(form: JournalForm, join: (values: readonly string[]) => readonly string[]): JournalForm {
  return (entry) => form({ ...entry, values: join(entry.values) });
}

function nameOf(namespace = "", name = ""): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function syncForm(place: string, change: string): JournalForm {
  return joined(line("I", place, `SyncLoop ${change}`, "source", "pods="), ([source = "", ...name]) => [
    source,
    `["${nameOf(...name)}"]`,
  ]);
}

const containerKeys = ["pod", "podUID", "containerName", "containerID"] as const;

export const kubeletForms = {
  version: line("I", "server.go:525", "Kubelet version", "kubeletVersion"),
  syncNode: line("I", "kubelet.go:475", "Attempting to sync node with API server"),
  staticPath: line("I", "kubelet.go:376", "Adding static pod path", "path"),
  apiSource: line("I", "kubelet.go:387", "Adding apiserver pod source"),
  runtime: line("I", "kuberuntime_manager.go:291", "Container runtime initialized", "containerRuntime", "version", "apiVersion"),
  manifest: line("E", "file.go:187", "Could not process manifest file", "err", "path"),
  started: line("I", "server.go:1274", "Started kubelet"),
  listening: line("I", "server.go:180", "Starting to listen", "address", "port="),
  mainLoop: line("I", "kubelet.go:2451", "Starting kubelet main sync loop"),
  cgroups: line("I", "kubelet.go:1809", "Warning: cgroup check", "error"),
  registering: line("I", "kubelet_node_status.go:75", "Attempting to register node", "node"),
  registeredBefore: line("I", "kubelet_node_status.go:124", "Node was previously registered", "node"),
  registered: line("I", "kubelet_node_status.go:78", "Successfully registered node", "node"),
  /** Every 100 ms for two minutes, until the Node is there. */
  notListed: line("E", "kubelet_node_status.go:404", "Error getting the current node from lister", "err"),
  lateReady: line("E", "kubelet_node_status.go:398", "Node not becoming ready in time after startup"),
  statusRetry: line("E", "kubelet_node_status.go:486", "Error updating node status, will retry", "err"),
  statusFailed: line("E", "kubelet_node_status.go:473", "Unable to update node status", "err"),
  ADD: syncForm("kubelet.go:2537", "ADD"),
  DELETE: syncForm("kubelet.go:2553", "DELETE"),
  REMOVE: syncForm("kubelet.go:2547", "REMOVE"),
  pleg: joined(
    line("I", "kubelet.go:2576", "SyncLoop (PLEG): event for pod", "pod", "event="),
    ([namespace, name, uid, type, id]) => [nameOf(namespace, name), `{"ID":"${uid}","Type":"${type}","Data":"${id}"}`],
  ),
  event: joined(
    line("I", "event.go:389", "Event occurred", "object", "fieldPath", "kind", "apiVersion", "type", "reason", "message"),
    ([namespace, name, ...others]) => [nameOf(namespace, name), ...others],
  ),
  probeFailed: line("I", "prober.go:120", "Probe failed", "probeType", "pod", "podUID", "containerName", "probeResult", "output"),
  syncFailed: line("E", "pod_workers.go:1324", "Error syncing pod, skipping", "err", "pod", "podUID"),
  killing: line("I", "kuberuntime_container.go:871", "Killing container with a grace period", ...containerKeys, "gracePeriod="),
  removed: line("I", "scope.go:117", "RemoveContainer", "containerID"),
  execHook: line(
    "I",
    "handlers.go:85",
    "Exec lifecycle hook for Container in Pod failed",
    "execCommand=",
    "containerName",
    "pod",
    "message",
    "err",
  ),
  httpHook: line("I", "handlers.go:93", "HTTP lifecycle hook for Container in Pod failed", "path", "containerName", "pod", "err"),
  unknownHook: line("E", "handlers.go:107", "Cannot run handler", "err"),
  postStartFailed: line("E", "kuberuntime_container.go:336", "Failed to execute PostStartHook", "err", ...containerKeys),
  preStopRunning: line("I", "kuberuntime_container.go:738", "Running preStop hook", ...containerKeys),
  preStopFailed: line("E", "kuberuntime_container.go:746", "PreStop hook failed", "err", ...containerKeys),
  preStopNotCompleted: line(
    "I",
    "kuberuntime_container.go:755",
    "PreStop hook not completed in grace period",
    ...containerKeys,
    "gracePeriod=",
  ),
  preStopCompleted: line("I", "kuberuntime_container.go:758", "PreStop hook completed", ...containerKeys),
  command: line("E", "run.go:72", "command failed", "err"),
  plugins: line("E", "kuberuntime_manager.go:310", "Failed to register CRI auth plugins", "err"),
} as const;
