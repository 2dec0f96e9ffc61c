// pods/binding: how the scheduler gives a pod its node (registry/core/pod/storage's BindingREST).

import { badRequest, conflict, notFound } from "#cluster/api/errors.ts";
import type { Binding, PodCondition, PodSpec, PodStatus } from "#cluster/api/generated/types.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { carryManagers } from "../field-management.ts";
import { type Machinery, type ResourceRequest, storageKey, storedObject, tableOf } from "../machinery.ts";

const success: JsonValue = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** Throws NotFound, Conflict (already bound, being deleted, another uid). */
export function bindPod(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const binding = body as Binding;
  const pod = storedObject(machinery, request);
  const subject = { group: "", resource: "pods" };
  if (pod === undefined) throw notFound(subject, request.name);
  const node = binding.target?.name ?? "";
  if (node === "") throw badRequest("Binding target.name is required");
  const { uid } = binding.metadata ?? {};
  const refuse = (cause: string): Error => conflict({ group: "", resource: "pods/binding" }, request.name, cause);
  if (uid !== undefined && uid !== "" && uid !== pod.metadata.uid) {
    throw refuse(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid}`);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${request.name} is being deleted, cannot be assigned to a host`);
  }
  const spec = pod["spec"] as PodSpec;
  if (spec.nodeName) throw refuse(`pod ${request.name} is already assigned to node "${spec.nodeName}"`);
  if ((spec.schedulingGates?.length ?? 0) > 0) throw refuse(`pod ${request.name} has non-empty .spec.schedulingGates`);
  if (request.dryRun) return success;
  const status = pod["status"] as PodStatus | undefined;
  const bound = machinery.store.put(tableOf(machinery, request.definition), storageKey(request.namespace, request.name), {
    ...pod,
    metadata: { ...pod.metadata, ...boundMetadata(pod.metadata, binding) },
    spec: { ...spec, nodeName: node },
    status: { ...status, conditions: withScheduled(status?.conditions ?? [], machinery.simulation.nowMs) },
  });
  carryManagers(bound, pod);
  return success;
}

/** Annotations and labels that the binding carries go to the pod. */
function boundMetadata(metadata: Binding["metadata"], binding: Binding): object {
  const { annotations, labels } = binding.metadata ?? {};
  return {
    ...(annotations === undefined ? {} : { annotations: { ...metadata?.annotations, ...annotations } }),
    ...(labels === undefined ? {} : { labels: { ...metadata?.labels, ...labels } }),
  };
}

function withScheduled(conditions: readonly PodCondition[], nowMs: number): readonly PodCondition[] {
  const before = conditions.find((condition) => condition.type === "PodScheduled");
  const scheduled: PodCondition = {
    type: "PodScheduled",
    status: "True",
    lastTransitionTime: before?.status === "True" ? (before.lastTransitionTime ?? formatTime(nowMs)) : formatTime(nowMs),
  };
  return before === undefined
    ? [...conditions, scheduled]
    : conditions.map((condition) => (condition === before ? scheduled : condition));
}
