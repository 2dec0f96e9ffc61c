// A node as a machine: a kernel namespace with a disk, its processes and its place on the network. The kubelet and the
// container runtime run on it; a shell on it (`ssh node-1`) starts processes with `start`.

import type { NodeNetwork } from "#cluster/network/network.ts";
import type { FileTree } from "#sim/files.ts";
import { cgroupPlace } from "#sim/filesystem/cgroup-mounts.ts";
import type { FileSystem } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { Mount, MountNamespace } from "#sim/filesystem/mounts.ts";
import { WriteBack } from "#sim/filesystem/write-back.ts";
import type { Kernel, ProcessHandle, StartOptions } from "#sim/kernel.ts";
import type { MachineArchitecture } from "#sim/kernel-release.ts";
import { Listeners } from "#sim/listeners.ts";
import { type Boot, type CgroupVersion, usualBoot } from "#sim/process/boot.ts";
import type { ControlGroup, ControlGroupLimits, MachineFigures, Victim } from "#sim/process/control-group.ts";
import type { PidNamespace } from "#sim/process/pid-namespace.ts";
import type { Simulation } from "#sim/simulation.ts";
import { Journal, plain } from "./journal.ts";
import { machineFiles } from "./machine-files.ts";

/** Of the kubelet, the container runtime and the machine's other services: they are no processes here, and yet at work. */
export const systemMemoryBytes = 310 * 1024 ** 2;
/** And of the processors. */
export const systemMillicores = 45;
/** Of the memory that is left, how much may wait to be written: vm.dirty_ratio. */
const dirtyRatio = 0.2;
/** What mkfs.ext4 makes one inode for. */
const bytesPerInode = 16_384;

/** Control groups of Pods by quality of service: those of Guaranteed ones lie directly in the first. */
export interface PodGroups {
  readonly Guaranteed: ControlGroup;
  readonly Burstable: ControlGroup;
  readonly BestEffort: ControlGroup;
}

export interface MachineOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly name: string;
  readonly network: NodeNetwork;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly architecture?: MachineArchitecture;
  /** Which hierarchy of control groups it boots with until somebody changes that; default 2. */
  readonly cgroupVersion?: CgroupVersion;
  /** Programs and files beside what every machine has: the shell and its commands, crictl, journalctl. */
  readonly files?: FileTree;
}

/** Processors and memory of a machine. */
export interface MachineSize {
  readonly cpus: number;
  readonly memoryBytes: number;
}

export class Machine {
  readonly name: string;
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly network: NodeNetwork;
  /** As it booted. */
  size: MachineSize;
  /** As it boots next. */
  nextSize: MachineSize;
  readonly diskBytes: number;
  readonly architecture: MachineArchitecture;
  readonly pids: PidNamespace;
  /** All its processes: those of containers too. */
  readonly group: ControlGroup;
  readonly podGroups: PodGroups;
  /** kernel.pid_max */
  readonly maximumPids = 32_768;
  readonly mounts: MountNamespace;
  readonly sharedMemory: Mount;
  readonly disk: FileSystem;
  readonly files: HostFiles;
  /** 32 hex digits, as in /etc/machine-id. */
  readonly machineId: string;
  readonly systemUuid: string;
  readonly journal: Journal;
  /** Somebody was killed because the machine had no memory left. */
  readonly onOutOfMemory = new Listeners<Victim>();
  /** When it last booted. */
  startedMs: number;
  /** New at every boot. */
  bootId: string;
  /** What its processes are told of it. */
  readonly #figures: { -readonly [name in keyof MachineFigures]: MachineFigures[name] };

  constructor(options: MachineOptions) {
    const { simulation, kernel, name } = options;
    this.name = name;
    this.simulation = simulation;
    this.kernel = kernel;
    this.network = options.network;
    this.size = { cpus: options.cpus, memoryBytes: options.memoryBytes };
    this.nextSize = this.size;
    this.diskBytes = options.diskBytes;
    this.architecture = options.architecture ?? "amd64";
    this.machineId = simulation.random.hex(32);
    this.systemUuid = simulation.random.uuid();
    this.startedMs = simulation.nowMs;
    this.bootId = simulation.random.uuid();
    this.journal = new Journal(simulation, this.bootId);
    this.pids = kernel.createPidNamespace();
    this.#figures = { ...this.size, systemMemoryBytes, systemMillicores, architecture: this.architecture };
    this.group = kernel.createMachineGroup(this.#limits, this.#figures);
    this.podGroups = createPodGroups(kernel, this.group);
    const { cgroupVersion = 2 } = options;
    this.group.boot = usualBoot(this.group.kernel.release, cgroupVersion);
    this.disk = kernel.createDisk(treeOf(options.files, this.architecture, cgroupVersion), {
      limitBytes: options.diskBytes,
      inodes: Math.floor(options.diskBytes / bytesPerInode),
    });
    this.group.onOutOfMemory = (victim) => {
      this.journal.write("kernel", plain, systemOutOfMemoryLine(victim));
      this.onOutOfMemory.tell(victim);
    };
    this.sharedMemory = kernel.createSharedMemory(options.memoryBytes / 2);
    this.mounts = kernel.createMountNamespace(this.disk, [this.sharedMemory], { cgroupVersion });
    this.files = kernel.files(this.mounts);
    this.files.writeFile("/etc/hostname", `${name}\n`);
    this.files.writeFile("/etc/machine-id", `${this.machineId}\n`);
    this.files.writeFile("/etc/hosts", `127.0.0.1 localhost\n${options.network.address} ${name}\n`);
  }

  get cpus(): number {
    return this.size.cpus;
  }

  get memoryBytes(): number {
    return this.size.memoryBytes;
  }

  get #limits(): ControlGroupLimits {
    return { memoryBytes: this.memoryBytes - systemMemoryBytes, cpuMillicores: this.cpus * 1000, pids: this.maximumPids };
  }

