// What a client is told about a pod that is accepted all the same, as `Warning` headers (pkg/api/pod/warnings.go,
// pkg/api/node/util.go, registry/core/pod: WarningsOnCreate).

import type { Container, ContainerPort, NodeSelectorTerm, Pod, PodAffinity, PodSpec } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, labelValueReasons } from "#cluster/api/names.ts";
import type { ObjectMeta } from "#cluster/api/objects.ts";
import type { Typed } from "../../definition.ts";
import { Path } from "../../field-errors.ts";
import { fractionReason } from "../limits/quantities-validation.ts";
import { volumeWarnings } from "../volumes/volume-warnings.ts";
import { forEachContainer } from "./container-visiting.ts";
import { appArmorPrefix, containerSeccompPrefix, podSeccompAnnotation } from "./pod-annotation-validation.ts";
import { ipWarning } from "./pod-ip-validation.ts";
import { appArmorOfAnnotation } from "./pod-strategy.ts";

type Warn = (path: Path | string, text: string) => void;

export function podWarnings(pod: Typed<Pod>): readonly string[] {
  const warnings: string[] = [];
  const reasons = dns1123LabelReasons(pod.metadata.name ?? "");
  if (reasons.length > 0) {
    const advice = "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
    warnings.push(`metadata.name: ${advice}: [${reasons.join(" ")}]`);
  }
  const others = podSpecWarnings(pod.spec ?? { containers: [] }, pod.metadata);
  return warnings.length === 0 ? others : [...warnings, ...others];
}

/** `template` is the path of a workload's template; absent for a pod. */
export function podSpecWarnings(spec: PodSpec, metadata: ObjectMeta, template?: Path): readonly string[] {
  const warnings: string[] = [];
  const warn: Warn = (path, text) => warnings.push(`${path}: ${text}`);
  const root = template ?? new Path("");
  const path = root.child("spec");
  warnOfNodeLabels(spec, path, warn);
  if (metadata.annotations !== undefined) warnOfOldAnnotations(metadata.annotations, root, warn);
  if (spec.volumes !== undefined) warnings.push(...volumeWarnings(spec.volumes, path.child("volumes")));
  if (spec.hostAliases !== undefined || spec.imagePullSecrets !== undefined) warnOfRepetitions(spec, path, warn);
  if (spec.overhead !== undefined) warnOfFractions(spec.overhead, path.child("overhead"), warn);
  warnOfProfiles(spec, metadata, root, template !== undefined, warn);
  forEachContainer(spec, path, (container, at) => warnOfContainer(container, at, warn));
  if (mayPortsClash(spec)) warnOfPorts(spec, path, warn);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    warn(path.child("terminationGracePeriodSeconds"), "must be >= 0; negative values are invalid and will be treated as 1");
  }
  if (spec.affinity !== undefined) warnOfSelectors(spec, path, warn);
  if (spec.hostAliases !== undefined || spec.dnsConfig !== undefined) warnOfAddresses(spec, path, warnings);
  return warnings;
}

const oldNodeLabels = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
]);

const noPod = "a null labelSelector results in matching no pod";
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

function warnOfNodeLabels(spec: PodSpec, path: Path, warn: Warn): void {
  for (const key in spec.nodeSelector) {
    const old = oldNodeLabels.get(key);
    if (old !== undefined) warn(path.child("nodeSelector").key(key), old);
  }
  const affinity = spec.affinity?.nodeAffinity;
  if (affinity !== undefined) {
    const at = path.child("affinity", "nodeAffinity");
    for (const [index, term] of (affinity[required]?.nodeSelectorTerms ?? []).entries()) {
      warnOfNodeTerm(term, false, at.child(required, "nodeSelectorTerms").index(index), warn);
    }
    for (const [index, term] of (affinity[preferred] ?? []).entries()) {
      warnOfNodeTerm(term.preference ?? {}, true, at.child(preferred).index(index).child("preference"), warn);
    }
  }
  if (spec.topologySpreadConstraints === undefined) return;
  for (const [index, { topologyKey, labelSelector }] of spec.topologySpreadConstraints.entries()) {
    const at = path.child("topologySpreadConstraints").index(index);
    const old = oldNodeLabels.get(topologyKey);
    if (old !== undefined) warn(at.child("topologyKey"), `${topologyKey} is ${old}`);
    if (labelSelector === undefined) warn(at.child("labelSelector"), noPod);
  }
}

function warnOfNodeTerm(term: NodeSelectorTerm, checkValues: boolean, path: Path, warn: Warn): void {
  for (const [index, { key, values = [] }] of (term.matchExpressions ?? []).entries()) {
    const at = path.child("matchExpressions").index(index);
    const old = oldNodeLabels.get(key);
    if (old !== undefined) warn(at.child("key"), `${key} is ${old}`);
    if (!checkValues) continue;
    for (const [position, value] of values.entries()) {
      for (const reason of labelValueReasons(value)) warn(at.child("values").index(position), `${value} is invalid, ${reason}`);
    }
  }
}

const oldAnnotations = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

function warnOfOldAnnotations(annotations: { readonly [key: string]: string }, root: Path, warn: Warn): void {
  for (const [key, text] of oldAnnotations) {
    if (annotations[key] !== undefined) warn(root.child("metadata", "annotations").key(key), text);
  }
}

