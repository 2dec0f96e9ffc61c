// Defaults of Jobs (pkg/apis/batch/v1/defaults.go) and the selector that a Job makes for itself (registry/batch/job).

import type { Job, JobSpec, PodFailurePolicy } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Typed } from "../definition.ts";
import { changed, each, filled, withoutZero } from "../filling.ts";
import { withTemplateDefaults } from "../workload-defaults.ts";

export const uidLabel = "batch.kubernetes.io/controller-uid";
export const nameLabel = "batch.kubernetes.io/job-name";
/** Names of the same two labels before 1.27, still written. */
export const oldUidLabel = "controller-uid";
export const oldNameLabel = "job-name";

export const unlimitedBackoff = 2_147_483_647;

/** What a Job and the template of a CronJob have in common: Go's structs are there, and conditions mean True. */
export function jobTemplateSpecDefaults(spec: JobSpec): JobSpec {
  return withTemplateDefaults(changed(spec, "podFailurePolicy", failurePolicyDefaults));
}

export function jobDefaults<J extends Typed<Job> & KubeObject>(job: J): J {
  const spec = jobSpecDefaults(job.spec ?? ({} as JobSpec));
  const complete = spec === job.spec ? job : { ...job, spec };
  const labels = spec.template.metadata?.labels;
  if (labels === undefined || Object.keys(job.metadata.labels ?? {}).length > 0) return complete;
  return { ...complete, metadata: { ...job.metadata, labels } };
}

function jobSpecDefaults(spec: JobSpec): JobSpec {
  let result = spec;
  // Neither given: one pod is enough. One without the other is a work queue.
  if (spec.completions === undefined && spec.parallelism === undefined) result = { ...result, completions: 1 };
  result = filled(result, {
    parallelism: 1,
    backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : unlimitedBackoff,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed",
  });
  return jobTemplateSpecDefaults(result);
}

function failurePolicyDefaults(policy: PodFailurePolicy): PodFailurePolicy {
  return changed(policy, "rules", (rules) =>
    each(rules, (rule) =>
      changed(rule, "onPodConditions", (patterns) =>
        each(patterns, (pattern) => filled(withoutZero(pattern, "status"), { status: "True" })),
      ),
    ),
  );
}

/**
 * Unless told otherwise a Job selects its pods by its own uid. Labels that the user gave stay: validation refuses wrong
 * ones. A Job without labels of its own has its template's, these included.
 */
export function withGeneratedSelector<J extends Typed<Job> & KubeObject>(job: J): J {
  const { spec, metadata } = job;
  if (spec === undefined || spec.manualSelector === true) return job;
  const { uid = "", name = "" } = metadata;
  const given = spec.template.metadata?.labels;
  const labels = filled<{ readonly [key: string]: string }>(given ?? {}, {
    [oldNameLabel]: name,
    [nameLabel]: name,
    [oldUidLabel]: uid,
    [uidLabel]: uid,
  });
  const selector = spec.selector ?? {};
  const matchLabels = filled<{ readonly [key: string]: string }>(selector.matchLabels ?? {}, { [uidLabel]: uid });
  const inherits = metadata.labels === undefined || metadata.labels === given;
  return {
    ...job,
    metadata: inherits ? { ...metadata, labels } : metadata,
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}
