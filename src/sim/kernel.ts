// The kernel: starts processes in namespaces, over one simulation. A node is a PID namespace, a file tree and a network
// stack; a container is the same again, inside. The container runtime, the workstation and tests use it from outside;
// programs see `Process` only.

import type { Bytes } from "./bytes.ts";
import type { FileTree } from "./files.ts";
import { CgroupMounts } from "./filesystem/cgroup-mounts.ts";
import { deviceTree, openNull } from "./filesystem/devices.ts";
import { type Executable, findExecutable, ProgramRegistry, searchPath } from "./filesystem/exec.ts";
import { FileSystem, rootCaller, sharedTree } from "./filesystem/file-system.ts";
import { HostFiles } from "./filesystem/host-files.ts";
import type { DirectoryInode } from "./filesystem/inode.ts";
import { type Mount, MountNamespace } from "./filesystem/mounts.ts";
import { ProcRoot } from "./filesystem/proc.ts";
import type { NetworkStack, WithSysctls } from "./net.ts";
import { roomForFiles, type WorldBacking, worldBacking } from "./process/backing.ts";
import type { CgroupVersion } from "./process/boot.ts";
import { allCapabilities, type Capabilities, type Restrictions } from "./process/capabilities.ts";
import { ControlGroup, type ControlGroupLimits, type ControlGroupOptions, type MachineFigures } from "./process/control-group.ts";
import type { OpenFile } from "./process/descriptors.ts";
import { SinkFile, TextFile } from "./process/open-file.ts";
import { PidNamespace } from "./process/pid-namespace.ts";
import { createPipe, InputPipe } from "./process/pipe.ts";
import { KernelProcess } from "./process/process.ts";
import { ProcessEnded } from "./process/thread.ts";
import type { UserNamespace } from "./process/user-namespace.ts";
import type { ProcessInfo, Program } from "./program.ts";
import type { Signal } from "./signals.ts";
import type { Simulation } from "./simulation.ts";
import { TerminalDevice } from "./terminal/device.ts";

/** A pipe end or terminal, bytes to read from the start, or (for output) a callback. */
export type StandardFile = OpenFile | Bytes | ((bytes: Bytes) => void) | LaterSink;

/** Takes output, and text that is put together when somebody reads it. */
export interface LaterSink {
  readonly take: (data: Bytes | (() => string)) => void;
}

export interface StartOptions {
  /** A path, a name to look for along PATH of `env`, or a program given directly. */
  readonly run: string | Program;
  readonly argv: readonly string[];
  readonly env?: ReadonlyMap<string, string>;
  /** Default "/". */
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Supplementary groups. */
  readonly groups?: readonly number[];
  /** What root may do of all that root may; default all. */
  readonly capabilities?: Capabilities | undefined;
  readonly restrictions?: Restrictions | undefined;
  readonly umask?: number;
  readonly hostname: string;
  readonly pidNamespace: PidNamespace;
  readonly mounts: MountNamespace;
  /** Default: the machine's. IDs are numbers in it. */
  readonly userNamespace?: UserNamespace | undefined;
  /** Default: the machine's IPC namespace. */
  readonly ipc?: WithSysctls | undefined;
  readonly network: NetworkStack;
  /** Absent ones are the terminal when there is one, else /dev/null. */
  readonly stdin?: StandardFile;
  readonly stdout?: StandardFile;
  readonly stderr?: StandardFile;
  /** The process leads a session on it, in its foreground. */
  readonly terminal?: TerminalDevice;
  readonly controlGroup?: ControlGroup;
  /** Its sleeps, and its children's, do not keep the world from being idle. Default true: servers and loops are the background. */
  readonly background?: boolean;
}

export interface ExitStatus {
  /** 128 + signal number when a signal ended the process. */
  readonly code: number;
  readonly signal: Signal | undefined;
  readonly outOfMemory: boolean;
}

/** A started process, seen from outside. */
export interface ProcessHandle {
  /** In its own namespace. */
  readonly pid: number;
  /** In the namespace of the machine. */
  readonly outerPid: number;
  /** As from an outer namespace: KILL and STOP work on a PID 1 too, other signals only where it has a handler. */
  signal(signal: Signal): void;
  /** Called once, in an event of its own. */
  onExit: ((status: ExitStatus) => void) | undefined;
  /** Present once it has ended. */
  readonly exit: ExitStatus | undefined;
  info(): ProcessInfo;
}

/** Of files below /dev, and of those in a /dev/shm of its own. */
const deviceFilesBytes = 64 * 1024 ** 2;
const emptyEnv: ReadonlyMap<string, string> = new Map();
const defaultMachine: MachineFigures = { memoryBytes: 8 * 1024 ** 3, cpus: 4 };

