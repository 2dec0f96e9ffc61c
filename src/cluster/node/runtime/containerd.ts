// containerd: sandboxes and containers over the simulation's kernel, with the times that the real one takes.

import type { NodeRuntimeHandler } from "#cluster/api/generated/types.ts";
import type { Architecture, Image, ImageRegistry, RegistryCredentials } from "#cluster/images/image.ts";
import type { NodeNetwork } from "#cluster/network/network.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError, wordsOf } from "#sim/errors.ts";
import type { FileSystem } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { lateMounting } from "#sim/filesystem/late-mounting.ts";
import { lateSysctls } from "#sim/filesystem/late-sysctls.ts";
import type { Mount, MountNamespace } from "#sim/filesystem/mounts.ts";
import type { ExitStatus, Kernel, LaterSink, ProcessHandle } from "#sim/kernel.ts";
import { Listeners } from "#sim/listeners.ts";
import { areArgumentsTooLong } from "#sim/process/arguments.ts";
import type { ControlGroup, ControlGroupLimits } from "#sim/process/control-group.ts";
import type { PidNamespace } from "#sim/process/pid-namespace.ts";
import type { Program } from "#sim/program.ts";
import { type Signal, signalNumbers } from "#sim/signals.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Journal } from "../host/journal.ts";
import type { PodGroups } from "../host/machine.ts";
import { lateUserNamespaces } from "../user-namespaces/late-user-namespaces.ts";
import type {
  ContainerConfig,
  ContainerResources,
  ContainerRuntime,
  ContainerUse,
  ExecRequest,
  ExecStream,
  GroupLimits,
  GroupUse,
  RuntimeAct,
  RuntimeContainer,
  RuntimeResult,
  Sandbox,
  SandboxConfig,
  StoredImage,
} from "./cri.ts";
import { plainRuntimes, type RuntimeSettings, runtimeOf, shimFault } from "./handlers.ts";
import { ImageStore } from "./image-store.ts";
import { lateExecStreams } from "./late-exec-streams.ts";
import { lateImageMounts } from "./late-image-mounts.ts";
import { ContainerRecord, type PodRecords, SandboxRecord } from "./records.ts";
import { refusedProgram } from "./refused-program.ts";
import { type ContainerdRelease, type ContainerdVersion, containerdReleases, usualContainerd } from "./releases.ts";
import { containerValues, podGroupPath, RuntimeJournal, sandboxValues } from "./runtime-journal.ts";
import { RuntimeSocket } from "./socket.ts";

export interface ContainerdOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly network: NodeNetwork;
  readonly registry: ImageRegistry;
  /** Of its machine. */
  readonly files: HostFiles;
  /** The node's PID namespace. */
  readonly hostPids: PidNamespace;
  /** The node's /dev/shm. */
  readonly hostSharedMemory: Mount;
  /** Where containers' layers are kept. */
  readonly disk: FileSystem;
  readonly podGroups: PodGroups;
  readonly hostname: string;
  /** Of the machine; default amd64. */
  readonly architecture?: Architecture;
  /** Text of the machine's /etc/hosts. */
  readonly hostsFile?: () => string;
  /** Where it logs what it does. */
  readonly journal?: Journal;
  /** Its configuration at its first start. */
  readonly runtimes?: RuntimeSettings;
  /** Which release of it is installed. */
  readonly release?: ContainerdVersion | undefined;
  /** Whether the machine has a program: by its path, or by a name that is looked for. */
  readonly hasProgram?: (program: string) => boolean;
}

/** What a client of its socket hears while it does not run, and where its release or its configuration has no CRI v1. */
export const unavailable =
  'connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"';
export const unimplemented = "unknown service runtime.v1.RuntimeService";
const maximumTerminationBytes = 4096;
const fallbackBytes = 2048;
const fallbackLines = 80;
/** What it takes to make a container's namespaces and to load its program. */
const startCpuMs = 20;
/** Go's names of the signals 1 to 15; of the others it prints the number. */
const signalWords =
  "hangup,interrupt,quit,illegal instruction,trace/breakpoint trap,aborted,bus error,floating point exception,killed,user defined signal 1,segmentation fault,user defined signal 2,broken pipe,alarm clock,terminated".split(
    ",",
  );
const pausePolicy = { killsWhole: true, scoreAdjust: -998 };
const noPods: PodRecords = { sandboxes: [], containers: [], endedCpuMs: 0 };