  /** What its disk is allowed to write; undefined: as much as comes. */
  get diskBytesPerSecond(): number | undefined {
    const bytesPerSecond = this.disk.writeBack?.bytesPerSecond;
    return bytesPerSecond === Number.POSITIVE_INFINITY ? undefined : bytesPerSecond;
  }

  set diskBytesPerSecond(limit: number | undefined) {
    const bytesPerSecond = limit ?? Number.POSITIVE_INFINITY;
    if (this.disk.writeBack !== undefined) this.disk.writeBack.bytesPerSecond = bytesPerSecond;
    else if (limit !== undefined)
      this.disk.writeBack = new WriteBack({
        simulation: this.simulation,
        bytesPerSecond,
        mayWaitBytes: () => dirtyRatio * this.availableMemoryBytes,
      });
  }

  /** Without power: every process is gone, nothing reaches it, and what was in memory only is lost. */
  cutPower(): void {
    this.network.isOn = false;
    this.group.endAll();
    for (const holder of [this.group, this.network.host]) holder.sysctls = undefined;
    this.network.host.unprivilegedFrom = undefined;
    this.network.host.localPorts = undefined;
    this.group.swap = undefined;
    this.disk.writeBack?.forget();
    for (const { path, fileSystem, isMade } of this.mounts.mounts) {
      const isVolume = fileSystem.type === "tmpfs" && path.startsWith("/var/lib/kubelet/pods/");
      if (!isVolume && isMade !== true) continue;
      if (fileSystem.type === "tmpfs") fileSystem.discard();
      this.mounts.remove(path);
    }
    for (const directory of ["/run", "/dev/shm"])
      for (const name of this.files.readdir(directory)) this.files.removeAll(`${directory}/${name}`);
  }

  /** Which hierarchy of control groups it has booted with. */
  get cgroupVersion(): CgroupVersion {
    return this.group.cgroupVersion;
  }

  /** The kernel runs again, and nothing else yet. */
  boot(as: Boot): void {
    const { random, nowMs } = this.simulation;
    this.group.boot = as;
    this.mounts.replace(cgroupPlace, this.kernel.cgroups.of(as.cgroupVersion, false));
    this.size = this.nextSize;
    Object.assign(this.#figures, this.size);
    this.group.limit(this.#limits);
    this.bootId = random.uuid();
    this.startedMs = nowMs;
    this.journal.boot(this.bootId);
    this.network.forgetRules();
  }

  /** What no process and no file in memory takes. */
  get availableMemoryBytes(): number {
    return Math.max(0, this.memoryBytes - systemMemoryBytes - this.group.memoryBytes);
  }

  /** Starts a process on the machine, in its own namespaces: what a login shell or a service does. */
  start(options: Omit<StartOptions, "hostname" | "pidNamespace" | "mounts" | "network">): ProcessHandle {
    return this.kernel.start({
      ...options,
      hostname: this.name,
      pidNamespace: this.pids,
      mounts: this.mounts,
      network: this.network.host,
      controlGroup: this.group,
    });
  }
}

/** As the kubelet makes them with the systemd driver. */
function createPodGroups(kernel: Kernel, machine: ControlGroup): PodGroups {
  const make = (parent: ControlGroup, name: string, cpuShares?: number) =>
    kernel.createControlGroup({ cpuShares }, { parent, name, isLasting: true });
  const pods = make(machine, "kubepods.slice");
  return {
    Guaranteed: pods,
    Burstable: make(pods, "kubepods-burstable.slice"),
    BestEffort: make(pods, "kubepods-besteffort.slice", 2),
  };
}

function systemOutOfMemoryLine({ name, pid, uid, memoryBytes, scoreAdjust }: Victim): string {
  const size = `${Math.floor(memoryBytes / 1024)}kB`;
  return `Out of memory: Killed process ${pid} (${name}) total-vm:${size}, anon-rss:${size}, file-rss:0kB, shmem-rss:0kB, UID:${uid} oom_score_adj:${scoreAdjust}`;
}

/** One tree for all machines that are alike and bring the same files: the kernel keeps its inodes once. */
const trees = new WeakMap<FileTree, Map<string, FileTree>>();
const noFiles: FileTree = new Map();

function treeOf(files: FileTree = noFiles, architecture: MachineArchitecture, cgroupVersion: CgroupVersion): FileTree {
  let alike = trees.get(files);
  if (alike === undefined) {
    alike = new Map();
    trees.set(files, alike);
  }
  const key = `${architecture} ${cgroupVersion}`;
  let tree = alike.get(key);
  if (tree === undefined) {
    tree = new Map([...machineFiles(architecture, cgroupVersion), ...files]);
    alike.set(key, tree);
  }
  return tree;
}
