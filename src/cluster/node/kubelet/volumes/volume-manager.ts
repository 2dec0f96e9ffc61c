// The volumes of a node's pods: made before the sandbox, mounted into containers, kept up to date, taken away at the end.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Container, CSIDriver, NodeSelector, PersistentVolume, Volume, VolumeMount } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import { rootCaller } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { DirectoryInode, type FileInode, type Inode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import { openAccount, type StorageAccount } from "#sim/filesystem/storage-account.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Sandbox } from "../../runtime/cri.ts";
import type { DownwardContext } from "../downward.ts";
import { ConfigError } from "../environment.ts";
import { containersOf, ephemeralContainersOf, initContainersOf, type StoredPod } from "../pod-spec.ts";
import { call, type Task } from "../task.ts";
import { writePayload } from "./atomic-writer.ts";
import type { CsiVolumes } from "./csi-volumes.ts";
import { lateVolumes } from "./late-volumes.ts";
import { type DnsSettings, hostsFile, resolvConf } from "./network-files.ts";
import { isSamePayload, type Payload, type PayloadSources, payloadOf, VolumeError } from "./payload.ts";
import { mountPathOf, subPathOf } from "./sub-path.ts";
import { tmpfsBytes } from "./tmpfs-size.ts";
import { TreeBuilder } from "./tree.ts";
import type { Unmounted } from "./volume-faults.ts";
import type { VolumeRoot } from "./volume-root.ts";
import { hostPathRoot } from "./volume-root.ts";

export interface VolumeManagerOptions {
  readonly simulation: Simulation;
  readonly recorder: EventRecorder;
  readonly files: HostFiles;
  /** A file system in memory, for emptyDir's medium Memory. */
  readonly createTmpfs: (limitBytes: number) => Mount["fileSystem"];
  readonly sources: PayloadSources;
  readonly contextOf: (pod: StoredPod) => DownwardContext;
  readonly dns: () => DnsSettings;
  readonly isOnNode: (selector: NodeSelector) => boolean;
  /** The volume behind a claim. Throws VolumeError while it cannot be mounted. */
  readonly persistentVolume: (pod: StoredPod, claimName: string) => Stored<PersistentVolume>;
  readonly csiDriver: (name: string) => CSIDriver | undefined;
  /** Undefined: no driver can register here. */
  readonly csi: CsiVolumes | undefined;
}

/** What a volume takes of the node's disk. */
export interface VolumeUse {
  readonly name: string;
  readonly usedBytes: number;
  readonly inodes: number;
}

interface MountedVolume {
  readonly place: VolumeRoot;
  payload: Payload | undefined;
  /** Of an emptyDir on the disk. */
  readonly account?: StorageAccount;
}

interface Problem {
  /** Empty where the kubelet did not even try. */
  readonly stage: string;
  readonly name: string;
  readonly message: string;
}

/** Of a volume that could not be mounted: when it is tried again, and how long it waited for that. */
interface Backoff {
  readonly dueMs: number;
  readonly delayMs: number;
}

interface PodVolumes {
  readonly directory: DirectoryInode;
  readonly volumes: Map<string, MountedVolume>;
  /** By volume; they outlive the syncs that waited in vain (nestedpendingoperations.go). */
  readonly backoffs: Map<string, Backoff>;
  /** Paths on the node at which file systems in memory are mounted. */
  readonly inMemory: string[];
  hosts: FileInode | undefined;
  /** Undefined where an earlier kubelet made the sandbox. */
  resolvConf: string | undefined;
  resolv: FileInode | undefined;
  hostname: FileInode | undefined;
}

const podsDirectory = "/var/lib/kubelet/pods";
/** Between attempts to mount: it doubles. */
export const firstRetryMs = 500;
export const maximumRetryMs = 122_000;
const waitLimitMs = 123_000;
/** Links within links that are followed, as by Linux. */
const maxLinks = 40;

