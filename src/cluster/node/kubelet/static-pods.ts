// Pods from files: /etc/kubernetes/manifests is read at start and looked at again and again; each file is one pod that
// runs whether the API server answers or not.

import { decodeObject } from "#cluster/api/decode.ts";
import type { Pod, PodSpec } from "#cluster/api/generated/types.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { parseYaml } from "#cluster/api/yaml-text.ts";
import { fingerprint } from "#cluster/images/fingerprint.ts";
import { podOnlyDefaults, podSpecDefaults } from "#cluster/resources/core/pods/pod-defaults.ts";
import { validatePod } from "#cluster/resources/core/pods/pod-validation.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { wordsOf } from "#sim/errors.ts";
import { rootCaller } from "#sim/filesystem/file-system.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { DirectoryInode, FileInode } from "#sim/filesystem/inode.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { StoredPod } from "./pod-spec.ts";

export interface StaticPodOptions {
  readonly simulation: Simulation;
  readonly files: HostFiles;
  readonly nodeName: string;
  readonly onAdded: (pod: StoredPod) => void;
  readonly onRemoved: (pod: StoredPod) => void;
  /** For the kubelet's journal: at once, and as long as it lasts whenever the kubelet reads all files, every 20 s. */
  readonly onProblem: (path: string, problem: string) => void;
}

export const manifestDirectory = "/etc/kubernetes/manifests";
/** Stands for inotify: a change is seen within this time. */
const lookMs = 2_000;
/** The directory may itself be replaced. */
const looksPerBind = 10;

interface Seen {
  readonly inode: DirectoryInode | FileInode;
  readonly version: number;
}

interface Known {
  readonly content: string;
  readonly pod: StoredPod | undefined;
  /** Why it is none; "": it is one. */
  readonly problem: string;
}

export class StaticPods {
  readonly #options: StaticPodOptions;
  readonly #known = new Map<string, Known>();
  #timer: Timer | undefined;
  #directory: DirectoryInode | undefined;
  /** The directory and its files as they were when last compared. */
  #seen: readonly Seen[] = [];
  #looks = 0;

  constructor(options: StaticPodOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  readonly #look = (): void => {
    const { simulation } = this.#options;
    this.#timer = simulation.after(lookMs, this.#look, { background: true });
    if (this.#looks % looksPerBind === 0) {
      this.#directory = this.#bind();
      for (const [name, { problem }] of this.#known) if (problem !== "") this.#complain(name, problem);
    }
    this.#looks += 1;
    if (this.#seen[0]?.inode === this.#directory && this.#seen.every(isUnchanged)) return;
    const names = this.#directory?.names(rootCaller).filter((name) => !name.startsWith(".")) ?? [];
    this.#seen = this.#versions(names);
    this.#compare(names);
  };

  #versions(names: readonly string[]): readonly Seen[] {
    const directory = this.#directory;
    if (directory === undefined) return [];
    const files = names.map((name) => directory.lookup(name, rootCaller)).filter((inode) => inode instanceof FileInode);
    return [directory, ...files].map((inode) => ({ inode, version: inode.version }));
  }

  /** The directory itself: it is looked at often, and walking the path costs more than looking. */
  #bind(): DirectoryInode | undefined {
    const { files } = this.#options;
    if (!files.exists(manifestDirectory)) return undefined;
    // Of the machine's own layer, so that a change is a change of this very directory.
    const { root } = files.bind(manifestDirectory);
    return root instanceof DirectoryInode ? root : undefined;
  }

  #compare(names: readonly string[]): void {
    const { files, onRemoved } = this.#options;
    const contents = new Map<string, string>();
    for (const name of names) {
      const path = `${manifestDirectory}/${name}`;
      if (files.stat(path).type === "file") contents.set(name, files.readText(path));
    }
    for (const [name, known] of [...this.#known]) {
      if (contents.get(name) === known.content) continue;
      this.#known.delete(name);
      if (known.pod !== undefined) onRemoved(known.pod);
    }
    for (const [name, content] of contents) if (!this.#known.has(name)) this.#add(name, content);
  }

  #complain(name: string, problem: string): void {
    this.#options.onProblem(`${manifestDirectory}/${name}`, problem);
  }

