// Sandboxes and containers as the runtime keeps them: the live side of what `cri.ts` shows.

import type { PodNetwork } from "#cluster/network/network.ts";
import type { Bytes } from "#sim/bytes.ts";
import type { FileSystem } from "#sim/filesystem/file-system.ts";
import type { Mount, MountNamespace } from "#sim/filesystem/mounts.ts";
import type { ProcessHandle } from "#sim/kernel.ts";
import type { NetworkStack, WithSysctls } from "#sim/net.ts";
import type { ControlGroup } from "#sim/process/control-group.ts";
import type { PidNamespace } from "#sim/process/pid-namespace.ts";
import type { InputPipe } from "#sim/process/pipe.ts";
import type { Timer } from "#sim/simulation.ts";
import type { TerminalDevice } from "#sim/terminal/device.ts";
import type { LogStream } from "./container-log.ts";
import { ContainerLog } from "./container-log.ts";
import type { ContainerConfig, ContainerResources, ContainerStateName, RuntimeContainer, Sandbox, SandboxConfig } from "./cri.ts";

type SandboxParts = Pick<
  SandboxRecord,
  "id" | "config" | "runtimeType" | "createdMs" | "stack" | "network" | "group" | "sharedMemory"
>;

export class SandboxRecord implements Sandbox {
  readonly id: string;
  readonly config: SandboxConfig;
  readonly runtimeType: string;
  readonly createdMs: number;
  readonly stack: NetworkStack;
  readonly network: PodNetwork | undefined;
  /** Of all its containers. */
  readonly group: ControlGroup;
  state: "ready" | "notReady" = "ready";
  /** Its pause container is being ended: nothing starts beside it any more. */
  isStopping = false;
  /** Of all containers, when the pod shares it. */
  sharedPids: PidNamespace | undefined;
  /** Of all its containers; undefined: the machine's. */
  readonly ipc: WithSysctls | undefined;
  /** What its containers have at /dev/shm. */
  readonly sharedMemory: Mount;
  /** PID 1 of the shared namespace. */
  pause: ProcessHandle | undefined;

  constructor(parts: SandboxParts) {
    this.id = parts.id;
    this.config = parts.config;
    this.runtimeType = parts.runtimeType;
    this.createdMs = parts.createdMs;
    this.stack = parts.stack;
    this.ipc = parts.config.hostIpc ? undefined : {};
    this.network = parts.network;
    this.group = parts.group;
    this.sharedMemory = parts.sharedMemory;
  }

  get address(): string {
    return this.network?.address ?? "";
  }
}

export class ContainerRecord implements RuntimeContainer {
  readonly id: string;
  readonly sandboxId: string;
  readonly config: ContainerConfig;
  resources: ContainerResources;
  readonly createdMs: number;
  readonly log: ContainerLog;
  state: ContainerStateName = "created";
  startedMs = 0;
  finishedMs = 0;
  exitCode = 0;
  reason = "";
  message = "";
  terminationMessage = "";
  process: ProcessHandle | undefined;
  layer: FileSystem | undefined;
  mounts: MountNamespace | undefined;
  pids: PidNamespace | undefined;
  group: ControlGroup | undefined;
  terminal: TerminalDevice | undefined;
  stdin: InputPipe | undefined;
  killTimer: Timer | undefined;
  isOutOfMemory = false;
  readonly onExit: (() => void)[] = [];
  /** From then on it does not see what is mounted on its machine. */
  endFollowing: (() => void) | undefined;
  /** Who is told what it writes; few ever are. */
  attached: Set<(stream: LogStream, bytes: Bytes) => void> | undefined;

  constructor(
    id: string,
    sandboxId: string,
    config: ContainerConfig,
    createdMs: number,
    onLogFull: (container: ContainerRecord) => void,
  ) {
    this.id = id;
    this.sandboxId = sandboxId;
    this.config = config;
    this.resources = config.resources;
    this.createdMs = createdMs;
    this.log = new ContainerLog(config.logFile.file, config.logFile.limitBytes, () => onLogFull(this));
  }
}

/** All that the runtime has of one pod, newest first. */
export interface PodRecords {
  sandboxes: readonly SandboxRecord[];
  containers: readonly ContainerRecord[];
  /** Processor time of the containers that have ended. */
  endedCpuMs: number;
}
