// What a program sees of the kernel. A program is a generator: calls that may block are `yield*`ed, all others are plain
// methods. A container's entrypoint, an exec, the learner's shell, kubectl and curl are all programs.

import type { Bytes } from "./bytes.ts";
import type { FileStat, OpenMode } from "./files.ts";
import type { SocketService } from "./filesystem/inode.ts";
import type { MountDescription } from "./filesystem/mounts.ts";
import type { HttpHandler, HttpReply, HttpRequest } from "./http.ts";
import type { KernelRelease } from "./kernel-release.ts";
import type {
  CallTarget,
  DnsAnswer,
  DnsHandler,
  DnsQuestion,
  EchoResult,
  Endpoint,
  HttpPreface,
  NetworkPlace,
  SocketInfo,
  TlsServer,
} from "./net.ts";
import type { Random } from "./random.ts";
import type { Signal } from "./signals.ts";
import type { Terminal } from "./tty.ts";

/**
 * A blocking system call: the kernel calls it with the thread that yielded it, and it resumes that thread later (or at
 * once) with a value or an error. Programs never make one themselves; they use the generators of `Process`.
 */
export type SystemCall = (thread: Thread) => void;

/** A computation that may block. `yield*` it; it returns T or throws SysError. */
export type Sys<T> = Generator<SystemCall, T, unknown>;

/** Runs until it returns its exit code (0–255). A thrown SysError ends the process with 1 and its text on stderr. */
export type Program = (self: Process) => Sys<number>;

/** One line of execution; a process has one, or more with `startThread`. */
export interface Thread {
  readonly process: Process;
  resume(value: unknown): void;
  fail(error: Error): void;
  /** Called when a caught or fatal signal interrupts the blocking call; the call must give up what it waits for. */
  onInterrupt: (() => void) | undefined;
}

export interface SpawnOptions {
  /** A path to an executable or script, or a program given directly (shell builtins, functions, tests). */
  readonly run: string | Program;
  readonly argv: readonly string[];
  /** Defaults to a copy of the caller's. */
  readonly env?: ReadonlyMap<string, string>;
  readonly cwd?: string;
  /** Child descriptor → caller's descriptor. Defaults to 0→0, 1→1, 2→2. */
  readonly fds?: ReadonlyMap<number, number>;
  /** Process group: "new" makes the child its leader; a number joins that group; absent inherits. */
  readonly group?: "new" | number;
  /** Starts a new session without controlling terminal. */
  readonly newSession?: boolean;
}

/** What of `SpawnOptions` is left when no process is made. */
export type ExecOptions = Pick<SpawnOptions, "run" | "argv" | "env" | "fds">;

/** A caught signal, as siginfo has it. */
export interface SignalInfo {
  readonly signal: Signal;
  /** The process that sent it, or ended or stopped (CHLD); 0: the kernel, or who is in no namespace of ours. */
  readonly from: number;
}

export interface WaitStatus {
  readonly pid: number;
  /** Exit code; 128 + signal number when a signal ended the process. */
  readonly code: number;
  readonly signal: Signal | undefined;
  /** The process is stopped, not ended (only with `untraced`). */
  readonly stopped: boolean;
}

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly uid: number;
  readonly gid: number;
  readonly argv: readonly string[];
  /** Of the program: what the kernel calls the process, at most 15 characters. */
  readonly name: string;
  readonly state: "running" | "sleeping" | "waiting for the disk" | "stopped" | "zombie";
  readonly startedMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly tty: string | undefined;
}

/** What a program uses of its node, as declared by the program: metered for limits, OOM kills, metrics and eviction. */
export interface ResourceUse {
  readonly memoryBytes?: number;
  readonly cpuMillicores?: number;
}

export interface MountRequest {
  /** A path where there is no type: what is at it is seen at the target, too (a bind mount). */
  readonly source: string;
  /** Nothing but memory can be mounted anew. */
  readonly type?: "tmpfs" | undefined;
  /** Of a bind mount: with what is mounted below its source. */
  readonly isRecursive?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  /** Of memory; half of the machine's unless stated. */
  readonly sizeBytes?: number | undefined;
}

export interface Process {
  /** Identifier inside the process's own PID namespace. */
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly argv: readonly string[];
  readonly env: Map<string, string>;
  readonly cwd: string;
  readonly uid: number;
  readonly gid: number;
  /** Supplementary groups. */
  readonly groups: readonly number[];
  readonly hostname: string;
  readonly kernelRelease: KernelRelease;
  /** Of the machine: what sched_getaffinity(2) tells. */
  readonly processors: number;
  readonly nowMs: number;
  readonly random: Random;
  /** How it ended; for `finally` blocks, which a signal runs as well. */
  readonly exit: { readonly code: number; readonly signal: Signal | undefined } | undefined;

