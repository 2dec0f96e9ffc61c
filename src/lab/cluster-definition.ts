// The cluster of a lab, as its author writes it.

import { parseGoDuration } from "#cluster/api/duration.ts";
import type { Taint } from "#cluster/api/generated/types.ts";
import { labelValueReasons, qualifiedNameReasons } from "#cluster/api/names.ts";
import { quantityValue, tryParseQuantity } from "#cluster/api/quantity.ts";
import { usualArchitectures } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { taggedName } from "#cluster/images/registry.ts";
import { type KubeletConfiguration, type ReservedResources, swapBehaviors } from "#cluster/node/kubelet/configuration-fields.ts";
import { evictionPolicyOf } from "#cluster/node/kubelet/eviction/thresholds.ts";
import { verificationPolicies } from "#cluster/node/kubelet/images/pull-records.ts";
import { containerdConfigurationPath, runtimeNames } from "#cluster/node/runtime/handlers.ts";
import { containerdVersions } from "#cluster/node/runtime/releases.ts";
import {
  fields,
  type Key,
  listOf,
  lowerCaseWords,
  mapOf,
  meaning,
  number,
  oneOf,
  optional,
  type Shape,
  scalarOr,
  text,
  textLike,
  wholeNumber,
  yesOrNo,
} from "#reading/shapes.ts";
import type { CgroupVersion } from "#sim/process/boot.ts";
import {
  addonNames,
  type CloudWish,
  type ClusterWish,
  type ControlPlaneWish,
  controlPlaneComponents,
  type ImageWish,
  maximumControlPlaneNodes,
  policyModes,
  usualAddons,
  type WorkerWish,
  workerName,
} from "#world/cluster-shape.ts";
import { hosts } from "./host-definition.ts";
import { registriesShape } from "./registry-definition.ts";

const maximumWorkers = 20;

const quantity = textLike({ pattern: /^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/, expected: 'a quantity such as "500m" or "4Gi"' });
const memoryBytes = meaning(quantity, (value, field): number => {
  const bytes = quantityValue(tryParseQuantity(value) ?? field.fail("must be a quantity"));
  return bytes >= 512 * 1024 ** 2 ? bytes : field.fail(`must be at least 512Mi, not "${value}"`);
});

const diskSpeed = meaning(quantity, (value, field): number => {
  const bytes = quantityValue(tryParseQuantity(value) ?? field.fail("must be a quantity"));
  return bytes >= 1024 ? bytes : field.fail(`must be at least 1Ki, not "${value}"`);
});

const taint = meaning(
  textLike({
    pattern: /^[^=:]+(=[^=:]*)?:(NoSchedule|PreferNoSchedule|NoExecute)$/,
    expected: 'a taint as kubectl takes it, "key=value:NoSchedule"',
  }),
  (value): Taint => {
    const [before, effect = ""] = value.split(":") as [string, string];
    const [key = "", taintValue = ""] = before.split("=");
    return { key, effect, ...(taintValue === "" ? {} : { value: taintValue }) };
  },
);

const labels = meaning(mapOf(scalarText()), (value, field) => {
  for (const [key, labelValue] of Object.entries(value)) {
    const reason = qualifiedNameReasons(key)[0] ?? labelValueReasons(labelValue)[0];
    if (reason !== undefined) return field.fail(`has the label "${key}=${labelValue}": ${reason}`);
  }
  return value;
});

/** A label's value, which may be empty. */
function scalarText(): Shape<string> {
  return { schema: { type: "string" }, read: (field) => field.anyText() };
}

const restartPeriod = meaning(text, (value, field) => {
  const parsed = parseGoDuration(value);
  const isGood = "ms" in parsed && parsed.ms >= 1000 && parsed.ms <= 300_000;
  return isGood ? value : field.fail(`must be a duration from 1s to 300s, not "${value}"`);
});

const duration = meaning(text, (value, field) =>
  "ms" in parseGoDuration(value) ? value : field.fail(`must be a duration, not "${value}"`),
);

const idsPerPod = meaning(wholeNumber(65_536, 2 ** 31), (value, field) =>
  value % 65_536 === 0 ? value : field.fail(`must be a multiple of 65536, not ${value}`),
);

const reserved = fields<ReservedResources>({
  cpu: optional(quantity, "CPU", undefined),
  memory: optional(quantity, "Memory", undefined),
});

const bySignal = mapOf(scalarText());

