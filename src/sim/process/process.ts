// A process as the kernel keeps it, and the calls that a program makes on it. File calls live in `filesystem/calls.ts`,
// blocking calls in `blocking.ts`, network calls in `network/calls.ts`; here is what holds them together.

import { wordsOf } from "#sim/errors.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat, OpenMode } from "../files.ts";
import * as files from "../filesystem/calls.ts";
import { type Executable, findExecutable, searchPath } from "../filesystem/exec.ts";
import type { SocketService } from "../filesystem/inode.ts";
import { lateMounting } from "../filesystem/late-mounting.ts";
import { MountNamespace } from "../filesystem/mounts.ts";
import { RegularFile } from "../filesystem/regular-file.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "../http.ts";
import type { Kernel } from "../kernel.ts";
import type { KernelRelease } from "../kernel-release.ts";
import type {
  CallTarget,
  DnsAnswer,
  DnsHandler,
  DnsQuestion,
  EchoResult,
  Endpoint,
  HttpPreface,
  NetworkPlace,
  NetworkStack,
  SocketInfo,
  TlsServer,
  WithSysctls,
} from "../net.ts";
import * as network from "../network/calls.ts";
import type { Datagram } from "../network/datagrams.ts";
import { lateDatagrams } from "../network/late-datagrams.ts";
import { lateSockets } from "../network/late-sockets.ts";
import type {
  ExecOptions,
  MountRequest,
  Process,
  ProcessInfo,
  Program,
  ResourceUse,
  SignalInfo,
  SpawnOptions,
  Sys,
  WaitStatus,
} from "../program.ts";
import type { Random } from "../random.ts";
import type { Signal } from "../signals.ts";
import type { TerminalDevice } from "../terminal/device.ts";
import type { Terminal } from "../tty.ts";
import { areArgumentsTooLong } from "./arguments.ts";
import * as blocking from "./blocking.ts";
import { type Capabilities, isCapable, type Restrictions } from "./capabilities.ts";
import type { ControlGroup } from "./control-group.ts";
import { DescriptorTable, type OpenFile } from "./descriptors.ts";
import { exitProcess } from "./exit.ts";
import { lateFifo } from "./late-fifo.ts";
import type { PidNamespace } from "./pid-namespace.ts";
import { createPipe } from "./pipe.ts";
import { deliverSignal, type SignalState } from "./signal-delivery.ts";
import { KernelThread, ProcessEnded, proceed } from "./thread.ts";
import { UnixSocketFile } from "./unix-socket.ts";
import { hostIdOf, type UserNamespace } from "./user-namespace.ts";
import type { WaitQueue } from "./wait-queue.ts";

/** Calls between two blocking calls before a program counts as runaway. */
const callsBeforeRunaway = 200_000;
/** What a process holds that declares nothing. */
const defaultMemoryBytes = 1_048_576;
/** What it takes to start a process: 0.05 ms. */
const unitsPerSpawn = 50;

/** Files that programs read whole are no larger. */
const maximumWholeBytes = 64 * 1024 ** 2;
const smallBytes = 1_048_576;

const noThreads: readonly KernelThread[] = [];

/** All that a process is started with; children inherit it. */
export interface ProcessSetup {
  readonly kernel: Kernel;
  readonly parent: KernelProcess | undefined;
  readonly pidNamespace: PidNamespace;
  readonly mountNamespace: MountNamespace;
  /** Undefined: the machine's. IDs are numbers in it. */
  readonly userNamespace: UserNamespace | undefined;
  /** Its IPC namespace; undefined: the machine's. */
  readonly ipc: WithSysctls | undefined;
  readonly network: NetworkStack;
  readonly hostname: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly bounding: Capabilities;
  readonly restrictions: Restrictions | undefined;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: string;
  readonly umaskBits: number;
  readonly terminal: TerminalDevice | undefined;
  readonly controlGroup: ControlGroup;
  readonly background: boolean;
  /** undefined: a group, or session, of its own. */
  readonly pgid: number | undefined;
  readonly sid: number | undefined;
}

