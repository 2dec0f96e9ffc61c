// The Pods that a Job makes.

import type { Container, Job, Pod } from "#cluster/api/generated/types.ts";
import type { Draft, Stored } from "#cluster/api/objects.ts";
import { controllerReference } from "../ownership.ts";
import { podFromTemplate } from "../pods.ts";
import { indexKey, trackingFinalizer } from "./job-pods.ts";

const indexVariable = "JOB_COMPLETION_INDEX";
/** Names of that length leave room for the random suffix. */
const longestPrefix = 58;

/** `annotations`: what else the Pod of an index carries. */
export function podOfJob(
  job: Stored<Job>,
  index: number | undefined,
  annotations: { readonly [name: string]: string } | undefined,
): Draft<Pod> {
  const { name, namespace = "" } = job.metadata;
  const pod = podFromTemplate(namespace, job.spec?.template ?? {}, controllerReference(job), prefix(name, index));
  const { metadata = {} } = pod;
  const finalizers = [...(metadata.finalizers ?? []).filter((one) => one !== trackingFinalizer), trackingFinalizer];
  if (index === undefined) return { ...pod, metadata: { ...metadata, finalizers } };
  const { containers = [], initContainers } = pod.spec ?? {};
  return {
    ...pod,
    metadata: {
      ...metadata,
      finalizers,
      labels: { ...metadata.labels, [indexKey]: String(index) },
      annotations: { ...metadata.annotations, [indexKey]: String(index), ...annotations },
    },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: containers.map(withIndexVariable),
      ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withIndexVariable) }),
    },
  };
}

function prefix(name: string, index: number | undefined): string {
  const end = index === undefined ? "-" : `-${index}-`;
  return `${name.slice(0, longestPrefix - end.length)}${end}`;
}

function withIndexVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === indexVariable)) return container;
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } };
  return { ...container, env: [...env, { name: indexVariable, valueFrom }] };
}
