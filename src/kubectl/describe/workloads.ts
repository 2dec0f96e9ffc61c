// StatefulSets, DaemonSets and ReplicationControllers: what they want, their Pods, their template.

import type { DaemonSet, Pod, ReplicationController, StatefulSet } from "#cluster/api/generated/types.ts";
import { formatLabelSet, formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Sys } from "#sim/program.ts";
import { describeClaimTemplates } from "./claims.ts";
import { describeConditions } from "./deployment.ts";
import type { Describer, Lookup } from "./describer.ts";
import { Description, orNone } from "./description.ts";
import { describeEvents } from "./events.ts";
import { subjectOf } from "./from-object.ts";
import { describePodTemplate } from "./pod-template.ts";
import { podsStatus } from "./replicaset.ts";
import { longTime } from "./when.ts";

function* podsOf(object: Stored<unknown>, labelSelector: string, lookup: Lookup): Sys<string> {
  const { namespace = "", uid } = object.metadata;
  const pods = yield* lookup.list({ group: "", version: "v1", plural: "pods" }, { namespace, labelSelector });
  return podsStatus(pods as readonly Stored<Pod>[], uid);
}

export const describeStatefulSet: Describer<Stored<StatefulSet>> = function* (set, lookup) {
  const { metadata, spec, status } = set;
  const selector = spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector));
  const pods = yield* podsOf(set, selector, lookup);
  const events = yield* lookup.events(subjectOf(set));
  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.field("Selector", selector);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Replicas", `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`);
  out.field("Update Strategy", spec?.updateStrategy?.type ?? "");
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling?.partition !== undefined) {
    out.field("Partition", rolling.partition, 1);
    if (rolling.maxUnavailable !== undefined) out.field("MaxUnavailable", rolling.maxUnavailable, 1);
  }
  out.field("Pods Status", pods);
  if (spec !== undefined) describePodTemplate(out, spec.template);
  describeClaimTemplates(out, spec?.volumeClaimTemplates);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

export const describeDaemonSet: Describer<Stored<DaemonSet>> = function* (set, lookup) {
  const { metadata, spec, status } = set;
  const selector = spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector));
  const pods = yield* podsOf(set, selector, lookup);
  const events = yield* lookup.events(subjectOf(set));
  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("Selector", selector);
  out.field("Node-Selector", orNone(formatLabelSet(spec?.template.spec?.nodeSelector)));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.line(`Desired Number of Nodes Scheduled: ${status?.desiredNumberScheduled ?? 0}`);
  out.line(`Current Number of Nodes Scheduled: ${status?.currentNumberScheduled ?? 0}`);
  out.line(`Number of Nodes Scheduled with Up-to-date Pods: ${status?.updatedNumberScheduled ?? 0}`);
  out.line(`Number of Nodes Scheduled with Available Pods: ${status?.numberAvailable ?? 0}`);
  out.line(`Number of Nodes Misscheduled: ${status?.numberMisscheduled ?? 0}`);
  out.field("Pods Status", pods);
  if (spec !== undefined) describePodTemplate(out, spec.template);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

export const describeReplicationController: Describer<Stored<ReplicationController>> = function* (controller, lookup) {
  const { metadata, spec, status } = controller;
  const selector = formatLabelSet(spec?.selector);
  const pods = yield* podsOf(controller, selector, lookup);
  const events = yield* lookup.events(subjectOf(controller));
  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("Selector", orNone(selector));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Replicas", `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
  out.field("Pods Status", pods);
  if (spec?.template !== undefined) describePodTemplate(out, spec.template);
  describeConditions(out, status?.conditions);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};