  // Files. Paths may be relative to cwd. All throw SysError.
  open(path: string, mode: OpenMode, permissions?: number): number;
  close(fd: number): void;
  dup(fd: number): number;
  dup2(from: number, to: number): void;
  /** [read end, write end] */
  pipe(): readonly [number, number];
  /** Descriptors that are open, in ascending order. */
  descriptors(): readonly number[];
  seek(fd: number, offset: number, from?: "start" | "current" | "end"): number;
  fstat(fd: number): FileStat;
  stat(path: string): FileStat;
  /** As `stat`; undefined when the path leads nowhere, for whoever looks in one place after another. */
  statIfThere(path: string): FileStat | undefined;
  lstat(path: string): FileStat;
  /** Names without "." and "..", sorted by code unit. */
  readdir(path: string): readonly string[];
  readlink(path: string): string;
  realpath(path: string): string;
  mkdir(path: string, permissions?: number): void;
  rmdir(path: string): void;
  unlink(path: string): void;
  rename(from: string, to: string): void;
  link(target: string, path: string): void;
  symlink(target: string, path: string): void;
  chmod(path: string, permissions: number): void;
  chown(path: string, uid: number, gid: number): void;
  utimes(path: string, modifiedMs: number): void;
  truncate(path: string, sizeBytes: number): void;
  chdir(path: string): void;
  umask(mask?: number): number;
  mounts(): readonly MountDescription[];
  /** EPERM without the capability SYS_ADMIN of the machine; ENOTDIR where a directory would cover a file, or the other way round. */
  mount(request: MountRequest, target: string): void;
  /** What was mounted last at the target. EINVAL where nothing is mounted. */
  unmount(target: string): void;
  /** Makes a named pipe. */
  mkfifo(path: string, permissions?: number): void;
  /** Listens at a path (unix(7)) until the process ends or the descriptor is closed; the name stays. Throws EADDRINUSE. */
  bindSocket(path: string, service: SocketService): number;
  /** What listens at a Unix socket. Throws ENOENT, ECONNREFUSED. */
  connectSocket(path: string): SocketService;
  /** The directory becomes the root, and the working directory, of this process and its children. EPERM for all but root. */
  chroot(path: string): void;
  /** Whether something that can be reached is at the path. */
  exists(path: string): boolean;
  /** Whole-file conveniences over open, read and write of regular files. */
  readFile(path: string): Bytes;
  readText(path: string): string;
  /** The same, but of content that is made when somebody looks at it, the draft (`FileInode.provide`). */
  readDraft(path: string): string;
  writeFile(path: string, data: Bytes | string, options?: { readonly append?: boolean; readonly permissions?: number }): void;

  // Terminals.
  isTty(fd: number): boolean;
  /** The terminal behind a descriptor: modes, size, foreground group. Throws ENOTTY. */
  terminal(fd: number): Terminal;

  // Processes and signals.
  /** Starts a child and returns its pid; throws ENOENT, EACCES, ENOEXEC for a path that cannot run. */
  spawn(options: SpawnOptions): number;
  /**
   * exec(2): another program goes on in this process, with its pid and its children, and with these descriptors alone. Throws what `spawn` throws;
   * otherwise it does not return.
   */
  exec(options: ExecOptions): Sys<never>;
  /** Another thread of this process: shares descriptors, ends with the process. */
  startThread(body: () => Sys<void>): void;
  /** A negative pid names a process group, 0 the caller's own. Throws ESRCH, EPERM. */
  kill(pid: number, signal: Signal): void;
  /** "catch" makes blocking calls throw EINTR and the signal appear in `takeSignals`. KILL and STOP cannot be changed. */
  setSignal(signal: Signal, disposition: "default" | "ignore" | "catch"): void;
  /** Caught signals since the last call, in order of arrival. */
  takeSignals(): readonly Signal[];
  /** The same, with who sent them. */
  takeSignalInfos(): readonly SignalInfo[];
  /** setgid(2), setgroups(2) and setuid(2) in one. EPERM without the capabilities SETGID and SETUID. */
  setUser(user: { readonly uid: number; readonly gid: number; readonly groups: readonly number[] }): void;
  /** So many children came and went that nobody had time to see: their numbers are used up. */
  usePids(count: number): void;
  setProcessGroup(pid: number, pgid: number): void;
  /** All processes of the PID namespace, by pid. */
  processes(): readonly ProcessInfo[];
  /** From now on `ps` shows the title as its command line; `name` is its short name, at most 15 characters. */
  retitle(title: string, name: string): void;
  declareUse(use: ResourceUse): void;
  /**
   * Takes memory beside what was declared, before something large is made, or gives it back (negative); the end of the process does
   * too. A process that exceeds a limit with it does not come back from the call: it has been killed. `backedBytes`: what of it the
   * world keeps, when that is less (see `process/backing.ts`).
   */
  holdMemory(bytes: number, backedBytes?: number): void;
  /** Processor time used so far. */
  readonly cpuMs: number;
  /** The fraction of the processor time it wants that it is given now. */
  readonly shareOfProcessor: number;
  /** Work that is no call, in microseconds of a processor: the time passes at the next blocking call, or at `breathe`. */
  spend(units: number): void;
  /** Lets time pass when there was work for it: in every loop that may be long and calls nothing that blocks. */
  breathe(): Sys<void>;

