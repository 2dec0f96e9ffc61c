import type { Container, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { describeContainers, describeResources } from "./containers.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";
import { controllerText } from "./owner.ts";
import { describeSpread } from "./pod-template.ts";
import { describeVolumes } from "./volumes.ts";
import { longTime, since } from "./when.ts";

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Describes a Pod. Events of a static Pod carry the hash of its file for a uid. */
export const describePod: Describer<Stored<Pod>> = function* (pod, lookup) {
  const out = new Description();
  describeHead(out, pod, lookup.nowMs);
  describeBody(out, pod);
  const uid = pod.metadata.annotations?.[mirrorAnnotation] ?? pod.metadata.uid;
  const events = yield* lookup.events({ name: pod.metadata.name, namespace: pod.metadata.namespace ?? "", kind: "", uid });
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

function describeHead(out: Description, pod: Stored<Pod>, nowMs: number): void {
  const { metadata, spec, status } = pod;
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  if (spec?.priority !== undefined) out.field("Priority", spec.priority);
  if (spec?.priorityClassName) out.field("Priority Class Name", spec.priorityClassName);
  if (spec?.runtimeClassName) out.field("Runtime Class Name", spec.runtimeClassName);
  if (spec?.serviceAccountName) out.field("Service Account", spec.serviceAccountName);
  out.field("Node", spec?.nodeName ? `${spec.nodeName}/${status?.hostIP ?? ""}` : "<none>");
  if (status?.startTime !== undefined) out.field("Start Time", longTime(status.startTime));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  const ended = status?.phase === "Failed" || status?.phase === "Succeeded";
  if (metadata.deletionTimestamp !== undefined && !ended) {
    out.field("Status", `Terminating (lasts ${since(metadata.deletionTimestamp, nowMs)})`);
    out.field("Termination Grace Period", `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else out.field("Status", status?.phase ?? "");
  if (status?.reason) out.field("Reason", status.reason);
  if (status?.message) out.field("Message", status.message);
  const profile = spec?.securityContext?.seccompProfile;
  if (profile !== undefined) {
    out.field("SeccompProfile", profile.type);
    if (profile.type === "Localhost") out.field("LocalhostProfile", profile.localhostProfile ?? "");
  }
  out.field("IP", status?.podIP ?? "");
  describeAddresses(out, pod);
  const controller = controllerText(metadata);
  if (controller !== undefined) out.field("Controlled By", controller);
  if (status?.nominatedNodeName) out.field("NominatedNodeName", status.nominatedNodeName);
}

function describeAddresses(out: Description, { status }: Pod): void {
  const addresses = status?.podIPs ?? [];
  if (addresses.length === 0) out.field("IPs", "<none>");
  else out.line("IPs:");
  for (const { ip } of addresses) out.field("IP", ip ?? "", 1);
}

function describeBody(out: Description, pod: Stored<Pod>): void {
  const { spec, status } = pod;
  if (spec?.resources !== undefined) {
    out.line("Resources:");
    describeResources(out, spec.resources, 1);
  }
  const section = (
    title: string,
    containers: readonly Container[],
    statuses: Parameters<typeof describeContainers>[1]["statuses"],
  ): void => describeContainers(out, { title, containers, statuses, pod, inTemplate: false });
  if ((spec?.initContainers ?? []).length > 0)
    section("Init Containers", spec?.initContainers ?? [], status?.initContainerStatuses ?? []);
  section("Containers", spec?.containers ?? [], status?.containerStatuses ?? []);
  if ((spec?.ephemeralContainers ?? []).length > 0) {
    section("Ephemeral Containers", spec?.ephemeralContainers ?? [], status?.ephemeralContainerStatuses ?? []);
  }
  describeConditions(out, pod);
  describeVolumes(out, spec?.volumes, false);
  out.field("QoS Class", status?.qosClass ?? "");
  out.labels("Node-Selectors", spec?.nodeSelector);
  out.tolerations("Tolerations", spec?.tolerations);
  describeSpread(out, "Topology Spread Constraints", spec?.topologySpreadConstraints);
}

function describeConditions(out: Description, { spec, status }: Pod): void {
  const conditions = status?.conditions ?? [];
  const gates = spec?.readinessGates ?? [];
  if (gates.length > 0) {
    out.line("Readiness Gates:");
    out.line("Type\tStatus", 1);
    for (const { conditionType } of gates) {
      out.line(`${conditionType} \t${conditions.find(({ type }) => type === conditionType)?.status ?? "<none>"} `, 1);
    }
  }
  if (conditions.length === 0) return;
  out.line("Conditions:");
  out.line("Type\tStatus", 1);
  for (const { type, status: value } of conditions) out.line(`${type} \t${value} `, 1);
}
