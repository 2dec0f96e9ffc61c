// Why a node here does not mount a volume, in the words of upstream's plugins (pkg/volume).

import type { CSIDriver, PersistentVolumeSpec, Volume } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { migratedDriver, migratedVolume } from "#cluster/volumes/migrated.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { SysError } from "#sim/errors.ts";
import type { FileType } from "#sim/files.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { StoredPod } from "../pod-spec.ts";
import { NotYet, unprocessed, VolumeError } from "./payload.ts";

/** Of volumes that the kubelet does not even try to mount: `faults` says why, by volume; `unmounted` has others too. */
export function waitMessage(unmounted: readonly string[], faults: ReadonlyMap<string, string>): string {
  const shown = (names: readonly string[]) => `[${[...names].sort(compareBytes).join(" ")}]`;
  const why = [...new Set(faults.values())].sort(compareBytes).join("; ");
  const failed = `failed to process volumes=${shown([...faults.keys()])}: ${why}`;
  return `Unable to attach or mount volumes: unmounted volumes=${shown(unmounted)}, unattached volumes=[], ${failed}`;
}

/** Why a Pod has no token: there was none, or the one that there was could not be renewed (pkg/kubelet/token). */
export function tokenFault(
  pod: StoredPod,
  audience: string | undefined,
  expirationSeconds: number,
  hasExpired: boolean,
  problem: string,
): VolumeError {
  if (!hasExpired) return new VolumeError(`failed to fetch token: ${problem}`);
  const { name, namespace, uid } = pod.metadata;
  const quoted = (text: string | undefined) => JSON.stringify(text ?? "");
  const audiences = audience === undefined ? "[]string(nil)" : `[]string{${quoted(audience)}}`;
  const bound = `v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:${quoted(name)}, UID:${quoted(uid)}}`;
  const account = `${quoted(pod.spec?.serviceAccountName ?? "default")}/${quoted(namespace)}`;
  return new VolumeError(`token ${account}/${audiences}/${expirationSeconds}/${bound}/"" expired and refresh failed: ${problem}`);
}

/** As Go prints hostutil.FileType; a named pipe is of none of its types. */
const shownTypes: { readonly [type in FileType]?: string } = {
  file: "File",
  directory: "Directory",
  socket: "Socket",
  character: "CharDevice",
};

const described: { readonly [type: string]: string } = {
  DirectoryOrCreate: "directory",
  Directory: "directory",
  FileOrCreate: "file",
  File: "file",
  Socket: "socket file",
  CharDevice: "character device",
  BlockDevice: "block device",
};

/** A path of the node that is not what the volume's `type` wants (hostpath: typeMatchedOrError); `actual` is absent where nothing is. */
export function hostPathFault(path: string, type: string, actual: FileType | undefined): VolumeError {
  if (actual === undefined) return new VolumeError(`hostPath ${path} doesn't exist`);
  const failed = "hostPath type check failed";
  const shown = shownTypes[actual];
  return new VolumeError(
    shown === undefined
      ? `${failed}, ${path} is not a ${described[type]}, unable to determine its type: only recognise file, directory, socket, block device and character device`
      : `${failed}: ${path} is not a ${described[type]}, it's a ${shown}`,
  );
}

/** `open /a/f: no such file or directory`; of a directory Go names the first of its path that is in the way. */
export function makingFault(files: HostFiles, operation: "mkdir" | "open", path: string, error: SysError): VolumeError {
  let named = path;
  if (operation === "mkdir") {
    const parts = path.split("/").filter((part) => part !== "");
    const paths = parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
    named = paths.find((each) => !files.exists(each) || files.stat(each).type !== "directory") ?? path;
  }
  return new VolumeError(`${operation} ${named}: ${asciiLowerCase(error.message)}`);
}

/** Kinds that the release has no plugin for, and flexVolume, whose drivers no node here has. */
const removed: ReadonlySet<string> = new Set([
  "cephfs",
  "flexVolume",
  "flocker",
  "glusterfs",
  "photonPersistentDisk",
  "quobyte",
  "rbd",
  "scaleIO",
  "storageos",
]);

