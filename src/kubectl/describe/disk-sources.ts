// Volume sources of storage systems, most of which CSI drivers have replaced; they are still stored and described.

import type { PersistentVolumeSpec, Volume } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";

/** `mark` stands behind the name: a colon unless stated. */
export type Line = readonly [name: string, value: string | number | boolean, mark?: string];

type DiskSource = Omit<Volume, "name"> & Omit<PersistentVolumeSpec, keyof Volume>;
/** `isPersistent`: of a PersistentVolume, of which some kinds say more. */
type Disks = { readonly [K in keyof DiskSource]?: (source: NonNullable<DiskSource[K]>, isPersistent: boolean) => readonly Line[] };

/** As Go prints a pointer to one. */
function reference(secret: { readonly name?: string; readonly namespace?: string } | undefined, isPersistent: boolean): string {
  if (secret === undefined) return "nil";
  const { name = "", namespace = "" } = secret;
  return isPersistent ? `&SecretReference{Name:${name},Namespace:${namespace},}` : `&LocalObjectReference{Name:${name},}`;
}

function goList(values: readonly string[] | undefined): string {
  return `[${(values ?? []).join(" ")}]`;
}

function goMap(values: { readonly [key: string]: string } | undefined): string {
  const texts = Object.keys(values ?? {}).sort(compareBytes);
  return `map[${texts.map((key) => `${key}:${values?.[key]}`).join(" ")}]`;
}

/** `Type` and the fields that follow, those of strings printed empty where absent. */
function lines(type: string, fields: { readonly [name: string]: string | number | boolean | undefined }): readonly Line[] {
  return [["Type", type], ...fieldLines(fields)];
}

function fieldLines(fields: { readonly [name: string]: string | number | boolean | undefined }): readonly Line[] {
  return Object.entries(fields).map(([name, value]): Line => [name, value ?? ""]);
}

