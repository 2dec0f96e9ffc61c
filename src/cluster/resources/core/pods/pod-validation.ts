// What a pod must be (pkg/apis/core/validation: ValidatePodSpec, ValidatePodCreate), in upstream's order. The parts are in
// files of their own: pod-*-validation, container-*-validation, volume-*-validation. Templates are checked the same way, with
// less asked of them; which features are on is what 1.36 has by default.

import type { ObjectMeta, Pod, PodResourceClaim, PodSpec, WindowsSecurityContextOptions } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { validateBy, validateLabelMap } from "../selector-validation.ts";
import { validateVolumes } from "../volumes/volume-validation.ts";
import { validateFileKeyVolumes } from "./container-environment-validation.ts";
import { validateOverhead } from "./container-resources-validation.ts";
import {
  type ContainerSurroundings,
  isPadded,
  validateContainers,
  validateEphemeralContainers,
  validateImagePadding,
  validateInitContainers,
} from "./container-validation.ts";
import { someContainer } from "./container-visiting.ts";
import { latePodRules } from "./late-pod-rules.ts";
import { validateAffinity } from "./pod-affinity-validation.ts";
import { mirrorAnnotation, validatePodAnnotations, validateProfilesAgree } from "./pod-annotation-validation.ts";
import { validatePodResources } from "./pod-level-resources.ts";
import {
  validateDnsConfig,
  validateDnsPolicy,
  validateHostAliases,
  validateHostNetworkPorts,
  validateHostnameOverride,
  validateHostnames,
} from "./pod-network-validation.ts";
import {
  validatePreemptionPolicy,
  validateReadinessGates,
  validateSchedulingGates,
  validateSpreadConstraints,
  validateTolerations,
} from "./pod-scheduling-validation.ts";
import { validatePodSecurity, validateUserNamespace } from "./pod-security-validation.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const maxInt32 = 2_147_483_647;
const noClaims: ReadonlySet<string> = new Set();

function hasHostProcess(spec: PodSpec): boolean {
  const isAsked = (options: WindowsSecurityContextOptions | undefined): boolean => options?.hostProcess !== undefined;
  return (
    isAsked(spec.securityContext?.windowsOptions) ||
    someContainer(spec, ({ securityContext }) => isAsked(securityContext?.windowsOptions))
  );
}

/** `pod` is the metadata of the pod that has the spec; templates have none. */
export function validatePodSpec(spec: PodSpec, path: Path, errors: FieldErrors, pod?: ObjectMeta): void {
  if (spec.terminationGracePeriodSeconds === undefined) errors.required(path.child("terminationGracePeriodSeconds"));
  validateWorkings(spec, path, errors, pod);
  validateHostNetworkPorts(spec, pod !== undefined, path, errors);
  validateRestartPolicy(spec.restartPolicy ?? "", path, errors);
  validateDnsPolicy(spec.dnsPolicy ?? "", path, errors);
  if (spec.nodeSelector !== undefined) validateLabelMap(spec.nodeSelector, path.child("nodeSelector"), errors);
  validatePodSecurity(spec, path, errors);
  if (spec.affinity !== undefined) validateAffinity(spec.affinity, path.child("affinity"), errors);
  if (spec.dnsConfig !== undefined || spec.dnsPolicy === "None") {
    validateDnsConfig(spec.dnsConfig, spec.dnsPolicy ?? "", path.child("dnsConfig"), errors);
  }
  if (spec.readinessGates !== undefined) validateReadinessGates(spec.readinessGates, path.child("readinessGates"), errors);
  if (spec.schedulingGates !== undefined) validateSchedulingGates(spec.schedulingGates, path.child("schedulingGates"), errors);
  if (spec.topologySpreadConstraints !== undefined) {
    validateSpreadConstraints(spec.topologySpreadConstraints, path.child("topologySpreadConstraints"), errors);
  }
  if (hasHostProcess(spec)) latePodRules.code.validateHostProcesses(spec, path, errors);
  validateUserNamespace(spec, path, errors);
  validateHostnameOverride(spec, path, errors);
  validateNames(spec, path, errors);
  validateHostnames(spec, path, errors);
  if (spec.tolerations !== undefined) validateTolerations(spec.tolerations, path.child("tolerations"), errors);
  if (spec.hostAliases !== undefined) validateHostAliases(spec.hostAliases, path.child("hostAliases"), errors);
  validateClasses(spec, path, errors);
  if (spec.overhead !== undefined) validateOverhead(spec.overhead, path.child("overhead"), errors);
  if (spec.os !== undefined) latePodRules.code.validateOs(spec, path, errors);
  validateFileKeyVolumes(spec, path, errors);
}

