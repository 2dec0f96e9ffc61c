// Defaults of volumes (pkg/apis/core/v1/defaults.go): an empty directory where no source is named, file modes.

import type { AzureDiskVolumeSource, DownwardAPIVolumeFile, Volume, VolumeProjection } from "#cluster/api/generated/types.ts";
import { changed, each, filled, withoutZero } from "../../filling.ts";
import { defaultPullPolicy } from "../pods/image-reference.ts";

const fileMode = 0o644;
const tokenLifetimeSeconds = 3600;

export function volumeDefaults(volume: Volume): Volume {
  let result = Object.keys(volume).every((name) => name === "name") ? { ...volume, emptyDir: {} } : volume;
  result = changed(result, "secret", (secret) => filled(secret, { defaultMode: fileMode }));
  result = changed(result, "configMap", (configMap) => filled(configMap, { defaultMode: fileMode }));
  result = changed(result, "downwardAPI", (source) =>
    changed(filled(source, { defaultMode: fileMode }), "items", (items) => each(items, downwardFileDefaults)),
  );
  result = changed(result, "projected", (projected) =>
    changed(filled(projected, { defaultMode: fileMode }), "sources", (sources) => each(sources, projectionDefaults)),
  );
  result = changed(result, "hostPath", (hostPath) => filled(hostPath, { type: "" }));
  result = changed(result, "image", (image) =>
    filled(withoutZero(image, "pullPolicy"), { pullPolicy: defaultPullPolicy(image.reference ?? "") }),
  );
  result = changed(result, "ephemeral", (ephemeral) =>
    changed(ephemeral, "volumeClaimTemplate", (template) =>
      changed(template, "spec", (spec) => filled(spec, { volumeMode: "Filesystem" })),
    ),
  );
  return diskDefaults(result);
}

/** The sources that Volumes and PersistentVolumes have in common. */
interface Disks {
  readonly iscsi?: { readonly iscsiInterface?: string };
  readonly rbd?: { readonly pool?: string; readonly user?: string; readonly keyring?: string };
  readonly azureDisk?: AzureDiskVolumeSource;
  readonly scaleIO?: { readonly storageMode?: string; readonly fsType?: string };
}

/** Storage systems' own words for what is left out. */
export function diskDefaults<V extends Disks>(volume: V): V {
  let result: Disks = changed<Disks, "iscsi">(volume, "iscsi", (iscsi) =>
    filled(withoutZero(iscsi, "iscsiInterface"), { iscsiInterface: "default" }),
  );
  result = changed(result, "rbd", (rbd) =>
    filled(withoutZero(rbd, "pool", "user", "keyring"), { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" }),
  );
  result = changed(result, "azureDisk", (disk) =>
    filled(disk, { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" }),
  );
  result = changed(result, "scaleIO", (volume) =>
    filled(withoutZero(volume, "storageMode", "fsType"), { storageMode: "ThinProvisioned", fsType: "xfs" }),
  );
  return result as V;
}

function downwardFileDefaults(file: DownwardAPIVolumeFile): DownwardAPIVolumeFile {
  return changed(file, "fieldRef", (reference) => filled(withoutZero(reference, "apiVersion"), { apiVersion: "v1" }));
}

function projectionDefaults(projection: VolumeProjection): VolumeProjection {
  const withToken = changed(projection, "serviceAccountToken", (token) =>
    filled(token, { expirationSeconds: tokenLifetimeSeconds }),
  );
  return changed(withToken, "downwardAPI", (source) => changed(source, "items", (items) => each(items, downwardFileDefaults)));
}
