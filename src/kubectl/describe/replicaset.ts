import type { Pod, ReplicaSet } from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { describeConditions } from "./deployment.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";
import { controllerText } from "./owner.ts";
import { describePodTemplate } from "./pod-template.ts";

export const describeReplicaSet: Describer<Stored<ReplicaSet>> = function* (set, lookup) {
  const { metadata, spec, status } = set;
  const namespace = metadata.namespace ?? "";
  const labelSelector = spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector));
  const pods = (yield* lookup.list(
    { group: "", version: "v1", plural: "pods" },
    { namespace, labelSelector },
  )) as readonly Stored<Pod>[];
  const events = yield* lookup.events({ name: metadata.name, namespace, kind: "ReplicaSet", uid: metadata.uid });

  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", namespace);
  out.field("Selector", formatLabelSelector(spec?.selector));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  const controller = controllerText(metadata);
  if (controller !== undefined) out.field("Controlled By", controller);
  out.field("Replicas", `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
  out.field("Pods Status", podsStatus(pods, metadata.uid));
  if (spec?.template !== undefined) describePodTemplate(out, spec.template);
  describeConditions(out, status?.conditions);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

/** Counts the Pods that a controller owns by phase. */
export function podsStatus(pods: readonly Stored<Pod>[], controllerUid: string): string {
  const owned = pods.filter((pod) =>
    pod.metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === controllerUid),
  );
  const count = (phase: string): number => owned.filter((pod) => pod.status?.phase === phase).length;
  return `${count("Running")} Running / ${count("Pending")} Waiting / ${count("Succeeded")} Succeeded / ${count("Failed")} Failed`;
}
