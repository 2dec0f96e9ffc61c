// The revisions of a workload: a Deployment's ReplicaSets, numbered by annotation; the ControllerRevisions of DaemonSets and StatefulSets.

import type { ControllerRevision, Deployment, PodTemplateSpec, ReplicaSet } from "#cluster/api/generated/types.ts";
import { formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { compareInt64, type Int64, int64 } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import type { RestClient } from "../client/rest-client.ts";
import { Description } from "../describe/description.ts";
import { describePodTemplate } from "../describe/pod-template.ts";
import { alignTabs } from "../describe/tab-align.ts";
import { arrayAt, asKind, objectAt, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import type { Info } from "../resources/selection.ts";

export const changeCauseAnnotation = "kubernetes.io/change-cause";
const revisionAnnotation = "deployment.kubernetes.io/revision";

export interface Revision {
  readonly number: Int64;
  /** The object that keeps it. */
  readonly keeper: Stored<ReplicaSet> | Stored<ControllerRevision>;
  readonly template: PodTemplateSpec;
}

/** Kinds that have revisions. */
export function keepsRevisions({ mapping }: Info): boolean {
  return mapping.group === "apps" && ["Deployment", "DaemonSet", "StatefulSet"].includes(mapping.kind);
}

/** Kinds that upstream's visitors know, and do nothing for. */
const visited: ReadonlySet<string> = new Set([".Pod", ".ReplicationController", "apps.ReplicaSet", "batch.Job", "batch.CronJob"]);

/** Why a workload without revisions has nothing to show or to go back to. */
export function noRevisions({ mapping: { kind, group } }: Info, deed: string, what: string): KubectlError {
  const name = JSON.stringify(group === "" ? kind : `${kind}.${group}`);
  return new KubectlError(
    visited.has(`${group}.${kind}`)
      ? `no ${what} has been implemented for ${name}`
      : `error ${deed} for ${name}, no visitor method exists for {${group} ${kind}}`,
  );
}

/** Of a Deployment or a ReplicaSet; 0 for what is no number of 64 bits. */
export function revisionNumber(annotation = "0"): Int64 {
  const exact = /^[+-]?\d+$/.test(annotation) ? BigInt(annotation.replace("+", "")) : 0n;
  return BigInt.asIntN(64, exact) === exact ? int64(exact) : 0;
}

/** In ascending order; a number that two objects carry belongs to the later one. */
export function* revisionsOf(client: RestClient, info: Info): Sys<readonly Revision[]> {
  const plural = info.mapping.kind === "Deployment" ? "replicasets" : "controllerrevisions";
  const { metadata, spec } = asKind<Stored<Deployment>>(info.object);
  const answer = yield* client.json({
    method: "GET",
    path: `/apis/apps/v1/namespaces/${metadata.namespace ?? ""}/${plural}`,
    query: { labelSelector: spec === undefined ? "" : formatRequirements(requirementsOf(spec.selector)) },
  });
  const numbered = new Map<Int64, Revision>();
  for (const keeper of asKind<readonly Revision["keeper"][]>(arrayAt(answer, "items"))) {
    const owned = keeper.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === metadata.uid);
    if (owned !== true) continue;
    const number =
      "revision" in keeper ? (keeper.revision ?? 0) : revisionNumber(keeper.metadata.annotations?.[revisionAnnotation]);
    numbered.set(number, { number, keeper, template: templateOf(keeper) });
  }
  return [...numbered.values()].sort((a, b) => compareInt64(a.number, b.number));
}

function templateOf(keeper: Revision["keeper"]): PodTemplateSpec {
  if (!("revision" in keeper)) return (keeper as Stored<ReplicaSet>).spec?.template ?? {};
  const { $patch: _replace, ...template } = objectAt(asKind(keeper), "data", "spec", "template");
  return asKind(template);
}

/** The table that `rollout history` prints. */
export function historyTable(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return "No rollout history found.";
  const lines = revisions.map(
    ({ number, keeper }) => `${number}\t${keeper.metadata.annotations?.[changeCauseAnnotation] || "<none>"}\n`,
  );
  return alignTabs(`REVISION\tCHANGE-CAUSE\n${lines.join("")}`, 2);
}

/** One revision's template. Tabs stay: kubectl does not align them here. */
export function revisionDetails(revisions: readonly Revision[], number: Int64): string {
  const found = revisions.find((revision) => revision.number === number);
  if (found === undefined) throw new KubectlError("unable to find the specified revision");
  const { keeper, template } = found;
  const cause = textAt(asKind(keeper), "metadata", "annotations", changeCauseAnnotation);
  // A ReplicaSet's change-cause is shown among the template's annotations.
  if (cause === "" || "revision" in keeper) return templateText(template);
  const annotations = { ...template.metadata?.annotations, [changeCauseAnnotation]: cause };
  return templateText({ ...template, metadata: { ...template.metadata, annotations } });
}

export function templateText(template: PodTemplateSpec): string {
  const out = new Description();
  describePodTemplate(out, template);
  return out.unaligned();
}

/** The revision to go back to: the one named, or (0) the highest but one. */
export function rollbackTarget(revisions: readonly Revision[], info: Info, number: Int64): Revision {
  if (number !== 0) {
    const named = revisions.find((revision) => revision.number === number);
    if (named === undefined || number < 0) throw new KubectlError(`unable to find specified revision ${number} in history`);
    return named;
  }
  const previous = revisions.at(-2);
  if (previous === undefined) {
    const none =
      info.mapping.kind === "Deployment"
        ? `no rollout history found for deployment ${JSON.stringify(info.name)}`
        : "no last revision to roll back to";
    throw new KubectlError(none);
  }
  return previous;
}

const ownAnnotations = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  "deployment.kubernetes.io/revision-history",
  "deployment.kubernetes.io/desired-replicas",
  "deployment.kubernetes.io/max-replicas",
  "deprecated.deployment.rollback.to",
]);

/** The Deployment's annotations after going back: its own bookkeeping, and the revision's others. */
export function rollbackAnnotations(deployment: Stored<Deployment>, { keeper }: Revision): { readonly [key: string]: string } {
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => ownAnnotations.has(key));
  const restored = Object.entries(keeper.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return Object.fromEntries([...kept, ...restored]);
}