export class Kernel {
  readonly simulation: Simulation;
  readonly programs = new ProgramRegistry();
  /** The process whose program is running just now. */
  running: KernelProcess | undefined;
  /** Told of programs that threw something other than SysError: a mistake in a program, noted as a fault. */
  onProgramError: ((process: KernelProcess, error: unknown) => void) | undefined = (process, error) => {
    this.simulation.faults.note("program", process.argv.join(" "), error);
  };
  /** The most processor time that one thread used without a pause, in its units: how long others may have had to wait. */
  longestTurn = 0;
  readonly #trees = new WeakMap<FileTree, DirectoryInode>();
  readonly #devices: DirectoryInode;
  readonly #proc: FileSystem;
  /** At /sys/fs/cgroup. */
  readonly cgroups = new CgroupMounts();
  readonly #null = openNull();
  readonly backing: WorldBacking = worldBacking();
  /** Of everything that runs; machines' groups are below. */
  readonly #allProcesses: ControlGroup;
  /** Of processes that were started in no group: a machine of its own. */
  readonly #plainGroup: ControlGroup;
  #anonymousIds = 0;
  #terminals = 0;
  #disks = 0;

  constructor(simulation: Simulation, machine: MachineFigures = defaultMachine) {
    this.simulation = simulation;
    this.#allProcesses = new ControlGroup(simulation);
    this.#plainGroup = this.createMachineGroup({ memoryBytes: machine.memoryBytes, cpuMillicores: machine.cpus * 1000 }, machine);
    this.#devices = deviceTree(simulation.nowMs);
    const proc = new ProcRoot(simulation.nowMs, () => simulation.nowMs, this.#plainGroup);
    this.#proc = new FileSystem({ type: "proc", lower: proc });
  }

  nextAnonymousId(): number {
    this.#anonymousIds += 1;
    return this.#anonymousIds;
  }

  /** Inside `parent` (a node's), or a namespace of its own. */
  createPidNamespace(parent?: PidNamespace): PidNamespace {
    return new PidNamespace(parent);
  }

  /** All that runs on one machine. */
  createMachineGroup(limits: ControlGroupLimits, figures: MachineFigures): ControlGroup {
    return new ControlGroup(this.simulation, { limits, figures, parent: this.#allProcesses });
  }

  /** A group inside a machine's or another one. */
  createControlGroup(limits: ControlGroupLimits = {}, options: ControlGroupOptions = {}): ControlGroup {
    return new ControlGroup(this.simulation, { limits, parent: this.#plainGroup, ...options });
  }

  /** A process keeps so much more (or less) in the world's own memory; where that is used up, the process with most of it is killed. */
  chargeBacking(bytes: number, cause: KernelProcess | undefined): void {
    const { memory } = this.backing;
    memory.usedBytes += bytes;
    while (bytes > 0 && memory.usedBytes > memory.limitBytes && this.#reclaim());
    if (cause?.ended === true && this.running === cause) throw new ProcessEnded();
  }

  #reclaim(): boolean {
    let victim: KernelProcess | undefined;
    for (const process of this.#allProcesses.members()) if (process.backedBytes > (victim?.backedBytes ?? 0)) victim = process;
    if (victim === undefined) return false;
    // The nearest limit of memory is the one that it would have met.
    let group = victim.controlGroup;
    while (group.limits.memoryBytes === undefined && group.parent !== undefined) group = group.parent;
    group.kill(victim);
    return true;
  }

  /** A writable layer above an immutable tree; costs nothing until it is written to. */
  createOverlay(image: FileTree, options: { readonly limitBytes?: number; readonly disk?: FileSystem } = {}): FileSystem {
    return new FileSystem({ type: "overlay", lower: this.#treeOf(image), backing: this.backing.files, ...options });
  }

  /** A machine's disk, with what was installed on it. */
  createDisk(content: FileTree, options: { readonly limitBytes?: number; readonly inodes?: number } = {}): FileSystem {
    this.#disks += 1;
    roomForFiles(this.backing, this.#disks);
    return new FileSystem({
      type: "ext4",
      source: "/dev/vda1",
      lower: this.#treeOf(content),
      backing: this.backing.files,
      ...options,
    });
  }

  createTmpfs(options: { readonly limitBytes?: number; readonly rootPermissions?: number } = {}): FileSystem {
    const { nowMs } = this.simulation;
    return new FileSystem({ type: "tmpfs", rootPermissions: 0o1777, nowMs, backing: this.backing.files, ...options });
  }

  /** What those who share it have at /dev/shm: a Pod's containers, or, of a size that is given, a machine. */
  createSharedMemory(machineBytes?: number): Mount {
    const fileSystem = new FileSystem({
      type: "tmpfs",
      source: machineBytes === undefined ? "shm" : "tmpfs",
      limitBytes: machineBytes ?? deviceFilesBytes,
      rootPermissions: 0o1777,
      nowMs: this.simulation.nowMs,
      backing: this.backing.files,
    });
    return { path: "/dev/shm", fileSystem };
  }

  /** A mount namespace with `root` at "/", /proc, /sys/fs/cgroup and /dev, and further mounts. */
  createMountNamespace(
    root: FileSystem,
    mounts: readonly Mount[] = [],
    options: { readonly readOnlyRoot?: boolean; readonly cgroupVersion?: CgroupVersion; readonly isContainer?: boolean } = {},
  ): MountNamespace {
    return new MountNamespace([
      { path: "/", fileSystem: root, readOnly: options.readOnlyRoot === true },
      { path: "/proc", fileSystem: this.#proc, readOnly: true },
      ...this.cgroups.of(options.cgroupVersion ?? 2, options.isContainer === true),
      {
        path: "/dev",
        fileSystem: new FileSystem({
          type: "tmpfs",
          lower: this.#devices,
          limitBytes: deviceFilesBytes,
          backing: this.backing.files,
        }),
      },
      ...mounts,
    ]);
  }

  /** File access from outside of any process, as root: for the kubelet, set-up and checks. */
  files(mounts: MountNamespace): HostFiles {
    return new HostFiles(this.simulation, mounts);
  }

  createTerminal(size: { readonly columns: number; readonly rows: number; readonly name?: string }): TerminalDevice {
    const name = size.name ?? `pts/${this.#terminals++}`;
    return new TerminalDevice({ name, columns: size.columns, rows: size.rows });
  }

  createPipe(): { readonly read: OpenFile; readonly write: OpenFile } {
    return createPipe(this.nextAnonymousId());
  }

  /** A pipe that is written to from outside of the kernel. */
  createInputPipe(): InputPipe {
    return new InputPipe(this.nextAnonymousId());
  }

  /** Path of the executable that `name` stands for. Throws SysError ENOENT or EACCES. */
  findProgram(mounts: MountNamespace, name: string, path: string | undefined): string {
    return searchPath(this.files(mounts), name, path);
  }

  /** Starts a process without a parent. Throws SysError when the executable, or `cwd`, cannot be used. */
  start(options: StartOptions): ProcessHandle {
    const env = options.env ?? emptyEnv;
    const context = this.#context(options);
    const executable: Executable =
      typeof options.run === "string"
        ? findExecutable(context, this.programs, searchPath(context, options.run, env.get("PATH")), options.argv)
        : { program: options.run, argv: options.argv };
    const process = new KernelProcess({
      kernel: this,
      parent: undefined,
      pidNamespace: options.pidNamespace,
      mountNamespace: options.mounts,
      userNamespace: options.userNamespace,
      ipc: options.ipc,
      network: options.network,
      hostname: options.hostname,
      uid: executable.setUid ?? context.uid,
      gid: context.gid,
      groups: context.groups,
      bounding: options.capabilities ?? allCapabilities,
      restrictions: options.restrictions,
      argv: executable.argv,
      env,
      cwd: context.cwd,
      umaskBits: context.umaskBits,
      terminal: options.terminal,
      controlGroup: options.controlGroup ?? this.#plainGroup,
      background: options.background ?? true,
      pgid: undefined,
      sid: undefined,
    });
    const { terminal } = options;
    if (terminal !== undefined) {
      terminal.session = options.pidNamespace;
      terminal.foregroundGroup = process.pid;
    }
    const shared = terminal?.open();
    const absent = shared ?? this.#null;
    process.table.set(0, openStandard(options.stdin, absent));
    process.table.set(1, openStandard(options.stdout, absent));
    process.table.set(2, openStandard(options.stderr, absent));
    process.run(executable.program);
    return new Handle(process);
  }

  #context(options: StartOptions) {
    const files = this.files(options.mounts);
    const cwd = options.cwd ?? "/";
    return {
      uid: options.uid ?? 0,
      gid: options.gid ?? 0,
      groups: options.groups ?? rootCaller.groups,
      mountNamespace: options.mounts,
      userNamespace: options.userNamespace,
      restrictions: options.restrictions,
      cwd: cwd === "/" ? cwd : files.realDirectory(cwd),
      umaskBits: options.umask ?? 0o022,
      nowMs: this.simulation.nowMs,
    };
  }

  #treeOf(files: FileTree): DirectoryInode {
    let tree = this.#trees.get(files);
    if (tree === undefined) {
      tree = sharedTree(files, (entry) => this.programs.contentOf(entry.program));
      this.#trees.set(files, tree);
    }
    return tree;
  }
}

function openStandard(file: StandardFile | undefined, absent: OpenFile): OpenFile {
  if (file === undefined) return absent;
  if (typeof file === "function") return new SinkFile(file);
  if ("take" in file) return new SinkFile(file.take, file.take);
  return file instanceof Uint8Array ? new TextFile("pipe:[0]", file) : file;
}

class Handle implements ProcessHandle {
  onExit: ((status: ExitStatus) => void) | undefined;
  readonly #process: KernelProcess;

  constructor(process: KernelProcess) {
    this.#process = process;
    process.onExit = () => this.onExit?.(this.exit as ExitStatus);
    if (process.exit !== undefined) process.kernel.simulation.after(0, process.onExit);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get outerPid(): number {
    return this.#process.outerPid;
  }

  get exit(): ExitStatus | undefined {
    const { exit } = this.#process;
    return exit === undefined ? undefined : { ...exit, outOfMemory: this.#process.outOfMemory };
  }

  signal(signal: Signal): void {
    this.#process.raise(signal);
  }

  info(): ProcessInfo {
    return this.#process.info();
  }
}
