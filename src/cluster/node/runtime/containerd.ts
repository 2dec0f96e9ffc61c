// containerd: sandboxes and containers over the simulation's kernel, with the times that the real one takes.

import type { Image, ImageRegistry, RegistryCredentials } from "#cluster/images/image.ts";
import type { NodeNetwork } from "#cluster/network/network.ts";
import type { Bytes } from "#sim/bytes.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { ExitStatus, Kernel } from "#sim/kernel.ts";
import type { ControlGroupLimits } from "#sim/process/control-group.ts";
import type { PidNamespace } from "#sim/process/pid-namespace.ts";
import type { Signal } from "#sim/signals.ts";
import type { Simulation } from "#sim/simulation.ts";
import type {
  ContainerConfig,
  ContainerResources,
  ContainerRuntime,
  ContainerUse,
  ExecRequest,
  ExecStream,
  GroupUse,
  RuntimeAct,
  RuntimeContainer,
  RuntimeResult,
  Sandbox,
  SandboxConfig,
  StoredImage,
} from "./cri.ts";
import { attachTo, execIn } from "./exec-stream.ts";
import { ImageStore } from "./image-store.ts";
import { ContainerRecord, type PodRecords, SandboxRecord } from "./records.ts";
import { startErrorMessage } from "./start-errors.ts";

export interface ContainerdOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly network: NodeNetwork;
  readonly registry: ImageRegistry;
  /** The node's PID namespace. */
  readonly hostPids: PidNamespace;
  readonly hostname: string;
  /** Runtime handlers beside the default one. */
  readonly handlers?: readonly string[];
}

const version = "containerd://2.1.5";
const maximumTerminationBytes = 4096;
const fallbackBytes = 2048;
const fallbackLines = 80;
/** What it takes to make a container's namespaces and to load its program. */
const startCpuMs = 20;
const noPods: PodRecords = { sandboxes: [], containers: [], endedCpuMs: 0 };

function limitsOf({ memoryLimitBytes, cpuLimitMillicores }: ContainerResources): ControlGroupLimits {
  return { memoryBytes: memoryLimitBytes, cpuMillicores: cpuLimitMillicores };
}

export class Containerd implements ContainerRuntime {
  readonly version = version;
  readonly imageStore: ImageStore;
  onChange: ((podUid: string) => void) | undefined;
  onAct: ((act: RuntimeAct) => void) | undefined;
  readonly #options: ContainerdOptions;
  readonly #pods = new Map<string, PodRecords>();
  readonly #sandboxes = new Map<string, SandboxRecord>();
  readonly #containers = new Map<string, ContainerRecord>();
  /** Processor time of all containers that have ended. */
  #endedCpuMs = 0;

  constructor(options: ContainerdOptions) {
    this.#options = options;
    this.imageStore = new ImageStore(options.simulation, options.registry);
  }

