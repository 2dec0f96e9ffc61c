// The Container Runtime Interface as the kubelet uses it. Implemented by `containerd.ts`; the fields of sandboxes and
// containers are live: the runtime changes them and tells `onChange`.

import type { NodeRuntimeHandler, ResourceRequirements } from "#cluster/api/generated/types.ts";
import type { Architecture, Image, RegistryCredentials } from "#cluster/images/image.ts";
import type { HostPortMapping, PodNetwork } from "#cluster/network/network.ts";
import type { Bytes } from "#sim/bytes.ts";
import type { FileInode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { StorageAccount } from "#sim/filesystem/storage-account.ts";
import type { Listeners } from "#sim/listeners.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Restrictions } from "#sim/process/capabilities.ts";
import type { UserNamespace } from "#sim/process/user-namespace.ts";
import type { Signal } from "#sim/signals.ts";
import type { PodGroups } from "../host/machine.ts";
import type { ContainerLog } from "./container-log.ts";

export interface SandboxConfig {
  readonly podUid: string;
  /** Its control group lies among those of this quality of service. */
  readonly qosClass: keyof PodGroups;
  readonly namespace: string;
  readonly name: string;
  readonly attempt: number;
  readonly hostname: string;
  readonly hostNetwork: boolean;
  readonly hostPid: boolean;
  readonly hostIpc: boolean;
  readonly shareProcessNamespace: boolean;
  /** Of its containers; undefined: the machine's. */
  readonly userNamespace: UserNamespace | undefined;
  /** Kernel parameters by their names with dots. */
  readonly sysctls: ReadonlyMap<string, string> | undefined;
  /** The RuntimeClass's handler; "" is the default one. */
  readonly runtimeHandler: string;
  readonly hostPorts: readonly HostPortMapping[];
  /** Of all its containers together. */
  readonly limits: GroupLimits;
}

/** Of a control group; undefined: none but those above it. */
export interface GroupLimits {
  readonly memoryLimitBytes: number | undefined;
  readonly cpuLimitMillicores: number | undefined;
  /** As in cpu.shares, from what is requested. */
  readonly cpuShares: number;
  /** Of its memory, how much may lie in swap; undefined: all of it. */
  readonly swapLimitBytes?: number | undefined;
}

export interface Sandbox {
  readonly id: string;
  readonly config: SandboxConfig;
  /** `io.containerd.runc.v2` */
  readonly runtimeType: string;
  readonly createdMs: number;
  readonly state: "ready" | "notReady";
  /** "" for host network pods. */
  readonly address: string;
  readonly stack: NetworkStack;
  readonly network: PodNetwork | undefined;
}

export interface ContainerResources extends GroupLimits {
  /** What they were made from: requests and limits as the Pod has them. */
  readonly written: ResourceRequirements;
}

export interface ContainerConfig {
  readonly name: string;
  readonly attempt: number;
  /** As written in the Pod. */
  readonly imageName: string;
  readonly image: StoredImage;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  readonly user: { readonly uid: number; readonly gid: number; readonly groups: readonly number[] };
  readonly mounts: readonly Mount[];
  /** Volumes that are images. */
  readonly imageMounts?: readonly ImageMount[] | undefined;
  readonly readOnlyRoot: boolean;
  readonly stdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  readonly privileged: boolean;
  /** Of programs of root in it, without `CAP_`; undefined: all that root has. */
  readonly capabilities: ReadonlySet<string> | undefined;
  /** Of all programs in it; undefined: none. */
  readonly restrictions?: Restrictions | undefined;
  /** At its start; `updateContainer` changes those of a container that runs. */
  readonly resources: ContainerResources;
  /** Of its processes, as in /proc/<pid>/oom_score_adj. */
  readonly oomScoreAdjust: number;
  /** Want of memory kills the process that has most of it, not the whole container. */
  readonly singleProcessOomKill: boolean;
  /** What the program writes here is the container's termination message. */
  readonly terminationLog: {
    readonly path: string;
    readonly file: FileInode;
    readonly fileSystem: Mount["fileSystem"];
    /** Take the end of the log when the file is empty and the container failed. */
    readonly orLog: boolean;
  };
  /** What it writes to stdout and stderr goes here. */
  readonly logFile: {
    /** On the node: `/var/log/pods/NAMESPACE_POD_UID/CONTAINER/ATTEMPT.log`. */
    readonly path: string;
    readonly file: FileInode;
    /** What all logs of the container, of earlier instances and rotated ones too, take of the disk. */
    readonly account: StorageAccount;
    /** When `onLogFull` is told. */
    readonly limitBytes: number;
  };
  /** Shares the PID namespace of that container of the same pod (ephemeral containers). */
  readonly targetContainerId: string | undefined;
}

export type ContainerStateName = "created" | "running" | "exited";

export interface RuntimeContainer {
  /** 64 hex digits. */
  readonly id: string;
  readonly sandboxId: string;
  readonly config: ContainerConfig;
  /** In force now. */
  readonly resources: ContainerResources;
  readonly createdMs: number;
  readonly state: ContainerStateName;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, `StartError`; "" while not exited. */
  readonly reason: string;
  /** Why it could not start. */
  readonly message: string;
  readonly log: ContainerLog;
  /** Text of /dev/termination-log at the end. */
  readonly terminationMessage: string;
}

/** An image in the tree of a container. */
export interface ImageMount {
  readonly path: string;
  readonly image: StoredImage;
  /** A directory of it; "" for the whole. */
  readonly subPath: string;
}

export interface StoredImage {
  readonly image: Image;
  /** `docker.io/library/nginx:1.27`; the ID of one that no tag names. */
  readonly name: string;
  /** Digest of its configuration: what the runtime names it by. */
  readonly id: string;
  /** What its programs are built for. */
  readonly architecture: Architecture;
  /** `docker.io/library/nginx@sha256:…` */
  readonly reference: string;
  readonly firstSeenMs: number;
  readonly pinned: boolean;
}

export type RuntimeResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

export interface ExecRequest {
  readonly argv: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
}

/** A process running beside the container's main one, or an attachment to that one. */
export interface ExecStream {
  write(bytes: Bytes): void;
  closeStdin(): void;
  resize(columns: number, rows: number): void;
  /** Ends the exec's process; for attach only the attachment. */
  abort(): void;
  /** Nobody listens any more. */
  detach(): void;
  onStdout: ((bytes: Bytes) => void) | undefined;
  onStderr: ((bytes: Bytes) => void) | undefined;
  onExit: ((code: number) => void) | undefined;
}

/** What the runtime has just done in a pod, for whoever follows it; the kubelet goes by `onChange`. */
export interface RuntimeAct {
  readonly act: "sandboxReady" | "sandboxFailed" | "sandboxStopped" | "created" | "started" | "startFailed" | "exited";
  readonly pod: SandboxConfig;
  /** "" for acts on the sandbox. */
  readonly container: string;
  /** An address, an exit code with its reason, or the runtime's words for a failure. */
  readonly detail: string;
}

/** Use of a container, for metrics and eviction. */
export interface ContainerUse {
  readonly cpuMs: number;
  readonly cpuMillicores: number;
  readonly memoryBytes: number;
  /** What lies in swap beside it. */
  readonly swapBytes: number;
  readonly writableLayerBytes: number;
  readonly writableLayerInodes: number;
}

/** Use of all containers of a pod, or of the node. */
export interface GroupUse {
  /** Since the pod's, or the machine's, start: containers that have ended are counted. */
  readonly cpuMs: number;
  readonly cpuMillicores: number;
  readonly memoryBytes: number;
  /** What lies in swap beside it. */
  readonly swapBytes: number;
  /** How many run. */
  readonly processes: number;
}

export interface ContainerRuntime {
  /** `containerd://2.1.4` */
  readonly version: string;
  /** As the node's status tells them, "" for the default one; another object when they have changed. */
  readonly handlers: readonly NodeRuntimeHandler[];
  /** Since when it does not answer; undefined: it does. What it is asked for meanwhile waits. */
  readonly stoppedMs: number | undefined;
  /** `code = … desc = …` of the calls meanwhile. */
  readonly unreachable: string | undefined;
  /** Something of this pod changed (a container started or ended, a sandbox went); may be called from anywhere. */
  readonly onChange: Listeners<string>;
  /** A container's log has reached its limit: told once for each of its files. */
  readonly onLogFull: Listeners<RuntimeContainer>;
  runSandbox(config: SandboxConfig, done: (result: RuntimeResult<Sandbox>) => void): void;
  /** Newest first. */
  sandboxesOf(podUid: string): readonly Sandbox[];
  /** Newest first. */
  containersOf(podUid: string): readonly RuntimeContainer[];
  podUids(): readonly string[];
  /** Kills what still runs in it and gives its address back. */
  stopSandbox(id: string, done: () => void): void;
  removeSandbox(id: string): void;
  createContainer(sandboxId: string, config: ContainerConfig, done: (result: RuntimeResult<RuntimeContainer>) => void): void;
  startContainer(id: string, done: (result: RuntimeResult<RuntimeContainer>) => void): void;
  /** The image's stop signal, and KILL after `graceMs` (0: KILL at once); `done` when it has ended. */
  stopContainer(id: string, graceMs: number, done: () => void): void;
  updateContainer(id: string, resources: ContainerResources): void;
  /** Other limits for all containers of a pod together. */
  updatePod(podUid: string, limits: GroupLimits): void;
  signalContainer(id: string, signal: Signal): void;
  removeContainer(id: string): void;
  /** Runs a command in the container; refused with the runtime's words when it cannot start. */
  exec(containerId: string, request: ExecRequest): RuntimeResult<ExecStream>;
  attach(containerId: string, options: { readonly stdin: boolean }): RuntimeResult<ExecStream>;
  use(containerId: string): ContainerUse;
  podUse(podUid: string): GroupUse;
  nodeUse(): GroupUse;
  findImage(name: string): StoredImage | undefined;
  images(): readonly StoredImage[];
  /** Puts an image on the node without a pull: what was there when the machine was made, or `crictl pull`ed. */
  importImage(image: Image, options?: { readonly pinned?: boolean }): StoredImage;
  pullImage(name: string, credentials: RegistryCredentials | undefined, done: (result: RuntimeResult<StoredImage>) => void): void;
  removeImage(reference: string): void;
}
