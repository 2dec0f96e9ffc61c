// /metrics/cadvisor: the machine, and its control groups as cAdvisor names and labels them (google/cadvisor: metrics/prometheus.go). There
// is what is metered here: processor time (not split into user and system), memory, limits, processes and kills for want of memory of
// the machine, kubepods.slice, pods and containers; no network, disk, page cache or pressure stall information.

import type { ControlGroup } from "#sim/process/control-group.ts";
import { osImage } from "../../host/machine-files.ts";
import type { ContainerRuntime } from "../../runtime/cri.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import { Families, type Labels } from "./prometheus.ts";
import type { Asked } from "./server-options.ts";
import { nodeUsage } from "./usage.ts";

interface Told {
  readonly group: ControlGroup;
  readonly labels: Labels;
  readonly createdMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly limitBytes: number;
}

const periodUs = 100_000;
/** Processor time is given evenly here: in so many periods it would have been. */
const periodMs = 100;

export function cadvisorMetrics({ kubelet, startedMs }: Asked): string {
  const families = new Families();
  addMachine(families, kubelet, startedMs);
  for (const told of groupsOf(kubelet)) addGroup(families, told, kubelet.simulation.nowMs);
  families.add("container_scrape_error", "gauge", "1 if there was an error while getting container metrics, 0 otherwise", {
    labels: {},
    value: 0,
  });
  return families.toString();
}

/** How often it looks at the machine anew (update_machine_info_interval): a scraper forgets what is older. */
const machineInfoMs = 300_000;

function addMachine(families: Families, { machine, simulation }: KubeletOptions, startedMs: number): void {
  const labels = { boot_id: machine.bootId, machine_id: machine.machineId, system_uuid: machine.systemUuid };
  const timeMs = simulation.nowMs - ((simulation.nowMs - startedMs) % machineInfoMs);
  const add = (name: string, help: string, value: number, more: Labels = {}) =>
    families.add(name, "gauge", help, { labels: { ...labels, ...more }, value, timeMs });
  add("machine_cpu_cores", "Number of logical CPU cores.", machine.cpus);
  add("machine_cpu_physical_cores", "Number of physical CPU cores.", machine.cpus);
  add("machine_cpu_sockets", "Number of CPU sockets.", 1);
  add("machine_memory_bytes", "Amount of memory installed on the machine.", machine.memoryBytes);
  add("machine_nvm_avg_power_budget_watts", "NVM power budget.", 0);
  for (const mode of ["app_direct_mode", "memory_mode"])
    add("machine_nvm_capacity", "NVM capacity value labeled by NVM mode (memory mode or app direct mode).", 0, { mode });
  add("machine_swap_bytes", "Amount of swap memory available on the machine.", machine.group.swap?.totalBytes ?? 0);
  families.add("machine_scrape_error", "gauge", "1 if there was an error while getting machine metrics, 0 otherwise.", {
    labels: {},
    value: 0,
  });
  const help =
    "A metric with a constant '1' value labeled by kernel version, OS version, docker version, cadvisor version & cadvisor revision.";
  const version = {
    cadvisorRevision: "",
    cadvisorVersion: "",
    dockerVersion: "",
    kernelVersion: machine.group.kernel.release,
    osVersion: osImage,
  };
  families.add("cadvisor_version_info", "gauge", help, { labels: version, value: 1 });
}

/** The machine, kubepods.slice, and the pods and containers that run. */
function groupsOf(kubelet: KubeletOptions): readonly Told[] {
  const { machine, runtime } = kubelet;
  const { cpuNanoSeconds, memoryBytes } = nodeUsage(kubelet, []);
  const pods = machine.podGroups.Guaranteed;
  const told: Told[] = [
    {
      group: machine.group,
      labels: labelsOf("/"),
      createdMs: machine.startedMs,
      cpuMs: cpuNanoSeconds / 1e6,
      memoryBytes,
      limitBytes: machine.memoryBytes,
    },
    ownOf(pods, labelsOf("/kubepods.slice"), machine.startedMs, runtime.nodeUse().cpuMs),
  ];
  const visit = (group: ControlGroup, path: string): void => {
    for (const child of group.children()) {
      const below = `${path}/${child.name}`;
      const uid = /-pod([^/]+)\.slice$/.exec(child.name)?.[1]?.replaceAll("_", "-");
      if (uid === undefined) visit(child, below);
      else told.push(...podGroupsOf(runtime, child, below, uid));
    }
  };
  visit(pods, "/kubepods.slice");
  return told;
}

