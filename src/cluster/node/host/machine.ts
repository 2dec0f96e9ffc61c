// A node as a machine: a kernel namespace with a disk, its processes and its place on the network. The kubelet and the
// container runtime run on it; a shell on it (`ssh node-1`) starts processes with `start`.

import type { NodeNetwork } from "#cluster/network/network.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { MountNamespace } from "#sim/filesystem/mounts.ts";
import type { Kernel, ProcessHandle, StartOptions } from "#sim/kernel.ts";
import type { PidNamespace } from "#sim/process/pid-namespace.ts";
import type { Simulation } from "#sim/simulation.ts";
import { machineFiles } from "./machine-files.ts";

export interface MachineOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly name: string;
  readonly network: NodeNetwork;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly architecture?: "amd64" | "arm64";
  /** Programs and files beside what every machine has: the shell and its commands, crictl, journalctl. */
  readonly files?: FileTree;
}

export class Machine {
  readonly name: string;
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly network: NodeNetwork;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly architecture: "amd64" | "arm64";
  readonly pids: PidNamespace;
  readonly mounts: MountNamespace;
  readonly files: HostFiles;
  /** 32 hex digits, as in /etc/machine-id. */
  readonly machineId: string;
  readonly systemUuid: string;
  readonly startedMs: number;
  /** New at every boot. */
  bootId: string;

  constructor(options: MachineOptions) {
    const { simulation, kernel, name } = options;
    this.name = name;
    this.simulation = simulation;
    this.kernel = kernel;
    this.network = options.network;
    this.cpus = options.cpus;
    this.memoryBytes = options.memoryBytes;
    this.diskBytes = options.diskBytes;
    this.architecture = options.architecture ?? "amd64";
    this.machineId = simulation.random.hex(32);
    this.systemUuid = simulation.random.uuid();
    this.startedMs = simulation.nowMs;
    this.bootId = simulation.random.uuid();
    this.pids = kernel.createPidNamespace();
    const disk = kernel.createDisk(treeOf(options.files), { limitBytes: options.diskBytes });
    this.mounts = kernel.createMountNamespace(disk);
    this.files = kernel.files(this.mounts);
    this.files.writeFile("/etc/hostname", `${name}\n`);
    this.files.writeFile("/etc/machine-id", `${this.machineId}\n`);
    this.files.writeFile("/etc/hosts", `127.0.0.1 localhost\n${options.network.address} ${name}\n`);
  }

  /** Starts a process on the machine, in its own namespaces: what a login shell or a service does. */
  start(options: Omit<StartOptions, "hostname" | "pidNamespace" | "mounts" | "network">): ProcessHandle {
    return this.kernel.start({
      ...options,
      hostname: this.name,
      pidNamespace: this.pids,
      mounts: this.mounts,
      network: this.network.host,
    });
  }
}

/** One tree for all machines that bring the same files: the kernel keeps its inodes once. */
const trees = new WeakMap<FileTree, FileTree>();

function treeOf(files: FileTree | undefined): FileTree {
  if (files === undefined) return machineFiles;
  let tree = trees.get(files);
  if (tree === undefined) {
    tree = new Map<string, TreeEntry>([...machineFiles, ...files]);
    trees.set(files, tree);
  }
  return tree;
}
