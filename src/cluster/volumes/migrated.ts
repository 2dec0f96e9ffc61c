// Kinds of volumes whose work CSI drivers do, and what controllers and kubelets take such a volume for (csi-translation-lib).

import type { PersistentVolumeSpec, Volume } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Volume as StoredVolume } from "./matching.ts";

/** By kind: the driver, and the field that names the volume. */
const kinds = {
  awsElasticBlockStore: ["ebs.csi.aws.com", "volumeID"],
  azureDisk: ["disk.csi.azure.com", "diskName"],
  azureFile: ["file.csi.azure.com", "shareName"],
  cinder: ["cinder.csi.openstack.org", "volumeID"],
  gcePersistentDisk: ["pd.csi.storage.gke.io", "pdName"],
  portworxVolume: ["pxd.portworx.com", "volumeID"],
  vsphereVolume: ["csi.vsphere.vmware.com", "volumePath"],
} as const satisfies { readonly [kind: string]: readonly [driver: string, field: string] };

type Kind = keyof typeof kinds;
type Sources = { readonly [K in Kind]?: Volume[K] | PersistentVolumeSpec[K] };
type CsiSource = NonNullable<PersistentVolumeSpec["csi"]>;

export function migratedDriver(kind: string): string | undefined {
  return Object.hasOwn(kinds, kind) ? kinds[kind as Kind][0] : undefined;
}

/** As a PersistentVolume of its driver; undefined for a volume of another kind. */
export function migratedVolume(volume: Omit<Volume, "name">): StoredVolume | undefined {
  const found = csiSourceOf(volume);
  if (found === undefined) return undefined;
  const { csi, id, mode } = found;
  const metadata = { name: `${csi.driver}-${id}` } as Stored<object>["metadata"];
  return { apiVersion: "v1", kind: "PersistentVolume", metadata, spec: { csi, accessModes: [mode] } };
}

/** The volume with its driver's source, whatever it is written as. */
export function withCsiSource(volume: StoredVolume): StoredVolume {
  const csi = volume.spec?.csi ?? csiSourceOf(volume.spec ?? {})?.csi;
  return csi === undefined || csi === volume.spec?.csi ? volume : { ...volume, spec: { ...volume.spec, csi } };
}

function csiSourceOf(sources: Sources) {
  for (const kind of Object.keys(kinds) as Kind[]) {
    const source = sources[kind] as { readonly [field: string]: unknown } | undefined;
    if (source === undefined) continue;
    const [driver, field] = kinds[kind];
    // An EBS volume may be named with its zone: aws://eu-west-1a/vol-0a1b.
    const id = String(source[field] ?? "").replace(/^aws:\/\/.*\//u, "");
    const isReadOnly = source["readOnly"] === true;
    const csi: CsiSource = { driver, volumeHandle: handleOf(kind, id, source), ...(isReadOnly ? { readOnly: true } : {}) };
    return { csi, id, mode: modeOf(kind, isReadOnly) };
  }
  return undefined;
}

function modeOf(kind: Kind, isReadOnly: boolean): string {
  if (kind === "azureFile") return "ReadWriteMany";
  return isReadOnly && (kind === "gcePersistentDisk" || kind === "portworxVolume") ? "ReadOnlyMany" : "ReadWriteOnce";
}

function handleOf(kind: Kind, id: string, source: { readonly [field: string]: unknown }): string {
  if (kind === "azureDisk") return String(source["diskURI"] ?? "");
  if (kind === "gcePersistentDisk") return `projects/UNSPECIFIED/zones/UNSPECIFIED/disks/${id}`;
  if (kind !== "azureFile") return id;
  const secret = String(source["secretName"] ?? "");
  return `#${/^azure-storage-account-(.+)-secret$/u.exec(secret)?.[1] ?? secret}#${id}#`;
}