export class KernelProcess implements Process, files.FileContext {
  readonly kernel: Kernel;
  readonly pidNamespace: PidNamespace;
  mountNamespace: MountNamespace;
  readonly userNamespace: UserNamespace | undefined;
  readonly ipc: WithSysctls | undefined;
  readonly network: NetworkStack;
  readonly hostname: string;
  uid: number;
  gid: number;
  groups: readonly number[];
  readonly bounding: Capabilities;
  readonly restrictions: Restrictions | undefined;
  argv: readonly string[];
  #name: string | undefined;
  readonly pid: number;
  /** Number in the node's namespace; the same as `pid` without one. */
  readonly outerPid: number;
  readonly controlGroup: ControlGroup;
  /** Its sleeps do not keep the world from being idle. */
  readonly background: boolean;
  readonly startedMs: number;
  readonly table = new DescriptorTable();
  parent: KernelProcess | undefined;
  pgid: number;
  sid: number;
  cwd: string;
  umaskBits: number;
  controllingTerminal: TerminalDevice | undefined;
  children: KernelProcess[] | undefined;
  threads: readonly KernelThread[] = noThreads;
  signals: SignalState | undefined;
  /** Woken when a child ends or stops. */
  childChanges: WaitQueue | undefined;
  /** Woken when it goes on after a stop. */
  continued: WaitQueue | undefined;
  stopped = false;
  /** The signal that stopped it, until the parent has been told. */
  unreportedStop: Signal | undefined;
  ended = false;
  exit: { readonly code: number; readonly signal: Signal | undefined } | undefined;
  /** For processes started from outside of the kernel. */
  onExit: (() => void) | undefined;
  /** What no descriptor stands for any more, and ends with the process. */
  endings: (() => void)[] | undefined;
  /** Its control group had no memory left. */
  outOfMemory = false;
  callsSinceBlock = 0;
  /** Units of processor time used since the last blocking call (see `thread.ts`). */
  work = 0;
  /** Threads of it that wait for a slow disk. */
  diskWaits = 0;
  /** Declared, and held. */
  memoryBytes = defaultMemoryBytes;
  /** What of it the world really keeps. */
  backedBytes = 0;
  cpuMillicores = 0;
  #heldBytes = 0;
  #cpuMs = 0;
  #cpuSinceMs: number;
  #sharedEnv: ReadonlyMap<string, string>;
  #env: Map<string, string> | undefined;

  constructor(setup: ProcessSetup) {
    this.kernel = setup.kernel;
    this.parent = setup.parent;
    this.pidNamespace = setup.pidNamespace;
    this.mountNamespace = setup.mountNamespace;
    this.userNamespace = setup.userNamespace;
    this.ipc = setup.ipc;
    this.network = setup.network;
    this.hostname = setup.hostname;
    this.uid = setup.uid;
    this.gid = setup.gid;
    this.groups = setup.groups;
    this.bounding = setup.bounding;
    this.restrictions = setup.restrictions;
    this.argv = setup.argv;
    this.#sharedEnv = setup.env;
    this.cwd = setup.cwd;
    this.umaskBits = setup.umaskBits;
    this.controllingTerminal = setup.terminal;
    this.controlGroup = setup.controlGroup;
    this.background = setup.background;
    this.startedMs = setup.kernel.simulation.nowMs;
    this.#cpuSinceMs = this.startedMs;
    this.outerPid = setup.pidNamespace.parent?.register(this) ?? 0;
    this.pid = setup.pidNamespace.register(this);
    if (this.outerPid === 0) this.outerPid = this.pid;
    this.pgid = setup.pgid ?? this.pid;
    this.sid = setup.sid ?? this.pid;
  }

  // What it is.

  get ppid(): number {
    return this.parent === undefined || this.parent.pidNamespace !== this.pidNamespace ? 0 : this.parent.pid;
  }

  /** On the machine. */
  get hostUid(): number {
    return hostIdOf(this.uid, this.userNamespace);
  }

  get env(): Map<string, string> {
    this.#env ??= new Map(this.#sharedEnv);
    return this.#env;
  }

  /** The environment to read, without making an own copy. */
  get presentEnv(): ReadonlyMap<string, string> {
    return this.#env ?? this.#sharedEnv;
  }

  get kernelRelease(): KernelRelease {
    return this.controlGroup.kernel;
  }

  get processors(): number {
    return this.controlGroup.machine.figures?.cpus ?? 1;
  }

  get nowMs(): number {
    return this.kernel.simulation.nowMs;
  }

  get random(): Random {
    return this.kernel.simulation.random;
  }