function warnOfRepetitions({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: Path, warn: Warn): void {
  const addresses = new Set<string>();
  for (const [index, { ip }] of hostAliases.entries()) {
    if (addresses.has(ip)) warn(path.child("hostAliases").index(index).child("ip"), `duplicate ip ${JSON.stringify(ip)}`);
    addresses.add(ip);
  }
  const names = new Set<string>();
  for (const [index, { name = "" }] of imagePullSecrets.entries()) {
    if (names.has(name)) warn(path.child("imagePullSecrets").index(index).child("name"), `duplicate name ${JSON.stringify(name)}`);
    names.add(name);
  }
  for (const [index, { name }] of imagePullSecrets.entries()) {
    if (!name) warn(path.child("imagePullSecrets").index(index).child("name"), 'invalid empty name ""');
  }
}

const byteResources = ["memory", "ephemeral-storage"] as const;

/** Memory and disk come in whole bytes; such amounts are rounded up. */
function warnOfFractions(amounts: { readonly [name: string]: string }, path: Path, warn: Warn): void {
  for (const name of byteResources) {
    const reason = fractionReason(amounts[name]);
    if (reason !== undefined) warn(path.key(name), reason);
  }
}

/** Annotations of old beside which the field is missing. */
function warnOfProfiles(spec: PodSpec, { annotations }: ObjectMeta, root: Path, isTemplate: boolean, warn: Warn): void {
  if (annotations === undefined) return;
  const at = root.child("metadata", "annotations");
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  if (spec.securityContext?.seccompProfile === undefined && annotations[podSeccompAnnotation] !== undefined) {
    warn(at.key(podSeccompAnnotation), seccomp);
  }
  const ofPod = spec.securityContext?.appArmorProfile;
  forEachContainer(spec, root, ({ name, securityContext }) => {
    const seccompKey = containerSeccompPrefix + name;
    if (securityContext?.seccompProfile === undefined && annotations[seccompKey] !== undefined) warn(at.key(seccompKey), seccomp);
    const key = appArmorPrefix + name;
    const annotation = annotations[key];
    if (annotation === undefined) return;
    // Of a pod the field has been made of the annotation by now, unless it names no profile.
    const isMissing = isTemplate
      ? ofPod === undefined && securityContext?.appArmorProfile === undefined
      : appArmorOfAnnotation(annotation) === undefined || securityContext?.appArmorProfile !== undefined;
    if (isMissing) warn(at.key(key), 'deprecated since v1.30; use the "appArmorProfile" field instead');
  });
}

function warnOfContainer({ resources, env }: Container, at: () => Path, warn: Warn): void {
  if (resources !== undefined) {
    for (const name of byteResources) {
      for (const list of ["limits", "requests"] as const) {
        const reason = fractionReason(resources[list]?.[name]);
        if (reason !== undefined) warn(at().child("resources", list).key(name), reason);
      }
    }
  }
  if (env === undefined || env.length < 2) return;
  const names = new Set<string>();
  for (const [index, { name, value = "", valueFrom }] of env.entries()) {
    if (!names.has(name)) {
      names.add(name);
      continue;
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) continue;
    const text = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    warn(at().child("env").index(index), text);
  }
}

/** There are several, or one for an address of the host. */
function mayPortsClash({ containers, initContainers, ephemeralContainers }: PodSpec): boolean {
  if (initContainers !== undefined || ephemeralContainers !== undefined || containers.length > 1) return true;
  const ports = containers[0]?.ports;
  return ports !== undefined && (ports.length > 1 || ports[0]?.hostIP !== undefined);
}

function warnOfPorts(spec: PodSpec, path: Path, warn: Warn): void {
  const known = new Map<string, { readonly at: Path; readonly port: ContainerPort }[]>();
  forEachContainer(spec, path, ({ ports }, container) => {
    for (const [index, port] of (ports ?? []).entries()) {
      const at = container().child("ports").index(index);
      const { hostIP = "", hostPort = 0, containerPort, protocol = "", name = "" } = port;
      if (hostIP !== "" && hostPort === 0) {
        const shown = `{Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
        warn(at, `hostIP set without hostPort: ${shown}`);
      }
      const key = `${containerPort}/${protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const { hostIP: otherIp = "", hostPort: otherPort = 0 } = other.port;
        if (hostIP === otherIp && hostPort === otherPort) warn(at, `duplicate port definition with ${other.at}`);
        else if (hostPort === 0 || otherPort === 0) warn(at, `overlapping port definition with ${other.at}`);
        else if (hostPort === otherPort && (hostIP === "") !== (otherIp === "")) {
          warn(at, `dangerously ambiguous port definition with ${other.at}`);
        }
      }
      known.set(key, [...others, { at, port }]);
    }
  });
}

function warnOfSelectors({ affinity }: PodSpec, path: Path, warn: Warn): void {
  for (const name of ["podAffinity", "podAntiAffinity"] as const) {
    const terms: PodAffinity | undefined = affinity?.[name];
    if (terms === undefined) continue;
    const at = path.child("affinity", name);
    for (const [index, term] of (terms[required] ?? []).entries()) {
      if (term.labelSelector === undefined) warn(at.child(required).index(index).child("labelSelector"), noPod);
    }
    for (const [index, term] of (terms[preferred] ?? []).entries()) {
      if (term.podAffinityTerm?.labelSelector === undefined) {
        warn(at.child(preferred).index(index).child("podAffinityTerm", "labelSelector"), noPod);
      }
    }
  }
}

function warnOfAddresses({ dnsConfig, hostAliases = [] }: PodSpec, path: Path, warnings: string[]): void {
  for (const [index, server] of (dnsConfig?.nameservers ?? []).entries()) {
    const warning = ipWarning(server, path.child("dnsConfig", "nameservers").index(index));
    if (warning !== undefined) warnings.push(warning);
  }
  for (const [index, { ip }] of hostAliases.entries()) {
    const warning = ipWarning(ip, path.child("hostAliases").index(index).child("ip"));
    if (warning !== undefined) warnings.push(warning);
  }
}
