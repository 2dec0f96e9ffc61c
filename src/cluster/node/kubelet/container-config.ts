// What the runtime is told to run: command, environment, user, mounts and limits of one container.

import type { Container } from "#cluster/api/generated/types.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { ImageConfig } from "#cluster/images/image.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import { allCapabilities, type Restrictions } from "#sim/process/capabilities.ts";
import type { ContainerConfig, Sandbox, StoredImage } from "../runtime/cri.ts";
import { resourcesToRun, swapLimitOf } from "./container-resources.ts";
import type { DownwardContext } from "./downward.ts";
import { ConfigError, environmentOf } from "./environment.ts";
import { expand } from "./expansion.ts";
import type { ImageVolumes } from "./image-volumes.ts";
import { lateImageVolumes } from "./late-image-volumes.ts";
import { oomScoreAdjust } from "./oom-score.ts";
import type { KubeletParts } from "./parts.ts";
import { podLabel, type StoredPod } from "./pod-spec.ts";

interface User {
  readonly uid: number;
  readonly gid: number;
  /** With the primary one, by number (containerd: mergeGids). */
  readonly groups: readonly number[];
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

type Lines = readonly (readonly string[])[];

/** Of images' files, which never change: read once, for every container asks. */
const knownAccounts = new WeakMap<StoredImage["image"], { readonly passwd: Lines; readonly group: Lines; plainUser?: User }>();

/** Lines of an image's /etc/passwd or /etc/group, each as its fields. */
function accounts(image: StoredImage, file: "passwd" | "group"): Lines {
  return accountsOf(image)[file];
}

function accountsOf({ image }: StoredImage) {
  let known = knownAccounts.get(image);
  if (known === undefined) {
    known = { passwd: linesOf(image, "/etc/passwd"), group: linesOf(image, "/etc/group") };
    knownAccounts.set(image, known);
  }
  return known;
}

function linesOf(image: StoredImage["image"], path: string): Lines {
  const entry = image.files.get(path);
  const text = entry?.type === "file" && typeof entry.content === "string" ? entry.content : "";
  return text.split("\n").map((line) => line.split(":"));
}

/** The uid and gid of an image's user; names, and the group of a number alone, are looked up in its /etc/passwd. */
function imageUser(image: StoredImage): { readonly uid: number; readonly gid: number; readonly isName: boolean } {
  const { user } = image.image.config;
  const [name = "", group] = user.split(":");
  const isName = user !== "" && !/^\d+$/.test(name);
  if (!isName) return { uid: Number(name), gid: group === undefined ? primaryGroup(image, Number(name)) : Number(group), isName };
  const [, , uid = "0", gid = "0"] = accounts(image, "passwd").find(([account]) => account === name) ?? [];
  return { uid: Number(uid), gid: Number(gid), isName };
}

/** Of a user by number: 0 where the image does not know it (containerd: oci.WithUserID). */
function primaryGroup(image: StoredImage, uid: number): number {
  return Number(accounts(image, "passwd").find(([, , number]) => number === String(uid))?.[3] ?? 0);
}

/** The groups that the image's /etc/group puts a user in (containerd: WithAdditionalGIDs). */
function groupsInImage(image: StoredImage, uid: number): readonly number[] {
  const name = accounts(image, "passwd").find(([, , number]) => number === String(uid))?.[0];
  if (name === undefined) return [];
  return accounts(image, "group").flatMap(([, , number, members = ""]) =>
    members.split(",").includes(name) ? [Number(number)] : [],
  );
}

/** Users and groups have 31 bits. */
function idOf(id: Int64 | undefined): number | undefined {
  return id === undefined ? undefined : Number(id);
}

/** Where neither the pod nor the container says anything of it, an image has one user for all. */
function userOf(pod: StoredPod, spec: Container, image: StoredImage): User {
  if (spec.securityContext !== undefined || Object.keys(pod.spec?.securityContext ?? {}).length > 0)
    return workOutUser(pod, spec, image);
  const known = accountsOf(image);
  known.plainUser ??= workOutUser(pod, spec, image);
  return known.plainUser;
}

function workOutUser(pod: StoredPod, spec: Container, image: StoredImage): User {
  const podContext = pod.spec?.securityContext;
  const own = spec.securityContext;
  const fromImage = imageUser(image);
  const uid = idOf(own?.runAsUser ?? podContext?.runAsUser);
  const gid = idOf(own?.runAsGroup ?? podContext?.runAsGroup) ?? (uid === undefined ? fromImage.gid : primaryGroup(image, uid));
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
  const merged = podContext?.supplementalGroupsPolicy === "Strict" ? [] : groupsInImage(image, uid ?? fromImage.uid);
  const groups = new Set([gid, ...merged, ...(podContext?.supplementalGroups ?? []).map(Number)]);
  if (podContext?.fsGroup !== undefined) groups.add(Number(podContext.fsGroup));
  return { uid: uid ?? fromImage.uid, gid, groups: [...groups].sort((a, b) => a - b) };
}

function argvOf(spec: Container, config: ImageConfig, values: ReadonlyMap<string, string>): readonly string[] {
  const command = spec.command?.map((part) => expand(part, values));
  const args = spec.args?.map((part) => expand(part, values));
  // A spread would leave room for more.
  if (command !== undefined && command.length > 0) return command.concat(args ?? []);
  return config.entrypoint.concat(args !== undefined && args.length > 0 ? args : config.cmd);
}

export interface NewContainer {
  readonly pod: StoredPod;
  readonly spec: Container;
  readonly sandbox: Sandbox;
  readonly image: StoredImage;
  readonly attempt: number;
  readonly imageVolumes: ImageVolumes | undefined;
}

/** Throws ConfigError: the container waits with CreateContainerConfigError. */
export function containerConfig(parts: KubeletParts, container: NewContainer): ContainerConfig {
  const { pod, spec, sandbox, image, attempt, imageVolumes } = container;
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
    mounts: (devices?.mounts ?? []).concat(parts.volumes.mountsFor(pod, spec, sandbox, values)),
    imageMounts: imageVolumes && lateImageVolumes.code.imageMountsOf(spec, imageVolumes, values),
    readOnlyRoot: spec.securityContext?.readOnlyRootFilesystem === true,
    stdin: spec.stdin === true,
    stdinOnce: spec.stdinOnce === true,
    tty: spec.tty === true,
    privileged: spec.securityContext?.privileged === true,
    capabilities: capabilitiesOf(spec),
    restrictions: restrictionsOf(pod, spec),
    resources: resourcesToRun(spec, swapLimitOf(parts, pod, spec)),
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
const defaultCapabilities: ReadonlySet<string> = new Set(
  "CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE".split(
    " ",
  ),
);

/** First ALL in either list, then what else is added, then what else is dropped (containerd: customopts.WithCapabilities). Undefined: all. */
function capabilitiesOf({ securityContext }: Container): ReadonlySet<string> | undefined {
  if (securityContext?.privileged === true) return undefined;
  const lists = securityContext?.capabilities;
  if (lists === undefined) return defaultCapabilities;
  const [add = [], drop = []] = [lists.add, lists.drop].map((list) => list?.map((name) => asciiUpperCase(name)));
  let first: Iterable<string> = defaultCapabilities;
  if (drop.includes("ALL")) first = [];
  else if (add.includes("ALL")) first = allCapabilities;
  const names = new Set(first);
  for (const name of add) if (name !== "ALL") names.add(name);
  for (const name of drop) names.delete(name);
  return names;
}

/** Without a profile nothing is filtered (the kubelet's seccompDefault is off), and nothing of a privileged container ever is. */
function restrictionsOf({ spec }: StoredPod, { securityContext }: Container): Restrictions {
  const profile = securityContext?.seccompProfile ?? spec?.securityContext?.seccompProfile;
  return {
    noNewPrivileges: securityContext?.allowPrivilegeEscalation === false,
    isFiltered: securityContext?.privileged !== true && (profile?.type ?? "Unconfined") !== "Unconfined",
  };
}

function logFile(parts: KubeletParts, pod: StoredPod, container: string, attempt: number): ContainerConfig["logFile"] {
  try {
    return parts.logs.create(pod, container, attempt);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new ConfigError(`create container log directory for container ${container} failed: ${asciiLowerCase(error.message)}`);
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