  get cpuMs(): number {
    const now = this.nowMs;
    this.#cpuMs += ((now - this.#cpuSinceMs) * this.cpuMillicores * this.controlGroup.shareGiven) / 1000;
    this.#cpuSinceMs = now;
    return this.#cpuMs;
  }

  get shareOfProcessor(): number {
    return this.controlGroup.shareGiven;
  }

  /** It wants so much more processor time from now on. */
  changeCpu(millicores: number): void {
    void this.cpuMs;
    this.cpuMillicores += millicores;
    this.controlGroup.changeCpu(millicores);
  }

  /** As `ps` and the kernel's log show it. */
  get commandName(): string {
    return this.#name ?? (this.argv[0] ?? "").split("/").at(-1)?.slice(0, 15) ?? "";
  }

  retitle(title: string, name: string): void {
    this.argv = [title];
    this.#name = name;
  }

  get #state(): ProcessInfo["state"] {
    if (this.ended) return "zombie";
    if (this.stopped) return "stopped";
    if (this.diskWaits > 0) return "waiting for the disk";
    return this.kernel.running === this || this.cpuMillicores > 0 ? "running" : "sleeping";
  }

  info(): ProcessInfo {
    return {
      pid: this.pid,
      ppid: this.ppid,
      pgid: this.pgid,
      sid: this.sid,
      uid: this.uid,
      gid: this.gid,
      argv: this.argv,
      name: this.commandName,
      state: this.#state,
      startedMs: this.startedMs,
      cpuMs: Math.round(this.cpuMs),
      memoryBytes: this.controlGroup.residentBytes(this),
      tty: this.controllingTerminal?.name,
    };
  }

  // Running and ending.

  /** Once it has its descriptors. It may be killed at once, for want of memory. */
  run(program: Program): void {
    this.controlGroup.add(this);
    if (this.ended) return;
    const thread = new KernelThread(this, () => program(this), true);
    this.threads = [thread];
    thread.start();
  }

  startThread(body: () => Sys<void>): void {
    const thread = new KernelThread(this, body, false);
    this.threads = [...this.threads, thread];
    thread.start();
  }

  /** The program came to its end: so does the process, with all its threads. */
  mainReturned(code: number): void {
    exitProcess(this, code & 0xff, undefined);
  }

  threadReturned(thread: KernelThread): void {
    this.threads = this.threads.filter((other) => other !== thread);
  }

  atEnd(ending: () => void): void {
    if (this.endings === undefined) this.endings = [ending];
    else this.endings.push(ending);
  }

  /** A program threw: the message goes to stderr, the process ends with 1. */
  failWith(thrown: unknown): void {
    const text = wordsOf(thrown);
    try {
      if (this.table.has(2)) this.table.get(2).tryWrite(encodeUtf8(`${this.argv[0] ?? "?"}: ${text}\n`), this);
    } catch {
      // Nobody listens to stderr.
    }
    if (!(thrown instanceof SysError)) this.kernel.onProgramError?.(this, thrown);
    exitProcess(this, 1, undefined);
  }

  /** Every call passes here: a program that computes for ever without blocking is ended. */
  #count(): this {
    this.callsSinceBlock += 1;
    this.work += 1;
    if (this.callsSinceBlock > callsBeforeRunaway) {
      this.callsSinceBlock = 0;
      this.failWith(new Error(`killed: ${callsBeforeRunaway} system calls without blocking`));
    }
    if (this.ended) throw new ProcessEnded();
    return this;
  }

  /** A signal from the kernel, the terminal or the runtime. */
  raise(signal: Signal, from = 0): void {
    deliverSignal(this, signal, "kernel", from);
  }

  // Files.

  open(path: string, mode: OpenMode, permissions?: number): number {
    return this.table.add(files.openAt(this.#count(), path, mode, permissions));
  }

  close(fd: number): void {
    this.#count().table.close(fd);
  }

  dup(fd: number): number {
    return this.#count().table.add(this.table.get(fd));
  }

  dup2(from: number, to: number): void {
    this.#count().table.set(to, this.table.get(from));
  }

  pipe(): readonly [number, number] {
    const { read, write } = createPipe(this.#count().kernel.nextAnonymousId());
    return [this.table.add(read), this.table.add(write)];
  }

  descriptors(): readonly number[] {
    return this.ended ? [] : this.table.numbers();
  }

  seek(fd: number, offset: number, from: "start" | "current" | "end" = "start"): number {
    return this.#count().table.get(fd).seek(offset, from);
  }

  fstat(fd: number): FileStat {
    return this.#count().table.get(fd).stat();
  }

  stat(path: string): FileStat {
    return files.statAt(this.#count(), path, true);
  }

  /** Undefined when the path leads nowhere. */
  statIfThere(path: string): FileStat | undefined {
    return files.statIfThere(this.#count(), path);
  }

  lstat(path: string): FileStat {
    return files.statAt(this.#count(), path, false);
  }

  readdir(path: string): readonly string[] {
    return files.readdirAt(this.#count(), path);
  }

  readlink(path: string): string {
    return files.readlinkAt(this.#count(), path);
  }

  realpath(path: string): string {
    return files.resolveExisting(this.#count(), path, true).path;
  }

  mkdir(path: string, permissions?: number): void {
    files.mkdirAt(this.#count(), path, permissions);
  }

  rmdir(path: string): void {
    files.rmdirAt(this.#count(), path);
  }

  unlink(path: string): void {
    files.unlinkAt(this.#count(), path);
  }

  rename(from: string, to: string): void {
    files.renameAt(this.#count(), from, to);
  }

  link(target: string, path: string): void {
    files.linkAt(this.#count(), target, path);
  }

  symlink(target: string, path: string): void {
    files.symlinkAt(this.#count(), target, path);
  }

  chmod(path: string, permissions: number): void {
    files.chmodAt(this.#count(), path, permissions);
  }

  chown(path: string, uid: number, gid: number): void {
    files.chownAt(this.#count(), path, uid, gid);
  }

  utimes(path: string, modifiedMs: number): void {
    files.utimesAt(this.#count(), path, modifiedMs);
  }

  truncate(path: string, sizeBytes: number): void {
    files.truncateAt(this.#count(), path, sizeBytes);
  }

  chdir(path: string): void {
    this.cwd = files.directoryAt(this.#count(), path);
  }

  umask(mask?: number): number {
    const previous = this.umaskBits;
    if (mask !== undefined) this.umaskBits = mask & 0o777;
    return previous;
  }

  mounts(): ReturnType<Process["mounts"]> {
    return this.mountNamespace.describe();
  }

  mount(request: MountRequest, target: string): void {
    lateMounting.code.mountAt(this.#count(), request, target);
  }

  unmount(target: string): void {
    lateMounting.code.unmountAt(this.#count(), target);
  }

  mkfifo(path: string, permissions?: number): void {
    const fifo = new lateFifo.code.Fifo();
    files.mkfifoAt(this.#count(), path, (_caller, mode) => fifo.open(mode), permissions);
  }

  bindSocket(path: string, service: SocketService): number {
    return this.addFile(new UnixSocketFile(files.bindSocketAt(this.#count(), path, service)));
  }

  connectSocket(path: string): SocketService {
    return files.connectSocketAt(this.#count(), path);
  }

  chroot(path: string): void {
    const resolved = files.resolveExisting(this.#count(), path, true, true);
    if (resolved.inode.type !== "directory") throw new SysError("ENOTDIR");
    if (!isCapable(this, "SYS_CHROOT")) throw new SysError("EPERM");
    this.mountNamespace = MountNamespace.below(resolved);
    this.cwd = "/";
  }

  readFile(path: string): Bytes {
    const file = files.openAt(this.#count(), path, { read: true });
    return this.#whole(file);
  }

  #whole(file: OpenFile): Bytes {
    const sizeBytes = Math.min(file.stat().sizeBytes, maximumWholeBytes);
    this.#checkMemory(sizeBytes);
    const pieces: Bytes[] = [];
    for (let left = Math.max(sizeBytes, 1_048_576); left > 0; ) {
      const piece = file.tryRead(left, this);
      if (piece === undefined || piece.length === 0) break;
      pieces.push(piece);
      left -= piece.length;
    }
    return pieces.length === 0 ? noBytes : concatBytes(pieces);
  }

  /** Whether there is memory for so much at all: what is read whole is worked on, and soon forgotten. */
  #checkMemory(bytes: number): void {
    this.work += bytes >> 12;
    if (bytes < smallBytes) return;
    this.holdMemory(bytes);
    this.holdMemory(-bytes);
  }

  exists(path: string): boolean {
    return files.existsAt(this.#count(), path);
  }

  readText(path: string): string {
    const file = files.openAt(this.#count(), path, { read: true });
    if (!(file instanceof RegularFile)) return decodeUtf8(this.#whole(file));
    this.#checkMemory(file.stat().sizeBytes);
    return file.text();
  }

  readDraft(path: string): string {
    const file = files.openAt(this.#count(), path, { read: true });
    return file instanceof RegularFile ? file.draft() : decodeUtf8(this.#whole(file));
  }

  writeFile(path: string, data: Bytes | string, options?: { readonly append?: boolean; readonly permissions?: number }): void {
    const append = options?.append === true;
    const mode = { write: true, create: true, append, truncate: !append };
    const file = files.openAt(this.#count(), path, mode, options?.permissions);
    let rest = typeof data === "string" ? encodeUtf8(data) : data;
    while (rest.length > 0) rest = rest.subarray(file.tryWrite(rest, this));
  }

  // Terminals.

  isTty(fd: number): boolean {
    return this.table.has(fd) && this.table.get(fd).terminal !== undefined;
  }

  terminal(fd: number): Terminal {
    const device = this.#count().table.get(fd).terminal;
    if (device === undefined) throw new SysError("ENOTTY");
    return device;
  }

  // Processes and signals.

  spawn(options: SpawnOptions): number {
    this.#count();
    this.work += unitsPerSpawn;
    if (!this.controlGroup.hasRoomForProcess) throw new SysError("EAGAIN");
    const env = options.env ?? this.presentEnv;
    const executable = this.#executable(options, env);
    const child = new KernelProcess({
      ...this.#inheritance(),
      uid: executable.setUid ?? this.uid,
      argv: executable.argv,
      env: options.env === undefined && this.#env === undefined ? this.#sharedEnv : new Map(env),
      cwd: options.cwd === undefined ? this.cwd : files.directoryAt(this, options.cwd),
      terminal: options.newSession === true ? undefined : this.controllingTerminal,
      pgid: options.newSession === true || options.group === "new" ? undefined : (options.group ?? this.pgid),
      sid: options.newSession === true ? undefined : this.sid,
    });
    this.#giveDescriptors(child, options.fds);
    child.signals = this.signals?.forChild();
    this.children = this.children === undefined ? [child] : this.children.concat(child);
    child.run(executable.program);
    return child.pid;
  }

  #executable({ run, argv }: ExecOptions, env: ReadonlyMap<string, string>): Executable {
    if (typeof run !== "string") return { program: run, argv };
    const executable = findExecutable(this, this.kernel.programs, searchPath(this, run, env.get("PATH")), argv);
    if (areArgumentsTooLong(argv, env)) throw new SysError("E2BIG");
    return executable;
  }

  *exec(options: ExecOptions): Sys<never> {
    this.#count();
    this.work += unitsPerSpawn;
    const env = options.env ?? this.presentEnv;
    const executable = this.#executable(options, env);
    const numbers = options.fds ?? new Map(this.table.numbers().map((fd) => [fd, fd]));
    const kept = [...numbers].map(([to, from]) => [to, this.table.get(from)] as const);
    yield proceed;
    yield () => this.#becomes(executable, env, kept);
    throw new ProcessEnded();
  }

  #becomes(
    { program, argv, setUid }: Executable,
    env: ReadonlyMap<string, string>,
    kept: readonly (readonly [number, OpenFile])[],
  ): void {
    for (const [, file] of kept) file.references += 1;
    // What stands in `finally` blocks of the old program must not reach the new one's descriptors.
    this.ended = true;
    for (const thread of this.threads) thread.end();
    this.table.closeAll();
    this.ended = false;
    for (const [fd, file] of kept) {
      this.table.set(fd, file);
      file.references -= 1;
    }
    this.signals = this.signals?.forChild();
    this.argv = argv;
    this.uid = setUid ?? this.uid;
    this.#name = undefined;
    this.#sharedEnv = new Map(env);
    this.#env = undefined;
    this.holdMemory(-this.#heldBytes, -this.backedBytes);
    this.declareUse({ memoryBytes: defaultMemoryBytes, cpuMillicores: 0 });
    const thread = new KernelThread(this, () => program(this), true);
    this.threads = [thread];
    thread.start();
  }

  #inheritance() {
    return {
      kernel: this.kernel,
      parent: this,
      pidNamespace: this.pidNamespace,
      mountNamespace: this.mountNamespace,
      userNamespace: this.userNamespace,
      ipc: this.ipc,
      network: this.network,
      hostname: this.hostname,
      uid: this.uid,
      gid: this.gid,
      groups: this.groups,
      bounding: this.bounding,
      restrictions: this.restrictions,
      umaskBits: this.umaskBits,
      controlGroup: this.controlGroup,
      background: this.background,
    };
  }

  #giveDescriptors(child: KernelProcess, fds: ReadonlyMap<number, number> | undefined): void {
    if (fds === undefined) {
      for (let fd = 0; fd <= 2; fd += 1) if (this.table.has(fd)) child.table.set(fd, this.table.get(fd));
      return;
    }
    for (const [to, from] of fds) child.table.set(to, this.table.get(from));
  }

  kill(pid: number, signal: Signal): void {
    this.#count();
    const targets = this.#targets(pid);
    if (targets.length === 0) throw new SysError("ESRCH");
    const permitted = targets.filter((target) => isCapable(this, "KILL") || this.hostUid === target.hostUid);
    if (permitted.length === 0) throw new SysError("EPERM");
    for (const target of permitted) {
      const isInside = target.pidNamespace === this.pidNamespace;
      deliverSignal(target, signal, isInside ? "process" : "kernel", isInside ? this.pid : 0);
    }
    if (this.ended) throw new ProcessEnded();
  }

  #targets(pid: number): readonly KernelProcess[] {
    if (pid > 0) {
      const target = this.pidNamespace.get(pid);
      return target === undefined ? [] : [target];
    }
    if (pid === -1) return [...this.pidNamespace.all()].filter((process) => process !== this && process.pid !== 1);
    return this.pidNamespace.group(pid === 0 ? this.pgid : -pid).filter((process) => !process.ended);
  }

  setSignal(signal: Signal, disposition: "default" | "ignore" | "catch"): void {
    blocking.setDisposition(this.#count(), signal, disposition);
  }

  takeSignals(): readonly Signal[] {
    return this.takeSignalInfos().map(({ signal }) => signal);
  }

  takeSignalInfos(): readonly SignalInfo[] {
    return this.signals?.take() ?? [];
  }

  setUser({ uid, gid, groups }: { readonly uid: number; readonly gid: number; readonly groups: readonly number[] }): void {
    this.#count();
    if (!isCapable(this, "SETGID") || !isCapable(this, "SETUID")) throw new SysError("EPERM");
    this.uid = uid;
    this.gid = gid;
    this.groups = groups;
  }

  usePids(count: number): void {
    this.#count().pidNamespace.use(count);
  }

  setProcessGroup(pid: number, pgid: number): void {
    this.#count();
    const target = pid === 0 ? this : this.pidNamespace.get(pid);
    if (target === undefined || (target !== this && target.parent !== this)) throw new SysError("ESRCH");
    if (target.sid !== this.sid || target.sid === target.pid) throw new SysError("EPERM");
    target.pgid = pgid === 0 ? target.pid : pgid;
  }

  processes(): readonly ProcessInfo[] {
    return this.pidNamespace.infos();
  }

  declareUse(use: ResourceUse): void {
    this.#count();
    if (use.cpuMillicores !== undefined) this.changeCpu(use.cpuMillicores - this.cpuMillicores);
    if (use.memoryBytes !== undefined) this.#changeMemory(use.memoryBytes + this.#heldBytes - this.memoryBytes);
  }

  holdMemory(bytes: number, backedBytes: number = bytes): void {
    this.#count();
    this.#heldBytes += bytes;
    this.backedBytes += backedBytes;
    this.kernel.chargeBacking(backedBytes, this);
    this.#changeMemory(bytes);
  }

  #changeMemory(bytes: number): void {
    this.memoryBytes += bytes;
    this.controlGroup.chargeMemory(bytes, this);
  }

  spend(units: number): void {
    this.work += units;
  }

  *breathe(): Sys<void> {
    try {
      yield proceed;
    } catch (error) {
      if (!(error instanceof SysError && error.code === "EINTR")) throw error;
    }
  }

  // Blocking calls.

  read(fd: number, maxBytes?: number): Sys<Bytes> {
    return blocking.read(this.#count(), fd, maxBytes);
  }

  awaitOtherSide(fd: number): Sys<void> {
    return blocking.awaitOtherSide(this.#count(), fd);
  }

  write(fd: number, data: Bytes | string): Sys<void> {
    return blocking.write(this.#count(), fd, data);
  }

  writeLater(fd: number, words: () => string): void {
    const file = this.#count().table.get(fd);
    if (file.takeLater === undefined) file.tryWrite(encodeUtf8(words()), this);
    else file.takeLater(words);
  }

  fsync(fd: number): Sys<void> {
    return blocking.fsync(this.#count(), fd);
  }

  sync(): Sys<void> {
    return blocking.sync(this.#count());
  }

  sleep(delayMs: number): Sys<void> {
    return blocking.sleep(this.#count(), delayMs);
  }

  pause(): Sys<never> {
    return blocking.pause();
  }

  wait(pid: number, options?: { readonly noHang?: boolean; readonly untraced?: boolean }): Sys<WaitStatus | undefined> {
    return blocking.wait(this.#count(), pid, options);
  }

  poll(fds: readonly number[], timeoutMs?: number): Sys<readonly number[]> {
    return blocking.poll(this.#count(), fds, timeoutMs);
  }

  // Network.

  resolve(name: string): Sys<readonly string[]> {
    return network.resolve(this.#count(), name);
  }

  queryDns(server: string, question: DnsQuestion): Sys<DnsAnswer> {
    return network.queryDns(this.#count(), server, question);
  }

  connect(target: CallTarget): Sys<number> {
    return network.connect(this.#count(), target);
  }

  listen(options: { readonly port: number; readonly address?: string; readonly tls?: TlsServer }): number {
    return network.listen(this.#count(), options);
  }

  endWriting(fd: number): void {
    network.endWriting(this.#count(), fd);
  }

  accept(fd: number): Sys<{ readonly fd: number; readonly peer: Endpoint }> {
    return network.accept(this.#count(), fd);
  }

  openDatagrams(options: { readonly port?: number; readonly address?: string } = {}): number {
    return lateDatagrams.code.openDatagrams(this.#count(), options);
  }

  connectDatagrams(fd: number, peer: Endpoint): void {
    lateDatagrams.code.connectDatagrams(this.#count(), fd, peer);
  }

  sendDatagram(fd: number, bytes: Bytes, to?: Endpoint): Sys<void> {
    return lateDatagrams.code.sendDatagram(this.#count(), fd, bytes, to);
  }

  receiveDatagram(fd: number, options: { readonly peek?: boolean } = {}): Sys<Datagram> {
    return lateDatagrams.code.receiveDatagram(this.#count(), fd, options);
  }

  echo(address: string, { raw = false }: { readonly raw?: boolean } = {}): EchoResult {
    if (raw && !isCapable(this, "NET_RAW")) throw new SysError("EPERM");
    return this.#count().network.echo(address);
  }

  addresses(): readonly string[] {
    return this.network.addresses;
  }

  networkPlace(): NetworkPlace {
    return this.#count().network.place();
  }

  sockets(): readonly SocketInfo[] {
    return lateSockets.code.socketsOf(this.#count());
  }

  http(request: HttpRequest & CallTarget): Sys<HttpReply> {
    return network.http(this.#count(), request);
  }

  serveDns(handler: DnsHandler): number {
    return network.serveDns(this.#count(), handler);
  }

  listenHttp(options: {
    readonly port: number;
    readonly address?: string;
    readonly tls?: TlsServer;
    readonly preface?: HttpPreface;
  }): number {
    return network.listenHttp(this.#count(), options);
  }

  answerHttp(fd: number, handler: HttpHandler): void {
    network.answerHttp(this.#count(), fd, handler);
  }

  serveHttp(options: {
    readonly port: number;
    readonly address?: string;
    readonly tls?: TlsServer;
    readonly handler: HttpHandler;
  }): number {
    return network.serveHttp(this.#count(), options);
  }

  /** Adds an open file made elsewhere. */
  addFile(file: OpenFile): number {
    return this.table.add(file);
  }
}
