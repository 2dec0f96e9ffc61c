// The volume behind a claim: what it must be, and where its content is (volumemanager/populator; pkg/volume/hostpath, local).

import type { NodeSelector, PersistentVolume, PersistentVolumeClaim } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { Inode } from "#sim/filesystem/inode.ts";
import { containersOf, ephemeralContainersOf, initContainersOf, type StoredPod } from "../pod-spec.ts";
import type { CsiVolumes } from "./csi-volumes.ts";
import { ownTree } from "./ownership.ts";
import { unprocessed, VolumeError } from "./payload.ts";
import { hostPathRoot, type VolumeRoot } from "./volume-root.ts";

/** The volume that a claim is bound to. Throws VolumeError while there is none; `claim` is absent where it is missing. */
export function boundVolume(
  namespace: string,
  claimName: string,
  claim: Stored<PersistentVolumeClaim> | undefined,
  volumeNamed: (name: string) => Stored<PersistentVolume> | undefined,
): Stored<PersistentVolume> {
  const fault = (why: string) => unprocessed(`error processing PVC ${namespace}/${claimName}: ${why}`);
  if (claim === undefined) throw fault(`failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`);
  if (claim.metadata.deletionTimestamp !== undefined) throw fault("PVC is being deleted");
  const volumeName = claim.spec?.volumeName ?? "";
  if (volumeName === "" || claim.status?.phase !== "Bound") throw fault("PVC is not bound");
  const volume = volumeNamed(volumeName);
  if (volume === undefined) {
    throw fault(`failed to fetch PV ${volumeName} from API server: persistentvolumes "${volumeName}" not found`);
  }
  return volume;
}

/** A volume of files is mounted, one of blocks is a device: never the one for the other. Throws VolumeError. */
export function checkMode(pod: StoredPod, volume: string, { spec }: Stored<PersistentVolume>): void {
  const mode = spec?.volumeMode ?? "Filesystem";
  const field = mode === "Block" ? "volumeMounts" : "volumeDevices";
  for (const container of [...containersOf(pod), ...initContainersOf(pod), ...ephemeralContainersOf(pod)]) {
    if (container[field]?.some(({ name }) => name === volume) === true) {
      throw unprocessed(`volume ${volume} has volumeMode ${mode}, but is specified in ${field}`);
    }
  }
}

export interface PersistentRootOptions {
  readonly files: HostFiles;
  readonly recorder: EventRecorder;
  readonly isOnNode: (selector: NodeSelector) => boolean;
  readonly csi: CsiVolumes | undefined;
  /** Roots of volumes that other Pods of the node have mounted. */
  readonly others: () => readonly Inode[];
  /** Why a volume is not mounted that is neither hostPath nor local. */
  readonly fault: () => VolumeError;
}

/** Throws VolumeError; also for a volume of one Pod that another Pod here has mounted, whoever sent this one past the scheduler. */
export function persistentRoot(
  options: PersistentRootOptions,
  pod: StoredPod,
  volume: Stored<PersistentVolume>,
  readOnly: boolean,
): VolumeRoot {
  const place = rootOf(options, pod, volume, readOnly);
  const { accessModes = [] } = volume.spec ?? {};
  if (accessModes.length === 1 && accessModes[0] === "ReadWriteOncePod" && options.others().includes(place.root))
    throw new VolumeError("volume uses the ReadWriteOncePod access mode and is already in use by another pod");
  return place;
}

function rootOf(options: PersistentRootOptions, pod: StoredPod, volume: Stored<PersistentVolume>, readOnly: boolean): VolumeRoot {
  const { files, isOnNode, csi, recorder, fault } = options;
  const { metadata, spec = {} } = volume;
  const { hostPath, local, mountOptions = [], nodeAffinity } = spec;
  if (hostPath === undefined && local === undefined) {
    const place = csi?.mount(pod, volume, readOnly, recorder);
    if (place === undefined) throw fault();
    return place;
  }
  if (nodeAffinity?.required !== undefined && !isOnNode(nodeAffinity.required))
    throw new VolumeError("no matching NodeSelectorTerms", "MountVolume.NodeAffinity check failed");
  if (local !== undefined) checkLocalPath(files, local.path);
  // Neither of the two knows any.
  const annotated = metadata.annotations?.["volume.beta.kubernetes.io/mount-options"] ?? "";
  if (mountOptions.length > 0 || annotated !== "")
    throw new VolumeError("mount options are not supported for this volume type", "MountVolume.MountOptionSupport check failed");
  if (local === undefined) return { ...hostPathRoot(files, hostPath?.path ?? "", hostPath?.type ?? ""), readOnly };
  const root = { ...hostPathRoot(files, local.path, "Directory"), readOnly };
  if (!readOnly) ownLocal(options, pod, metadata.name, local.path, root.root);
  return root;
}

/** The first Pod on the node that mounts it decides about the group. */
function ownLocal(
  { files, recorder, others }: PersistentRootOptions,
  pod: StoredPod,
  volume: string,
  path: string,
  root: Inode,
): void {
  const { securityContext } = pod.spec ?? {};
  if (securityContext?.fsGroup === undefined) return;
  if (!others().includes(root)) ownTree(files, path, securityContext);
  else if (root.gid !== securityContext.fsGroup) {
    const requested = `The requested fsGroup is ${securityContext.fsGroup}, but the volume ${volume} has GID ${root.gid}.`;
    recorder.warning(pod, "AlreadyMountedVolume", `${requested} The volume may not be shareable.`);
  }
}

/** Throws VolumeError for what is not there, and for what is neither a directory nor a device. */
function checkLocalPath(files: HostFiles, path: string): void {
  const stage = "MountVolume.NewMounter initialization failed";
  if (!files.exists(path)) throw new VolumeError(`path "${path}" does not exist`, stage);
  if (files.stat(path).type !== "directory")
    throw new VolumeError("only directory and block device are supported for local volume", stage);
}
