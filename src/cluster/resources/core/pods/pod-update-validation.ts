// What of a pod may change (pkg/apis/core/validation: ValidatePodUpdate): images, a shorter deadline, further tolerations,
// fewer gates and, while there are gates, a narrower choice of nodes.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type {
  Affinity,
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSpec,
  Toleration,
} from "#cluster/api/generated/types.ts";
import type { Typed } from "../../definition.ts";
import { type FieldErrors, field, type Path } from "../../field-errors.ts";
import { validateAnnotationUpdate } from "./pod-annotation-validation.ts";
import { internalForm, internalPodSpec } from "./pod-internal-form.ts";
import { validateTolerations } from "./pod-scheduling-validation.ts";
import { validatePodObject } from "./pod-validation.ts";
import { unifiedDiff } from "./unified-diff.ts";

const maxInt32 = 2_147_483_647;
const changeable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

export function validatePodUpdate(pod: Typed<Pod>, old: Typed<Pod>, errors: FieldErrors): void {
  const [spec, before] = [pod.spec, old.spec];
  // What was stored has been found valid.
  if (spec !== before) validatePodObject(pod, errors);
  validateAnnotationUpdate(pod, old, errors);
  if (spec !== undefined && before !== undefined && spec !== before) validateSpecUpdate(spec, before, errors);
}

function validateSpecUpdate(spec: PodSpec, before: PodSpec, errors: FieldErrors): void {
  const path = field("spec");
  if (!validateContainerUpdates(spec.containers, before.containers, path.child("containers"), errors)) return;
  if (!validateContainerUpdates(spec.initContainers, before.initContainers, path.child("initContainers"), errors)) return;
  if (!validateDeadlineUpdate(spec, before, path.child("activeDeadlineSeconds"), errors)) return;
  validateTolerationUpdate(spec.tolerations ?? [], before.tolerations ?? [], path.child("tolerations"), errors);
  validateGateUpdate(spec, before, path.child("schedulingGates"), errors);
  if (semanticDeepEqual(spec, before)) return;
  let comparable = withWhatMayChange(spec, before);
  if ((before.schedulingGates?.length ?? 0) > 0) comparable = withNodeChoice(comparable, before, path, errors);
  if (semanticDeepEqual(comparable, before)) return;
  const specs = unifiedDiff(internalPodSpec(before), internalPodSpec(comparable));
  errors.forbidden(path, `pod updates may not change fields other than ${changeable}\n${specs}`);
}

/** False when the lists cannot be compared further. */
function validateContainerUpdates(
  containers: readonly Container[] = [],
  before: readonly Container[] = [],
  path: Path,
  errors: FieldErrors,
): boolean {
  if (containers.length !== before.length) {
    errors.forbidden(path, "pod updates may not add or remove containers");
    return false;
  }
  for (const [index, { image = "" }] of containers.entries()) {
    const at = path.index(index).child("image");
    if (image === "") errors.required(at);
    if (image !== image.trim()) errors.invalid(at, image, "must not have leading or trailing whitespace");
  }
  return true;
}

/** A deadline may be set and brought forward. */
function validateDeadlineUpdate(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): boolean {
  const [deadline, old] = [spec.activeDeadlineSeconds, before.activeDeadlineSeconds];
  if (deadline === undefined) {
    if (old !== undefined) errors.invalid(path, undefined, "must not update from a positive integer to nil value");
    return true;
  }
  if (deadline < 0 || deadline > maxInt32) {
    errors.invalid(path, deadline, `must be between 0 and ${maxInt32}, inclusive`);
    return false;
  }
  if (old === undefined || old >= deadline) return true;
  errors.invalid(path, deadline, "must be less than or equal to previous value");
  return false;
}