  runSandbox(config: SandboxConfig, done: (result: RuntimeResult<Sandbox>) => void): void {
    const { simulation, handlers = [] } = this.#options;
    const handler = config.runtimeHandler;
    if (handler !== "" && handler !== "runc" && !handlers.includes(handler)) {
      const message = `failed to get sandbox runtime: no runtime for "${handler}" is configured`;
      simulation.after(20, () => done({ ok: false, message }));
      return;
    }
    this.#later(300, 300, () => {
      const made = this.#makeSandbox(config);
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
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined || sandbox.state === "notReady") {
      done();
      return;
    }
    for (const container of this.containersOf(sandbox.config.podUid)) {
      if (container.sandboxId === id && container.state === "running") container.process?.signal("KILL");
    }
    sandbox.pause?.signal("KILL");
    this.#later(50, 60, () => {
      sandbox.state = "notReady";
      sandbox.network?.remove();
      this.#did("sandboxStopped", sandbox.config, "", "");
      this.onChange?.(sandbox.config.podUid);
      done();
    });
  }

  removeSandbox(id: string): void {
    const sandbox = this.#sandboxes.get(id);
    if (sandbox === undefined) return;
    if (sandbox.state === "ready") {
      sandbox.pause?.signal("KILL");
      sandbox.network?.remove();
      sandbox.state = "notReady";
    }
    this.#sandboxes.delete(id);
    const records = this.#pods.get(sandbox.config.podUid);
    if (records === undefined) return;
    records.sandboxes.splice(records.sandboxes.indexOf(sandbox), 1);
    this.#forgetIfEmpty(sandbox.config.podUid, records);
  }

  createContainer(sandboxId: string, config: ContainerConfig, done: (result: RuntimeResult<RuntimeContainer>) => void): void {
    this.#later(40, 40, () => {
      const sandbox = this.#sandboxes.get(sandboxId);
      if (sandbox === undefined) {
        done({ ok: false, message: `failed to find sandbox id "${sandboxId}": not found` });
        return;
      }
      const container = new ContainerRecord(this.#newId(), sandboxId, config, this.#options.simulation.nowMs);
      this.#containers.set(container.id, container);
      this.#pods.get(sandbox.config.podUid)?.containers.unshift(container);
      this.#did("created", sandbox.config, config.name, config.imageName);
      done({ ok: true, value: container });
    });
  }

  startContainer(id: string, done: (result: RuntimeResult<RuntimeContainer>) => void): void {
    this.#later(50, 50, () => {
      const container = this.#containers.get(id);
      const sandbox = container === undefined ? undefined : this.#sandboxes.get(container.sandboxId);
      if (container === undefined || sandbox === undefined) {
        done({ ok: false, message: `container "${id}" in namespace "k8s.io": not found` });
        return;
      }
      const message = this.#start(container, sandbox);
      this.#did(message === undefined ? "started" : "startFailed", sandbox.config, container.config.name, message ?? "");
      this.onChange?.(sandbox.config.podUid);
      done(message === undefined ? { ok: true, value: container } : { ok: false, message });
    });
  }

  stopContainer(id: string, graceMs: number, done: () => void): void {
    const container = this.#containers.get(id);
    if (container === undefined || container.state !== "running") {
      done();
      return;
    }
    container.onExit.push(done);
    container.process?.signal(container.config.image.image.config.stopSignal);
    const { simulation } = this.#options;
    simulation.cancel(container.killTimer);
    container.killTimer = simulation.after(graceMs, () => container.process?.signal("KILL"));
  }

  updateContainer(id: string, resources: ContainerResources): void {
    const container = this.#containers.get(id);
    if (container === undefined) return;
    container.resources = resources;
    container.group?.limit(limitsOf(resources));
  }

  signalContainer(id: string, signal: Signal): void {
    this.#containers.get(id)?.process?.signal(signal);
  }

  removeContainer(id: string): void {
    const container = this.#containers.get(id);
    if (container === undefined) return;
    if (container.state === "running") container.process?.signal("KILL");
    this.#containers.delete(id);
    const podUid = this.#sandboxes.get(container.sandboxId)?.config.podUid;
    for (const [uid, records] of podUid === undefined ? this.#pods : [[podUid, this.#pods.get(podUid) ?? noPods] as const]) {
      const index = records.containers.indexOf(container);
      if (index < 0) continue;
      records.containers.splice(index, 1);
      this.#forgetIfEmpty(uid, records);
      break;
    }
  }

  exec(containerId: string, request: ExecRequest): RuntimeResult<ExecStream> {
    const container = this.#containers.get(containerId);
    const sandbox = container === undefined ? undefined : this.#sandboxes.get(container.sandboxId);
    if (container === undefined || sandbox === undefined || container.state !== "running") {
      return { ok: false, message: `container not running (${containerId})` };
    }
    return execIn(this.#options.kernel, container, sandbox, request, () => this.#newId());
  }

  attach(containerId: string, options: { readonly stdin: boolean }): RuntimeResult<ExecStream> {
    const container = this.#containers.get(containerId);
    if (container === undefined || container.state !== "running") {
      return { ok: false, message: `container not running (${containerId})` };
    }
    return { ok: true, value: attachTo(container, options.stdin) };
  }

  use(containerId: string): ContainerUse {
    const container = this.#containers.get(containerId);
    const group = container?.state === "running" ? container.group : undefined;
    return {
      cpuMs: group?.cpuMs ?? 0,
      cpuMillicores: group?.cpuMillicores ?? 0,
      memoryBytes: group?.memoryBytes ?? 0,
      writableLayerBytes: container?.layer?.usedBytes ?? 0,
    };
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
    return this.imageStore.add(image, options.pinned === true);
  }

  pullImage(name: string, credentials: RegistryCredentials | undefined, done: (result: RuntimeResult<StoredImage>) => void): void {
    this.imageStore.pull(name, credentials, done);
  }

  removeImage(reference: string): void {
    this.imageStore.remove(reference);
  }

  #later(baseMs: number, spreadMs: number, callback: () => void): void {
    const { simulation } = this.#options;
    simulation.after(baseMs + simulation.random.below(spreadMs), callback);
  }

  #newId(): string {
    return this.#options.simulation.random.hex(64);
  }

  #forgetIfEmpty(podUid: string, records: PodRecords): void {
    if (records.sandboxes.length === 0 && records.containers.length === 0) this.#pods.delete(podUid);
  }

  #makeSandbox(config: SandboxConfig): RuntimeResult<Sandbox> {
    const { simulation, network, kernel, hostPids } = this.#options;
    let pod: ReturnType<NodeNetwork["addPod"]> | undefined;
    try {
      pod = config.hostNetwork ? undefined : network.addPod();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `failed to setup network for sandbox "${this.#newId()}": ${cause}` };
    }
    for (const mapping of config.hostPorts) pod?.mapHostPort(mapping);
    const sandbox = new SandboxRecord(this.#newId(), config, simulation.nowMs, pod?.stack ?? network.host, pod);
    if (config.hostPid) sandbox.sharedPids = hostPids;
    else if (config.shareProcessNamespace) {
      sandbox.sharedPids = kernel.createPidNamespace(hostPids);
      this.#startPause(sandbox);
    }
    this.#sandboxes.set(sandbox.id, sandbox);
    let records = this.#pods.get(config.podUid);
    if (records === undefined) {
      records = { sandboxes: [], containers: [], endedCpuMs: 0 };
      this.#pods.set(config.podUid, records);
    }
    records.sandboxes.unshift(sandbox);
    this.onChange?.(config.podUid);
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
      network: sandbox.stack,
    });
  }

  /** Undefined when it runs; else why it does not. */
  #start(container: ContainerRecord, sandbox: SandboxRecord): string | undefined {
    const { kernel, simulation, hostPids } = this.#options;
    const { config } = container;
    const { terminationLog } = config;
    const mounts: Mount[] = [
      ...config.mounts,
      { path: terminationLog.path, fileSystem: terminationLog.fileSystem, root: terminationLog.file },
    ];
    container.layer = kernel.createOverlay(config.image.image.files);
    const namespace = kernel.createMountNamespace(container.layer, [], { readOnlyRoot: config.readOnlyRoot });
    for (const mount of mounts) namespace.addAtEnd(mount);
    container.mounts = namespace;
    const target = config.targetContainerId === undefined ? undefined : this.#containers.get(config.targetContainerId)?.pids;
    container.pids = sandbox.sharedPids ?? target ?? kernel.createPidNamespace(hostPids);
    container.group = kernel.createControlGroup(limitsOf(container.resources));
    container.group.onOutOfMemory = () => {
      container.isOutOfMemory = true;
      container.process?.signal("KILL");
    };
    const output = (stream: "stdout" | "stderr") => (bytes: Bytes) => this.#output(container, stream, bytes);
    if (config.tty) {
      container.terminal = kernel.createTerminal({ columns: 80, rows: 24 });
      container.terminal.onOutput = output("stdout");
    } else if (config.stdin) container.stdin = kernel.createInputPipe();
    container.startedMs = simulation.nowMs;
    try {
      this.#ensureWorkingDirectory(container);
      container.process = kernel.start({
        run: config.argv[0] ?? "",
        argv: config.argv,
        env: config.env,
        cwd: config.workingDir,
        uid: config.user.uid,
        gid: config.user.gid,
        groups: config.user.groups,
        hostname: sandbox.config.hostname,
        pidNamespace: container.pids,
        mounts: container.mounts,
        network: sandbox.stack,
        controlGroup: container.group,
        ...(container.terminal === undefined
          ? { stdout: output("stdout"), stderr: output("stderr") }
          : { terminal: container.terminal }),
        ...(container.stdin === undefined ? {} : { stdin: container.stdin.file }),
      });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      return this.#failStart(container, error);
    }
    container.state = "running";
    container.group.addCpu(startCpuMs);
    container.process.onExit = (status) => this.#exited(container, status, sandbox.config);
    return undefined;
  }

  /** runc makes a working directory that is not there. */
  #ensureWorkingDirectory(container: ContainerRecord): void {
    const { workingDir } = container.config;
    if (workingDir === "/" || container.mounts === undefined) return;
    const files = this.#options.kernel.files(container.mounts);
    if (!files.exists(workingDir)) files.makeDirectories(workingDir);
  }

  #failStart(container: ContainerRecord, error: SysError): string {
    const message = startErrorMessage(container.config.argv, error);
    container.state = "exited";
    container.startedMs = 0;
    container.finishedMs = this.#options.simulation.nowMs;
    container.exitCode = 128;
    container.reason = "StartError";
    container.message = message;
    container.log.end(container.finishedMs);
    return message;
  }

  #output(container: ContainerRecord, stream: "stdout" | "stderr", bytes: Bytes): void {
    container.log.append(stream, bytes, this.#options.simulation.nowMs);
    if (container.attached.size > 0) for (const listener of [...container.attached]) listener(stream, bytes);
  }

  #exited(container: ContainerRecord, status: ExitStatus, pod: SandboxConfig): void {
    const { simulation } = this.#options;
    const { podUid } = pod;
    simulation.cancel(container.killTimer);
    container.killTimer = undefined;
    container.state = "exited";
    container.finishedMs = simulation.nowMs;
    const usedMs = container.group?.cpuMs ?? 0;
    this.#endedCpuMs += usedMs;
    const records = this.#pods.get(podUid);
    if (records !== undefined) records.endedCpuMs += usedMs;
    container.exitCode = status.code;
    const outOfMemory = status.outOfMemory || container.isOutOfMemory;
    container.reason = outOfMemory ? "OOMKilled" : status.code === 0 ? "Completed" : "Error";
    container.log.end(simulation.nowMs);
    container.terminationMessage = terminationMessage(container);
    container.attached.clear();
    this.#did("exited", pod, container.config.name, `${container.exitCode} ${container.reason}`);
    for (const done of container.onExit.splice(0)) done();
    this.onChange?.(podUid);
  }

  #did(act: RuntimeAct["act"], pod: SandboxConfig, container: string, detail: string): void {
    this.onAct?.({ act, pod, container, detail });
  }
}

function sumOf(containers: Iterable<ContainerRecord>, endedCpuMs: number): GroupUse {
  let [cpuMs, cpuMillicores, memoryBytes] = [endedCpuMs, 0, 0];
  for (const { state, group } of containers) {
    if (state !== "running" || group === undefined) continue;
    cpuMs += group.cpuMs;
    cpuMillicores += group.cpuMillicores;
    memoryBytes += group.memoryBytes;
  }
  return { cpuMs, cpuMillicores, memoryBytes };
}

function terminationMessage(container: ContainerRecord): string {
  const { file, orLog } = container.config.terminationLog;
  const written = file.content();
  if (written.length > 0) return decodeUtf8(written.subarray(0, maximumTerminationBytes));
  return orLog && container.exitCode !== 0 ? container.log.tailText(fallbackLines, fallbackBytes) : "";
}