/** Every node of a lab registers itself; its `labels` and `taints` are the node's own fields. */
const kubeletFields = fields<Omit<KubeletConfiguration, "registerNode" | "registerWithTaints">>({
  containerRuntimeEndpoint: optional(
    text,
    "The runtime's socket; unix:///var/run/containerd/containerd.sock unless stated.",
    undefined,
  ),
  imageServiceEndpoint: optional(text, "The socket of the service for images; the runtime's unless stated.", undefined),
  maxPods: optional(wholeNumber(1, 500), "How many Pods the node takes; 110 unless stated.", undefined),
  kubeReserved: optional(reserved, "What is not for Pods.", undefined),
  systemReserved: optional(reserved, "What is not for Pods.", undefined),
  serializeImagePulls: optional(yesOrNo, "One image after the other; true unless stated.", undefined),
  maxParallelImagePulls: optional(wholeNumber(1, 100), "How many at once where serializeImagePulls is false.", undefined),
  registryPullQPS: optional(
    wholeNumber(0, 1000),
    "How many pulls may begin in a second; 5 unless stated, 0 is no limit.",
    undefined,
  ),
  registryBurst: optional(wholeNumber(0, 1000), "How many may begin at once; 10 unless stated.", undefined),
  imagePullCredentialsVerificationPolicy: optional(
    oneOf(verificationPolicies),
    "Of which images that are there a Pod must show that it may have them; NeverVerifyPreloadedImages unless stated.",
    undefined,
  ),
  preloadedImagesVerificationAllowlist: optional(
    listOf(text),
    "Images that NeverVerifyAllowlistedImages lets everyone use.",
    undefined,
  ),
  crashLoopBackOff: optional(
    fields<NonNullable<KubeletConfiguration["crashLoopBackOff"]>>({
      maxContainerRestartPeriod: optional(restartPeriod, "The longest wait between restarts, 1s to 300s.", undefined),
    }),
    "How long containers that keep ending wait.",
    undefined,
  ),
  userNamespaces: optional(
    fields<NonNullable<KubeletConfiguration["userNamespaces"]>>({
      idsPerPod: optional(idsPerPod, "A multiple of 65536, which it is unless stated.", undefined),
    }),
    "How many IDs a Pod with hostUsers: false has.",
    undefined,
  ),
  resolvConf: optional(text, "The machine's file that Pods' resolvers are made of; /etc/resolv.conf unless stated.", undefined),
  imageGCHighThresholdPercent: optional(
    wholeNumber(0, 100),
    "From this use of the disk on, images go; 85 unless stated.",
    undefined,
  ),
  imageGCLowThresholdPercent: optional(wholeNumber(0, 100), "Down to this use of the disk; 80 unless stated.", undefined),
  imageMinimumGCAge: optional(duration, "Younger images stay; 2m unless stated.", undefined),
  imageMaximumGCAge: optional(duration, "Images unused for longer go; 0s, the default, is no limit.", undefined),
  allowedUnsafeSysctls: optional(
    listOf(text),
    "Kernel parameters that Pods may set beside the safe ones; `net.core.*` is all that begin so.",
    undefined,
  ),
  singleProcessOOMKill: optional(
    yesOrNo,
    "Want of memory kills one process, not its whole container; false unless stated.",
    undefined,
  ),
  failCgroupV1: optional(
    yesOrNo,
    "Whether it refuses to start on a machine with cgroup v1; true unless stated, false of kubelets before v1.35.",
    undefined,
  ),
  failSwapOn: optional(yesOrNo, "Whether it refuses to start on a machine with swap; true unless stated.", undefined),
  memorySwap: optional(
    fields<NonNullable<KubeletConfiguration["memorySwap"]>>({
      swapBehavior: optional(oneOf(swapBehaviors), "What Pods may use of the machine's swap; NoSwap unless stated.", undefined),
    }),
    "How Pods use swap.",
    undefined,
  ),
  containerLogMaxSize: optional(quantity, "From this size on a container's log is rotated; 10Mi unless stated.", undefined),
  containerLogMaxFiles: optional(
    wholeNumber(2, 100),
    "How many files of a container's log are kept, the current one among them; 5 unless stated.",
    undefined,
  ),
  localStorageCapacityIsolation: optional(yesOrNo, "Whether limits of ephemeral-storage count; true unless stated.", undefined),
  evictionHard: optional(bySignal, "Hard thresholds by signal; the usual ones unless any is stated.", undefined),
  evictionSoft: optional(bySignal, "Soft thresholds by signal.", undefined),
  evictionSoftGracePeriod: optional(bySignal, "For how long a soft threshold must be met.", undefined),
  evictionMinimumReclaim: optional(bySignal, "How much more than a threshold is wanted once it was met.", undefined),
  evictionMaxPodGracePeriod: optional(wholeNumber(0, 3600), "Seconds that Pods get which a soft threshold ends.", undefined),
  evictionPressureTransitionPeriod: optional(duration, "For how long a pressure condition stays; 5m unless stated.", undefined),
  mergeDefaultEvictionSettings: optional(yesOrNo, "Keeps the usual thresholds beside those of evictionHard.", undefined),
});

