// PersistentVolumes and the claims on them.

import type { PersistentVolume, PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { canonicalQuantity } from "#cluster/api/quantity.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import type { Describer } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";
import { subjectOf, withEvents } from "./from-object.ts";
import { describeSource, type VolumeSource } from "./volumes.ts";
import { longTime, since } from "./when.ts";

const shortModes: { readonly [mode: string]: string } = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** `RWO,RWX`, in upstream's order. */
function accessModes(modes: readonly string[] | undefined): string {
  return Object.keys(shortModes)
    .filter((mode) => modes?.includes(mode))
    .map((mode) => shortModes[mode])
    .join(",");
}

function classOf({
  metadata,
  spec,
}: {
  readonly metadata: Stored<unknown>["metadata"];
  readonly spec?: { readonly storageClassName?: string };
}): string {
  return metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "";
}

function goList(values: readonly string[] | undefined): string {
  return `[${(values ?? []).join(" ")}]`;
}

function statusText({ metadata }: Stored<unknown>, phase: string | undefined, nowMs: number): string {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp === undefined ? (phase ?? "") : `Terminating (lasts ${since(deletionTimestamp, nowMs)})`;
}

export const describePersistentVolume = withEvents<PersistentVolume>((out, volume, { nowMs }) => {
  const { metadata, spec, status } = volume;
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Finalizers", goList(metadata.finalizers));
  out.field("StorageClass", classOf(volume));
  out.field("Status", statusText(volume, status?.phase, nowMs));
  out.field("Claim", spec?.claimRef === undefined ? "" : `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}`);
  out.field("Reclaim Policy", spec?.persistentVolumeReclaimPolicy ?? "");
  out.field("Access Modes", accessModes(spec?.accessModes));
  if (spec?.volumeMode !== undefined) out.field("VolumeMode", spec.volumeMode);
  out.field("Capacity", canonicalQuantity(spec?.capacity?.["storage"] ?? "0"));
  describeAffinity(out, volume);
  out.field("Message", status?.message ?? "");
  out.line("Source:");
  describeSource(out, (spec ?? {}) as VolumeSource, true);
});

function describeAffinity(out: Description, { spec }: Stored<PersistentVolume>): void {
  const required = spec?.nodeAffinity?.required;
  out.line(`Node Affinity:\t${required === undefined ? "<none>" : ""}`);
  if (required === undefined) return;
  const terms = required.nodeSelectorTerms;
  out.line(`Required Terms:\t${terms.length === 0 ? "<none>" : ""}`, 1);
  for (const [index, { matchExpressions = [] }] of terms.entries()) {
    const texts = matchExpressions.map(({ key, operator, values = [] }) =>
      values.length === 0 ? `${key} ${asciiLowerCase(operator)}` : `${key} ${asciiLowerCase(operator)} [${values.join(", ")}]`,
    );
    if (texts.length === 0) out.line(`Term ${index}:\t<none>`, 2);
    for (const [place, text] of texts.entries()) out.line(`${place === 0 ? `Term ${index}:` : ""}\t${text}`, 2);
  }
}

export const describePersistentVolumeClaim: Describer<Stored<PersistentVolumeClaim>> = function* (claim, lookup) {
  const { metadata, spec, status } = claim;
  const pods = (yield* lookup.list(
    { group: "", version: "v1", plural: "pods" },
    { namespace: metadata.namespace ?? "" },
  )) as readonly Stored<Pod>[];
  const events = yield* lookup.events(subjectOf(claim));

  const out = new Description();
  out.field("Name", metadata.name);
  out.field("Namespace", metadata.namespace ?? "");
  out.field("StorageClass", classOf(claim));
  out.field("Status", statusText(claim, status?.phase, lookup.nowMs));
  out.field("Volume", spec?.volumeName ?? "");
  out.labels("Labels", metadata.labels);
  out.annotations("Annotations", metadata.annotations);
  out.field("Finalizers", goList(metadata.finalizers));
  const bound = (spec?.volumeName ?? "") !== "";
  out.field("Capacity", bound ? canonicalQuantity(status?.capacity?.["storage"] ?? "0") : "");
  out.field("Access Modes", bound ? accessModes(status?.accessModes) : "");
  if (spec?.volumeMode !== undefined) out.field("VolumeMode", spec.volumeMode);
  const source = spec?.dataSource;
  if (source !== undefined) {
    out.line("DataSource:");
    if (source.apiGroup !== undefined) out.field("APIGroup", source.apiGroup, 1);
    out.field("Kind", source.kind, 1);
    out.field("Name", source.name, 1);
  }
  out.list("Used By", users(pods, claim));
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) {
    out.line("Conditions:");
    out.line("Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage", 1);
    out.line("----\t------\t-----------------\t------------------\t------\t-------", 1);
    for (const { type, status: state, lastProbeTime, lastTransitionTime, reason = "", message = "" } of conditions)
      out.line([type, state, longTime(lastProbeTime), longTime(lastTransitionTime), reason, message].join(" \t"), 1);
  }
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

/** Names of the Pods that mount the claim or own it, sorted. */
function users(pods: readonly Stored<Pod>[], { metadata }: Stored<PersistentVolumeClaim>): readonly string[] {
  return pods
    .filter(
      (pod) =>
        pod.spec?.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === metadata.name) ||
        metadata.ownerReferences?.some(({ kind, uid }) => kind === "Pod" && uid === pod.metadata.uid),
    )
    .map((pod) => pod.metadata.name)
    .sort(compareTexts);
}

/** The claim templates of a StatefulSet. */
export function describeClaimTemplates(out: Description, templates: readonly PersistentVolumeClaim[] | undefined): void {
  if (templates === undefined || templates.length === 0) {
    out.line("Volume Claims:\t<none>");
    return;
  }
  out.line("Volume Claims:");
  for (const { metadata, spec } of templates) {
    out.field("Name", metadata?.name ?? "", 1);
    out.field("StorageClass", spec?.storageClassName ?? "", 1);
    out.labels("  Labels", metadata?.labels);
    out.labels("  Annotations", metadata?.annotations);
    const storage = spec?.resources?.requests?.["storage"];
    out.field("Capacity", storage === undefined ? "<default>" : canonicalQuantity(storage), 1);
    out.field("Access Modes", goList(spec?.accessModes), 1);
  }
}