export const diskSources: Disks = {
  gcePersistentDisk: ({ pdName, fsType, partition = 0, readOnly = false }) =>
    lines("GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)", {
      PDName: pdName,
      FSType: fsType,
      Partition: partition,
      ReadOnly: readOnly,
    }),
  awsElasticBlockStore: ({ volumeID, fsType, partition = 0, readOnly = false }) =>
    lines("AWSElasticBlockStore (a Persistent Disk resource in AWS)", {
      VolumeID: volumeID,
      FSType: fsType,
      Partition: partition,
      ReadOnly: readOnly,
    }),
  gitRepo: ({ repository, revision }) =>
    lines("GitRepo (a volume that is pulled from git when the pod is created)", { Repository: repository, Revision: revision }),
  glusterfs: (source, isPersistent) =>
    lines("Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)", {
      EndpointsName: source.endpoints,
      ...(isPersistent
        ? { EndpointsNamespace: "endpointsNamespace" in source ? String(source.endpointsNamespace) : "<unset>" }
        : {}),
      Path: source.path,
      ReadOnly: source.readOnly === true,
    }),
  vsphereVolume: ({ volumePath, fsType, storagePolicyName }) =>
    lines("vSphereVolume (a Persistent Disk resource in vSphere)", {
      VolumePath: volumePath,
      FSType: fsType,
      StoragePolicyName: storagePolicyName,
    }),
  azureDisk: ({ diskName, diskURI, kind, fsType, cachingMode, readOnly = false }) =>
    lines("AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)", {
      DiskName: diskName,
      DiskURI: diskURI,
      Kind: kind,
      FSType: fsType,
      CachingMode: cachingMode,
      ReadOnly: readOnly,
    }),
  fc: ({ targetWWNs = [], lun, fsType, readOnly = false }) =>
    lines("FC (a Fibre Channel disk)", {
      TargetWWNs: targetWWNs.join(", "),
      LUN: lun ?? "<none>",
      FSType: fsType,
      ReadOnly: readOnly,
    }),
  iscsi: (source, isPersistent) => [
    ...lines("ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)", {
      TargetPortal: source.targetPortal,
      IQN: source.iqn,
      Lun: source.lun,
    }),
    // Upstream has left out the colon.
    ["ISCSIInterface", source.iscsiInterface ?? "", ""],
    ...fieldLines({
      FSType: source.fsType,
      ReadOnly: source.readOnly === true,
      Portals: goList(source.portals),
      DiscoveryCHAPAuth: source.chapAuthDiscovery === true,
      SessionCHAPAuth: source.chapAuthSession === true,
      SecretRef: reference(source.secretRef, isPersistent),
      InitiatorName: source.initiatorName ?? "<none>",
    }),
  ],
  rbd: ({ monitors, image, fsType, pool, user, keyring, secretRef, readOnly }, isPersistent) =>
    lines("RBD (a Rados Block Device mount on the host that shares a pod's lifetime)", {
      CephMonitors: goList(monitors),
      RBDImage: image,
      FSType: fsType,
      RBDPool: pool,
      RadosUser: user,
      Keyring: keyring,
      SecretRef: reference(secretRef, isPersistent),
      ReadOnly: readOnly === true,
    }),
  quobyte: ({ registry, volume, readOnly }) =>
    lines("Quobyte (a Quobyte mount on the host that shares a pod's lifetime)", {
      Registry: registry,
      Volume: volume,
      ReadOnly: readOnly === true,
    }),
  cinder: ({ volumeID, fsType, readOnly, secretRef }, isPersistent) =>
    lines("Cinder (a Persistent Disk resource in OpenStack)", {
      VolumeID: volumeID,
      FSType: fsType,
      ReadOnly: readOnly === true,
      SecretRef: reference(secretRef, isPersistent),
    }),
  photonPersistentDisk: ({ pdID, fsType }) =>
    lines("PhotonPersistentDisk (a Persistent Disk resource in photon platform)", { PdID: pdID, FSType: fsType }),
  scaleIO: (source, isPersistent) => {
    const { name = "", namespace = "" } = (source.secretRef ?? {}) as { readonly name?: string; readonly namespace?: string };
    return lines("ScaleIO (a persistent volume backed by a block device in ScaleIO)", {
      Gateway: source.gateway,
      System: source.system,
      "Protection Domain": source.protectionDomain,
      "Storage Pool": source.storagePool,
      "Storage Mode": source.storageMode,
      VolumeName: source.volumeName,
      ...(isPersistent ? { SecretName: name, SecretNamespace: namespace } : {}),
      FSType: source.fsType,
      ReadOnly: source.readOnly === true,
    });
  },
  cephfs: ({ monitors, path, user, secretFile, secretRef, readOnly }, isPersistent) =>
    lines("CephFS (a CephFS mount on the host that shares a pod's lifetime)", {
      Monitors: goList(monitors),
      Path: path,
      User: user,
      SecretFile: secretFile,
      SecretRef: reference(secretRef, isPersistent),
      ReadOnly: readOnly === true,
    }),
  storageos: ({ volumeName, volumeNamespace, fsType, readOnly }) =>
    lines("StorageOS (a StorageOS Persistent Disk resource)", {
      VolumeName: volumeName,
      VolumeNamespace: volumeNamespace,
      FSType: fsType,
      ReadOnly: readOnly === true,
    }),
  azureFile: (source, isPersistent) =>
    lines("AzureFile (an Azure File Service mount on the host and bind mount to the pod)", {
      SecretName: source.secretName,
      ...(isPersistent ? { SecretNamespace: "secretNamespace" in source ? String(source.secretNamespace) : "" } : {}),
      ShareName: source.shareName,
      ReadOnly: source.readOnly === true,
    }),
  flexVolume: ({ driver, fsType, secretRef, readOnly, options }, isPersistent) =>
    lines("FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)", {
      Driver: driver,
      FSType: fsType,
      SecretRef: reference(secretRef, isPersistent),
      ReadOnly: readOnly === true,
      Options: goMap(options),
    }),
  portworxVolume: ({ volumeID }) => lines("PortworxVolume (a Portworx Volume resource)", { VolumeID: volumeID }),
  flocker: ({ datasetName, datasetUUID }) =>
    lines("Flocker (a Flocker volume mounted by the Flocker agent)", { DatasetName: datasetName, DatasetUUID: datasetUUID }),
  image: ({ reference, pullPolicy }) =>
    lines("Image (a container image or OCI artifact)", { Reference: reference, PullPolicy: pullPolicy }),
};
