// The revisions of a Deployment: its ReplicaSets, numbered by annotation.

import type { Deployment, PodTemplateSpec, ReplicaSet } from "#cluster/api/generated/types.ts";
import { formatRequirements, requirementsOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Sys } from "#sim/program.ts";
import type { RestClient } from "../client/rest-client.ts";
import { Description } from "../describe/description.ts";
import { describePodTemplate } from "../describe/pod-template.ts";
import { alignTabs } from "../describe/tab-align.ts";
import { arrayAt, asKind } from "../documents.ts";
import { KubectlError } from "../errors.ts";

export const changeCauseAnnotation = "kubernetes.io/change-cause";
const revisionAnnotation = "deployment.kubernetes.io/revision";

export interface Revision {
  readonly number: number;
  readonly set: Stored<ReplicaSet>;
}

/** In ascending order; a number that two sets carry belongs to the later one. */
export function* revisionsOf(client: RestClient, deployment: Stored<Deployment>): Sys<readonly Revision[]> {
  const { namespace = "", uid } = deployment.metadata;
  const answer = yield* client.json({
    method: "GET",
    path: `/apis/apps/v1/namespaces/${namespace}/replicasets`,
    query: { labelSelector: deployment.spec === undefined ? "" : formatRequirements(requirementsOf(deployment.spec.selector)) },
  });
  const sets = asKind<readonly Stored<ReplicaSet>[]>(arrayAt(answer, "items"));
  const numbered = new Map<number, Stored<ReplicaSet>>();
  for (const set of sets) {
    const owned = set.metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) === true;
    if (owned) numbered.set(Number(set.metadata.annotations?.[revisionAnnotation] ?? 0), set);
  }
  return [...numbered].map(([number, set]) => ({ number, set })).sort((a, b) => a.number - b.number);
}

/** The table that `rollout history` prints. */
export function historyTable(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return "No rollout history found.";
  const lines = revisions.map(({ number, set }) => `${number}\t${set.metadata.annotations?.[changeCauseAnnotation] || "<none>"}\n`);
  return alignTabs(`REVISION\tCHANGE-CAUSE\n${lines.join("")}`, 2);
}

/** One revision's template, with its change-cause among the annotations. Tabs stay: kubectl does not align them here. */
export function revisionDetails(revisions: readonly Revision[], number: number): string {
  const set = revisions.find((revision) => revision.number === number)?.set;
  if (set === undefined) throw new KubectlError("unable to find the specified revision");
  const cause = set.metadata.annotations?.[changeCauseAnnotation];
  const template: PodTemplateSpec = set.spec?.template ?? {};
  return templateText(
    cause === undefined || cause === ""
      ? template
      : {
          ...template,
          metadata: { ...template.metadata, annotations: { ...template.metadata?.annotations, [changeCauseAnnotation]: cause } },
        },
  );
}

export function templateText(template: PodTemplateSpec): string {
  const out = new Description();
  describePodTemplate(out, template);
  return out.unaligned();
}

/** The revision to go back to: the one named, or (0) the highest but one. */
export function rollbackTarget(revisions: readonly Revision[], deploymentName: string, number: number): Revision {
  if (number !== 0) {
    const named = revisions.find((revision) => revision.number === number);
    if (named === undefined || number < 0) throw new KubectlError(`unable to find specified revision ${number} in history`);
    return named;
  }
  const previous = revisions.at(-2);
  if (previous === undefined) throw new KubectlError(`no rollout history found for deployment ${JSON.stringify(deploymentName)}`);
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
export function rollbackAnnotations(deployment: Stored<Deployment>, set: Stored<ReplicaSet>): { readonly [key: string]: string } {
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => ownAnnotations.has(key));
  const restored = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return Object.fromEntries([...kept, ...restored]);
}
