// A kubelet between a start and a stop: takes pods from the API and from files, gives each a worker, keeps the Node's object.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { Container, Pod, PodStatus } from "#cluster/api/generated/types.ts";
import { pods as podType, runtimeClasses } from "#cluster/api/kinds.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { EventSubject } from "#cluster/client/event-recorder.ts";
import { Informer } from "#cluster/client/informer.ts";
import { matchesNodeSelector } from "#cluster/scheduler/node-selector.ts";
import { once } from "#sim/late.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { lateUserNamespaces } from "../user-namespaces/late-user-namespaces.ts";
import { NodeUsage } from "./admission.ts";
import { Allocations } from "./allocations.ts";
import { BackOff } from "./back-off.ts";
import { ContainerGarbageCollector } from "./container-gc.ts";
import { cpuSharesOf } from "./container-resources.ts";
import { DevicePlugins } from "./devices/device-plugins.ts";
import type { DownwardContext } from "./downward.ts";
import { EvictionManager } from "./eviction/eviction-manager.ts";
import { storageLimitsOf } from "./eviction/local-storage.ts";
import { type EvictionPolicy, evictionPolicyOf } from "./eviction/thresholds.ts";
import { Heartbeat } from "./heartbeat.ts";
import { HookRunner } from "./hooks.ts";
import { ImageGarbageCollector } from "./images/image-gc.ts";
import { ImageManager } from "./images/image-manager.ts";
import { NodeKeyring } from "./images/node-keyring.ts";
import { PullRecords, usualVerification } from "./images/pull-records.ts";
import { usualThrottle } from "./images/pull-throttle.ts";
import { KubeletJournal, LoggingRecorder } from "./kubelet-journal.ts";
import type { KubeletOptions } from "./kubelet-options.ts";
import { latePreemption } from "./late-preemption.ts";
import { defaultLogPolicy, LogRotation } from "./logs/log-rotation.ts";
import { PodLogs } from "./logs/pod-logs.ts";
import { MirrorPods } from "./mirror-pods.ts";
import { NetworkReadiness } from "./network-readiness.ts";
import { allocatableOf, type CapacityFacts, defaultKubeletVersion, type NodeFacts } from "./node-status.ts";
import type { KubeletParts } from "./parts.ts";
import { PodAdmission } from "./pod-admission.ts";
import { containersOf, initContainersOf, isFinishedPhase, isHostNetwork, isMirror, isStatic, type StoredPod } from "./pod-spec.ts";
import { PodWorker } from "./pod-worker.ts";
import { ProbeManager } from "./probes/probe-manager.ts";
import { ApiReferences, MountedObjects } from "./references.ts";
import { RuntimeReadiness } from "./runtime-readiness.ts";
import { KubeletServer } from "./server/kubelet-server.ts";
import { lateStart } from "./start/late-start.ts";
import { StaticPods } from "./static-pods.ts";
import type { Verdict } from "./status/pod-status.ts";
import { StatusManager } from "./status/status-manager.ts";
import { runTask } from "./task.ts";
import { firstRetryMs, maximumRetryMs, VolumeManager } from "./volumes/volume-manager.ts";

const relistMs = 1_000;
const housekeepingMs = 2_000;
const usualEviction = evictionPolicyOf({});
/** A container that has run for longer ends as one that never ended before, however short the longest wait is. */
const crashForgottenAfterMs = 600_000;
/** How soon a pod is looked at again after a surprise. */
const syncRetryMs = 10_000;
const refreshSpreadMs = 60_000;