  #add(name: string, content: string): void {
    const { simulation, nodeName, onAdded } = this.#options;
    let pod: StoredPod | undefined;
    let problem = "";
    try {
      pod = staticPod(content, nodeName, simulation.nowMs);
    } catch (error) {
      const message = wordsOf(error);
      const isRead = message.startsWith("invalid pod") || message.startsWith("static pods");
      problem = isRead ? message : `${manifestDirectory}/${name}: couldn't parse as pod(${message}), please check config file`;
    }
    this.#known.set(name, { content, pod, problem });
    if (pod === undefined) this.#complain(name, problem);
    else onAdded(pod);
  }
}

function isUnchanged({ inode, version }: Seen): boolean {
  return inode.version === version;
}

/** What a static pod refers to although it may not (pkg/api/pod, HasAPIObjectReference). */
function forbiddenReference(spec: PodSpec): string | undefined {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const variables = containers.flatMap(({ env = [], envFrom = [] }) => [...env.map(({ valueFrom = {} }) => valueFrom), ...envFrom]);
  const volumes = spec.volumes ?? [];
  const sources: readonly object[] = [...variables, ...volumes, ...volumes.flatMap(({ projected }) => projected?.sources ?? [])];
  const has = (...fields: readonly string[]): boolean => sources.some((source) => fields.some((field) => field in source));
  if ((spec.serviceAccountName ?? "") !== "") return "serviceaccounts";
  if ((spec.imagePullSecrets ?? []).length > 0 || has("secret", "secretRef", "secretKeyRef")) return "secrets";
  if (has("configMap", "configMapRef", "configMapKeyRef")) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  return Object.entries(forbiddenVolumes).find(([field]) => has(field))?.[1];
}

const forbiddenVolumes = {
  csi: "csidrivers (via CSI volumes)",
  persistentVolumeClaim: "persistentvolumeclaims",
  ephemeral: "persistentvolumeclaims (via ephemeral volumes)",
  serviceAccountToken: "serviceaccounts (via projected volumes)",
  clusterTrustBundle: "clustertrustbundles",
  podCertificate: "podcertificates",
};

/** The pod of a manifest, named after the node (pkg/kubelet/config, tryDecodeSinglePod). Throws Error when it is none. */
export function staticPod(content: string, nodeName: string, nowMs: number): StoredPod {
  const parsed: unknown = parseYaml(content).value;
  if (typeof parsed !== "object" || parsed === null) throw new Error("invalid pod: not an object");
  const { apiVersion, kind } = parsed as Partial<Pod>;
  const missing = [...(kind ? [] : ["Kind"]), ...(apiVersion ? [] : ["apiVersion"])][0];
  if (missing !== undefined) throw new Error(`Object '${missing}' is missing in '${jsonText(parsed)}'`);
  if (apiVersion !== "v1" || kind !== "Pod") throw new Error(`invalid pod: no kind "${kind}" in version "${apiVersion}"`);
  // As client programs' texts are read, but that fields nobody knows are dropped in silence.
  const { metadata = {}, spec = { containers: [] } } = decodeObject("Pod", parsed as JsonValue).value as Partial<Pod>;
  if (!metadata.name) throw new Error("invalid pod: name is needed for the pod");
  const reference = forbiddenReference(spec);
  if (reference !== undefined) throw new Error(`static pods may not reference ${reference}`);
  const hash = fingerprint(`${nodeName}\n${content}`).slice(0, 32);
  const now = formatTime(nowMs);
  const defaulted = podOnlyDefaults(podSpecDefaults({ ...spec, nodeName }));
  const pod: StoredPod = {
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      name: `${metadata.name}-${nodeName}`,
      namespace: metadata.namespace ?? "default",
      uid: hash,
      resourceVersion: "",
      creationTimestamp: now,
      annotations: {
        ...metadata.annotations,
        "kubernetes.io/config.hash": hash,
        "kubernetes.io/config.seen": now,
        "kubernetes.io/config.source": "file",
      },
    },
    spec: {
      ...defaulted,
      tolerations: [...(defaulted.tolerations ?? []), { effect: "NoExecute", operator: "Exists" }],
    },
    status: { phase: "Pending" },
  };
  const errors = new FieldErrors();
  for (const reason of dns1123SubdomainReasons(pod.metadata.name))
    errors.invalid(field("metadata", "name"), pod.metadata.name, reason);
  validatePod(pod, errors);
  if (!errors.isEmpty)
    throw new Error(`invalid pod: [${errors.causes.map(({ field: at, message }) => `${at}: ${message}`).join(" ")}]`);
  return pod;
}
