// The kubelet: takes pods from the API and from files, gives each a worker, keeps the Node's object, and stops or starts
// as a service does; containers go on without it.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Container, Pod, PodStatus } from "#cluster/api/generated/types.ts";
import { nodes, pods as podType, runtimeClasses } from "#cluster/api/kinds.ts";
import { formatTime } from "#cluster/api/time.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import { Informer } from "#cluster/client/informer.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { admit, NodeUsage } from "./admission.ts";
import { Allocations } from "./allocations.ts";
import { BackOff } from "./back-off.ts";
import { Heartbeat } from "./heartbeat.ts";
import { HookRunner } from "./hooks.ts";
import { ImageGarbageCollector } from "./images/image-gc.ts";
import { ImageManager } from "./images/image-manager.ts";
import { type Keyring, keyringOf } from "./images/keyring.ts";
import type { KubeletOptions } from "./kubelet-options.ts";
import { MirrorPods } from "./mirror-pods.ts";
import { NetworkReadiness } from "./network-readiness.ts";
import { checkNodeLabels } from "./node-labels.ts";
import { allocatableOf, defaultKubeletVersion, type NodeFacts } from "./node-status.ts";
import type { KubeletParts } from "./parts.ts";
import { containersOf, initContainersOf, isFinishedPhase, isHostNetwork, isMirror, isStatic, type StoredPod } from "./pod-spec.ts";
import { PodWorker } from "./pod-worker.ts";
import { ProbeManager } from "./probes/probe-manager.ts";
import { ApiReferences, MountedObjects } from "./references.ts";
import { KubeletServer } from "./server/kubelet-server.ts";
import { StaticPods } from "./static-pods.ts";
import { StatusManager } from "./status/status-manager.ts";
import { VolumeManager } from "./volumes/volume-manager.ts";

const relistMs = 1_000;
const refreshSpreadMs = 60_000;
const keyringPaths = [
  ["/var/lib/kubelet/config.json", "config.json"],
  ["/root/.docker/config.json", "config.json"],
  ["/.docker/config.json", "config.json"],
  ["/var/lib/kubelet/.dockercfg", "dockercfg"],
  ["/root/.dockercfg", "dockercfg"],
] as const;

export class Kubelet {
  readonly options: KubeletOptions;
  readonly nodeName: string;
  readonly #simulation: Simulation;
  #running: Running | undefined;

