// Volume sources of storage systems, most of which CSI drivers have replaced; they are still stored and described.

import type { PersistentVolumeSpec, Volume } from "#cluster/api/generated/types.ts";

export type Line = readonly [name: string, value: string | number | boolean];

type DiskSource = Omit<Volume, "name"> & Omit<PersistentVolumeSpec, keyof Volume>;
type Disks = { readonly [K in keyof DiskSource]?: (source: NonNullable<DiskSource[K]>) => readonly Line[] };

/** `Type` and the fields that follow, those of strings printed empty where absent. */
function lines(type: string, fields: { readonly [name: string]: string | number | boolean | undefined }): readonly Line[] {
  return [["Type", type], ...Object.entries(fields).map(([name, value]): Line => [name, value ?? ""])];
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
  glusterfs: (source) =>
    lines("Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)", {
      EndpointsName: source.endpoints,
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
  portworxVolume: ({ volumeID }) => lines("PortworxVolume (a Portworx Volume resource)", { VolumeID: volumeID }),
  flocker: ({ datasetName, datasetUUID }) =>
    lines("Flocker (a Flocker volume mounted by the Flocker agent)", { DatasetName: datasetName, DatasetUUID: datasetUUID }),
  image: ({ reference, pullPolicy }) =>
    lines("Image (a container image or OCI artifact)", { Reference: reference, PullPolicy: pullPolicy }),
};