export class RunningKubelet {
  readonly #options: KubeletOptions;
  readonly #simulation: Simulation;
  readonly #parts: KubeletParts;
  readonly #workers = new Map<string, PodWorker>();
  readonly #byName = new Map<string, PodWorker>();
  /** Of pods with limits of local storage. */
  readonly #limited = new Map<string, PodWorker>();
  readonly #usage = new NodeUsage();
  readonly #informer: Informer<Pod>;
  readonly #references: ApiReferences;
  readonly #mountedObjects: MountedObjects;
  readonly #mirrors: MirrorPods;
  readonly #staticPods: StaticPods;
  readonly #heartbeat: Heartbeat;
  readonly #server: KubeletServer;
  readonly #containerGc: ContainerGarbageCollector;
  readonly #imageGc: ImageGarbageCollector;
  readonly #pullRecords: PullRecords;
  readonly #eviction: EvictionManager;
  readonly #admission: PodAdmission;
  readonly #logRotation: LogRotation;
  readonly #network: NetworkReadiness;
  readonly #readiness: RuntimeReadiness;
  readonly #relistOffsetMs: number;
  /** Of the machine when this kubelet started: what is turned on or off later it does not notice. */
  readonly #swapBytes: number;
  readonly #changed = new Set<string>();
  readonly #refreshes = new Map<string, Timer>();
  /** How long is waited after a refresh that fails again. */
  readonly #refreshRetryMs = new Map<string, number>();
  #relist: Timer | undefined;
  /** What the node tells. */
  #stopHearing: readonly (() => void)[] = [];
  #isStopped = false;

