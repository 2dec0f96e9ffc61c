// crictl's documents: what the CRI answers of containers, sandboxes, images and the runtime, as JSON or YAML. Of the verbose
// answers' `info` only what this runtime has is told: no runtimeSpec, no config.

import { formatTime } from "#cluster/api/time.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { writeYaml } from "#cluster/api/yaml-write.ts";
import { NetworkReadiness } from "#cluster/node/kubelet/network-readiness.ts";
import type { RuntimeContainer, Sandbox, StoredImage } from "#cluster/node/runtime/cri.ts";
import { formatLogTimeOf } from "#cluster/node/runtime/log-time.ts";
import type { Process, Sys } from "#sim/program.ts";
import {
  type Call,
  containerOf,
  findImage,
  has,
  Refusal,
  type RuntimeMachine,
  sandboxesOf,
  sandboxOf,
  tagsOf,
} from "./crictl-call.ts";

type Json = { readonly [key: string]: JsonValue };

/** The document that `-o` asks for; undefined where a table is wanted. Throws Refusal. */
export function documentOf(call: Call, make: () => Json, standard = "table"): string | undefined {
  const output = call.options.get("output") ?? standard;
  if (output === "table") return undefined;
  if (output === "json") return `${JSON.stringify(make(), null, 2)}\n`;
  if (output === "yaml") return writeYaml(make());
  throw new Refusal(`output ${output}: not simulated; there are json, yaml and table`);
}

/** Nanoseconds since the epoch. */
function nanoseconds(timeMs: number): string {
  return timeMs === 0 ? "0" : `${timeMs}000000`;
}

function podLabels({ config: { name, namespace, podUid } }: Sandbox): Json {
  return { "io.kubernetes.pod.name": name, "io.kubernetes.pod.namespace": namespace, "io.kubernetes.pod.uid": podUid };
}

export function containerLabels(container: RuntimeContainer, sandbox: Sandbox | undefined): Json {
  return { "io.kubernetes.container.name": container.config.name, ...(sandbox === undefined ? {} : podLabels(sandbox)) };
}

function containerAnnotations({ config }: RuntimeContainer): Json {
  return {
    "io.kubernetes.container.restartCount": String(config.attempt),
    "io.kubernetes.container.terminationMessagePath": config.terminationLog.path,
    "io.kubernetes.container.terminationMessagePolicy": config.terminationLog.orLog ? "FallbackToLogsOnError" : "File",
  };
}

function imageSpec(image: string, written: string): Json {
  return { image, annotations: {}, userSpecifiedImage: written, runtimeHandler: "" };
}

const stateNames = { created: "CONTAINER_CREATED", running: "CONTAINER_RUNNING", exited: "CONTAINER_EXITED" } as const;

export function containerJson(container: RuntimeContainer, sandbox: Sandbox | undefined): Json {
  const { id, sandboxId, config, state, createdMs } = container;
  const imageId = config.image.id;
  return {
    id,
    podSandboxId: sandboxId,
    metadata: { name: config.name, attempt: config.attempt },
    image: imageSpec(imageId, config.imageName),
    imageRef: imageId,
    state: stateNames[state],
    createdAt: nanoseconds(createdMs),
    labels: containerLabels(container, sandbox),
    annotations: containerAnnotations(container),
    imageId,
  };
}

export function sandboxJson(sandbox: Sandbox): Json {
  const { id, config, state, createdMs } = sandbox;
  const { name, podUid, namespace, attempt, runtimeHandler } = config;
  return {
    id,
    metadata: { name, uid: podUid, namespace, attempt },
    state: state === "ready" ? "SANDBOX_READY" : "SANDBOX_NOTREADY",
    createdAt: nanoseconds(createdMs),
    labels: podLabels(sandbox),
    annotations: {},
    runtimeHandler,
  };
}