const kubelet = meaning(kubeletFields, (value, field) => {
  try {
    evictionPolicyOf(value);
    return value;
  } catch (error) {
    return field.fail(`is nothing that a kubelet starts with: ${error instanceof Error ? error.message : String(error)}`);
  }
});

/** Files by which a kubelet goes at its next start only. */
const startFiles: readonly string[] = [
  "/var/lib/kubelet/config.yaml",
  "/var/lib/kubelet/kubeadm-flags.env",
  "/etc/default/kubelet",
];

const machineFiles = meaning(mapOf(text, { pattern: /^\/[^/].*[^/]$/, expected: "an absolute path" }), (files, field) => {
  if (files[containerdConfigurationPath] !== undefined)
    return field.fail(`must not hold ${containerdConfigurationPath}, which is written from runtimes`);
  const wrong = startFiles.find((path) => files[path] !== undefined);
  if (wrong === undefined) return files;
  return field.fail(`must not hold ${wrong}, which the kubelet reads when it starts again: use kubelet, or write it in setup`);
});

const ofAnyNode = {
  labels: optional(labels, "Labels beside the usual ones.", undefined),
  taints: optional(listOf(taint), 'Taints: "key=value:NoSchedule". Of the control plane: instead of its own.', undefined),
  cpu: optional(number(1, 64), "CPUs; 2 unless stated.", undefined),
  memory: optional(memoryBytes, "Memory as a quantity; 4Gi unless stated.", undefined),
  diskSpeed: optional(diskSpeed, "Bytes a second that its disk writes, as a quantity; as many as come unless stated.", undefined),
  kubelet: optional(kubelet, "Fields of KubeletConfiguration.", undefined),
  runtimes: optional(
    mapOf(oneOf(runtimeNames), lowerCaseWords),
    "Runtime handlers beside runc in its containerd's configuration: name to runc, runsc (gVisor) or kata, installed with it.",
    undefined,
  ),
  shims: optional(listOf(oneOf(runtimeNames)), "Runtimes that are installed on it without a handler.", undefined),
  files: optional(machineFiles, "Files on the machine: absolute path to text.", undefined),
} as const;

type Read<Keys> = { readonly [K in keyof Keys]: Keys[K] extends Key<infer T> ? T : never };

/** An author's short words for what the world calls by its full names. */
function machine<T extends Read<typeof ofAnyNode>>({ cpu, memory, diskSpeed, ...others }: T) {
  return { ...others, cpus: cpu, memoryBytes: memory, diskBytesPerSecond: diskSpeed };
}

const workerKeys = {
  name: optional(textLike(lowerCaseWords), "node-1, node-2 … unless stated.", undefined),
  zone: optional(text, "zone-a, zone-b, zone-c in turn unless stated.", undefined),
  version: optional(
    textLike({ pattern: /^v1\.3[3-6]\.\d+$/, expected: "a version from v1.33.0 to v1.36, as the API server allows its kubelets" }),
    "The version that its kubelet reports, v1.35.2 say.",
    undefined,
  ),
  containerd: optional(
    oneOf(containerdVersions),
    "The release of containerd that is installed; 2.1.5 unless stated. 1.5.11 knows CRI v1alpha2 only: the kubelet does not start.",
    undefined,
  ),
  architecture: optional(oneOf(usualArchitectures), "Of its processors; amd64 unless stated.", undefined),
  cgroup: optional(
    meaning(oneOf(["v1", "v2"] as const), (version): CgroupVersion => (version === "v1" ? 1 : 2)),
    "The version of control groups that it boots with; v2 unless stated. With v1 its kubelet does not start unless failCgroupV1 is false.",
    undefined,
  ),
  ...ofAnyNode,
} as const;

