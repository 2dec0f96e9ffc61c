import type { Deployment, ReplicaSet } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { isSameTemplate } from "../deployments.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";
import { describePodTemplate } from "./pod-template.ts";
import { longTime } from "./when.ts";

export const describeDeployment: Describer<Stored<Deployment>> = function* (deployment, lookup) {
  const { metadata, spec, status } = deployment;
  const namespace = metadata.namespace ?? "";
  const selector = spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector));
  const candidates = (yield* lookup.list(
    { group: "apps", version: "v1", plural: "replicasets" },
    { namespace, labelSelector: selector },
  )) as readonly Stored<ReplicaSet>[];
  const events = yield* lookup.events({ name: metadata.name, namespace, kind: "Deployment", uid: metadata.uid });

  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", namespace);
  out.field("CreationTimestamp", longTime(metadata.creationTimestamp));
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Selector", selector);
  out.field(
    "Replicas",
    `${spec?.replicas ?? 0} desired | ${status?.updatedReplicas ?? 0} updated | ${status?.replicas ?? 0} total | ` +
      `${status?.availableReplicas ?? 0} available | ${status?.unavailableReplicas ?? 0} unavailable`,
  );
  out.field("StrategyType", spec?.strategy?.type ?? "");
  out.field("MinReadySeconds", spec?.minReadySeconds ?? 0);
  const rolling = spec?.strategy?.rollingUpdate;
  if (rolling !== undefined)
    out.field("RollingUpdateStrategy", `${rolling.maxUnavailable ?? 0} max unavailable, ${rolling.maxSurge ?? 0} max surge`);
  if (spec !== undefined) describePodTemplate(out, spec.template);
  describeConditions(out, status?.conditions);
  const owned = candidates.filter((set) =>
    set.metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === metadata.uid),
  );
  describeReplicaSets(out, deployment, owned);
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

/** Type, status and reason; also for ReplicaSets. */
export function describeConditions(
  out: Description,
  conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[] | undefined,
): void {
  if (conditions === undefined || conditions.length === 0) return;
  out.line("Conditions:");
  out.line("Type\tStatus\tReason", 1);
  out.line("----\t------\t------", 1);
  for (const { type, status, reason } of conditions) out.line(`${type} \t${status}\t${reason ?? ""}`, 1);
}

/** The set with the Deployment's template is the new one; among several the oldest. */
function describeReplicaSets(out: Description, deployment: Stored<Deployment>, owned: readonly Stored<ReplicaSet>[]): void {
  if (owned.length === 0) return;
  const ordered = [...owned].sort((a, b) => compareBytes(a.metadata.creationTimestamp, b.metadata.creationTimestamp));
  const current = ordered.find((set) => isSameTemplate(set.spec?.template, deployment.spec?.template));
  const text = (sets: readonly Stored<ReplicaSet>[]): string =>
    sets
      .map((set) => `${set.metadata.name} (${set.status?.replicas ?? 0}/${set.spec?.replicas ?? 0} replicas created)`)
      .join(", ") || "<none>";
  out.field("OldReplicaSets", text(owned.filter((set) => set !== current)));
  out.field("NewReplicaSet", text(current === undefined ? [] : [current]));
}