  constructor(options: KubeletOptions, simulation: Simulation) {
    this.#options = options;
    this.#simulation = simulation;
    const { client, machine } = options;
    this.#swapBytes = machine.group.swap?.totalBytes ?? 0;
    this.#network = new NetworkReadiness(machine.files);
    this.#readiness = new RuntimeReadiness(simulation, options.runtime, this.#network);
    this.#relistOffsetMs = simulation.random.below(relistMs);
    this.#references = new ApiReferences(simulation, client, (uid) => this.#refreshLater(uid));
    this.#mirrors = new MirrorPods(simulation, client, machine.name);
    this.#pullRecords = new PullRecords(machine.files, options.imageVerification ?? usualVerification);
    this.#parts = this.#makeParts();
    this.#mountedObjects = new MountedObjects(simulation, client, (uid) => this.#refreshLater(uid));
    this.#references.immutable = this.#mountedObjects.immutable;
    this.#informer = new Informer(simulation, client, podType, { fieldSelector: `spec.nodeName=${machine.name}` });
    this.#informer.addHandler((pod, _previous, deleted) => this.#onPod(pod, deleted));
    this.#staticPods = new StaticPods({
      simulation,
      files: machine.files,
      nodeName: machine.name,
      onAdded: (pod) => this.#staticAdded(pod),
      onRemoved: (pod) => this.#staticRemoved(pod),
      onProblem: (path, problem) => this.#parts.journal.manifestRefused(path, problem),
    });
    this.#heartbeat = this.#makeHeartbeat();
    this.#server = new KubeletServer({
      kubelet: options,
      pods: () => this.#pods(),
      volumesOf: (uid) => this.#parts.volumes.useOf(uid),
      probes: () => this.#parts.probes.counts.all(),
      terminations: () => this.#parts.statuses.terminations,
    });
    const { recorder } = this.#parts;
    this.#containerGc = this.#makeContainerGc();
    this.#imageGc = new ImageGarbageCollector({
      simulation,
      machine,
      runtime: options.runtime,
      recorder,
      policy: options.imageGc ?? {},
      onCollected: () => this.#pullRecords.prune(new Set(options.runtime.images().map(({ id }) => id))),
    });
    this.#eviction = this.#makeEviction();
    this.#admission = new PodAdmission({
      parts: this.#parts,
      eviction: this.#eviction,
      usage: this.#usage,
      allowedUnsafeSysctls: options.allowedUnsafeSysctls,
      workers: () => this.#workers.values(),
    });
    this.#logRotation = new LogRotation({
      simulation,
      files: machine.files,
      runtime: options.runtime,
      logs: this.#parts.logs,
      policy: options.containerLogs ?? defaultLogPolicy,
    });
  }

  #makeHeartbeat(): Heartbeat {
    const options = this.#options;
    const { name, architecture } = options.machine;
    return new Heartbeat({
      options,
      recorder: this.#parts.recorder,
      journal: this.#parts.journal,
      facts: () => this.#nodeFacts(),
      problems: () => this.#readiness.problems,
      pressure: () => this.#eviction.pressure,
      devices: () => this.#parts.devices.resources,
      isWithoutDevices: () => this.#parts.devices.isUnused,
      labels: {
        "beta.kubernetes.io/arch": architecture,
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": architecture,
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...options.labels,
      },
      onRegistered: () => this.#mirrors.reconcileAll(),
    });
  }

  #makeEviction(): EvictionManager {
    const { machine, runtime, reserved, limitsLocalStorage } = this.#options;
    return new EvictionManager({
      simulation: this.#simulation,
      machine,
      runtime,
      recorder: this.#parts.recorder,
      policy: this.#evictionPolicy,
      reservedMemoryBytes: reserved?.memoryBytes ?? 0,
      limitsLocalStorage: limitsLocalStorage !== false,
      activePods: () => activeOf(this.#workers.values()),
      limitedPods: () => activeOf(this.#limited.values()),
      hasEnded: (uid) => (this.#workers.get(uid)?.state ?? "terminated") === "terminated",
      volumesOf: (uid) => this.#parts.volumes.useOf(uid),
      evict: (pod, verdict, graceSeconds) => this.evict(pod.metadata.uid, verdict, graceSeconds),
      freeDisk: () => this.#freeDisk(),
      removeContainers: (uid) => {
        for (const { id } of [...runtime.containersOf(uid)]) runtime.removeContainer(id);
      },
    });
  }

  #makeContainerGc(): ContainerGarbageCollector {
    const { machine, runtime, containerGc = {} } = this.#options;
    const { recorder, logs, journal } = this.#parts;
    return new ContainerGarbageCollector({
      simulation: this.#simulation,
      machine,
      runtime,
      recorder,
      policy: containerGc,
      isGone: (uid) => this.#informer.hasSynced && !this.#workers.has(uid) && !this.#isActive(uid),
      remove: (container) => {
        runtime.removeContainer(container.id);
        logs.remove(container);
        journal.removed(container);
      },
    });
  }

  get #evictionPolicy(): EvictionPolicy {
    return this.#options.eviction ?? usualEviction;
  }

  start(): void {
    const { machine, runtime } = this.#options;
    const { recorder } = this.#parts;
    const subject = { apiVersion: "v1", kind: "Node", metadata: { name: machine.name, uid: machine.name } };
    this.#mirrors.onMirror.add((pod) => this.#parts.statuses.refresh(pod));
    this.#stopHearing = [
      runtime.onChange.add((uid) => this.#onRuntimeChange(uid)),
      machine.onOutOfMemory.add(({ name, pid }) =>
        recorder.warning(subject, "SystemOOM", `System OOM encountered, victim process: ${name}, pid: ${pid}`),
      ),
    ];
    this.#parts.journal.started(this.#options.version ?? defaultKubeletVersion, runtime.version);
    recorder.normal(subject, "Starting", "Starting kubelet.");
    recorder.warning(subject, "InvalidDiskCapacity", "invalid capacity 0 on image filesystem");
    this.#warnOfCgroups(subject);
    this.#parts.devices.start();
    this.#options.csi?.start(this.#options);
    this.#heartbeat.start();
    recorder.normal(subject, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods");
    this.#references.start();
    this.#pullRecords.start((image) => runtime.findImage(image)?.id);
    this.#staticPods.start();
    this.#informer.start();
    this.#server.start();
    this.#containerGc.start();
    this.#imageGc.start();
    const { cpuMillicores = 0, memoryBytes = 0 } = this.#options.reserved ?? {};
    machine.podGroups.Guaranteed.limit({
      memoryBytes: machine.memoryBytes - memoryBytes,
      cpuShares: cpuSharesOf(machine.cpus * 1000 - cpuMillicores),
    });
    this.#eviction.start();
    this.#logRotation.start();
    this.#simulation.after(housekeepingMs, () => this.#endOrphans(), { background: true });
  }

  #warnOfCgroups(subject: EventSubject): void {
    const { machine, version = defaultKubeletVersion } = this.#options;
    if (machine.cgroupVersion === 2) return;
    const warning = lateStart.code.cgroupWarning(version);
    this.#parts.recorder.warning(subject, "CgroupV1", warning);
    this.#parts.journal.cgroupsWarned(warning);
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stopHearing) stop();
    this.#parts.devices.stop();
    this.#options.csi?.stop();
    this.#server.stop();
    this.#containerGc.stop();
    this.#imageGc.stop();
    this.#eviction.stop();
    this.#admission.stop();
    this.#logRotation.stop();
    this.#heartbeat.stop();
    this.#informer.stop();
    this.#references.stop();
    this.#mountedObjects.stop();
    this.#staticPods.stop();
    this.#mirrors.stop();
    for (const worker of this.#workers.values()) worker.stop();
    this.#parts.probes.stop();
    this.#parts.hooks.stop();
    this.#simulation.cancel(this.#relist);
    for (const timer of this.#refreshes.values()) this.#simulation.cancel(timer);
  }

  get servingCertificate(): Certificate | undefined {
    return this.#server.certificate;
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

  evict(podUid: string, verdict: Verdict, graceSeconds: number): void {
    const worker = this.#workers.get(podUid);
    if (worker === undefined) return;
    this.#parts.recorder.warning(worker.pod, verdict.reason, verdict.message);
    worker.terminate({ graceSeconds, verdict });
  }

  /**
   * Dead containers go (DeleteAllUnusedContainers), then images that nobody uses. Of pods that go on, the last container of each name
   * stays: it tells that an init container is done.
   */
  #freeDisk(): void {
    const { runtime } = this.#options;
    for (const uid of runtime.podUids()) {
      const isActive = (this.#workers.get(uid)?.state ?? "terminated") !== "terminated";
      const seen = new Set<string>();
      for (const { id, state, config } of [...runtime.containersOf(uid)]) {
        const isLast = !seen.has(config.name);
        seen.add(config.name);
        if (state === "exited" && !(isActive && isLast)) runtime.removeContainer(id);
      }
    }
    this.#imageGc.removeUnused();
  }

  #makeParts(): KubeletParts {
    const { machine, client, runtime, userNamespaces, idsPerPod, version = defaultKubeletVersion } = this.#options;
    const simulation = this.#simulation;
    const nodeAddress = machine.network.address;
    const journal = new KubeletJournal(machine.journal);
    const recorder = new LoggingRecorder(simulation, client, machine.name, journal);
    const podIpOf = (pod: StoredPod) =>
      isHostNetwork(pod) ? nodeAddress : (runtime.sandboxesOf(pod.metadata.uid)[0]?.address ?? "");
    const mirrorOf = (pod: StoredPod) => this.#mirrors.mirrorOf(pod);
    const release = version.slice(1, version.lastIndexOf("."));
    const userAgent = `kube-lifecycle/${release}`;
    const hooks = new HookRunner({ simulation, runtime, recorder, journal, stack: machine.network.host, podIpOf, userAgent });
    const allocatable = allocatableOf(this.#capacityFacts());
    const maximumMs = (this.#options.maxContainerRestartPeriodSeconds ?? 300) * 1000;
    return {
      simulation,
      client,
      nodeName: machine.name,
      keptDead: Math.max(1, this.#options.containerGc?.perContainer ?? 1),
      memoryBytes: machine.memoryBytes,
      singleProcessOomKill: this.#options.singleProcessOomKill === true || machine.cgroupVersion === 1,
      podSwapBytes: this.#podSwapBytes,
      nodeAddress,
      clusterDns: this.#options.clusterDns ?? ["10.96.0.10"],
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
      images: this.#makeImages(recorder),
      hooks,
      probes: new ProbeManager({
        simulation,
        runtime,
        recorder,
        stack: machine.network.host,
        userAgent: `kube-probe/${release}`,
        podIpOf,
        onChange: (uid) => this.#workers.get(uid)?.probeChanged(),
        isInPostStart: hooks.isInPostStart,
      }),
      volumes: this.#makeVolumes(recorder, (pod) => ({ pod, podIp: podIpOf(pod), hostIp: nodeAddress, allocatable })),
      devices: this.#makeDevices(),
      logs: new PodLogs(machine.files, () => simulation.nowMs, this.#options.containerLogs ?? defaultLogPolicy),
      journal,
      references: this.#references,
      crashBackOff: new BackOff({ initialMs: 10_000, maximumMs, forgottenAfterMs: crashForgottenAfterMs }),
      startFailures: new Map(),
      nodeKeyring: new NodeKeyring(simulation, machine.files),
      credentialPlugins: this.#options.credentialPlugins,
      runtimeHandlerOf: (pod) => this.#runtimeHandlerOf(pod),
      userNamespaces: once(() => userNamespaces ?? lateUserNamespaces.code.usualUserNamespaces(machine, idsPerPod)),
      networkProblem: () => this.#network.problems[0],
      now: () => formatTime(simulation.nowMs),
      allocatable: () => allocatable,
      nextRelistMs: () => this.#nextRelistMs(),
      mirrorOf,
    };
  }

  /** Of version 1 nobody has any. */
  get #podSwapBytes(): number {
    const { machine, hasLimitedSwap = false } = this.#options;
    return hasLimitedSwap && machine.cgroupVersion === 2 ? this.#swapBytes : 0;
  }

  #makeImages(recorder: LoggingRecorder): ImageManager {
    const { runtime, maxParallelImagePulls = 1, pullThrottle = usualThrottle } = this.#options;
    return new ImageManager({
      simulation: this.#simulation,
      runtime,
      recorder,
      records: this.#pullRecords,
      maxParallelPulls: maxParallelImagePulls,
      throttle: pullThrottle,
    });
  }

  #nodeResolvConf(): string | undefined {
    const { configuration, machine } = this.#options;
    const path = configuration?.resolvConf ?? "/etc/resolv.conf";
    if (path === "") return undefined;
    if (!machine.files.exists(path)) throw new Error(`open ${path}: no such file or directory`);
    return machine.files.readText(path);
  }

  #makeVolumes(recorder: LoggingRecorder, contextOf: (pod: StoredPod) => DownwardContext): VolumeManager {
    const { machine, clusterDns = ["10.96.0.10"], clusterDomain = "cluster.local", csi } = this.#options;
    return new VolumeManager({
      simulation: this.#simulation,
      recorder,
      files: machine.files,
      createTmpfs: (limitBytes) => machine.kernel.createTmpfs({ limitBytes }),
      sources: this.#references,
      contextOf,
      dns: () => ({
        clusterDns,
        clusterDomain,
        nodeResolvConf: this.#nodeResolvConf(),
        nodeHosts: () => machine.files.readText("/etc/hosts"),
        nodeName: machine.name,
      }),
      isOnNode: (selector) => {
        const node = this.#admission.node();
        return node === undefined || matchesNodeSelector(selector, node);
      },
      persistentVolume: (pod, claim) => this.#references.persistentVolume(pod.metadata.namespace ?? "", claim),
      csiDriver: (name) => this.#references.csiDriver(name),
      csi,
    });
  }

  #makeDevices(): DevicePlugins {
    const { machine, runtime } = this.#options;
    return new DevicePlugins({
      simulation: this.#simulation,
      files: machine.files,
      isActive: (uid) => {
        const worker = this.#workers.get(uid);
        return worker === undefined ? runtime.sandboxesOf(uid).length > 0 : worker.state !== "terminated";
      },
    });
  }

  #capacityFacts(): CapacityFacts {
    const { machine, maxPods = 110, reserved = { cpuMillicores: 0, memoryBytes: 0 }, limitsLocalStorage = true } = this.#options;
    return { machine, maxPods, reserved, thresholds: this.#evictionPolicy.thresholds, limitsLocalStorage };
  }

  #nodeFacts(): NodeFacts {
    const { runtime } = this.#options;
    return {
      ...this.#capacityFacts(),
      runtime,
      kubeletVersion: this.#options.version ?? defaultKubeletVersion,
      cloud: this.#options.cloud,
      imageNames: (reference) => runtime.imageStore.namesOf(reference),
      problems: this.#readiness.problems,
      pressure: this.#eviction.pressure,
      devices: this.#parts.devices.resources,
      swapBytes: this.#swapBytes,
      nowMs: this.#simulation.nowMs,
    };
  }

  #runtimeHandlerOf(pod: StoredPod): ReturnType<KubeletParts["runtimeHandlerOf"]> {
    const name = pod.spec?.runtimeClassName;
    if (name === undefined || name === "") return { handler: "" };
    try {
      return { handler: this.#options.client.get(runtimeClasses, { namespace: "", name }).handler };
    } catch (error) {
      if (error instanceof ApiError && error.status.code === 404)
        return { fault: `runtimeclass.node.k8s.io ${JSON.stringify(name)} not found` };
      if (!(error instanceof ApiError || error instanceof ApiUnreachable)) throw error;
      return { fault: `failed to lookup RuntimeClass ${name}: ${error.message}` };
    }
  }

  #onPod(pod: StoredPod, deleted: boolean): void {
    if (isMirror(pod)) {
      this.#mirrors.mirrorChanged(pod, deleted);
      return;
    }
    const worker = this.#workers.get(pod.metadata.uid);
    if (deleted) {
      if (worker !== undefined) this.#parts.journal.sync("REMOVE", "api", pod);
      worker?.remove();
    } else if (worker === undefined) this.#tryToAdd(pod);
    else {
      const before = worker.pod;
      if (before.metadata.deletionTimestamp === undefined && pod.metadata.deletionTimestamp !== undefined)
        this.#parts.journal.sync("DELETE", "api", pod);
      worker.update(this.#parts.allocations.update(pod));
      this.#refreshDownward(before, worker.pod);
      if (isFinishedPhase(pod.status?.phase)) this.#giveBack(pod.metadata.uid);
      else if (worker.pod.spec !== before.spec) this.#retryResizes();
    }
  }

  /** A pod that could not be taken up is not here: its source will tell of it again. */
  #tryToAdd(pod: StoredPod): void {
    try {
      this.#addPod(pod);
    } catch (error) {
      this.#workers.get(pod.metadata.uid)?.stop();
      this.#workers.delete(pod.metadata.uid);
      this.#limited.delete(pod.metadata.uid);
      this.#byName.delete(`${pod.metadata.namespace}/${pod.metadata.name}`);
      throw error;
    }
  }

  #addPod(pod: StoredPod): void {
    const { uid, name, namespace } = pod.metadata;
    const { runtime } = this.#options;
    this.#parts.journal.sync("ADD", isStatic(pod) ? "file" : "api", pod);
    const isKnown = runtime.sandboxesOf(uid).length > 0;
    const worker = new PodWorker(this.#parts, pod, (gone) => this.#onGone(gone));
    this.#workers.set(uid, worker);
    if (storageLimitsOf(pod) !== undefined) this.#limited.set(uid, worker);
    this.#byName.set(`${namespace}/${name}`, worker);
    const isNew = !isKnown && !isFinishedPhase(pod.status?.phase) && pod.metadata.deletionTimestamp === undefined;
    if (isNew) {
      const refusal = this.#admission.refusal(worker);
      if (refusal !== undefined) {
        this.#parts.recorder.warning(pod, refusal.reason, refusal.message);
        worker.refuse({ phase: "Failed", reason: refusal.reason, message: `Pod was rejected: ${refusal.message}` });
        return;
      }
    }
    if (!isFinishedPhase(pod.status?.phase)) worker.pod = this.#parts.allocations.add(pod, this.#runningResources(uid));
    this.#mountedObjects.add(pod);
    if (isKnown) this.#takeUp(pod);
    if (isFinishedPhase(pod.status?.phase) && !this.#isActive(uid)) worker.settle();
    if (pod.metadata.deletionTimestamp === undefined) worker.wake();
    else worker.update(worker.pod);
  }

  /** Something of the pod runs on the node. */
  #isActive(uid: string): boolean {
    const { runtime } = this.#options;
    return (
      runtime.sandboxesOf(uid).some(({ state }) => state === "ready") ||
      runtime.containersOf(uid).some(({ state }) => state === "running")
    );
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
    if (this.#limited.get(uid) === worker) this.#limited.delete(uid);
    const key = `${namespace}/${name}`;
    if (this.#byName.get(key) === worker) this.#byName.delete(key);
    this.#giveBack(uid);
    this.#mountedObjects.remove(uid);
    this.#references.forgetPod(uid);
    this.#simulation.cancel(this.#refreshes.get(uid));
    this.#refreshes.delete(uid);
    this.#refreshRetryMs.delete(uid);
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
    this.#parts.journal.sync("REMOVE", "file", pod);
    this.#mirrors.staticRemoved(pod);
    this.#workers.get(pod.metadata.uid)?.remove();
  }

  /** Once it is known which pods there are: before, all would seem to be in no source. */
  #endOrphans(): void {
    if (this.#isStopped) return;
    if (!this.#informer.hasSynced) {
      this.#simulation.after(housekeepingMs, () => this.#endOrphans(), { background: true });
      return;
    }
    for (const uid of this.#options.runtime.podUids()) {
      if (this.#workers.has(uid)) continue;
      const failed = (thrown: unknown): void => {
        this.#simulation.faults.note(`kubelet ${this.#options.machine.name}`, uid, thrown);
      };
      runTask(latePreemption.code.endOrphan(this.#parts, uid), () => {}, failed);
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
      for (const uid of uids) this.#safelyNotice(uid);
    });
  }

  /** One pod's surprise is no other's. */
  #safelyNotice(uid: string): void {
    try {
      this.#notice(uid);
    } catch (error) {
      this.#simulation.faults.note(`kubelet ${this.#options.machine.name}`, uid, error);
      this.#simulation.after(syncRetryMs, () => this.#onRuntimeChange(uid), { background: true });
    }
  }

  #notice(uid: string): void {
    for (const container of this.#options.runtime.containersOf(uid)) {
      if (container.state === "exited") this.#parts.probes.containerEnded(container.id);
    }
    const worker = this.#workers.get(uid);
    if (worker === undefined) return;
    const { runtime } = this.#options;
    const sinceMs = this.#simulation.nowMs - relistMs;
    this.#parts.journal.noticed(worker.pod, runtime.containersOf(uid), runtime.sandboxesOf(uid), sinceMs);
    if (worker.state !== "syncing") return;
    // A sync for whatever cause writes volumes too.
    if (this.#isRefreshDue(uid) && !this.#refreshRetryMs.has(uid)) this.#refresh(uid);
    worker.wake();
  }

  /** A mounted object changed: the files follow with the pod's next periodic sync. */
  #refreshLater(podUid: string): void {
    if (this.#isRefreshDue(podUid)) return;
    const delayMs = this.#simulation.random.below(refreshSpreadMs);
    this.#refreshes.set(
      podUid,
      this.#simulation.after(delayMs, () => this.#refresh(podUid), { background: true }),
    );
  }

  #isRefreshDue(podUid: string): boolean {
    return this.#refreshes.get(podUid)?.callback !== undefined;
  }

  /** What downward API volumes tell: labels, annotations and the containers' resources. Such a change is a sync as well. */
  #refreshDownward(before: StoredPod, pod: StoredPod): void {
    const { labels, annotations } = before.metadata;
    if (labels === pod.metadata.labels && annotations === pod.metadata.annotations && before.spec === pod.spec) return;
    const isUsed = pod.spec?.volumes?.some(
      (volume) => volume.downwardAPI !== undefined || volume.projected?.sources?.some((source) => source.downwardAPI !== undefined),
    );
    if (isUsed === true || this.#isRefreshDue(pod.metadata.uid))
      this.#simulation.after(relistMs, () => this.#refresh(pod.metadata.uid), { background: true });
  }

  #refresh(podUid: string): void {
    const worker = this.#workers.get(podUid);
    if (worker?.state !== "syncing" || this.#isStopped) return;
    if (this.#parts.volumes.refresh(worker.pod)) {
      this.#refreshRetryMs.delete(podUid);
      return;
    }
    const retryMs = this.#refreshRetryMs.get(podUid) ?? firstRetryMs;
    this.#refreshRetryMs.set(podUid, Math.min(retryMs * 2, maximumRetryMs));
    this.#simulation.cancel(this.#refreshes.get(podUid));
    this.#refreshes.set(
      podUid,
      this.#simulation.after(retryMs, () => this.#refresh(podUid), { background: true }),
    );
  }
}

/** Pods that have not ended. */
function activeOf(workers: Iterable<PodWorker>): readonly StoredPod[] {
  const active: StoredPod[] = [];
  for (const { pod, state } of workers) if (state !== "terminated" && !isFinishedPhase(pod.status?.phase)) active.push(pod);
  return active;
}