export class VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #tree: TreeBuilder;
  readonly #pods: DirectoryInode;
  readonly #mounted = new Map<string, PodVolumes>();

  constructor(options: VolumeManagerOptions) {
    this.#options = options;
    options.files.makeDirectories(podsDirectory);
    const { fileSystem, root } = options.files.bind(podsDirectory);
    this.#pods = root as DirectoryInode;
    this.#tree = new TreeBuilder(fileSystem, () => options.simulation.nowMs);
  }

  /** Makes all volumes of a pod, again and again while something is missing; false when it waited too long. */
  *mount(pod: StoredPod): Task<boolean> {
    const { simulation, recorder } = this.#options;
    const podVolumes = this.#podVolumes(pod);
    const used = usedVolumes(pod);
    // The runtime mounts images, and nobody what no container asks for.
    const wanted = pod.spec?.volumes?.filter(({ name, image }) => image === undefined && used.has(name)) ?? [];
    const missing = wanted.filter((volume) => !podVolumes.volumes.has(volume.name));
    if (missing.length === 0) return true;
    const startedMs = simulation.nowMs;
    yield* this.#sleep(100 + simulation.random.below(200));
    for (let pollMs = firstRetryMs; ; pollMs = Math.min(pollMs * 2, maximumRetryMs)) {
      const failed = missing.filter(({ name }) => !podVolumes.volumes.has(name));
      const faults = this.#tryDue(pod, podVolumes, failed);
      const waiting = failed.map(({ name }) => name).filter((name) => !podVolumes.volumes.has(name));
      if (waiting.length === 0) return true;
      if (faults.size > 0) {
        recorder.warning(pod, "FailedMount", lateVolumes.code.waitMessage(waiting, faults));
        return false;
      }
      const next = waiting.map((name) => podVolumes.backoffs.get(name)?.dueMs ?? simulation.nowMs + pollMs);
      const nextMs = Math.min(...next);
      // That it has waited in vain, upstream's kubelet tells nobody since 1.27.
      if (nextMs - startedMs > waitLimitMs) return false;
      yield* this.#sleep(nextMs - simulation.nowMs);
    }
  }

  /** Tries the volumes whose time has come; what keeps it from even trying, by volume. */
  #tryDue(pod: StoredPod, podVolumes: PodVolumes, volumes: readonly Volume[]): Map<string, string> {
    const { simulation, recorder } = this.#options;
    const faults = new Map<string, string>();
    for (const volume of volumes) {
      const { name } = volume;
      const earlier = podVolumes.backoffs.get(name);
      if (earlier !== undefined && simulation.nowMs < earlier.dueMs) continue;
      const problem = this.#tryMount(pod, podVolumes, volume);
      if (problem === undefined) podVolumes.backoffs.delete(name);
      else if (problem.stage === "") faults.set(name, problem.message);
      else if (problem.message !== "") {
        const delayMs = earlier === undefined ? firstRetryMs : Math.min(earlier.delayMs * 2, maximumRetryMs);
        podVolumes.backoffs.set(name, { dueMs: simulation.nowMs + delayMs, delayMs });
        recorder.warning(pod, "FailedMount", `${problem.stage} for volume "${problem.name}" : ${problem.message}`);
      }
    }
    return faults;
  }

  /**
   * Writes changed ConfigMaps, Secrets, labels and tokens into the pod's volumes. False where that failed: what is there stays until the
   * object is readable again, and there is room for it.
   */
  refresh(pod: StoredPod): boolean {
    let isDone = true;
    const podVolumes = this.#mounted.get(pod.metadata.uid);
    if (podVolumes === undefined) return isDone;
    for (const volume of pod.spec?.volumes ?? []) {
      const mounted = podVolumes.volumes.get(volume.name);
      if (mounted?.payload === undefined) continue;
      try {
        const payload = payloadOf(volume, this.#options.contextOf(pod), this.#options.sources);
        if (payload === undefined || isSamePayload(payload, mounted.payload)) continue;
        this.#write(mounted.place, payload, pod);
        mounted.payload = payload;
      } catch (error) {
        // Without the API server, the kubelet goes by what it has read.
        if (error instanceof ApiUnreachable) continue;
        isDone = false;
        this.#options.recorder.warning(
          pod,
          "FailedMount",
          `MountVolume.SetUp failed for volume "${volume.name}" : ${causeOf(error)}`,
        );
      }
    }
    return isDone;
  }

  /** Nothing of the pod runs any more: its volumes go, its directory stays while the API has the pod. */
  unmount(pod: StoredPod): void {
    const { uid } = pod.metadata;
    const podVolumes = this.#mounted.get(uid);
    if (podVolumes === undefined) return;
    this.#mounted.delete(uid);
    this.#options.csi?.unmount(uid);
    const { mountNamespace } = this.#options.files;
    const own = `${podsDirectory}/${uid}/volumes/kubernetes.io~empty-dir/`;
    // Deepest first: what containers left mounted in an emptyDir goes with it.
    for (const { path } of mountNamespace.mounts.filter((mount) => mount.path.startsWith(own)).toReversed())
      if (!podVolumes.inMemory.includes(path)) mountNamespace.remove(path);
    for (const path of podVolumes.inMemory) {
      const mount = mountNamespace.mountAt(path);
      if (mount === undefined) continue;
      mount.fileSystem.discard();
      mountNamespace.remove(path);
    }
    for (const name of ["volumes", "plugins"]) {
      const directory = podVolumes.directory.lookup(name, rootCaller);
      if (!(directory instanceof DirectoryInode)) continue;
      this.#tree.release(directory);
      for (const kind of directory.names(rootCaller)) directory.remove(kind, rootCaller);
    }
  }

  /** The pod is gone: its directory goes too (cleanupOrphanedPodDirs). */
  remove(uid: string): void {
    this.#options.csi?.unmount(uid);
    const directory = this.#pods.lookup(uid, rootCaller);
    if (!(directory instanceof DirectoryInode)) return;
    this.#tree.release(directory);
    this.#pods.remove(uid, rootCaller);
  }

  /** A new sandbox gets a new /etc/resolv.conf; events tell what of the Pod's DNS settings could not be followed. */
  makeResolvConf(pod: StoredPod): void {
    const { dns, recorder } = this.#options;
    const podVolumes = this.#podVolumes(pod);
    podVolumes.resolvConf = resolvConf(pod, dns(), recorder);
    podVolumes.resolv = undefined;
  }

  /** Mounts of one container. Throws ConfigError for a subPath that leads out of its volume, or nowhere in it. */
  mountsFor(pod: StoredPod, spec: Container, sandbox: Sandbox, values: ReadonlyMap<string, string>): readonly Mount[] {
    const podVolumes = this.#podVolumes(pod);
    const mounts: Mount[] = this.#networkFiles(pod, podVolumes, sandbox);
    for (const mount of spec.volumeMounts ?? []) {
      const mounted = podVolumes.volumes.get(mount.name);
      if (mounted === undefined && isImage(pod, mount.name)) continue;
      if (mounted === undefined) throw new ConfigError(`cannot find volume "${mount.name}" to mount into container "${spec.name}"`);
      const { fileSystem, root, readOnly, source } = this.#atSubPath(mounted.place, mount, spec.name, values);
      const path = mountPathOf(mount);
      const volume: Mount = { path, fileSystem, root, source, readOnly: readOnly === true || mount.readOnly === true };
      if (this.#isPlain(mount, source)) mounts.push(volume);
      else mounts.push(...lateVolumes.code.deepMounts(this.#options.files, mount, volume, sandbox));
    }
    return mounts;
  }

  /** Nothing else comes with the mount: no other one of the machine below it, now or later. */
  #isPlain({ mountPropagation = "None", recursiveReadOnly = "Disabled" }: VolumeMount, source: string | undefined): boolean {
    if (mountPropagation !== "None" || recursiveReadOnly !== "Disabled") return false;
    const { mounts } = this.#options.files.mountNamespace;
    return source === undefined || !(source === "/" || mounts.some(({ path }) => path.startsWith(`${source}/`)));
  }

  /** An empty file for a container's termination message: `containers/CONTAINER/8 hex digits`, one for each start. */
  terminationLog(pod: StoredPod, container: string): { readonly fileSystem: Mount["fileSystem"]; readonly root: FileInode } {
    const containers = this.#tree.childDirectory(this.#podVolumes(pod).directory, "containers", 0o750);
    const root = this.#tree.file("", 0o666);
    this.#tree.childDirectory(containers, container, 0o750).set(root.id.toString(16).padStart(8, "0"), root);
    return { fileSystem: this.#tree.fileSystem, root };
  }

  /** What a pod's emptyDirs on the disk take now. */
  useOf(podUid: string): readonly VolumeUse[] {
    const uses: VolumeUse[] = [];
    for (const [name, { account }] of this.#mounted.get(podUid)?.volumes ?? [])
      if (account !== undefined) uses.push({ name, usedBytes: account.usedBytes, inodes: account.inodes });
    return uses;
  }

  *#sleep(delayMs: number): Task<void> {
    yield* call<void>((done) => this.#options.simulation.after(delayMs, () => done()));
  }

  #podVolumes(pod: StoredPod): PodVolumes {
    const { uid } = pod.metadata;
    const known = this.#mounted.get(uid);
    if (known !== undefined) return known;
    // A kubelet that starts anew finds what an earlier one made.
    const directory = this.#tree.childDirectory(this.#pods, uid, 0o750);
    this.#tree.childDirectory(directory, "volumes", 0o750);
    this.#tree.childDirectory(directory, "plugins", 0o750);
    const made: PodVolumes = {
      directory,
      volumes: new Map(),
      backoffs: new Map(),
      inMemory: [],
      hosts: undefined,
      resolvConf: undefined,
      resolv: undefined,
      hostname: undefined,
    };
    this.#mounted.set(uid, made);
    return made;
  }

  /** Why a volume cannot be mounted; behind a claim stands the PersistentVolume, and gives its name. */
  #tryMount(pod: StoredPod, podVolumes: PodVolumes, volume: Volume): Problem | undefined {
    let name = volume.name;
    try {
      const persistent = this.#persistentVolume(pod, volume);
      name = persistent?.metadata.name ?? name;
      if (persistent !== undefined) lateVolumes.code.checkMode(pod, volume.name, persistent);
      podVolumes.volumes.set(volume.name, this.#make(pod, podVolumes, volume, persistent));
      return undefined;
    } catch (error) {
      const { stage = "MountVolume.SetUp failed", volume: told = name } = error instanceof VolumeError ? error : {};
      return { stage, name: told, message: causeOf(error) };
    }
  }

  #persistentVolume(pod: StoredPod, { name, ephemeral, persistentVolumeClaim }: Volume): Stored<PersistentVolume> | undefined {
    const claim = ephemeral === undefined ? persistentVolumeClaim?.claimName : `${pod.metadata.name}-${name}`;
    return claim === undefined ? undefined : this.#options.persistentVolume(pod, claim);
  }

  #make(pod: StoredPod, podVolumes: PodVolumes, volume: Volume, persistent: Stored<PersistentVolume> | undefined): MountedVolume {
    const payload = payloadOf(volume, this.#options.contextOf(pod), this.#options.sources);
    if (payload !== undefined) {
      // Programs read them, whatever their mounts say; ConfigMaps alone are on the disk.
      const kind = payloadKind(volume);
      const place = this.#ownPlace(pod, podVolumes, volume, kind, kind !== "configmap");
      this.#write(place, payload, pod);
      this.#markReady(podVolumes, `wrapped_${volume.name}`);
      return { place: { ...place, readOnly: true }, payload };
    }
    const place =
      persistent === undefined
        ? this.#placeOf(pod, podVolumes, volume)
        : this.#persistentRoot(pod, persistent, volume.persistentVolumeClaim?.readOnly === true);
    const { account } = place.root;
    return { place, payload: undefined, ...(account === undefined || !isEmptyDir(volume) ? {} : { account }) };
  }

  #placeOf(pod: StoredPod, podVolumes: PodVolumes, volume: Volume): VolumeRoot {
    const { emptyDir, hostPath } = volume;
    if (hostPath !== undefined) return hostPathRoot(this.#options.files, hostPath.path, hostPath.type ?? "");
    // A volume without a source is an emptyDir.
    const { medium = "" } = emptyDir ?? {};
    const isInMemory = medium === "Memory";
    if (!isEmptyDir(volume) || (medium !== "" && !isInMemory)) {
      const { name, csi, ...source } = volume;
      throw this.#fault(pod, { name, source, inline: csi, isReadOnly: false, mountOptions: [] });
    }
    const place = this.#ownPlace(pod, podVolumes, volume, "empty-dir", isInMemory);
    this.#markReady(podVolumes, volume.name);
    if (!isInMemory && place.root.account === undefined) openAccount(place.root as DirectoryInode);
    return { ...place, source: volumePath(pod, "empty-dir", volume.name) };
  }

  #persistentRoot(pod: StoredPod, volume: Stored<PersistentVolume>, readOnly: boolean): VolumeRoot {
    const { metadata, spec = {} } = volume;
    const { mountOptions = [] } = spec;
    const others = () =>
      [...this.#mounted]
        .filter(([uid]) => uid !== pod.metadata.uid)
        .flatMap(([, { volumes }]) => [...volumes.values()].map(({ place }) => place.root));
    const fault = () => this.#fault(pod, { name: metadata.name, source: spec, isReadOnly: readOnly, mountOptions });
    return lateVolumes.code.persistentRoot({ ...this.#options, others, fault }, pod, volume, readOnly);
  }

  #fault(pod: StoredPod, volume: Omit<Unmounted, "directory" | "csiDriver" | "isAttaching">): VolumeError {
    const { csiDriver, csi } = this.#options;
    const directory = `${podsDirectory}/${pod.metadata.uid}/volumes`;
    return lateVolumes.code.sourceFault({ ...volume, directory, csiDriver, isAttaching: csi !== undefined });
  }

  /** In a volume's directory on the disk, or in memory there; a kubelet that starts anew finds what an earlier one mounted. */
  #ownPlace(pod: StoredPod, podVolumes: PodVolumes, { name, emptyDir }: Volume, kind: string, isInMemory: boolean): VolumeRoot {
    const { contextOf, createTmpfs, files } = this.#options;
    const volumes = this.#tree.childDirectory(podVolumes.directory, "volumes", 0o750);
    let root: Inode = this.#tree.childDirectory(this.#tree.childDirectory(volumes, `kubernetes.io~${kind}`), name);
    let fileSystem: Mount["fileSystem"] = this.#tree.fileSystem;
    if (isInMemory) {
      const path = volumePath(pod, kind, name);
      const known = files.mountNamespace.mountAt(path);
      fileSystem = known?.fileSystem ?? createTmpfs(tmpfsBytes(pod, emptyDir?.sizeLimit, contextOf(pod).allocatable));
      if (known === undefined) files.mountNamespace.add({ path, fileSystem });
      podVolumes.inMemory.push(path);
      root = fileSystem.root;
    } else root.permissions = 0o777;
    const group = pod.spec?.securityContext?.fsGroup;
    if (group !== undefined) {
      root.gid = Number(group);
      root.permissions |= 0o2000;
    }
    return { fileSystem, root };
  }

  /** The mark that an emptyDir was made, or what stands for one beneath a volume of another kind. */
  #markReady(podVolumes: PodVolumes, name: string): void {
    const plugins = this.#tree.childDirectory(podVolumes.directory, "plugins", 0o750);
    const mark = (tree: TreeBuilder): void => {
      const own = tree.childDirectory(tree.childDirectory(plugins, "kubernetes.io~empty-dir", 0o750), name, 0o750);
      if (own.lookup("ready", rootCaller) === undefined) own.set("ready", tree.file("", 0o644));
    };
    if (plugins.names(rootCaller).length > 0) mark(this.#tree);
    else this.#tree.fill(plugins, 3, 0, mark);
  }

  #write({ fileSystem, root }: VolumeRoot, payload: Payload, pod: StoredPod): void {
    const { simulation } = this.#options;
    const suffix = simulation.random.below(1_000_000_000);
    const group = pod.spec?.securityContext?.fsGroup;
    const tree = new TreeBuilder(fileSystem, () => simulation.nowMs);
    writePayload(tree, root as DirectoryInode, payload, suffix, group === undefined ? undefined : Number(group));
  }

  #networkFiles(pod: StoredPod, podVolumes: PodVolumes, sandbox: Sandbox): Mount[] {
    const { fileSystem } = this.#tree;
    try {
      if (podVolumes.hosts === undefined || podVolumes.resolv === undefined) {
        const dns = this.#options.dns();
        podVolumes.hosts = this.#tree.file(hostsFile(pod, sandbox.address, dns), 0o644);
        podVolumes.directory.set("etc-hosts", podVolumes.hosts);
        podVolumes.resolv = this.#tree.file(podVolumes.resolvConf ?? resolvConf(pod, dns), 0o644);
      }
      podVolumes.hostname ??= this.#tree.file(`${sandbox.config.hostname}\n`, 0o644);
    } catch (error) {
      if (error instanceof SysError) throw new VolumeError(asciiLowerCase(error.message));
      throw error;
    }
    return [
      { path: "/etc/hosts", fileSystem, root: podVolumes.hosts },
      { path: "/etc/hostname", fileSystem, root: podVolumes.hostname },
      { path: "/etc/resolv.conf", fileSystem, root: podVolumes.resolv },
    ];
  }

  /** What is missing of a subPath is made, as open to others as the volume's root (kubelet_pods.go's makeMounts). */
  #atSubPath(place: VolumeRoot, mount: VolumeMount, container: string, values: ReadonlyMap<string, string>): VolumeRoot {
    const path = subPathOf(mount, values);
    let inode: Inode = place.root;
    for (const part of path.split("/").filter((each) => each !== "" && each !== ".")) {
      if (inode.type !== "directory")
        throw new ConfigError(`failed to prepare subPath for volumeMount "${mount.name}" of container "${container}"`);
      inode =
        this.#entry(place.root as DirectoryInode, inode as DirectoryInode, part) ??
        this.#made(place, inode as DirectoryInode, part);
    }
    const below = path === "" || place.source === undefined ? place.source : `${place.source}/${path}`;
    return { ...place, root: inode, source: below };
  }

  #made({ root }: VolumeRoot, parent: DirectoryInode, name: string): DirectoryInode {
    const made = this.#tree.childDirectory(parent, name, root.permissions);
    if ((root.permissions & 0o2000) !== 0) made.gid = root.gid;
    return made;
  }

  /** An entry with the links of the atomic layout followed: what is mounted stays as it was at that time. */
  #entry(root: DirectoryInode, directory: DirectoryInode, name: string, depth = 0): Inode | undefined {
    const inode = directory.lookup(name, rootCaller);
    if (inode === undefined || !("target" in inode)) return inode;
    let current: Inode | undefined = root;
    for (const part of inode.target.split("/")) {
      if (current?.type !== "directory" || depth > maxLinks) return undefined;
      current = this.#entry(root, current as DirectoryInode, part, depth + 1);
    }
    return current;
  }
}

