// Kinds that own Pods: what they want, how their Pods are, their template.

import type {
  DaemonSet,
  LabelSelector,
  Pod,
  ReplicaSet,
  ReplicationController,
  StatefulSet,
} from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatLabelSet, formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { describeClaimTemplates } from "./claims.ts";
import { describeConditions } from "./deployment.ts";
import type { Describer } from "./describer.ts";
import { Description, orNone } from "./description.ts";
import { describeEvents } from "./events.ts";
import { subjectOf } from "./from-object.ts";
import { controllerText } from "./owner.ts";
import { describePodTemplate } from "./pod-template.ts";
import { longTime } from "./when.ts";

/** What was looked up for a workload. */
interface Found {
  /** As the API is asked for its Pods. */
  readonly selector: string;
  /** Its own Pods, counted by phase. */
  readonly podsStatus: string;
}

/** Lines that are written from a workload and its Pods, below its name and above its events. */
function withPods<T>(
  selectorOf: (workload: Stored<T>) => string,
  write: (out: Description, workload: Stored<T>, found: Found) => void,
): Describer<Stored<T>> {
  return function* (workload, lookup) {
    const { name, namespace = "", uid } = workload.metadata;
    const selector = selectorOf(workload);
    const pods = yield* lookup.list({ group: "", version: "v1", plural: "pods" }, { namespace, labelSelector: selector });
    const events = yield* lookup.events(subjectOf(workload));
    const out = new Description();
    out.field("Name", name);
    out.field("Namespace", namespace);
    write(out, workload, { selector, podsStatus: statusOf(pods as readonly Stored<Pod>[], uid) });
    if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
    return out.finish();
  };
}

function statusOf(pods: readonly Stored<Pod>[], controllerUid: string): string {
  const owned = pods.filter((pod) =>
    pod.metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === controllerUid),
  );
  const count = (phase: string): number => owned.filter((pod) => pod.status?.phase === phase).length;
  return `${count("Running")} Running / ${count("Pending")} Waiting / ${count("Succeeded")} Succeeded / ${count("Failed")} Failed`;
}

function bySelector({ spec }: { readonly spec?: { readonly selector: LabelSelector } }): string {
  return spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector));
}

export const describeReplicaSet = withPods<ReplicaSet>(bySelector, (out, { metadata, spec, status }, { podsStatus }) => {
  out.field("Selector", formatLabelSelector(spec?.selector));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  const controller = controllerText(metadata);
  if (controller !== undefined) out.field("Controlled By", controller);
  out.field("Replicas", `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
  out.field("Pods Status", podsStatus);
  if (spec?.template !== undefined) describePodTemplate(out, spec.template);
  describeConditions(out, status?.conditions);
});

export const describeStatefulSet = withPods<StatefulSet>(bySelector, (out, { metadata, spec, status }, found) => {
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.field("Selector", found.selector);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Replicas", `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`);
  out.field("Update Strategy", spec?.updateStrategy?.type ?? "");
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling?.partition !== undefined) {
    out.field("Partition", rolling.partition, 1);
    if (rolling.maxUnavailable !== undefined) out.field("MaxUnavailable", rolling.maxUnavailable, 1);
  }
  out.field("Pods Status", found.podsStatus);
  if (spec !== undefined) describePodTemplate(out, spec.template);
  describeClaimTemplates(out, spec?.volumeClaimTemplates);
});

export const describeDaemonSet = withPods<DaemonSet>(bySelector, (out, { metadata, spec, status }, found) => {
  out.field("Selector", found.selector);
  out.field("Node-Selector", orNone(formatLabelSet(spec?.template.spec?.nodeSelector)));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.line(`Desired Number of Nodes Scheduled: ${status?.desiredNumberScheduled ?? 0}`);
  out.line(`Current Number of Nodes Scheduled: ${status?.currentNumberScheduled ?? 0}`);
  out.line(`Number of Nodes Scheduled with Up-to-date Pods: ${status?.updatedNumberScheduled ?? 0}`);
  out.line(`Number of Nodes Scheduled with Available Pods: ${status?.numberAvailable ?? 0}`);
  out.line(`Number of Nodes Misscheduled: ${status?.numberMisscheduled ?? 0}`);
  out.field("Pods Status", found.podsStatus);
  if (spec !== undefined) describePodTemplate(out, spec.template);
});

export const describeReplicationController = withPods<ReplicationController>(
  ({ spec }) => formatLabelSet(spec?.selector),
  (out, { metadata, spec, status }, { selector, podsStatus }) => {
    out.field("Selector", orNone(selector));
    out.labels("Labels", metadata.labels);
    out.annotations("Annotations", metadata.annotations);
    out.field("Replicas", `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
    out.field("Pods Status", podsStatus);
    if (spec?.template !== undefined) describePodTemplate(out, spec.template);
    describeConditions(out, status?.conditions);
  },
);
