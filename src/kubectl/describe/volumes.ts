// The volumes of a Pod or of a Pod template.

import type { EphemeralVolumeSource, PersistentVolumeSpec, Volume } from "#cluster/api/generated/types.ts";
import { canonicalQuantity, parseQuantity, quantitySign } from "#cluster/api/quantity.ts";
import type { Description } from "./description.ts";
import type { Line } from "./disk-sources.ts";
import { diskSources } from "./disk-sources.ts";

/** The sources of Pod volumes and those of PersistentVolumes. */
export type VolumeSource = Omit<Volume, "name" | "csi"> &
  Pick<PersistentVolumeSpec, "local"> & { readonly csi?: Volume["csi"] | PersistentVolumeSpec["csi"] };

/** What is printed of a kind of source: its type with an explanation, then its fields. Absent: `<unknown>`. */
type Sources = {
  readonly [K in keyof VolumeSource]?: (source: NonNullable<VolumeSource[K]>, isPersistent: boolean) => readonly Line[];
};

const sources: Sources = {
  ...diskSources,
  hostPath: ({ path, type }) => [
    ["Type", "HostPath (bare host directory volume)"],
    ["Path", path],
    ["HostPathType", type ?? "<none>"],
  ],
  emptyDir: ({ medium, sizeLimit }) => [
    ["Type", "EmptyDir (a temporary directory that shares a pod's lifetime)"],
    ["Medium", medium ?? ""],
    ["SizeLimit", sizeLimit !== undefined && quantitySign(parseQuantity(sizeLimit)) > 0 ? canonicalQuantity(sizeLimit) : "<unset>"],
  ],
  secret: ({ secretName, optional }) => [
    ["Type", "Secret (a volume populated by a Secret)"],
    ["SecretName", secretName ?? ""],
    ["Optional", optional === true],
  ],
  configMap: ({ name, optional }) => [
    ["Type", "ConfigMap (a volume populated by a ConfigMap)"],
    ["Name", name ?? ""],
    ["Optional", optional === true],
  ],
  persistentVolumeClaim: ({ claimName, readOnly }) => [
    ["Type", "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)"],
    ["ClaimName", claimName],
    ["ReadOnly", readOnly === true],
  ],
  nfs: ({ server, path, readOnly }) => [
    ["Type", "NFS (an NFS mount that lasts the lifetime of a pod)"],
    ["Server", server],
    ["Path", path],
    ["ReadOnly", readOnly === true],
  ],
  local: ({ path }) => [
    ["Type", "LocalVolume (a persistent volume backed by local storage on a node)"],
    ["Path", path],
  ],
  csi: (csi) => [
    ["Type", "CSI (a Container Storage Interface (CSI) volume source)"],
    ["Driver", csi.driver],
    ["FSType", csi.fsType ?? ""],
    ...("volumeHandle" in csi ? [["VolumeHandle", csi.volumeHandle] as const] : []),
    ["ReadOnly", csi.readOnly === true],
    ["VolumeAttributes", attributesText(csi.volumeAttributes)],
  ],
  projected: (projected) => [
    ["Type", "Projected (a volume that contains injected data from multiple sources)"],
    ...(projected.sources ?? []).flatMap(({ secret, downwardAPI, configMap, serviceAccountToken }): readonly Line[] => {
      if (secret !== undefined) {
        return [
          ["SecretName", secret.name ?? ""],
          ["Optional", secret.optional === true],
        ];
      }
      if (downwardAPI !== undefined) return [["DownwardAPI", true]];
      if (configMap !== undefined) {
        return [
          ["ConfigMapName", configMap.name ?? ""],
          ["Optional", configMap.optional === true],
        ];
      }
      return serviceAccountToken === undefined
        ? []
        : [["TokenExpirationSeconds", String(serviceAccountToken.expirationSeconds ?? 3600)]];
    }),
  ],
};

/** One a line, each behind four spaces, as kubectl prints them. */
function attributesText(attributes: { readonly [key: string]: string } | undefined): string {
  const texts = Object.entries(attributes ?? {}).map(([key, value]) => `    ${key}=${value}`);
  return texts.length === 0 ? "<none>" : texts.sort().join("\n        \t");
}

export function describeVolumes(out: Description, volumes: readonly Volume[] | undefined, inTemplate: boolean): void {
  const indent = inTemplate ? "  " : "";
  if (volumes === undefined || volumes.length === 0) {
    out.line(`${indent}Volumes:\t<none>`);
    return;
  }
  out.line(`${indent}Volumes:`);
  for (const volume of volumes) {
    out.line(`${inTemplate ? " " : ""}${volume.name}:`, 1);
    if (volume.downwardAPI !== undefined) describeDownward(out, volume.downwardAPI.items ?? []);
    else if (volume.ephemeral !== undefined) describeEphemeral(out, volume.ephemeral.volumeClaimTemplate);
    else describeSource(out, volume);
  }
}

/** The source that a volume has, below its name. */
export function describeSource(out: Description, volume: VolumeSource, isPersistent = false): void {
  for (const kind of Object.keys(sources) as (keyof VolumeSource)[]) {
    const source = volume[kind];
    const lines = sources[kind] as ((source: unknown, isPersistent: boolean) => readonly Line[]) | undefined;
    if (source === undefined || lines === undefined) continue;
    for (const [name, value, mark = ":"] of lines(source, isPersistent)) out.line(`${name}${mark}\t${value}`, 2);
    return;
  }
  out.line("<unknown>", 1);
}

/** The claim that will be made, as it stands in the Pod: kubectl writes its lines with their indent before each part of them. */
function describeEphemeral(out: Description, template: EphemeralVolumeSource["volumeClaimTemplate"]): void {
  out.field("Type", "EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)", 2);
  if (template === undefined) return;
  const { metadata = {}, spec } = template;
  const { storageClassName = "", volumeName = "", volumeMode, dataSource } = spec;
  out.field("StorageClass", metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? storageClassName, 2);
  out.field("Volume", volumeName, 2);
  out.labels("Labels", metadata.labels, 2);
  out.annotations("Annotations", metadata.annotations, 2);
  out.field("Capacity", volumeName === "" ? "" : "0", 2);
  out.field("Access Modes", "", 2);
  if (volumeMode !== undefined) out.field("VolumeMode", volumeMode, 2);
  if (dataSource === undefined) return;
  out.line("DataSource:", 2);
  if (dataSource.apiGroup !== undefined) out.field("APIGroup", dataSource.apiGroup, 3);
  out.field("Kind", dataSource.kind, 3);
  out.field("Name", dataSource.name, 3);
}

function describeDownward(out: Description, items: NonNullable<NonNullable<Volume["downwardAPI"]>["items"]>): void {
  out.field("Type", "DownwardAPI (a volume populated by information about the pod)", 2);
  out.line("Items:", 2);
  for (const { fieldRef, resourceFieldRef, path } of items) {
    if (fieldRef !== undefined) out.line(`${fieldRef.fieldPath} -> ${path}`, 3);
    if (resourceFieldRef !== undefined) out.line(`${resourceFieldRef.resource} -> ${path}`, 3);
  }
}
