// pods/resize: more or less CPU and memory for containers that run (registry/core/pod: ResizeStrategy, pkg/apis/core/validation:
// ValidatePodResize). Carrying it out is the kubelet's business.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Container, Pod, PodSpec, ResourceRequirements } from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { mirrorAnnotation } from "./pod-annotation-validation.ts";
import { podQosClass } from "./pod-qos.ts";
import { raisedGeneration, withStatusMetadata } from "./pod-strategy.ts";
import { validatePodObject } from "./pod-validation.ts";

const noSpec: PodSpec = { containers: [] };
const lists = ["containers", "initContainers"] as const;

/** Of an update only resources and resize policies are taken; other containers than before are left for validation to refuse. */
export function prepareResize<P extends Typed<Pod>>(pod: P, old: P): P {
  const [spec, before] = [pod.spec ?? noSpec, old.spec ?? noSpec];
  const sameNumber = lists.every((name) => (spec[name]?.length ?? 0) === (before[name]?.length ?? 0));
  if (!sameNumber) return pod;
  const { resources: _resources, ...rest } = before;
  const resized: PodSpec = {
    ...rest,
    ...(spec.resources === undefined ? {} : { resources: spec.resources }),
    containers: resizedContainers(spec.containers ?? [], before.containers ?? []),
    ...(before.initContainers === undefined
      ? {}
      : { initContainers: resizedContainers(spec.initContainers ?? [], before.initContainers) }),
  };
  return raisedGeneration({ ...old, metadata: withStatusMetadata(pod.metadata, old.metadata), spec: resized }, old);
}

function resizedContainers(containers: readonly Container[], before: readonly Container[]): readonly Container[] {
  if (containers.some((container, index) => container.name !== before[index]?.name)) return containers;
  return before.map((old, index) => {
    const { resources: _resources, resizePolicy: _policy, ...rest } = old;
    const { resources, resizePolicy } = containers[index] as Container;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}

export function validateResizeUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  const [spec, before] = [pod.spec ?? noSpec, old.spec ?? noSpec];
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    errors.forbidden(field(""), "static pods cannot be resized");
    return;
  }
  if (before.os?.name === "windows") {
    errors.forbidden(field(""), "windows pods cannot be resized");
    return;
  }
  validatePodObject(pod, errors);
  const path = field("spec");
  if ((old.status?.qosClass ?? podQosClass(before)) !== podQosClass(spec)) {
    errors.invalid(path, pod.status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing");
  }
  if (!isSupported(old)) errors.forbidden(path, "Pod running on node without support for resize");
  validatePodLevel(spec, before, path, errors);
  if (!validateOrder(spec, before, path, errors)) return;
  for (const [index, container] of (before.initContainers ?? []).entries()) {
    if (container.restartPolicy !== "Always") continue;
    const at = path.child("initContainers").index(index).child("resources");
    validateNothingRemoved(spec.initContainers?.[index]?.resources, container.resources, at, "resource", errors);
  }
  for (const [index, container] of before.containers.entries()) {
    const at = path.child("containers").index(index).child("resources");
    validateNothingRemoved(spec.containers[index]?.resources, container.resources, at, "resource", errors);
  }
  const found = errors.causes.length;
  validateOnlyComputing(spec, before, path, errors);
  if (errors.causes.length > found || found > 0) return;
  if (!semanticDeepEqual(withOldComputing(spec, before), before))
    errors.forbidden(path, "only cpu and memory resources are mutable");
}

/** A kubelet that can resize reports what its containers have. */
function isSupported({ status }: Typed<Pod>): boolean {
  const running = status?.containerStatuses?.find((one) => one.state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function validatePodLevel(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): void {
  if (!hasAmounts(spec.resources) && !hasAmounts(before.resources)) return;
  const at = path.child("resources");
  if (before.resources !== undefined) {
    if (spec.resources === undefined) {
      errors.forbidden(at, "pod-level resources cannot be removed");
      return;
    }
    validateNothingRemoved(spec.resources, before.resources, at, "pod-level resource", errors);
  }
  if (!semanticDeepEqual(computingOf(spec.resources, before.resources), before.resources)) {
    errors.forbidden(path, "only cpu and memory resources are mutable at pod-level");
  }
}

function hasAmounts(resources: ResourceRequirements | undefined): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function validateOrder(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): boolean {
  const found = errors.causes.length;
  for (const list of lists) {
    const [containers, old] = [spec[list] ?? [], before[list] ?? []];
    if (containers.length !== old.length) errors.forbidden(path.child(list), `${list} may not be added or removed on resize`);
    else {
      for (const [index, { name }] of old.entries()) {
        if (containers[index]?.name === name) continue;
        errors.forbidden(path.child(list).index(index).child("name"), `${list} may not be renamed or reordered on resize`);
      }
    }
  }
  return errors.causes.length === found;
}

function validateNothingRemoved(
  resources: ResourceRequirements | undefined,
  before: ResourceRequirements | undefined,
  path: Path,
  what: string,
  errors: FieldErrors,
): void {
  for (const list of ["requests", "limits"] as const) {
    const now = resources?.[list] ?? {};
    const isRemoved = Object.keys(before?.[list] ?? {}).some((name) => now[name] === undefined);
    if (isRemoved) errors.forbidden(path.child(list), `${what} ${list} cannot be removed`);
  }
}

function validateOnlyComputing(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): void {
  for (const [index, container] of spec.containers.entries()) {
    const old = before.containers[index] as Container;
    if (!semanticDeepEqual(withComputingOf(container, old), old)) {
      errors.forbidden(path, "only cpu and memory resources are mutable");
    }
  }
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const old = before.initContainers?.[index] as Container;
    if (!semanticDeepEqual(withComputingOf(container, old), old)) {
      const at = path.child("initContainers").index(index);
      errors.forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable");
    }
  }
}

/** A spec whose amounts of CPU and memory are the old ones: equal to it when nothing else was changed. */
function withOldComputing(spec: PodSpec, before: PodSpec): PodSpec {
  const resources = computingOf(spec.resources, before.resources);
  const { resources: _resources, ...rest } = spec;
  return {
    ...rest,
    ...(resources === undefined ? {} : { resources }),
    containers: spec.containers.map((container, index) => withComputingOf(container, before.containers[index])),
    ...(spec.initContainers === undefined
      ? {}
      : {
          initContainers: spec.initContainers.map((container, index) => withComputingOf(container, before.initContainers?.[index])),
        }),
  };
}

function withComputingOf(container: Container, old: Container | undefined): Container {
  return { ...container, resources: computingOf(container.resources, old?.resources) ?? {} };
}

function computingOf(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): ResourceRequirements | undefined {
  if (resources === undefined && old === undefined) return undefined;
  const amounts = (list: "requests" | "limits") => {
    const { cpu: _cpu, memory: _memory, ...rest } = resources?.[list] ?? {};
    const { cpu, memory } = old?.[list] ?? {};
    return { ...rest, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  };
  const [limits, requests] = [amounts("limits"), amounts("requests")];
  const { limits: _limits, requests: _requests, ...rest } = resources ?? {};
  return {
    ...rest,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
  };
}