function limitsOf({ memoryLimitBytes, cpuLimitMillicores, cpuShares, swapLimitBytes }: GroupLimits): ControlGroupLimits {
  return { memoryBytes: memoryLimitBytes, cpuMillicores: cpuLimitMillicores, cpuShares, swapBytes: swapLimitBytes };
}

/** As the kubelet's systemd driver names it. */
function podGroupName({ podUid, qosClass }: SandboxConfig): string {
  const among = qosClass === "Guaranteed" ? "" : `-${asciiLowerCase(qosClass)}`;
  // A join is kept in one piece, unlike what a template puts together.
  return ["kubepods", among, "-pod", podUid.replaceAll("-", "_"), ".slice"].join("");
}

export class Containerd implements ContainerRuntime {
  /** What the machine has installed: what runs from the next start on. */
  installed: ContainerdVersion;
  readonly imageStore: ImageStore;
  readonly onChange = new Listeners<string>();
  readonly onLogFull = new Listeners<RuntimeContainer>();
  /** One for all containers: one made for each would keep what happened to be in sight where it was made. */
  readonly #tellLogFull = (container: RuntimeContainer): void => this.onLogFull.tell(container);
  readonly onAct = new Listeners<RuntimeAct>();
  readonly #options: ContainerdOptions;
  readonly #pods = new Map<string, PodRecords>();
  readonly #sandboxes = new Map<string, SandboxRecord>();
  readonly #containers = new Map<string, ContainerRecord>();
  readonly #journal: RuntimeJournal;
  #runtimes: RuntimeSettings = plainRuntimes;
  #handlers: readonly NodeRuntimeHandler[] = [];
  stoppedMs: number | undefined;
  #release: ContainerdVersion;
  #isRunning = true;
  readonly #socket: RuntimeSocket;
  readonly #waiting: (() => void)[] = [];
  /** Pods in which something changed while it did not run. */
  readonly #changed = new Set<string>();
  /** Containers that ran when the machine lost its power, until it is noticed. */
  readonly #lost: ContainerRecord[] = [];
  /** How often the machine has lost its power: what was under way then never ends. */
  #boots = 0;
  /** Processor time of all containers that have ended. */
  #endedCpuMs = 0;

  constructor(options: ContainerdOptions) {
    this.#options = options;
    const { simulation, registry, disk, network, architecture = "amd64", hostsFile } = options;
    const hostsEntry = (name: string) => hostsEntryOf(hostsFile?.() ?? "", name);
    this.imageStore = new ImageStore({
      simulation,
      registry,
      disk,
      puller: { address: network.address, architecture, hostsEntry },
    });
    this.#journal = new RuntimeJournal(options.journal);
    this.installed = options.release ?? usualContainerd;
    this.#release = this.installed;
    this.#socket = new RuntimeSocket(options.files);
    this.#configure(options.runtimes ?? plainRuntimes);
    this.#serve();
  }

  /** As a Node tells it: of the release that runs, or ran last. */
  get version(): string {
    return `containerd://${this.#release}`;
  }

  /** That runs, or ran last. */
  get release(): ContainerdRelease {
    return containerdReleases[this.#release];
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** What a call at its socket fails with; undefined: it answers. */
  get unreachable(): string | undefined {
    if (!this.#isRunning) return `code = Unavailable desc = ${unavailable}`;
    return this.#servesCri ? undefined : `code = Unimplemented desc = ${unimplemented}`;
  }

  get #servesCri(): boolean {
    return this.release.servesV1 && this.#runtimes.isCriDisabled !== true;
  }

  #serve(): void {
    this.#socket.listen(this.#servesCri);
    this.stoppedMs = this.#servesCri ? undefined : (this.stoppedMs ?? this.#options.simulation.nowMs);
  }

  /** Requests wait until the next start. Containers go on: their shims are processes of their own. */
  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.stoppedMs ??= this.#options.simulation.nowMs;
    this.#socket.close();
    this.#options.journal?.unitChanged("containerd", "stopped");
  }