  /** Throws Error for labels that a kubelet may not give. */
  constructor(options: KubeletOptions) {
    checkNodeLabels(options.labels ?? {});
    this.options = options;
    this.nodeName = options.machine.name;
    this.#simulation = options.simulation;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Registers the node and takes up its pods; what already runs goes on. */
  start(): void {
    if (this.#running !== undefined) return;
    this.#running = new Running(this.options, this.#simulation);
    this.#running.start();
  }

  /** No probes, restarts, status or heartbeats until the next start; containers go on. */
  stop(): void {
    this.#running?.stop();
    this.#running = undefined;
  }

  /** A pod that this kubelet knows, by namespace and name. */
  findPod(namespace: string, name: string): StoredPod | undefined {
    return this.#running?.findPod(namespace, name);
  }

  /** The status as this kubelet has it, which may be newer than the API's. */
  statusOf(pod: StoredPod): PodStatus {
    return this.#running?.statusOf(pod) ?? pod.status ?? {};
  }

  /** Ends a pod for good with a reason: node-pressure eviction and the like. */
  evict(podUid: string, reason: string, message: string, graceSeconds: number): void {
    this.#running?.evict(podUid, reason, message, graceSeconds);
  }
}

/** Everything between a start and a stop. */
class Running {
  readonly #options: KubeletOptions;
  readonly #simulation: Simulation;
  readonly #parts: KubeletParts;
  readonly #workers = new Map<string, PodWorker>();
  readonly #byName = new Map<string, PodWorker>();
  readonly #usage = new NodeUsage();
  readonly #informer: Informer<Pod>;
  readonly #references: ApiReferences;
  readonly #mountedObjects: MountedObjects;
  readonly #mirrors: MirrorPods;
  readonly #staticPods: StaticPods;
  readonly #heartbeat: Heartbeat;
  readonly #server: KubeletServer;
  readonly #imageGc: ImageGarbageCollector;
  readonly #network: NetworkReadiness;
  readonly #relistOffsetMs: number;
  readonly #changed = new Set<string>();
  readonly #refreshes = new Map<string, Timer>();
  #relist: Timer | undefined;
  #isStopped = false;

  constructor(options: KubeletOptions, simulation: Simulation) {
    this.#options = options;
    this.#simulation = simulation;
    const { client, machine } = options;
    this.#network = new NetworkReadiness(machine.files);
    this.#relistOffsetMs = simulation.random.below(relistMs);
    this.#references = new ApiReferences(simulation, client, (uid) => this.#refreshLater(uid));
    this.#mirrors = new MirrorPods(simulation, client, machine.name);
    this.#parts = this.#makeParts();
    this.#mountedObjects = new MountedObjects(simulation, client, (uid) => this.#refreshLater(uid));
    this.#informer = new Informer(simulation, client, podType, { fieldSelector: `spec.nodeName=${machine.name}` });
    this.#informer.addHandler((pod, _previous, deleted) => this.#onPod(pod, deleted));
    this.#staticPods = new StaticPods({
      simulation,
      files: machine.files,
      nodeName: machine.name,
      onAdded: (pod) => this.#staticAdded(pod),
      onRemoved: (pod) => this.#staticRemoved(pod),
      onProblem: () => {},
    });
    this.#heartbeat = new Heartbeat({
      options,
      recorder: this.#parts.recorder,
      facts: () => this.#nodeFacts(),
      problems: () => this.#network.problems,
      labels: {
        "beta.kubernetes.io/arch": machine.architecture,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": machine.architecture,
        "kubernetes.io/hostname": machine.name,
        "kubernetes.io/os": "linux",
        ...options.labels,
      },
      onRegistered: () => this.#mirrors.reconcileAll(),
    });
    this.#server = new KubeletServer({ kubelet: options, pods: () => this.#pods() });
    const { recorder } = this.#parts;
    this.#imageGc = new ImageGarbageCollector({
      simulation,
      machine,
      runtime: options.runtime,
      recorder,
      policy: options.imageGc ?? {},
    });
  }

  start(): void {
    const { machine, runtime } = this.#options;
    const { recorder } = this.#parts;
    const subject = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } };
    runtime.onChange = (uid) => this.#onRuntimeChange(uid);
    this.#mirrors.onMirror = (pod) => this.#parts.statuses.refresh(pod);
    recorder.normal(subject, "Starting", "Starting kubelet.");
    recorder.warning(subject, "InvalidDiskCapacity", "invalid capacity 0 on image filesystem");
    this.#heartbeat.start();
    recorder.normal(subject, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    this.#references.start();
    this.#staticPods.start();
    this.#informer.start();
    this.#server.start();
    this.#imageGc.start();
    this.#simulation.after(relistMs, () => this.#endOrphans(), { background: true });
  }

  stop(): void {
    this.#isStopped = true;
    this.#options.runtime.onChange = undefined;
    this.#server.stop();
    this.#imageGc.stop();
    this.#heartbeat.stop();
    this.#informer.stop();
    this.#references.stop();
    this.#mountedObjects.stop();
    this.#staticPods.stop();
    this.#mirrors.stop();
    for (const worker of this.#workers.values()) worker.stop();
    this.#parts.probes.stop();
    this.#simulation.cancel(this.#relist);
    for (const timer of this.#refreshes.values()) this.#simulation.cancel(timer);
  }

  findPod(namespace: string, name: string): StoredPod | undefined {
    return this.#byName.get(`${namespace}/${name}`)?.pod;
  }

  statusOf(pod: StoredPod): PodStatus {
    return this.#parts.statuses.get(pod);
  }

  /** As port 10250 tells them: those of the API as they are there, static ones with this kubelet's status. */
  #pods(): readonly StoredPod[] {
    const pods = [...this.#workers.values()].map(({ pod }) => pod);
    return pods.map((pod) => (isStatic(pod) ? { ...pod, status: this.statusOf(pod) } : pod));
  }

  evict(podUid: string, reason: string, message: string, graceSeconds: number): void {
    const worker = this.#workers.get(podUid);
    if (worker === undefined) return;
    this.#parts.recorder.warning(worker.pod, reason, message);
    worker.terminate({ graceSeconds, verdict: { phase: "Failed", reason, message } });
  }

  #makeParts(): KubeletParts {
    const { machine, client, runtime } = this.#options;
    const simulation = this.#simulation;
    const nodeAddress = machine.network.address;
    const recorder = new EventRecorder(simulation, client, { component: "kubelet", host: machine.name });
    const podIpOf = (pod: StoredPod) =>
      isHostNetwork(pod) ? nodeAddress : (runtime.sandboxesOf(pod.metadata.uid)[0]?.address ?? "");
    const mirrorOf = (pod: StoredPod) => this.#mirrors.mirrorOf(pod);
    const version = this.#options.version ?? defaultKubeletVersion;
    const userAgent = `kube-probe/${version.slice(1, version.lastIndexOf("."))}`;
    const hooks = new HookRunner({ simulation, runtime, recorder, stack: machine.network.host, podIpOf, userAgent });
    const allocatable = allocatableOf(this.#capacityFacts());
    const maximumMs = (this.#options.maxContainerRestartPeriodSeconds ?? 300) * 1000;
    const { mountPersistentVolume } = this.#options;
    return {
      simulation,
      client,
      nodeName: machine.name,
      nodeAddress,
      clusterDns: this.#options.clusterDns ?? "10.96.0.10",
      clusterDomain: this.#options.clusterDomain ?? "cluster.local",
      runtime,
      recorder,
      statuses: new StatusManager({ simulation, client, mirrorOf }),
      allocations: new Allocations({
        usage: this.#usage,
        recorder,
        allocatable: () => allocatable,
        now: () => formatTime(simulation.nowMs),
      }),
      images: new ImageManager({ simulation, runtime, recorder, maxParallelPulls: this.#options.maxParallelImagePulls ?? 1 }),
      hooks,
      probes: new ProbeManager({
        simulation,
        runtime,
        recorder,
        stack: machine.network.host,
        userAgent,
        podIpOf,
        onChange: (uid) => this.#workers.get(uid)?.wake(),
        isInPostStart: hooks.isInPostStart,
      }),
      volumes: new VolumeManager({
        simulation,
        recorder,
        files: machine.files,
        createTmpfs: (limitBytes) => machine.kernel.createTmpfs(limitBytes === undefined ? {} : { limitBytes }),
        sources: this.#references,
        contextOf: (pod) => ({ pod, podIp: podIpOf(pod), hostIp: nodeAddress, allocatable }),
        dns: () => ({
          clusterDns: this.#options.clusterDns ?? "10.96.0.10",
          clusterDomain: this.#options.clusterDomain ?? "cluster.local",
          nodeResolvConf: machine.files.readText("/etc/resolv.conf"),
          nodeHosts: machine.files.readText("/etc/hosts"),
          nodeName: machine.name,
        }),
        persistentVolume: (pod, claim) => this.#references.persistentVolume(pod.metadata.namespace ?? "", claim),
        ...(mountPersistentVolume === undefined ? {} : { mountPersistentVolume }),
      }),
      references: this.#references,
      crashBackOff: new BackOff({ initialMs: 10_000, maximumMs }),
      startFailures: new Map(),
      nodeKeyring: () => this.#nodeKeyring(),
      runtimeHandlerOf: (pod) => this.#runtimeHandlerOf(pod),
      networkProblem: () => this.#network.problems[0],
      now: () => formatTime(simulation.nowMs),
      allocatable: () => allocatable,
      nextRelistMs: () => this.#nextRelistMs(),
      mirrorOf,
    };
  }

  #capacityFacts(): Pick<NodeFacts, "machine" | "maxPods" | "reserved"> {
    const { machine, maxPods = 110, reserved = { cpuMillicores: 0, memoryBytes: 0 } } = this.#options;
    return { machine, maxPods, reserved };
  }

  #nodeFacts(): NodeFacts {
    const { runtime } = this.#options;
    return {
      ...this.#capacityFacts(),
      runtime,
      kubeletVersion: this.#options.version ?? defaultKubeletVersion,
      imageNames: (reference) => runtime.imageStore.namesOf(reference),
      problems: this.#network.problems,
      pressure: { memory: false, disk: false, pid: false },
      nowMs: this.#simulation.nowMs,
    };
  }

  #nodeKeyring(): Keyring {
    const { files } = this.#options.machine;
    for (const [path, form] of keyringPaths) if (files.exists(path)) return keyringOf(files.readText(path), form);
    return [];
  }

  #runtimeHandlerOf(pod: StoredPod): string {
    const name = pod.spec?.runtimeClassName;
    if (name === undefined || name === "") return "";
    try {
      return this.#options.client.get(runtimeClasses, { namespace: "", name }).handler;
    } catch (error) {
      if (error instanceof ApiError || error instanceof ApiUnreachable) return name;
      throw error;
    }
  }

  #onPod(pod: StoredPod, deleted: boolean): void {
    if (isMirror(pod)) {
      this.#mirrors.mirrorChanged(pod, deleted);
      return;
    }
    const worker = this.#workers.get(pod.metadata.uid);
    if (deleted) worker?.remove();
    else if (worker === undefined) this.#addPod(pod);
    else {
      const before = worker.pod;
      worker.update(this.#parts.allocations.update(pod));
      this.#refreshDownward(before, worker.pod);
      if (isFinishedPhase(pod.status?.phase)) this.#giveBack(pod.metadata.uid);
      else if (worker.pod.spec !== before.spec) this.#retryResizes();
    }
  }

  #addPod(pod: StoredPod): void {
    const { uid, name, namespace } = pod.metadata;
    const { runtime, client } = this.#options;
    const isKnown = runtime.sandboxesOf(uid).length > 0;
    const worker = new PodWorker(this.#parts, pod, (gone) => this.#onGone(gone));
    this.#workers.set(uid, worker);
    this.#byName.set(`${namespace}/${name}`, worker);
    const isNew = !isKnown && !isFinishedPhase(pod.status?.phase) && pod.metadata.deletionTimestamp === undefined;
    if (isNew) {
      const node = isStatic(pod)
        ? undefined
        : this.#own(() => client.get(nodes, { namespace: "", name: this.#options.machine.name }));
      const refusal = admit(pod, node, this.#parts.allocatable(), this.#usage);
      if (refusal !== undefined) {
        this.#parts.recorder.warning(pod, refusal.reason, refusal.message);
        worker.refuse({ phase: "Failed", reason: refusal.reason, message: `Pod was rejected: ${refusal.message}` });
        return;
      }
    }
    if (!isFinishedPhase(pod.status?.phase)) worker.pod = this.#parts.allocations.add(pod, this.#runningResources(uid));
    this.#mountedObjects.add(pod);
    if (isKnown) this.#takeUp(pod);
    if (pod.metadata.deletionTimestamp === undefined) worker.wake();
    else worker.update(worker.pod);
  }

  /** By the name of the container; of those that run already. */
  #runningResources(uid: string): ReadonlyMap<string, Container["resources"]> {
    const running = this.#options.runtime.containersOf(uid).filter(({ state }) => state === "running");
    return new Map(running.map(({ config, resources }) => [config.name, resources.written]));
  }

  /** A pod needs no resources any more: there may be room for what others wait for. */
  #giveBack(uid: string): void {
    this.#parts.allocations.remove(uid);
    this.#retryResizes();
  }

  #retryResizes(): void {
    for (const pod of this.#parts.allocations.retry()) {
      const worker = this.#workers.get(pod.metadata.uid);
      worker?.update(pod);
      worker?.wake();
    }
  }

  #own<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (error instanceof ApiError || error instanceof ApiUnreachable) return undefined;
      throw error;
    }
  }

  /** Containers that an earlier kubelet started: their probes go on, readiness stays what it was. */
  #takeUp(pod: StoredPod): void {
    const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
    for (const container of this.#options.runtime.containersOf(pod.metadata.uid)) {
      const { name } = container.config;
      const spec = [...containersOf(pod), ...initContainersOf(pod)].find((each) => each.name === name);
      const status = statuses.find((each) => each.name === name);
      if (spec === undefined || container.state !== "running") continue;
      const was = { started: status?.started === true, ready: status?.ready === true };
      this.#parts.probes.containerFound(pod, container, spec, was);
    }
  }

  #onGone(worker: PodWorker): void {
    const { uid, name, namespace } = worker.pod.metadata;
    if (this.#workers.get(uid) === worker) this.#workers.delete(uid);
    const key = `${namespace}/${name}`;
    if (this.#byName.get(key) === worker) this.#byName.delete(key);
    this.#giveBack(uid);
    this.#mountedObjects.remove(uid);
    this.#references.forgetPod(uid);
    this.#simulation.cancel(this.#refreshes.get(uid));
    this.#refreshes.delete(uid);
    const next = isStatic(worker.pod) ? this.#waitingStatic.get(key) : undefined;
    if (next === undefined) return;
    this.#waitingStatic.delete(key);
    this.#staticAdded(next);
  }

  /** Static pods that wait until their predecessor of the same name has ended. */
  readonly #waitingStatic = new Map<string, StoredPod>();

  #staticAdded(pod: StoredPod): void {
    const key = `${pod.metadata.namespace}/${pod.metadata.name}`;
    this.#mirrors.staticAdded(pod);
    const before = this.#byName.get(key);
    if (before === undefined) this.#addPod(pod);
    else if (before.pod.metadata.uid !== pod.metadata.uid || before.isRemoved) this.#waitingStatic.set(key, pod);
  }

  #staticRemoved(pod: StoredPod): void {
    this.#waitingStatic.delete(`${pod.metadata.namespace}/${pod.metadata.name}`);
    this.#mirrors.staticRemoved(pod);
    this.#workers.get(pod.metadata.uid)?.remove();
  }

  /** Pods that run here but are in no source any more. */
  #endOrphans(): void {
    if (this.#isStopped || !this.#informer.hasSynced) return;
    const { runtime } = this.#options;
    for (const uid of runtime.podUids()) {
      if (this.#workers.has(uid)) continue;
      for (const sandbox of [...runtime.sandboxesOf(uid)]) {
        runtime.stopSandbox(sandbox.id, () => {
          for (const container of [...runtime.containersOf(uid)]) runtime.removeContainer(container.id);
          runtime.removeSandbox(sandbox.id);
        });
      }
    }
  }

  #nextRelistMs(): number {
    const sinceOffset = this.#simulation.nowMs - this.#relistOffsetMs;
    return this.#relistOffsetMs + (Math.floor(sinceOffset / relistMs) + 1) * relistMs;
  }

  /** The pod lifecycle event generator: changes are noticed once a second. */
  #onRuntimeChange(podUid: string): void {
    this.#changed.add(podUid);
    if (this.#relist?.callback !== undefined) return;
    this.#relist = this.#simulation.at(this.#nextRelistMs(), () => {
      const uids = [...this.#changed];
      this.#changed.clear();
      for (const uid of uids) this.#notice(uid);
    });
  }

  #notice(uid: string): void {
    for (const container of this.#options.runtime.containersOf(uid)) {
      if (container.state === "exited") this.#parts.probes.containerEnded(container.id);
    }
    const worker = this.#workers.get(uid);
    if (worker === undefined || worker.state !== "syncing") return;
    worker.wake();
  }

  /** A mounted object changed: the files follow with the pod's next periodic sync. */
  #refreshLater(podUid: string): void {
    if (this.#refreshes.get(podUid)?.callback !== undefined) return;
    const delayMs = this.#simulation.random.below(refreshSpreadMs);
    this.#refreshes.set(
      podUid,
      this.#simulation.after(delayMs, () => this.#refresh(podUid), { background: true }),
    );
  }

  /** What downward API volumes tell: labels, annotations and the containers' resources. */
  #refreshDownward(before: StoredPod, pod: StoredPod): void {
    const { labels, annotations } = before.metadata;
    if (labels === pod.metadata.labels && annotations === pod.metadata.annotations && before.spec === pod.spec) return;
    const isUsed = pod.spec?.volumes?.some(
      (volume) => volume.downwardAPI !== undefined || volume.projected?.sources?.some((source) => source.downwardAPI !== undefined),
    );
    if (isUsed === true) this.#simulation.after(relistMs, () => this.#refresh(pod.metadata.uid), { background: true });
  }

  #refresh(podUid: string): void {
    const worker = this.#workers.get(podUid);
    if (worker?.state === "syncing" && !this.#isStopped) this.#parts.volumes.refresh(worker.pod);
  }
}