export function imageJson(runtime: RuntimeMachine["runtime"], stored: StoredImage): Json {
  const { image, pinned } = stored;
  const [user = ""] = image.config.user.split(":");
  const isNumber = /^\d+$/u.test(user);
  return {
    id: stored.id,
    repoTags: [...tagsOf(runtime, stored)],
    repoDigests: runtime
      .images()
      .filter((each) => each.image.digest === image.digest)
      .map(({ reference }) => reference)
      .sort(),
    size: String(image.sizeBytes),
    uid: isNumber ? { value: user } : null,
    username: isNumber ? "" : user,
    spec: null,
    pinned,
  };
}

function statusJson(container: RuntimeContainer, sandbox: Sandbox | undefined): Json {
  const { id, config, state, createdMs, startedMs, finishedMs, exitCode, reason, message, resources } = container;
  const never = "0001-01-01T00:00:00Z";
  const at = (timeMs: number): string => (timeMs === 0 ? never : formatLogTimeOf(timeMs).replace(/\.?0+Z$/u, "Z"));
  const { uid, gid, groups } = config.user;
  return {
    id,
    metadata: { name: config.name, attempt: config.attempt },
    state: stateNames[state],
    createdAt: at(createdMs),
    startedAt: at(startedMs),
    finishedAt: at(finishedMs),
    exitCode,
    image: imageSpec(config.image.name, ""),
    imageRef: config.image.reference,
    reason,
    message,
    labels: containerLabels(container, sandbox),
    annotations: containerAnnotations(container),
    mounts: config.mounts.map(({ path, readOnly = false }) => ({ containerPath: path, readonly: readOnly })),
    logPath: config.logFile.path,
    resources: {
      linux: {
        cpuPeriod: "100000",
        cpuQuota: String((resources.cpuLimitMillicores ?? 0) * 100),
        memoryLimitInBytes: String(resources.memoryLimitBytes ?? 0),
        oomScoreAdj: String(config.oomScoreAdjust),
        unified: {
          ...(config.singleProcessOomKill ? {} : { "memory.oom.group": "1" }),
          "memory.swap.max": String(resources.swapLimitBytes ?? 0),
        },
      },
    },
    imageId: config.image.id,
    user: { linux: { uid: String(uid), gid: String(gid), supplementalGroups: groups.map(String) } },
  };
}

function* printStatuses(self: Process, call: Call, kind: string, statuses: readonly Json[]): Sys<number> {
  if (statuses.length === 0) throw new Refusal(`crictl ${kind}: which one? Name it by its ID`);
  const one = statuses.length === 1 ? statuses[0] : undefined;
  const text = documentOf(call, () => one ?? ({ items: [...statuses] } as Json), "json");
  if (text === undefined) throw new Refusal(`crictl ${kind}: output table: not simulated; there are json and yaml`);
  yield* self.write(
    1,
    one === undefined && call.options.get("output") !== "yaml" ? `${JSON.stringify(statuses, null, 2)}\n` : text,
  );
  return 0;
}

/** `info`, unless it is not wanted, and `status`. */
function answer(call: Call, info: Json, status: Json): Json {
  return has(call, "quiet") ? { status } : { info, status };
}

export function* inspectContainers(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const statuses = call.operands.map((id) => {
    const container = prefixed("get the status of containers: get container status: ", () => containerOf(runtime, id));
    const sandbox = sandboxesOf(runtime).find((each) => each.id === container.sandboxId);
    const info: Json = {
      sandboxID: container.sandboxId,
      pid: runtime.pidOf(container.id),
      removing: false,
      snapshotKey: container.id,
      snapshotter: "overlayfs",
      runtimeType: sandbox?.runtimeType ?? "",
    };
    return answer(call, info, statusJson(container, sandbox));
  });
  return yield* printStatuses(self, call, "inspect", statuses);
}

