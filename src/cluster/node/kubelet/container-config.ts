// What the runtime is told to run: command, environment, user, mounts and limits of one container.

import type { Container } from "#cluster/api/generated/types.ts";
import { parseQuantity, quantityMilliValue, quantityValue } from "#cluster/api/quantity.ts";
import type { ImageConfig } from "#cluster/images/image.ts";
import { podRequests } from "#cluster/scheduler/resources.ts";
import { SysError } from "#sim/errors.ts";
import { allCapabilities } from "#sim/process/capabilities.ts";
import type { ContainerConfig, ContainerResources, Sandbox, StoredImage } from "../runtime/cri.ts";
import type { DownwardContext } from "./downward.ts";
import { ConfigError, environmentOf } from "./environment.ts";
import { expand } from "./expansion.ts";
import { oomScoreAdjust } from "./oom-score.ts";
import type { KubeletParts } from "./parts.ts";
import { isSidecar, podLabel, type StoredPod } from "./pod-spec.ts";
import { qosClassOf } from "./status/qos.ts";

interface User {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The uid and gid of an image's user; names are looked up in its /etc/passwd. */
function imageUser(image: StoredImage): { readonly uid: number; readonly gid: number; readonly isName: boolean } {
  const { user } = image.image.config;
  if (user === "") return { uid: 0, gid: 0, isName: false };
  const [name = "", group] = user.split(":");
  if (/^\d+$/.test(name)) return { uid: Number(name), gid: group === undefined ? 0 : Number(group), isName: false };
  const passwd = image.image.files.get("/etc/passwd");
  const text = passwd?.type === "file" && typeof passwd.content === "string" ? passwd.content : "";
  const line = text.split("\n").find((each) => each.startsWith(`${name}:`));
  const [, , uid = "0", gid = "0"] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid), isName: true };
}

function userOf(pod: StoredPod, spec: Container, image: StoredImage): User {
  const podContext = pod.spec?.securityContext;
  const own = spec.securityContext;
  const fromImage = imageUser(image);
  const uid = own?.runAsUser ?? podContext?.runAsUser;
  const gid = own?.runAsGroup ?? podContext?.runAsGroup ?? (uid === undefined ? fromImage.gid : 0);
  const label = `(pod: "${podLabel(pod)}", container: ${spec.name})`;
  if (own?.runAsNonRoot ?? podContext?.runAsNonRoot) {
    if (uid === 0) throw new ConfigError(`container's runAsUser breaks non-root policy ${label}`);
    if (uid === undefined && fromImage.isName) {
      const name = image.image.config.user.split(":")[0];
      throw new ConfigError(
        `container has runAsNonRoot and image has non-numeric user (${name}), cannot verify user is non-root ${label}`,
      );
    }
    if (uid === undefined && fromImage.uid === 0) {
      throw new ConfigError(`container has runAsNonRoot and image will run as root ${label}`);
    }
  }
  const extra = [...(podContext?.supplementalGroups ?? []), ...(podContext?.fsGroup === undefined ? [] : [podContext.fsGroup])];
  return { uid: uid ?? fromImage.uid, gid, groups: [...new Set([gid, ...extra])] };
}

function argvOf(spec: Container, config: ImageConfig, values: ReadonlyMap<string, string>): readonly string[] {
  const command = spec.command?.map((part) => expand(part, values));
  const args = spec.args?.map((part) => expand(part, values));
  if (command !== undefined && command.length > 0) return [...command, ...(args ?? [])];
  return [...config.entrypoint, ...(args !== undefined && args.length > 0 ? args : config.cmd)];
}

function limitOf(spec: Pick<Container, "resources">, resource: string): string | undefined {
  const text = spec.resources?.limits?.[resource];
  return text === undefined || text === "0" ? undefined : text;
}

/** Of processor time where there is not enough for all (pkg/kubelet/cm: MilliCPUToShares). */
export function cpuSharesOf(millicores: number): number {
  return Math.min(262_144, Math.max(2, Math.floor((millicores * 1024) / 1000)));
}

/** Of a container, or of a Pod as a whole. */
export function resourcesToRun(spec: Pick<Container, "resources">): ContainerResources {
  const memory = limitOf(spec, "memory");
  const cpu = limitOf(spec, "cpu");
  return {
    memoryLimitBytes: memory === undefined ? undefined : quantityValue(parseQuantity(memory)),
    cpuLimitMillicores: cpu === undefined ? undefined : quantityMilliValue(parseQuantity(cpu)),
    cpuShares: cpuSharesOf(quantityMilliValue(parseQuantity(spec.resources?.requests?.["cpu"] ?? cpu ?? "0"))),
    written: spec.resources ?? {},
  };
}

/**
 * Of a Pod's control group: its own limits, or the sum of its containers' where all have one, with the overhead of its
 * runtime; a best-effort Pod has the least weight even with one (pkg/kubelet/cm: ResourceConfigForPod).
 */