  /**
   * The machine is without power: nothing runs any more, what was asked for is forgotten. Of containers that ran it is known at the next
   * start that they have ended, and no more than that (code 255, Unknown).
   */
  cutPower(): void {
    const { simulation } = this.#options;
    this.#boots += 1;
    this.stoppedMs ??= simulation.nowMs;
    this.#isRunning = false;
    this.#socket.close();
    this.#waiting.length = 0;
    this.#changed.clear();
    this.imageStore.forgetPulls();
    for (const container of this.#containers.values()) if (container.state === "running") this.#lose(container);
    for (const sandbox of this.#sandboxes.values()) {
      if (sandbox.state === "notReady") continue;
      sandbox.state = "notReady";
      sandbox.network?.remove();
      if (!sandbox.config.hostIpc) sandbox.sharedMemory.fileSystem.discard();
    }
  }

  #lose(container: ContainerRecord): void {
    this.#options.simulation.cancel(container.killTimer);
    container.killTimer = undefined;
    if (container.process !== undefined) container.process.onExit = undefined;
    container.onExit.length = 0;
    container.endFollowing?.();
    container.attached = undefined;
    container.state = "exited";
    container.exitCode = 255;
    container.reason = "Unknown";
    this.#lost.push(container);
  }

  /** With what its configuration file says. What was asked for meanwhile is done, what happened is told, once it answers. Throws SysError. */
  start(runtimes: RuntimeSettings): void {
    this.#release = this.installed;
    const { name, revision } = this.release;
    this.#journal.write("starting", revision, name);
    this.#configure(runtimes);
    this.#options.journal?.unitChanged("containerd", "started");
    this.#serve();
    this.#isRunning = true;
    this.#journal.write("serving");
    if (this.stoppedMs !== undefined) return;
    for (const container of this.#lost.splice(0)) container.finishedMs = this.#options.simulation.nowMs;
    for (const request of this.#waiting.splice(0)) request();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const uid of changed) this.onChange.tell(uid);
  }

  /** Whether it does not answer: then the request waits. */
  #postpones(request: () => void): boolean {
    if (this.stoppedMs === undefined) return false;
    this.#waiting.push(request);
    return true;
  }

  #tellChange(podUid: string): void {
    if (this.stoppedMs === undefined) this.onChange.tell(podUid);
    else this.#changed.add(podUid);
  }