function validateTolerationUpdate(
  tolerations: readonly Toleration[],
  before: readonly Toleration[],
  path: Path,
  errors: FieldErrors,
): void {
  const timeless = ({ tolerationSeconds: _seconds, ...rest }: Toleration) => rest;
  for (const old of before) {
    if (tolerations.some((one) => one === old || semanticDeepEqual(timeless(one), timeless(old)))) continue;
    errors.forbidden(path, "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
  validateTolerations(tolerations, path, errors);
}

function validateGateUpdate(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): void {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name));
  for (const [index, { name }] of (spec.schedulingGates ?? []).entries()) {
    if (known.has(name)) continue;
    errors.forbidden(path.index(index).child("name"), `only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

type Writable<T> = { -readonly [name in keyof T]: T[name] };

/** A spec with what may change in every pod as the old one has it. */
function withWhatMayChange(spec: PodSpec, before: PodSpec): PodSpec {
  const imagesOf = (containers: readonly Container[], from: readonly Container[] = []): readonly Container[] =>
    containers.map((container, index) => ({ ...container, image: from[index]?.image ?? "" }));
  const result: Writable<PodSpec> = { ...spec, containers: imagesOf(spec.containers ?? [], before.containers) };
  if (spec.initContainers !== undefined) result.initContainers = imagesOf(spec.initContainers, before.initContainers);
  takeOver(result, before, "activeDeadlineSeconds");
  takeOver(result, before, "schedulingGates");
  takeOver(result, before, "tolerations");
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    takeOver(result, before, "terminationGracePeriodSeconds");
  }
  return result;
}

function takeOver<K extends keyof PodSpec>(target: Writable<PodSpec>, from: PodSpec, name: K): void {
  if (from[name] === undefined) delete target[name];
  else target[name] = from[name];
}

/** A pod that waits behind gates may be tied to fewer nodes: then its choice of nodes as the old one has it. */
function withNodeChoice(spec: PodSpec, before: PodSpec, path: Path, errors: FieldErrors): PodSpec {
  const result: Writable<PodSpec> = { ...spec };
  if (!semanticDeepEqual(spec.nodeSelector, before.nodeSelector)) {
    validateSelectorNarrowed(spec.nodeSelector, before.nodeSelector ?? {}, path.child("nodeSelector"), errors);
    takeOver(result, before, "nodeSelector");
  }
  const [affinity, old] = [spec.affinity?.nodeAffinity, before.affinity?.nodeAffinity];
  if (semanticDeepEqual(affinity, old)) return result;
  validateAffinityNarrowed(affinity, old, path.child("affinity", "nodeAffinity"), errors);
  const { nodeAffinity: _nodeAffinity, ...others } = spec.affinity ?? {};
  const restored: Affinity = old === undefined ? others : { ...others, nodeAffinity: old };
  if (Object.keys(restored).length === 0 && before.affinity === undefined) delete result.affinity;
  else result.affinity = restored;
  return result;
}

function validateSelectorNarrowed(
  selector: { readonly [key: string]: string } | undefined,
  before: { readonly [key: string]: string },
  path: Path,
  errors: FieldErrors,
): void {
  if (Object.keys(before).every((key) => selector?.[key] === before[key])) return;
  errors.invalid(path, selector, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
}

function validateAffinityNarrowed(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
  path: Path,
  errors: FieldErrors,
): void {
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const before = old?.[required]?.nodeSelectorTerms ?? [];
  const terms = affinity?.[required]?.nodeSelectorTerms ?? [];
  const at = path.child(required, "nodeSelectorTerms");
  if (before.length === 0) return;
  if (before.length !== terms.length) {
    const shown = terms.length === 0 ? null : terms.map((term) => internalForm("NodeSelectorTerm", term));
    errors.invalid(at, shown, "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
    return;
  }
  for (const [index, term] of terms.entries()) {
    if (isNarrowed(term, before[index] as NodeSelectorTerm)) continue;
    const shown = internalForm("NodeSelectorTerm", term);
    errors.invalid(at.index(index), shown, "only additions are allowed (no mutations or deletions)");
  }
}

/** The old requirements stand first; a term that matched nothing stays so. */
function isNarrowed(term: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  const count = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm) => matchExpressions.length + matchFields.length;
  if (count(before) === 0) return count(term) === 0;
  return (["matchExpressions", "matchFields"] as const).every((name) => {
    const old = before[name] ?? [];
    return old.length === 0 || semanticDeepEqual((term[name] ?? []).slice(0, old.length), old);
  });
}
