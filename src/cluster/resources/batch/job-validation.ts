// What a Job must be, and what of it may change (pkg/apis/batch/validation: ValidateJob, ValidateJobUpdate).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Container, Job, JobSpec, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, regexReason } from "#cluster/api/names.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { goFailurePolicy, goSuccessPolicy } from "../workload-go-values.ts";
import {
  readableMatcher,
  validateCounts,
  validatePodTemplate,
  validateTemplateLabels,
  validateUnchanged,
} from "../workload-validation.ts";
import { nameLabel, oldNameLabel, oldUidLabel, uidLabel } from "./job-defaults.ts";
import { validatePolicies } from "./job-policies.ts";

const maxParallelism = 100_000;
const maxFailedIndexes = 100_000;
/** Above so many completions parallelism and failed indexes are limited further. */
const manyCompletions = 100_000;
const limitOfMany = 10_000;
const maxManagedByBytes = 63;

const specPath = field("spec");

/** A stored Job may lack the prefixed labels; then its updates may, too. */
export function validateJob(job: Typed<Job>, old: Typed<Job> | undefined, errors: FieldErrors): void {
  const spec = job.spec ?? ({} as JobSpec);
  const before = old?.spec?.template?.metadata?.labels;
  const isPrefixed = old === undefined || (before?.[nameLabel] !== undefined && before[uidLabel] !== undefined);
  validateGeneratedSelector(job, spec, isPrefixed, errors);
  validateWithSelector(spec, errors);
  const { name = "" } = job.metadata;
  if (spec.completionMode === "Indexed" && spec.completions !== undefined && spec.completions > 0) {
    const last = `${name}-${spec.completions - 1}`;
    if (dns1123LabelReasons(last).length > 0) {
      errors.invalid(field("metadata", "name"), name, `will not able to create pod with invalid DNS label: ${last}`);
    }
  }
}

export function validateJobUpdate(job: Typed<Job>, old: Typed<Job>, errors: FieldErrors): void {
  if (job.spec === old.spec) return;
  const [spec, before] = [job.spec ?? ({} as JobSpec), old.spec ?? ({} as JobSpec)];
  // Upstream asks the same questions twice: the causes are there twice, the message tells each once.
  validateJob(job, old, errors);
  validateWithSelector(spec, errors);
  validateCompletions(spec, before, errors);
  validateUnchanged(spec.selector, before.selector, specPath.child("selector"), errors);
  validateTemplateUpdate(spec, before, old, errors);
  const unchanged = (name: keyof JobSpec, value: unknown): void => {
    if (!semanticDeepEqual(spec[name], before[name])) errors.invalid(specPath.child(name), value ?? null, "field is immutable");
  };
  unchanged("completionMode", spec.completionMode);
  unchanged("podFailurePolicy", goFailurePolicy(spec.podFailurePolicy));
  unchanged("backoffLimitPerIndex", spec.backoffLimitPerIndex);
  unchanged("managedBy", spec.managedBy);
  unchanged("successPolicy", goSuccessPolicy(spec.successPolicy));
}

function validateGeneratedSelector(job: Typed<Job>, spec: JobSpec, isPrefixed: boolean, errors: FieldErrors): void {
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const { uid = "", name = "" } = job.metadata;
  const expected = { [oldUidLabel]: uid, [oldNameLabel]: name, ...(isPrefixed ? { [uidLabel]: uid, [nameLabel]: name } : {}) };
  const labels = spec.template?.metadata?.labels ?? {};
  for (const [label, value] of Object.entries(expected)) {
    const at = specPath.child("template", "metadata", "labels").key(label);
    if (labels[label] === undefined) errors.required(at, `must be '${value}'`);
    else if (labels[label] !== value) errors.invalid(at, labels, `must be '${value}'`);
  }
  if (readableMatcher(spec.selector)?.(expected) === false) {
    errors.invalid(specPath.child("selector"), spec.selector, "`selector` not auto-generated");
  }
}

function validateWithSelector(spec: JobSpec, errors: FieldErrors): void {
  validateJobSpec(spec, specPath, errors);
  if (spec.selector === undefined) errors.required(specPath.child("selector"));
  else validateLabelSelector(spec.selector, specPath.child("selector"), errors);
  const matches = readableMatcher(spec.selector);
  if (matches !== undefined) validateTemplateLabels(spec.template ?? {}, matches, specPath.child("template"), errors);
}

/** The specification without its selector: in a Job, or in a CronJob's template. */
export function validateJobSpec(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const counts = ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit"] as const;
  validateCounts(spec, [...counts, "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"], path, errors);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  if (spec.managedBy !== undefined) validateManagedBy(spec.managedBy, path.child("managedBy"), errors);
  validateCompletionMode(spec, path, errors);
  validatePolicies(spec, path, errors);
  const template = path.child("template");
  validatePodTemplate(spec.template ?? {}, template, errors);
  const restartPolicy = spec.template?.spec?.restartPolicy ?? "";
  const at = template.child("spec", "restartPolicy");
  if (restartPolicy === "Always" || restartPolicy === "") errors.required(at, 'valid values: "OnFailure", "Never"');
  else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    errors.notSupported(at, restartPolicy, ["OnFailure", "Never"]);
  } else if (spec.podFailurePolicy !== undefined && restartPolicy !== "Never") {
    errors.invalid(at, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}

/** apimachinery's IsDomainPrefixedPath, `acme.io/foo`. */
function validateManagedBy(value: string, path: Path, errors: FieldErrors): void {
  const slash = value.indexOf("/");
  if (value === "") errors.required(path);
  else if (slash <= 0 || slash === value.length - 1) {
    errors.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    const [host, rest] = [value.slice(0, slash), value.slice(slash + 1)];
    for (const reason of dns1123SubdomainReasons(host)) errors.invalid(path, host, reason);
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(rest)) {
      errors.invalid(path, rest, regexReason("Invalid path", "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"));
    }
  }
  if (value.length > maxManagedByBytes) errors.tooLong(path, maxManagedByBytes);
}