  #configure(runtimes: RuntimeSettings): void {
    this.#runtimes = runtimes;
    this.#handlers = ["", ...runtimes.handlers.map(({ name }) => name).sort()].map((name) => ({
      features: runtimeOf(this.runtimeTypeOf(name))?.features ?? {},
      name,
    }));
  }

  get handlers(): readonly NodeRuntimeHandler[] {
    return this.#handlers;
  }

  /** `io.containerd.runc.v2`; of a handler that is configured, or "" for the default one. */
  runtimeTypeOf(handler: string): string {
    const { defaultName, handlers } = this.#runtimes;
    const name = handler === "" ? defaultName : handler;
    return handlers.find((each) => each.name === name)?.type ?? "";
  }

  runSandbox(config: SandboxConfig, done: (result: RuntimeResult<Sandbox>) => void): void {
    if (this.#postpones(() => this.runSandbox(config, done))) return;
    const { simulation, hasProgram = () => true } = this.#options;
    const type = this.runtimeTypeOf(config.runtimeHandler);
    this.#journal.write("runSandbox", ...sandboxValues(config));
    if (type === "") {
      const name = config.runtimeHandler || this.#runtimes.defaultName;
      const message = `failed to get sandbox runtime: no runtime for ${JSON.stringify(name)} is configured`;
      this.#journal.write("sandboxFailed", ...sandboxValues(config), message);
      simulation.after(20, () => done({ ok: false, message }));
      return;
    }
    const fault = shimFault(type, hasProgram);
    this.#later(300 + (runtimeOf(type)?.startMs ?? 0), 300, () => {
      const made =
        fault === undefined
          ? this.#makeSandbox(config, type)
          : ({ ok: false, message: `failed to start sandbox "${this.#newId()}": ${fault}` } as const);
      if (made.ok) this.#journal.write("sandboxRuns", ...sandboxValues(config), made.value.id);
      else this.#journal.write("sandboxFailed", ...sandboxValues(config), made.message);
      if (made.ok) this.#did("sandboxReady", config, "", made.value.address);
      else this.#did("sandboxFailed", config, "", made.message);
      done(made);
    });
  }

  sandboxesOf(podUid: string): readonly SandboxRecord[] {
    return (this.#pods.get(podUid) ?? noPods).sandboxes;
  }

  containersOf(podUid: string): readonly ContainerRecord[] {
    return (this.#pods.get(podUid) ?? noPods).containers;
  }

  get runningContainers(): number {
    let count = 0;
    for (const container of this.#containers.values()) if (container.state === "running") count += 1;
    return count;
  }

  podUids(): readonly string[] {
    return [...this.#pods.keys()];
  }

  stopSandbox(id: string, done: () => void): void {
    if (this.#postpones(() => this.stopSandbox(id, done))) return;
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined || sandbox.state === "notReady") {
      done();
      return;
    }
    for (const container of this.containersOf(sandbox.config.podUid)) {
      if (container.sandboxId === id && container.state === "running") container.process?.signal("KILL");
    }
    sandbox.isStopping = true;
    sandbox.pause?.signal("KILL");
    this.#journal.write("stopSandbox", id);
    this.#later(50, 60, () => {
      sandbox.state = "notReady";
      sandbox.network?.remove();
      this.#journal.write("tornDown", id);
      this.#journal.write("sandboxStopped", id);
      this.#did("sandboxStopped", sandbox.config, "", "");
      this.#tellChange(sandbox.config.podUid);
      done();
    });
  }

  removeSandbox(id: string): void {
    if (this.#postpones(() => this.removeSandbox(id))) return;
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return;
    if (sandbox.state === "ready") {
      sandbox.pause?.signal("KILL");
      sandbox.network?.remove();
      sandbox.state = "notReady";
    }
    this.#sandboxes.delete(id);
    if (!sandbox.config.hostIpc) sandbox.sharedMemory.fileSystem.discard();
    this.#journal.write("removeSandbox", id);
    const records = this.#pods.get(sandbox.config.podUid);
    if (records === undefined) return;
    records.sandboxes = records.sandboxes.filter((each) => each !== sandbox);
    this.#forgetIfEmpty(sandbox.config.podUid, records);
  }

  createContainer(sandboxId: string, config: ContainerConfig, done: (result: RuntimeResult<RuntimeContainer>) => void): void {
    if (this.#postpones(() => this.createContainer(sandboxId, config, done))) return;
    this.#journal.write("create", sandboxId, ...containerValues(config));
    this.#later(40, 40, () => {
      const sandbox = this.#sandboxes.get(sandboxId);
      if (sandbox === undefined) {
        done({ ok: false, message: `failed to find sandbox id "${sandboxId}": not found` });
        return;
      }
      const id = this.#newId();
      const target = config.targetContainerId ?? "";
      const targetState = this.#containers.get(target)?.state ?? "exited";
      const message =
        sandbox.sharedPids === undefined && target !== "" && targetState !== "running"
          ? lateExecStreams.code.targetErrorMessage(id, target, targetState)
          : config.imageMounts && lateImageMounts.code.imageMountFault(this.#options.kernel, sandboxId, config.imageMounts);
      if (message !== undefined) {
        this.#journal.write("createFailed", sandboxId, ...containerValues(config), message);
        done({ ok: false, message });
        return;
      }
      const container = new ContainerRecord(id, sandboxId, config, this.#options.simulation.nowMs, this.#tellLogFull);
      this.#containers.set(container.id, container);
      const records = this.#pods.get(sandbox.config.podUid);
      if (records !== undefined) records.containers = [container].concat(records.containers);
      this.#journal.write("created", sandboxId, ...containerValues(config), container.id);
      this.#did("created", sandbox.config, config.name, config.imageName);
      done({ ok: true, value: container });
    });
  }

  startContainer(id: string, done: (result: RuntimeResult<RuntimeContainer>) => void): void {
    if (this.#postpones(() => this.startContainer(id, done))) return;
    this.#journal.write("start", id);
    this.#later(50, 50, () => {
      const container = this.#containers.get(id);
      const sandbox = container === undefined ? undefined : this.#sandboxes.get(container.sandboxId);
      if (container === undefined || sandbox === undefined) {
        done({ ok: false, message: `container "${id}" in namespace "k8s.io": not found` });
        return;
      }
      const message =
        sandbox.state === "ready" && !sandbox.isStopping
          ? this.#start(container, sandbox)
          : this.#failStart(container, `sandbox container "${sandbox.id}" is not running`);
      if (message === undefined) this.#journal.write("started", id);
      else this.#journal.write("startFailed", id, message);
      this.#did(message === undefined ? "started" : "startFailed", sandbox.config, container.config.name, message ?? "");
      this.#tellChange(sandbox.config.podUid);
      done(message === undefined ? { ok: true, value: container } : { ok: false, message });
    });
  }

  stopContainer(id: string, graceMs: number, done: () => void): void {
    if (this.#postpones(() => this.stopContainer(id, graceMs, done))) return;
    const container = this.#containers.get(id);
    if (container === undefined || container.state !== "running") {
      done();
      return;
    }
    const { stopSignal } = container.config.image.image.config;
    const first: Signal = graceMs === 0 ? "KILL" : stopSignal;
    this.#journal.write("stop", id, String(Math.round(graceMs / 1000)));
    this.#journal.write("signal", id, signalWords[signalNumbers[first] - 1] ?? `signal ${signalNumbers[first]}`);
    container.onExit.push(() => this.#journal.write("stopped", id), done);
    container.process?.signal(first);
    if (graceMs === 0) return;
    const { simulation } = this.#options;
    simulation.cancel(container.killTimer);
    container.killTimer = simulation.after(graceMs, () => container.process?.signal("KILL"));
  }

  updateContainer(id: string, resources: ContainerResources): void {
    if (this.#postpones(() => this.updateContainer(id, resources))) return;
    const container = this.#containers.get(id);
    if (container === undefined) return;
    container.resources = resources;
    container.group?.limit(limitsOf(resources));
  }

  updatePod(podUid: string, limits: GroupLimits): void {
    if (this.#postpones(() => this.updatePod(podUid, limits))) return;
    this.sandboxesOf(podUid)[0]?.group.limit(limitsOf(limits));
  }

  signalContainer(id: string, signal: Signal): void {
    if (this.#postpones(() => this.signalContainer(id, signal))) return;
    this.#containers.get(id)?.process?.signal(signal);
  }

  removeContainer(id: string): void {
    if (this.#postpones(() => this.removeContainer(id))) return;
    const container = this.#containers.get(id);
    if (container === undefined) return;
    if (container.state === "running") container.process?.signal("KILL");
    this.#journal.write("remove", id);
    this.#journal.write("removed", id);
    this.#containers.delete(id);
    container.layer?.discard();
    container.mounts?.discardDevices();
    const podUid = this.#sandboxes.get(container.sandboxId)?.config.podUid;
    for (const [uid, records] of podUid === undefined ? this.#pods : [[podUid, this.#pods.get(podUid) ?? noPods] as const]) {
      if (!records.containers.includes(container)) continue;
      records.containers = records.containers.filter((each) => each !== container);
      this.#forgetIfEmpty(uid, records);
      break;
    }
  }

  exec(containerId: string, request: ExecRequest): RuntimeResult<ExecStream> {
    if (this.stoppedMs !== undefined) return { ok: false, message: this.#isRunning ? unimplemented : unavailable };
    const container = this.#containers.get(containerId);
    const sandbox = container === undefined ? undefined : this.#sandboxes.get(container.sandboxId);
    if (container === undefined || sandbox === undefined || container.state !== "running") {
      return { ok: false, message: `container not running (${containerId})` };
    }
    return lateExecStreams.code.execIn(this.#options.kernel, container, sandbox, request, () => this.#newId());
  }

  attach(containerId: string, options: { readonly stdin: boolean }): RuntimeResult<ExecStream> {
    if (this.stoppedMs !== undefined) return { ok: false, message: this.#isRunning ? unimplemented : unavailable };
    const container = this.#containers.get(containerId);
    if (container === undefined || container.state !== "running") {
      return { ok: false, message: `container not running (${containerId})` };
    }
    return { ok: true, value: lateExecStreams.code.attachTo(container, options.stdin) };
  }

  use(containerId: string): ContainerUse {
    const container = this.#containers.get(containerId);
    const group = container?.state === "running" ? container.group : undefined;
    return {
      cpuMs: group?.cpuMs ?? 0,
      cpuMillicores: group?.cpuMillicores ?? 0,
      memoryBytes: group?.memoryBytes ?? 0,
      swapBytes: group?.swapBytes ?? 0,
      writableLayerBytes: container?.layer?.usedBytes ?? 0,
      // With the layer's own directory.
      writableLayerInodes: container?.layer === undefined ? 0 : container.layer.usedInodes + 1,
    };
  }

  /** The number of a container's first process on the node; 0 when it does not run. */
  pidOf(containerId: string): number {
    const container = this.#containers.get(containerId);
    return container?.state === "running" ? (container.process?.outerPid ?? 0) : 0;
  }

  podUse(podUid: string): GroupUse {
    const { containers, endedCpuMs } = this.#pods.get(podUid) ?? noPods;
    return sumOf(containers, endedCpuMs);
  }

  nodeUse(): GroupUse {
    return sumOf(this.#containers.values(), this.#endedCpuMs);
  }

  findImage(name: string): StoredImage | undefined {
    return this.imageStore.find(name);
  }

  images(): readonly StoredImage[] {
    return this.imageStore.all();
  }

  importImage(image: Image, options: { readonly pinned?: boolean } = {}): StoredImage {
    return this.imageStore.add(image, options);
  }

  pullImage(name: string, credentials: RegistryCredentials | undefined, done: (result: RuntimeResult<StoredImage>) => void): void {
    if (this.#postpones(() => this.pullImage(name, credentials, done))) return;
    this.#journal.write("pull", name);
    this.imageStore.pull(name, credentials, (result) => {
      if (result.ok) this.#journal.write("pulled", name, result.value.id);
      else this.#journal.write("pullFailed", name, result.message);
      done(result);
    });
  }

  removeImage(reference: string): void {
    if (this.#postpones(() => this.removeImage(reference))) return;
    this.imageStore.remove(reference);
  }

  #later(baseMs: number, spreadMs: number, callback: () => void): void {
    const { simulation } = this.#options;
    const boot = this.#boots;
    simulation.after(baseMs + simulation.random.below(spreadMs), () => {
      if (boot === this.#boots) callback();
    });
  }

  #newId(): string {
    return this.#options.simulation.random.hex(64);
  }

  #forgetIfEmpty(podUid: string, records: PodRecords): void {
    if (records.sandboxes.length === 0 && records.containers.length === 0) this.#pods.delete(podUid);
  }

  #makeSandbox(config: SandboxConfig, runtimeType: string): RuntimeResult<Sandbox> {
    const { simulation, network, kernel, hostPids, hostSharedMemory, podGroups } = this.#options;
    let pod: ReturnType<NodeNetwork["addPod"]> | undefined;
    try {
      pod = config.hostNetwork ? undefined : network.addPod(`${config.namespace}/${config.name}`);
    } catch (error) {
      return { ok: false, message: `failed to setup network for sandbox "${this.#newId()}": ${wordsOf(error)}` };
    }
    for (const mapping of config.hostPorts) pod?.mapHostPort(mapping);
    const group = kernel.createControlGroup(limitsOf(config.limits), {
      parent: podGroups[config.qosClass],
      name: podGroupName(config),
      kernel: runtimeOf(runtimeType)?.kernel,
    });
    const stack = pod?.stack ?? network.host;
    const sharedMemory = config.hostIpc ? hostSharedMemory : kernel.createSharedMemory();
    const createdMs = simulation.nowMs;
    const id = this.#newId();
    const sandbox = new SandboxRecord({ id, config, runtimeType, createdMs, stack, network: pod, group, sharedMemory });
    const message = config.sysctls && lateSysctls.code.applySysctls({ id, network: stack, ipc: sandbox.ipc }, config.sysctls);
    if (message !== undefined) {
      pod?.remove();
      return { ok: false, message };
    }
    if (config.hostPid) sandbox.sharedPids = hostPids;
    else if (config.shareProcessNamespace) {
      sandbox.sharedPids = kernel.createPidNamespace(hostPids);
      this.#startPause(sandbox);
    }
    this.#sandboxes.set(sandbox.id, sandbox);
    const records = this.#pods.get(config.podUid);
    if (records === undefined) this.#pods.set(config.podUid, { sandboxes: [sandbox], containers: [], endedCpuMs: 0 });
    else records.sandboxes = [sandbox].concat(records.sandboxes);
    this.#tellChange(config.podUid);
    return { ok: true, value: sandbox };
  }

  /** PID 1 of a shared namespace. Other sandboxes' pause processes are left out: nothing in the pod can see them. */
  #startPause(sandbox: SandboxRecord): void {
    const { kernel } = this.#options;
    sandbox.pause = kernel.start({
      run: function* (self) {
        return yield* self.pause();
      },
      argv: ["/pause"],
      uid: 65535,
      gid: 65535,
      hostname: sandbox.config.hostname,
      pidNamespace: sandbox.sharedPids as PidNamespace,
      mounts: kernel.createMountNamespace(kernel.createTmpfs()),
      userNamespace: sandbox.config.userNamespace,
      ipc: sandbox.ipc,
      network: sandbox.stack,
      controlGroup: kernel.createControlGroup(
        {},
        {
          parent: sandbox.group,
          name: `cri-containerd-${sandbox.id}.scope`,
          isContainer: true,
          policy: pausePolicy,
        },
      ),
    });
  }

  /** Undefined when it runs; else why it does not. */
  #start(container: ContainerRecord, sandbox: SandboxRecord): string | undefined {
    const mounts = this.#mountAll(container, sandbox);
    if (typeof mounts === "string") return this.#failStart(container, mounts);
    container.mounts = mounts;
    const group = this.#limit(container, sandbox);
    container.group = group;
    try {
      container.process = this.#startProcess(container, sandbox, mounts, group);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      return this.#failStart(container, lateExecStreams.code.startErrorMessage(container.config.argv, error));
    }
    if (container.process.exit !== undefined) return this.#failStart(container, lateExecStreams.code.outOfMemoryAtStart);
    container.state = "running";
    group.addCpu(startCpuMs);
    container.process.onExit = (status) => this.#exited(container, status, sandbox.config);
    return undefined;
  }

  /** What it sees of files, or why that cannot be. */
  #mountAll(container: ContainerRecord, sandbox: SandboxRecord): MountNamespace | string {
    const { kernel } = this.#options;
    const { config } = container;
    const { terminationLog } = config;
    const { userNamespace } = sandbox.config;
    const mounts: Mount[] = [
      ...config.mounts,
      ...(config.imageMounts ? lateImageMounts.code.mountsOfImages(kernel, config.imageMounts) : []),
      { path: terminationLog.path, fileSystem: terminationLog.fileSystem, root: terminationLog.file },
    ];
    const fault = userNamespace === undefined ? undefined : lateUserNamespaces.code.startFault(config, userNamespace);
    if (fault !== undefined) return fault;
    container.layer = kernel.createOverlay(config.image.image.files, { disk: this.#options.disk });
    const namespace = kernel.createMountNamespace(container.layer, [sandbox.sharedMemory], {
      readOnlyRoot: config.readOnlyRoot,
      cgroupVersion: sandbox.group.cgroupVersion,
      isContainer: true,
    });
    for (const mount of mounts) {
      try {
        namespace.addAtEnd(userNamespace === undefined ? mount : { ...mount, isIdMapped: true });
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        return lateExecStreams.code.mountErrorMessage(mount.path, error);
      }
    }
    if (config.mounts.some(({ propagation }) => propagation !== undefined))
      container.endFollowing = lateMounting.code.follow(this.#options.files.mountNamespace, namespace, config.mounts);
    return namespace;
  }

  #limit(container: ContainerRecord, sandbox: SandboxRecord): ControlGroup {
    const { config } = container;
    const group = this.#options.kernel.createControlGroup(limitsOf(container.resources), {
      parent: sandbox.group,
      name: ["cri-containerd-", container.id, ".scope"].join(""),
      isContainer: true,
      policy: { killsWhole: !config.singleProcessOomKill, scoreAdjust: config.oomScoreAdjust },
    });
    group.onOutOfMemory = (victim) => {
      const path = `${podGroupPath(sandbox.config)}/cri-containerd-${container.id}.scope`;
      this.#journal.killed(victim, container.resources.memoryLimitBytes ?? 0, path, path);
    };
    group.onMemberKilled = () => {
      container.isOutOfMemory = true;
    };
    return group;
  }

  /** Throws SysError. */
  #startProcess(
    container: ContainerRecord,
    sandbox: SandboxRecord,
    mounts: MountNamespace,
    controlGroup: ControlGroup,
  ): ProcessHandle {
    const { kernel, simulation, hostPids } = this.#options;
    const { config } = container;
    const target = config.targetContainerId === undefined ? undefined : this.#containers.get(config.targetContainerId)?.pids;
    container.pids = sandbox.sharedPids ?? target ?? kernel.createPidNamespace(hostPids);
    const output =
      (stream: "stdout" | "stderr"): LaterSink["take"] =>
      (data) =>
        this.#output(container, stream, data);
    if (config.tty) {
      container.terminal = kernel.createTerminal({ columns: 80, rows: 24 });
      container.terminal.onOutput = output("stdout");
    } else if (config.stdin) container.stdin = kernel.createInputPipe();
    container.startedMs = simulation.nowMs;
    this.#ensureWorkingDirectory(container);
    return kernel.start({
      run: this.#programOf(config),
      argv: config.argv,
      env: config.env,
      cwd: config.workingDir,
      uid: config.user.uid,
      gid: config.user.gid,
      groups: config.user.groups,
      capabilities: config.capabilities,
      restrictions: config.restrictions,
      hostname: sandbox.config.hostname,
      pidNamespace: container.pids,
      mounts,
      userNamespace: sandbox.config.userNamespace,
      ipc: sandbox.ipc,
      network: sandbox.stack,
      controlGroup,
      ...(container.terminal === undefined
        ? { stdout: { take: output("stdout") }, stderr: { take: output("stderr") } }
        : { terminal: container.terminal }),
      ...(container.stdin === undefined ? {} : { stdin: container.stdin.file }),
    });
  }

  /** The container's, or what is left when the machine's kernel refuses that. */
  #programOf({ image, argv, env }: ContainerRecord["config"]): Program | string {
    if (image.architecture !== (this.#options.architecture ?? "amd64")) return refusedProgram("ENOEXEC");
    return areArgumentsTooLong(argv, env) ? refusedProgram("E2BIG") : (argv[0] ?? "");
  }

  /** runc makes a working directory that is not there. */
  #ensureWorkingDirectory(container: ContainerRecord): void {
    const { workingDir } = container.config;
    if (workingDir === "/" || container.mounts === undefined) return;
    const files = this.#options.kernel.files(container.mounts);
    if (!files.exists(workingDir)) files.makeDirectories(workingDir);
  }

  #failStart(container: ContainerRecord, message: string): string {
    container.state = "exited";
    container.startedMs = 0;
    container.finishedMs = this.#options.simulation.nowMs;
    container.exitCode = 128;
    container.reason = "StartError";
    container.message = message;
    container.log.end(container.finishedMs);
    return message;
  }

  #output(container: ContainerRecord, stream: "stdout" | "stderr", data: Bytes | (() => string)): void {
    const { attached, log } = container;
    const given = attached !== undefined && typeof data === "function" ? encodeUtf8(data()) : data;
    log.append(stream, given, this.#options.simulation.nowMs);
    if (attached !== undefined) for (const listener of [...attached]) listener(stream, given as Bytes);
  }

  #exited(container: ContainerRecord, status: ExitStatus, pod: SandboxConfig): void {
    const { simulation } = this.#options;
    const { podUid } = pod;
    simulation.cancel(container.killTimer);
    container.killTimer = undefined;
    // Where the pod shares its processes, no namespace ends with the container's first one (the shim's ShouldKillAllOnExit).
    container.group?.endAll();
    container.state = "exited";
    container.finishedMs = simulation.nowMs;
    const usedMs = container.group?.cpuMs ?? 0;
    this.#endedCpuMs += usedMs;
    const records = this.#pods.get(podUid);
    if (records !== undefined) records.endedCpuMs += usedMs;
    container.exitCode = status.code;
    const outOfMemory = status.outOfMemory || container.isOutOfMemory;
    container.reason = status.code === 0 ? "Completed" : "Error";
    if (outOfMemory) container.reason = "OOMKilled";
    container.log.end(simulation.nowMs);
    container.terminationMessage = terminationMessage(container);
    container.attached = undefined;
    this.#did("exited", pod, container.config.name, `${container.exitCode} ${container.reason}`);
    container.endFollowing?.();
    for (const done of container.onExit.splice(0)) done();
    this.#tellChange(podUid);
  }

  #did(act: RuntimeAct["act"], pod: SandboxConfig, container: string, detail: string): void {
    if (!this.onAct.isEmpty) this.onAct.tell({ act, pod, container, detail });
  }
}

/** The address that /etc/hosts gives a name. */
function hostsEntryOf(text: string, name: string): string | undefined {
  if (!text.includes(name)) return undefined;
  for (const line of text.split("\n")) {
    const [address, ...names] = line.replace(/#.*/u, "").trim().split(/\s+/u);
    if (names.includes(name)) return address;
  }
  return undefined;
}

function sumOf(containers: Iterable<ContainerRecord>, endedCpuMs: number): GroupUse {
  let [cpuMs, cpuMillicores, memoryBytes, swapBytes, processes] = [endedCpuMs, 0, 0, 0, 0];
  for (const { state, group } of containers) {
    if (state !== "running" || group === undefined) continue;
    cpuMs += group.cpuMs;
    cpuMillicores += group.cpuMillicores;
    memoryBytes += group.memoryBytes;
    swapBytes += group.swapBytes;
    processes += group.processCount;
  }
  return { cpuMs, cpuMillicores, memoryBytes, swapBytes, processes };
}

function terminationMessage(container: ContainerRecord): string {
  const { file, orLog } = container.config.terminationLog;
  const written = file.content();
  if (written.length > 0) return decodeUtf8(written.subarray(0, maximumTerminationBytes));
  return orLog && container.exitCode !== 0 ? container.log.tailText(fallbackLines, fallbackBytes) : "";
}