function volumePath(pod: StoredPod, kind: string, name: string): string {
  return `${podsDirectory}/${pod.metadata.uid}/volumes/kubernetes.io~${kind}/${name}`;
}

function usedVolumes(pod: StoredPod): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { volumeMounts, volumeDevices } of [...containersOf(pod), ...initContainersOf(pod), ...ephemeralContainersOf(pod)]) {
    for (const list of [volumeMounts, volumeDevices]) for (const { name } of list ?? []) names.add(name);
  }
  return names;
}

/** Why a volume cannot be written now. Throws what is no such reason. */
function causeOf(error: unknown): string {
  if (error instanceof VolumeError || error instanceof ApiError || error instanceof ConfigError) return error.message;
  if (error instanceof SysError) return asciiLowerCase(error.message);
  if (error instanceof ApiUnreachable) return "failed to sync configmap cache: timed out waiting for the condition";
  throw error;
}

/** As the directories of volumes are named. */
function payloadKind({ configMap, secret, projected }: Volume): string {
  if (configMap !== undefined) return "configmap";
  if (secret !== undefined) return "secret";
  return projected ? "projected" : "downward-api";
}

function isImage(pod: StoredPod, volume: string): boolean {
  return pod.spec?.volumes?.some(({ name, image }) => name === volume && image !== undefined) === true;
}

function isEmptyDir(volume: Volume): boolean {
  return volume.emptyDir !== undefined || Object.keys(volume).length === 1;
}