function validateCompletionMode(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const { completionMode: mode, maxFailedIndexes: maxFailed, backoffLimitPerIndex } = spec;
  if (mode !== undefined && mode !== "NonIndexed" && mode !== "Indexed") {
    errors.notSupported(path.child("completionMode"), mode, ["NonIndexed", "Indexed"]);
  }
  if (mode === "Indexed") validateIndexed(spec, path, errors);
  if (mode !== undefined && mode !== "NonIndexed") return;
  if (backoffLimitPerIndex !== undefined) {
    errors.invalid(path.child("backoffLimitPerIndex"), backoffLimitPerIndex, "requires indexed completion mode");
  }
  if (maxFailed !== undefined) errors.invalid(path.child("maxFailedIndexes"), maxFailed, "requires indexed completion mode");
}

function validateIndexed(spec: JobSpec, path: Path, errors: FieldErrors): void {
  const { completions, maxFailedIndexes: maxFailed, backoffLimitPerIndex } = spec;
  const atMost = (name: "parallelism" | "maxFailedIndexes", limit: number, when: string): void => {
    const value = spec[name] ?? 0;
    if (value > limit) errors.invalid(path.child(name), value, `must be less than or equal to ${limit}${when}`);
  };
  if (completions === undefined) errors.required(path.child("completions"), "when completion mode is Indexed");
  atMost("parallelism", maxParallelism, " when completion mode is Indexed");
  if (completions !== undefined && maxFailed !== undefined && maxFailed > completions) {
    errors.invalid(path.child("maxFailedIndexes"), maxFailed, "must be less than or equal to completions");
  }
  atMost("maxFailedIndexes", maxFailedIndexes, "");
  if (completions === undefined || completions <= manyCompletions || backoffLimitPerIndex === undefined) return;
  if (maxFailed === undefined) {
    errors.required(path.child("maxFailedIndexes"), `must be specified when completions is above ${manyCompletions}`);
  }
  const when = ` when completions are above ${manyCompletions} and used with backoff limit per index`;
  atMost("parallelism", limitOfMany, when);
  atMost("maxFailedIndexes", limitOfMany, when);
}

/** Indexed Jobs may be scaled: completions and parallelism together. */
function validateCompletions(spec: JobSpec, before: JobSpec, errors: FieldErrors): void {
  const path = specPath.child("completions");
  if (spec.completionMode !== "Indexed") {
    validateUnchanged(spec.completions, before.completions, path, errors);
    return;
  }
  if (spec.completions === before.completions || spec.completions === undefined) return;
  if (spec.completions !== spec.parallelism) {
    errors.invalid(path, spec.completions, "can only be modified in tandem with spec.parallelism");
  }
}

/** A suspended Job without pods may be placed elsewhere and get other resources; otherwise a template stays. */
function validateTemplateUpdate(spec: JobSpec, before: JobSpec, old: Typed<Job>, errors: FieldErrors): void {
  const template = spec.template ?? {};
  const path = specPath.child("template");
  const mayChange = before.suspend === true && (old.status?.active ?? 0) === 0;
  if (!mayChange) {
    validateUnchanged(template, before.template, path, errors);
    return;
  }
  const replaced = withPlacementOf(before.template ?? {}, template);
  const allowed = {
    ...replaced.spec,
    containers: withResourcesOf(replaced.spec?.containers, template.spec?.containers),
    initContainers: withResourcesOf(replaced.spec?.initContainers, template.spec?.initContainers),
  };
  if (!semanticDeepEqual(template.spec, allowed)) errors.invalid(path.child("spec"), template.spec, "field is immutable");
}

/** `old` with the scheduling directives of `template`; of affinities only the one to nodes is one. */
function withPlacementOf(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const { nodeSelector, tolerations, schedulingGates, affinity } = template.spec ?? { containers: [] };
  const {
    affinity: former,
    nodeSelector: _selector,
    tolerations: _tolerations,
    schedulingGates: _gates,
    ...kept
  } = old.spec ?? { containers: [] };
  const { nodeAffinity: _former, ...others } = former ?? {};
  const merged = { ...others, ...(affinity?.nodeAffinity === undefined ? {} : { nodeAffinity: affinity.nodeAffinity }) };
  return {
    ...old,
    spec: {
      ...kept,
      ...(Object.keys(merged).length === 0 ? {} : { affinity: merged }),
      ...(nodeSelector === undefined ? {} : { nodeSelector }),
      ...(tolerations === undefined ? {} : { tolerations }),
      ...(schedulingGates === undefined ? {} : { schedulingGates }),
    },
  };
}

function withResourcesOf(old: readonly Container[] = [], containers: readonly Container[] = []): readonly Container[] {
  if (old.length !== containers.length) return old;
  return old.map((container, index) => {
    const { resources, name } = containers[index] as Container;
    if (container.name !== name) return container;
    const { resources: _resources, ...kept } = container;
    return resources === undefined ? kept : { ...kept, resources };
  });
}