/** Volumes, claims and containers, and the resources of all. */
function validateWorkings(spec: PodSpec, path: Path, errors: FieldErrors, pod: ObjectMeta | undefined): void {
  const volumes = validateVolumes(spec.volumes, pod, path.child("volumes"), errors);
  const claims = spec.resourceClaims === undefined ? noClaims : new Set(spec.resourceClaims.map(({ name }) => name));
  if (spec.resourceClaims !== undefined) validateClaims(spec.resourceClaims, pod, path.child("resourceClaims"), errors);
  const around: ContainerSurroundings = { spec, volumes, claims };
  validateContainers(around, path.child("containers"), errors);
  validateInitContainers(around, path.child("initContainers"), errors);
  validateEphemeralContainers(around, path.child("ephemeralContainers"), errors);
  validatePodResources(spec, claims, path, errors);
}

function validateClaims(claims: readonly PodResourceClaim[], pod: ObjectMeta | undefined, path: Path, errors: FieldErrors): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    if (pod?.annotations?.[mirrorAnnotation] !== undefined) {
      errors.forbidden(field(""), "static pods do not support resource claims");
      continue;
    }
    const at = path.index(index);
    const { name = "", resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === "") errors.required(at.child("name"));
    else if (seen.has(name)) errors.duplicate(at.child("name"), name);
    else validateBy(dns1123LabelReasons, name, at.child("name"), errors);
    seen.add(name);
    const refuse = (detail: string) => errors.invalid(at, latePodRules.code.internalForm("PodResourceClaim", claim), detail);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      refuse("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      refuse("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    for (const kind of ["resourceClaimName", "resourceClaimTemplateName"] as const) {
      const target = claim[kind];
      if (target !== undefined) validateBy(dns1123SubdomainReasons, target, at.child(kind), errors);
    }
  }
}

function validateRestartPolicy(policy: string, path: Path, errors: FieldErrors): void {
  if (policy === "") errors.required(path.child("restartPolicy"));
  else if (!restartPolicies.includes(policy)) errors.notSupported(path.child("restartPolicy"), policy, restartPolicies);
}

function validateNames(spec: PodSpec, path: Path, errors: FieldErrors): void {
  for (const name of ["serviceAccountName", "nodeName"] as const) {
    const value = spec[name];
    if (value) validateBy(dns1123SubdomainReasons, value, path.child(name), errors);
  }
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.invalid(path.child("activeDeadlineSeconds"), deadline, `must be between 1 and ${maxInt32}, inclusive`);
  }
}

function validateClasses(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (spec.priorityClassName) validateBy(dns1123SubdomainReasons, spec.priorityClassName, path.child("priorityClassName"), errors);
  if (spec.runtimeClassName !== undefined) {
    validateBy(dns1123SubdomainReasons, spec.runtimeClassName, path.child("runtimeClassName"), errors);
  }
  if (spec.preemptionPolicy !== undefined) {
    validatePreemptionPolicy(spec.preemptionPolicy, path.child("preemptionPolicy"), errors);
  }
}

/** What is asked of a pod's metadata and spec whenever it is written. */
export function validatePodObject(pod: Typed<Pod>, errors: FieldErrors): void {
  const spec = pod.spec ?? emptySpec;
  const path = specPath;
  validatePodAnnotations(pod.metadata.annotations, spec, annotationsPath, errors);
  validatePodSpec(spec, path, errors, pod.metadata as ObjectMeta);
  if (!spec.serviceAccountName && spec.volumes !== undefined) {
    for (const [index, { projected }] of spec.volumes.entries()) {
      for (const [position, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
        if (serviceAccountToken === undefined) continue;
        const at = path.child("volumes").index(index).child("projected", "sources").index(position).child("serviceAccountToken");
        errors.forbidden(at, "must not be specified when serviceAccountName is not set");
      }
    }
  }
  for (const name of ["containers", "initContainers"] as const) {
    const containers = spec[name] ?? [];
    if (!containers.some(isPadded)) continue;
    for (const [index, container] of containers.entries()) validateImagePadding(container, path.child(name).index(index), errors);
  }
}

const emptySpec: PodSpec = { containers: [] };
const specPath = field("spec");
const annotationsPath = field("metadata", "annotations");

/** A new pod. */
export function validatePod(pod: Typed<Pod>, errors: FieldErrors): void {
  validatePodObject(pod, errors);
  const { ephemeralContainers = [], nodeName, schedulingGates = [] } = pod.spec ?? emptySpec;
  if (ephemeralContainers.length > 0) errors.forbidden(field("spec", "ephemeralContainers"), "cannot be set on create");
  if (nodeName && schedulingGates.length > 0) {
    errors.forbidden(field("spec", "nodeName"), "cannot be set until all schedulingGates have been cleared");
  }
  validateProfilesAgree(pod, errors);
}