export interface Unmounted {
  /** The volume's name, or that of the PersistentVolume. */
  readonly name: string;
  readonly source: Omit<Volume, "name" | "csi"> | PersistentVolumeSpec;
  /** Of the Pod's volume itself. */
  readonly inline?: Volume["csi"];
  readonly isReadOnly: boolean;
  readonly mountOptions: readonly string[];
  /** Where it would be mounted: `/var/lib/kubelet/pods/UID/volumes`. */
  readonly directory: string;
  readonly csiDriver: (name: string) => CSIDriver | undefined;
  /** Somebody attaches volumes to nodes: the attach-detach controller tells what keeps it from that. */
  readonly isAttaching: boolean;
}

const fields = new Set(["name", "accessModes", "capacity", "claimRef", "mountOptions", "nodeAffinity", "volumeMode"]);
const policies = new Set(["persistentVolumeReclaimPolicy", "storageClassName", "volumeAttributesClassName"]);

/** Of a volume that is neither the node's nor made of files from the API, and of an emptyDir on what no node here has. */
export function sourceFault(volume: Unmounted): VolumeError {
  const { name, source, inline, csiDriver } = volume;
  const kind = Object.keys(source).find((each) => !fields.has(each) && !policies.has(each)) ?? "";
  if (inline !== undefined) return inlineFault(inline.driver, csiDriver(inline.driver));
  if (removed.has(kind))
    return unprocessed(`failed to get Plugin from volumeSpec for volume "${name}" err=no volume plugin matched`);
  if (kind === "gitRepo") {
    return new VolumeError(
      "git-repo volume plugin has been disabled; if necessary, it may be re-enabled by enabling the feature-gate `GitRepoVolumeDriver`",
    );
  }
  if ("emptyDir" in source) return mediumFault(source.emptyDir?.medium ?? "");
  if (source.nfs !== undefined) return nfsFault(volume, source.nfs);
  const driver = "csi" in source ? source.csi?.driver : migratedDriver(kind);
  if (driver !== undefined && csiDriver(driver)?.spec.attachRequired === false) {
    const plugin = "kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient";
    const about = "accessModes" in source ? undefined : migratedVolume(source)?.metadata.name;
    return new VolumeError(`${plugin}: ${unregistered(driver)}`, "MountVolume.MountDevice failed", about);
  }
  if (driver !== undefined && volume.isAttaching) return new NotYet();
  return new VolumeError(`volumes of type ${kind} are not simulated`);
}

/** The API server takes any medium; the kubelet knows "", Memory and huge pages, of which no node has any (emptydir: SetUpAt). */
function mediumFault(medium: string): VolumeError {
  return new VolumeError(
    medium === "HugePages" || medium.startsWith("HugePages-")
      ? `medium ${medium}: hugePages storage requested, but there is no resource request for huge pages`
      : `unknown storage medium "${medium}"`,
  );
}

function unregistered(driver: string): string {
  return `driver name ${driver} not found in the list of registered CSI drivers`;
}

/** A driver is asked for a Pod's own volumes only if it says that it knows such. */
function inlineFault(name: string, driver: CSIDriver | undefined): VolumeError {
  const modes = driver?.spec.volumeLifecycleModes ?? [];
  if (modes.includes("Ephemeral")) {
    return new VolumeError(`kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: ${unregistered(name)}`);
  }
  const why = driver === undefined ? "no CSIDriver object" : `only supports ${`[${modes.map((mode) => `"${mode}"`).join(" ")}]`}`;
  const message = `volume mode "Ephemeral" not supported by driver ${name} (${why})`;
  return new VolumeError(message, "MountVolume.NewMounter initialization failed");
}

/** No node here has a program that mounts NFS: what `mount` of util-linux says then. */
function nfsFault(
  volume: Unmounted,
  nfs: { readonly server: string; readonly path: string; readonly readOnly?: boolean },
): VolumeError {
  const { name, mountOptions, directory } = volume;
  const target = `${directory}/kubernetes.io~nfs/${name}`;
  const options = [...mountOptions, ...(nfs.readOnly === true || volume.isReadOnly ? ["ro"] : [])];
  const shown = [...new Set(options)].sort().join(",");
  return new VolumeError(
    [
      "mount failed: exit status 32",
      "Mounting command: mount",
      `Mounting arguments: -t nfs ${shown === "" ? "" : `-o ${shown} `}${nfs.server}:${nfs.path} ${target}`,
      `Output: mount: ${target}: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.`,
      "       dmesg(1) may have more information after failed mount system call.",
      "",
    ].join("\n"),
  );
}