function podGroupsOf(runtime: ContainerRuntime, group: ControlGroup, path: string, uid: string): readonly Told[] {
  const sandbox = runtime.sandboxesOf(uid)[0];
  if (sandbox === undefined) return [];
  const pod = { namespace: sandbox.config.namespace, pod: sandbox.config.name };
  const told = [ownOf(group, { ...labelsOf(path), ...pod }, sandbox.createdMs, runtime.podUse(uid).cpuMs)];
  const containers = new Map(runtime.containersOf(uid).map((container) => [`cri-containerd-${container.id}.scope`, container]));
  for (const child of group.children()) {
    const container = containers.get(child.name);
    if (container === undefined) continue;
    const { id, config, createdMs } = container;
    const own = { container: config.name, image: config.image.name, name: id };
    told.push(ownOf(child, { ...labelsOf(`${path}/${child.name}`), ...pod, ...own }, createdMs, child.cpuMs));
  }
  return told;
}

function ownOf(group: ControlGroup, labels: Labels, createdMs: number, cpuMs: number): Told {
  return { group, labels, createdMs, cpuMs, memoryBytes: group.memoryBytes, limitBytes: group.limits.memoryBytes ?? 0 };
}

/** Those that a group does not have are blank. */
function labelsOf(id: string): Labels {
  return { container: "", id, image: "", name: "", namespace: "", pod: "" };
}

function addGroup(families: Families, { group, labels, createdMs, cpuMs, memoryBytes, limitBytes }: Told, nowMs: number): void {
  const isMachine = group.machine === group;
  const spec = (name: string, help: string, value: number) => families.add(name, "gauge", help, { labels, value });
  const counter = (name: string, help: string, value: number, more: Labels = {}) =>
    families.add(name, "counter", help, { labels: { ...labels, ...more }, value, timeMs: nowMs });
  const gauge = (name: string, help: string, value: number) => families.add(name, "gauge", help, { labels, value, timeMs: nowMs });

  spec("container_start_time_seconds", "Start time of the container since unix epoch in seconds.", Math.floor(createdMs / 1000));
  spec("container_spec_cpu_period", "CPU period of the container.", isMachine ? 0 : periodUs);
  spec("container_spec_cpu_shares", "CPU share of the container.", isMachine ? 0 : sharesOf(group.cpuWeight));
  spec("container_spec_memory_limit_bytes", "Memory limit for the container.", limitBytes);
  spec("container_spec_memory_reservation_limit_bytes", "Memory reservation limit for the container.", 0);
  spec("container_spec_memory_swap_limit_bytes", "Memory swap limit for the container.", group.limits.swapBytes ?? 0);
  const { cpuMillicores } = group.limits;
  if (!isMachine && cpuMillicores !== undefined) {
    spec("container_spec_cpu_quota", "CPU quota of the container.", Math.round((cpuMillicores * periodUs) / 1000));
    const { wanted, held } = group.limitedMs;
    counter("container_cpu_cfs_periods_total", "Number of elapsed enforcement period intervals.", Math.ceil(wanted / periodMs));
    counter("container_cpu_cfs_throttled_periods_total", "Number of throttled period intervals.", Math.ceil(held / periodMs));
    const throttled = "Total time duration the container has been throttled.";
    counter("container_cpu_cfs_throttled_seconds_total", throttled, Math.round(group.throttledMs * 1000) / 1e6);
  }
  const cpuSeconds = Math.round(cpuMs * 1e6) / 1e9;
  if (cpuSeconds > 0)
    counter("container_cpu_usage_seconds_total", "Cumulative cpu time consumed in seconds.", cpuSeconds, { cpu: "total" });
  gauge("container_last_seen", "Last time a container was seen by the exporter", Math.floor(nowMs / 1000));
  const usage = "Current memory usage in bytes, including all memory regardless of when it was accessed";
  gauge("container_memory_usage_bytes", usage, memoryBytes);
  gauge("container_memory_working_set_bytes", "Current working set in bytes.", memoryBytes);
  gauge("container_memory_rss", "Size of RSS in bytes.", memoryBytes);
  gauge("container_memory_swap", "Container swap usage in bytes.", group.swapBytes);
  if (!isMachine) {
    gauge("container_memory_max_usage_bytes", "Maximum memory usage recorded in bytes", group.peakMemoryBytes);
    gauge("container_processes", "Number of processes running inside the container.", [...group.ownProcesses()].length);
  }
  const kills = "Count of out of memory events observed for the container";
  counter("container_oom_events_total", kills, group.outOfMemoryKills);
}

/** cpu.weight as cpu.shares of version 1 (cAdvisor's convertCPUWeightToCPULimit). */
function sharesOf(weight: number): number {
  return 2 + Math.floor(((weight - 1) * 262_142) / 9_999);
}