  // Blocking calls.
  /** At most `maxBytes` (default 65,536); an empty result is end of file. */
  read(fd: number, maxBytes?: number): Sys<Bytes>;
  /** Until somebody has opened the other side of a named pipe: the second half of open(2); at once for all other files. */
  awaitOtherSide(fd: number): Sys<void>;
  /** Writes all of it, waiting where a pipe is full. EPIPE (and SIGPIPE) when no reader is left. */
  write(fd: number, data: Bytes | string): Sys<void>;
  /** Writes without waiting a text that may be put together when somebody reads it: `words` must give the same whenever it is called. Throws EBADF. */
  writeLater(fd: number, words: () => string): void;
  /** Until what was written to the file's disk is on it. */
  fsync(fd: number): Sys<void>;
  /** The same of every disk that the process sees. */
  sync(): Sys<void>;
  sleep(delayMs: number): Sys<void>;
  /** Until a caught signal arrives: always throws EINTR. */
  pause(): Sys<never>;
  /** Waits for a child (-1: any). With `noHang` returns undefined when none has changed. Throws ECHILD. */
  wait(pid: number, options?: { readonly noHang?: boolean; readonly untraced?: boolean }): Sys<WaitStatus | undefined>;
  /** Descriptors that can be read without blocking; empty on time-out. */
  poll(fds: readonly number[], timeoutMs?: number): Sys<readonly number[]>;

  // Network, in the process's own network namespace.
  /** Addresses of a name by the process's /etc/hosts and /etc/resolv.conf; empty when the name does not exist. EAGAIN when no DNS server answered. */
  resolve(name: string): Sys<readonly string[]>;
  /** One question to the DNS server at an IP address, past /etc/hosts and the search list. Throws ECONNREFUSED, ETIMEDOUT. */
  queryDns(server: string, question: DnsQuestion): Sys<DnsAnswer>;
  /** Connects to an IP address; the descriptor reads and writes the byte stream. */
  connect(target: CallTarget): Sys<number>;
  listen(options: { readonly port: number; readonly address?: string; readonly tls?: TlsServer }): number;
  /** No more is written to a connection: the other side reads its end. EBADF for what is none. */
  endWriting(fd: number): void;
  accept(fd: number): Sys<{ readonly fd: number; readonly peer: Endpoint }>;
  /** A datagram socket (UDP), bound to a port: a free one, unless it says which. Throws EADDRINUSE, EADDRNOTAVAIL. */
  openDatagrams(options?: { readonly port?: number; readonly address?: string }): number;
  /**
   * From now on only what that peer sends comes in, `read` and `write` move one datagram each, and both throw ECONNREFUSED or EHOSTUNREACH when something
   * that was sent came back.
   */
  connectDatagrams(fd: number, peer: Endpoint): void;
  /** To the peer of the socket, unless it says to whom. Throws EMSGSIZE, ENETUNREACH; what is lost on the way is lost in silence. */
  sendDatagram(fd: number, bytes: Bytes, to?: Endpoint): Sys<void>;
  /** Waits for one; `peek` leaves it there. */
  receiveDatagram(fd: number, options?: { readonly peek?: boolean }): Sys<{ readonly bytes: Bytes; readonly from: Endpoint }>;
  /**
   * What comes of an ICMP echo request to an IP address, said at once. Throws EPERM for a `raw` socket without the capability NET_RAW; one
   * for datagrams (ping_group_range) is everybody's.
   */
  echo(address: string, options?: { readonly raw?: boolean }): EchoResult;
  /** Own addresses, loopback first. */
  addresses(): readonly string[];
  /** The interfaces and routes of the namespace. */
  networkPlace(): NetworkPlace;
  /** All sockets of the namespace: those that listen by port, then connections in the order of their processes. */
  sockets(): readonly SocketInfo[];
  /** One HTTP exchange with an IP address; the body of the reply may be a stream. */
  http(request: HttpRequest & CallTarget): Sys<HttpReply>;
  /** Answers DNS queries on port 53 until the process ends or the descriptor is closed. */
  serveDns(handler: DnsHandler): number;
  /** Listens for HTTP; requests wait until somebody answers them. Children may inherit the descriptor. */
  listenHttp(options: {
    readonly port: number;
    readonly address?: string;
    readonly tls?: TlsServer;
    readonly preface?: HttpPreface;
  }): number;
  /**
   * Answers requests that come to a descriptor of `listenHttp`, as long as the process has it. Of several processes the first that is able to gets all; who
   * says it again goes behind the others (as who adds a socket to an epoll(7) instance with EPOLLEXCLUSIVE anew).
   */
  answerHttp(fd: number, handler: HttpHandler): void;
  /** Answers HTTP on a port without an accept loop, until the process ends or the descriptor is closed. */
  serveHttp(options: {
    readonly port: number;
    readonly address?: string;
    readonly tls?: TlsServer;
    readonly handler: HttpHandler;
  }): number;
}
