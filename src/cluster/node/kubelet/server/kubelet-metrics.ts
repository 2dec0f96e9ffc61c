// /metrics: how many Pods and containers this kubelet has and has seen end, on which version of control groups, and since when it
// runs (pkg/kubelet/metrics). What upstream counts and times beside that has no row.

import { buildInfoHelp, buildInfoLabels } from "#cluster/zpages/build-info.ts";
import { isMirror, isStatic } from "../pod-spec.ts";
import { Families } from "./prometheus.ts";
import type { Asked } from "./server-options.ts";

const containerStates = ["created", "exited", "running", "unknown"] as const;

export function kubeletMetrics({ kubelet, pods, terminations, startedMs }: Asked): string {
  const families = new Families();
  const gauge = (name: string, help: string, value: number, labels: { readonly [name: string]: string } = {}) =>
    families.add(name, "gauge", `[ALPHA] ${help}`, { labels, value });
  const { runtime, machine } = kubelet;
  gauge("kubelet_node_name", "The node's name. The count is always 1.", 1, { node: machine.name });
  gauge("kubelet_cgroup_version", "cgroup version on the hosts.", machine.cgroupVersion);
  families.add("kubernetes_build_info", "gauge", buildInfoHelp, { labels: buildInfoLabels, value: 1 });
  gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.", startedMs / 1000);
  const own = pods().filter((pod) => !isMirror(pod));
  const isOver = (phase: string | undefined): boolean => phase === "Succeeded" || phase === "Failed";
  const active = own.filter(({ status }) => !isOver(status?.phase));
  for (const ofManifests of [false, true]) {
    const count = (some: typeof own): number => some.filter((pod) => isStatic(pod) === ofManifests).length;
    const labels = { static: ofManifests ? "true" : "" };
    const origin = "static is true if the pod is not from the apiserver.";
    gauge("kubelet_desired_pods", `The number of pods the kubelet is being instructed to run. ${origin}`, count(own), labels);
    const considered = "The number of pods the kubelet considers active and which are being considered when admitting new pods.";
    gauge("kubelet_active_pods", `${considered} ${origin}`, count(active), labels);
  }
  const uids = runtime.podUids();
  const sandboxes = uids.filter((uid) => runtime.sandboxesOf(uid).some(({ state }) => state === "ready"));
  gauge("kubelet_running_pods", "Number of pods that have a running pod sandbox", sandboxes.length);
  const containers = uids.flatMap((uid) => runtime.containersOf(uid));
  for (const state of containerStates) {
    const value = containers.filter((container) => container.state === state).length;
    if (value > 0) gauge("kubelet_running_containers", "Number of containers currently running", value, { container_state: state });
  }
  for (const [key, value] of terminations()) {
    const [type = "", code = "", reason = ""] = key.split(" ");
    const labels = { container_type: type, exit_code: code, reason };
    const help = "[ALPHA] Cumulative number of container terminations.";
    families.add("kubelet_terminated_containers_total", "counter", help, { labels, value });
  }
  return families.toString();
}