export function podGroupLimits(pod: StoredPod): Omit<ContainerResources, "written"> {
  const spec = pod.spec ?? { containers: [] };
  const overhead = resourcesToRun({ resources: { limits: spec.overhead ?? {} } });
  const whole = resourcesToRun(spec);
  const each = [...spec.containers, ...(spec.initContainers ?? [])].map((container) => resourcesToRun(container));
  const running = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)].map((container) =>
    resourcesToRun(container),
  );
  const limit = (name: "memoryLimitBytes" | "cpuLimitMillicores"): number | undefined => {
    const beside = overhead[name] ?? 0;
    if (whole[name] !== undefined) return whole[name] + beside;
    if (each.some((resources) => resources[name] === undefined)) return undefined;
    const sum = running.reduce((total, resources) => total + (resources[name] ?? 0), 0);
    return Math.max(sum, ...each.map((resources) => resources[name] ?? 0)) + beside;
  };
  return {
    memoryLimitBytes: limit("memoryLimitBytes"),
    cpuLimitMillicores: limit("cpuLimitMillicores"),
    cpuShares: cpuSharesOf(qosClassOf(pod) === "BestEffort" ? 0 : podRequests(spec).milliCpu),
  };
}

/** Throws ConfigError: the container waits with CreateContainerConfigError. */
export function containerConfig(
  parts: KubeletParts,
  pod: StoredPod,
  spec: Container,
  sandbox: Sandbox,
  image: StoredImage,
  attempt: number,
): ContainerConfig {
  const podIp = sandbox.config.hostNetwork ? parts.nodeAddress : sandbox.address;
  const context: DownwardContext = { pod, podIp, hostIp: parts.nodeAddress, allocatable: parts.allocatable() };
  const { values } = environmentOf(spec, context, parts.references);
  const user = userOf(pod, spec, image);
  const { config } = image.image;
  const env = new Map<string, string>([
    ["PATH", defaultPath],
    ["HOSTNAME", sandbox.config.hostname],
  ]);
  for (const [name, value] of Object.entries(config.env)) env.set(name, value);
  const devices = parts.devices.optionsOf(pod.metadata.uid, spec.name);
  for (const [name, value] of Object.entries(devices?.envs ?? {})) env.set(name, value);
  for (const [name, value] of values) env.set(name, value);
  env.set("HOME", env.get("HOME") ?? (user.uid === 0 ? "/root" : "/"));
  const target = (spec as { readonly targetContainerName?: string }).targetContainerName;
  return {
    name: spec.name,
    attempt,
    imageName: spec.image ?? "",
    image,
    argv: argvOf(spec, config, values),
    env,
    workingDir: spec.workingDir ?? (config.workingDir === "" ? "/" : config.workingDir),
    user,
    mounts: [...(devices?.mounts ?? []), ...parts.volumes.mountsFor(pod, spec, sandbox, values)],
    readOnlyRoot: spec.securityContext?.readOnlyRootFilesystem === true,
    stdin: spec.stdin === true,
    stdinOnce: spec.stdinOnce === true,
    tty: spec.tty === true,
    privileged: spec.securityContext?.privileged === true,
    capabilities: capabilitiesOf(spec),
    resources: resourcesToRun(spec),
    oomScoreAdjust: oomScoreAdjust(pod, spec, parts.memoryBytes),
    singleProcessOomKill: parts.singleProcessOomKill,
    terminationLog: {
      path: spec.terminationMessagePath ?? "/dev/termination-log",
      orLog: spec.terminationMessagePolicy === "FallbackToLogsOnError",
      ...terminationFile(parts, pod, spec.name),
    },
    logFile: logFile(parts, pod, spec.name, attempt),
    targetContainerId:
      target === undefined
        ? undefined
        : parts.runtime.containersOf(pod.metadata.uid).find((each) => each.config.name === target)?.id,
  };
}

/** What containerd leaves to root of a container (containerd: oci.WithDefaultUnixCapabilities). */
const defaultCapabilities: readonly string[] =
  "CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE".split(
    " ",
  );

/** First ALL in either list, then what else is added, then what else is dropped (containerd: customopts.WithCapabilities). Undefined: all. */
function capabilitiesOf({ securityContext }: Container): ReadonlySet<string> | undefined {
  if (securityContext?.privileged === true) return undefined;
  const lists = securityContext?.capabilities ?? {};
  const [add = [], drop = []] = [lists.add, lists.drop].map((list) => list?.map((name) => name.toUpperCase()));
  const names = new Set(drop.includes("ALL") ? [] : add.includes("ALL") ? allCapabilities : defaultCapabilities);
  for (const name of add) if (name !== "ALL") names.add(name);
  for (const name of drop) names.delete(name);
  return names;
}

function logFile(parts: KubeletParts, pod: StoredPod, container: string, attempt: number): ContainerConfig["logFile"] {
  try {
    return parts.logs.create(pod, container, attempt);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new ConfigError(`create container log directory for container ${container} failed: ${error.message.toLowerCase()}`);
  }
}

function terminationFile(
  parts: KubeletParts,
  pod: StoredPod,
  container: string,
): Pick<ContainerConfig["terminationLog"], "file" | "fileSystem"> {
  const { fileSystem, root } = parts.volumes.terminationLog(pod, container);
  return { file: root, fileSystem };
}