export function* inspectSandboxes(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const statuses = call.operands.map((id) => {
    const sandbox = prefixed(`getting the status of the pod sandbox: get sandbox status: `, () => sandboxOf(runtime, id));
    const { runtimeHandler, ...rest } = sandboxJson(sandbox);
    const { hostNetwork, hostIpc, hostPid, shareProcessNamespace, userNamespace } = sandbox.config;
    const { hostId, length } = userNamespace ?? { hostId: 0, length: 0 };
    const mappings: JsonValue = userNamespace === undefined ? [] : [{ containerId: 0, hostId, length }];
    const podPid = shareProcessNamespace ? "POD" : "CONTAINER";
    const options = {
      ipc: hostIpc ? "NODE" : "POD",
      network: hostNetwork ? "NODE" : "POD",
      pid: hostPid ? "NODE" : podPid,
      targetId: "",
      usernsOptions: { gids: mappings, mode: userNamespace === undefined ? "NODE" : "POD", uids: mappings },
    };
    const status: Json = {
      id: sandbox.id,
      metadata: rest["metadata"] as JsonValue,
      state: rest["state"] as JsonValue,
      createdAt: formatTime(sandbox.createdMs),
      network: { additionalIps: [], ip: sandbox.address },
      linux: { namespaces: { options } },
      labels: rest["labels"] as JsonValue,
      annotations: {},
      runtimeHandler: runtimeHandler as JsonValue,
    };
    const info: Json = {
      image: "registry.k8s.io/pause:3.10.1",
      runtimeType: sandbox.runtimeType,
      snapshotKey: sandbox.id,
      snapshotter: "overlayfs",
    };
    return answer(call, info, status);
  });
  return yield* printStatuses(self, call, "inspectp", statuses);
}

export function* inspectImages(self: Process, { runtime }: RuntimeMachine, call: Call): Sys<number> {
  const statuses = call.operands.map((name) => {
    const stored = findImage(runtime, name);
    if (stored === undefined) throw new Refusal(`no such image "${name}" present`);
    const { cmd, entrypoint, env, stopSignal, user, workingDir } = stored.image.config;
    const config: Json = {
      User: user,
      Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
      Entrypoint: [...entrypoint],
      Cmd: [...cmd],
      WorkingDir: workingDir,
      ...(stopSignal === "TERM" ? {} : { StopSignal: `SIG${stopSignal}` }),
    };
    return answer(call, { imageSpec: { architecture: stored.architecture, config, os: "linux" } }, imageJson(runtime, stored));
  });
  return yield* printStatuses(self, call, "inspecti", statuses);
}

function prefixed<T>(prefix: string, find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(`${prefix}${error.message}`);
    throw error;
  }
}

export function* info(self: Process, { machine }: RuntimeMachine, call: Call): Sys<number> {
  const isReady = new NetworkReadiness(machine.files).problems.length === 0;
  const condition = (type: string, status: boolean, reason = "", message = ""): Json => ({ message, reason, status, type });
  const network = isReady
    ? condition("NetworkReady", true)
    : condition("NetworkReady", false, "NetworkPluginNotReady", "Network plugin returns error: cni plugin not initialized");
  const document = documentOf(
    call,
    () => ({
      cniconfig: { PluginConfDir: "/etc/cni/net.d", PluginDirs: ["/opt/cni/bin"], PluginMaxConfNum: 1, Prefix: "eth" },
      config: {
        containerdEndpoint: "/run/containerd/containerd.sock",
        containerdRootDir: "/var/lib/containerd",
        rootDir: "/var/lib/containerd/io.containerd.grpc.v1.cri",
        stateDir: "/run/containerd/io.containerd.grpc.v1.cri",
      },
      lastCNILoadStatus: isReady
        ? "OK"
        : "cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized: failed to load cni config",
      status: { conditions: [condition("RuntimeReady", true), network, condition("ContainerdHasNoDeprecationWarnings", true)] },
    }),
    "json",
  );
  if (document === undefined) throw new Refusal("crictl info: output table: not simulated; there are json and yaml");
  yield* self.write(1, document);
  return 0;
}

export function* version(self: Process, { runtime }: RuntimeMachine): Sys<number> {
  const { name } = runtime.release;
  yield* self.write(1, `Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  ${name}\nRuntimeApiVersion:  v1\n`);
  return 0;
}