const worker: Shape<WorkerWish> = meaning(fields<Read<typeof workerKeys>>(workerKeys), ({ cgroup, ...others }) => ({
  ...machine(others),
  cgroupVersion: cgroup,
}));

const workers = meaning(listOf(worker), (wishes, field) => {
  const names = ["control-plane", ...wishes.map(workerName)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return field.fail(`has two nodes with the name "${twice}"`);
  return wishes.length <= maximumWorkers ? wishes : field.fail(`must be at most ${maximumWorkers} nodes`);
});

const controlPlaneKeys = {
  nodes: optional(
    wholeNumber(1, maximumControlPlaneNodes),
    "How many nodes it has, behind one load balancer: control-plane, control-plane-2, control-plane-3. 1 unless stated; the other keys are said of each.",
    undefined,
  ),
  stopped: optional(
    listOf(oneOf(controlPlaneComponents)),
    "Components that do not run when the learner comes: their manifests lie in /etc/kubernetes instead of /etc/kubernetes/manifests.",
    undefined,
  ),
  ...ofAnyNode,
} as const;

const controlPlane: Shape<ControlPlaneWish> = meaning(fields<Read<typeof controlPlaneKeys>>(controlPlaneKeys), machine);

const knownImages = new Set(publicImages.map(({ repository, tag }) => `${repository}:${tag}`));

const imageName = meaning(text, (name, field) =>
  knownImages.has(taggedName(name) ?? "") ? name : field.fail(`names the image "${name}", which is in no registry anyway`),
);

const images = fields<ImageWish>({
  missing: optional(listOf(imageName), "Images that are in no registry.", undefined),
  slow: optional(mapOf(number(1, 3600)), "Images that take long to pull, of these registries too: name to seconds.", undefined),
});

const registries = registriesShape(knownImages);

const addon = meaning(
  { ...text, schema: { type: "string", enum: addonNames } } satisfies Shape<string>,
  (name, field) =>
    addonNames.find((each) => each === name) ?? field.fail(`names "${name}", which is none of ${addonNames.join(", ")}`),
);

const cloudFields = fields<CloudWish>({
  uninitialized: optional(
    listOf(textLike(lowerCaseWords)),
    "Workers that the cluster does not know from the cloud yet: they keep the taint. None unless stated.",
    undefined,
  ),
  routeLimit: optional(wholeNumber(0, 100), "How many routes the cloud keeps at the most; no limit unless stated.", undefined),
});

const cloud = meaning(scalarOr(yesOrNo, cloudFields), (value): CloudWish | undefined => {
  if (typeof value !== "boolean") return value;
  return value ? {} : undefined;
});

/** Full names of all images that a lab's registries have beside those of the system. */
export function imagesOf({ registries: own }: ClusterWish): ReadonlySet<string> {
  const added = (own ?? []).flatMap(({ host, images: ofHost }) => Object.keys(ofHost).map((name) => `${host}/${name}`));
  return new Set([...knownImages, ...added]);
}

/** The keys of lab.yaml that say what cluster there is. */
export const clusterKeys: { readonly [K in keyof Required<ClusterWish>]: Key<ClusterWish[K]> } = {
  nodes: optional(
    scalarOr(wholeNumber(0, maximumWorkers), workers),
    "Workers beside the control plane: how many, or which. 3 unless stated.",
    3,
  ),
  addons: optional(
    listOf(addon),
    `What the cluster has beyond what kubeadm gives it; ${usualAddons.join(" and ")} unless stated.`,
    usualAddons,
  ),
  controlPlane: optional(controlPlane, "The control-plane node, or nodes.", undefined),
  registries: optional(registries, "Registries beside the public ones, and more images in these.", undefined),
  images: optional(images, "Images that behave otherwise than the public ones.", undefined),
  networkPolicies: optional(
    oneOf(policyModes),
    "Whether the network plugin acts on NetworkPolicies, as good ones do, or leaves them lying: enforced unless stated.",
    undefined,
  ),
  cloud: optional(
    cloud,
    "true: the machines are those of a simulated cloud, and kubelets run with --cloud-provider=external. Or what is special of it.",
    undefined,
  ),
  hosts: optional(hosts, "Machines outside the cluster that its Pods reach, each with one program.", undefined),
};
