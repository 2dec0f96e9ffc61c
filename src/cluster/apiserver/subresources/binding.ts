// pods/binding: how the scheduler gives a pod its node (registry/core/pod/storage's BindingREST).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { badRequest, conflict, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { Binding, PodCondition, PodSpec, PodStatus } from "#cluster/api/generated/types.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
import { carryManagers } from "../field-management.ts";
import { type Machinery, storageKey, storedObject, tableOf } from "../machinery.ts";
import type { ResourceRequest } from "../resource-request.ts";

const success: JsonValue = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

/** Throws NotFound, BadRequest (another name), Conflict (already bound, being deleted, gated, another uid or version). */
export function bindPod(machinery: Machinery, request: ResourceRequest, body: JsonValue): JsonValue {
  const binding = body as Binding;
  const { name } = request;
  if (binding.metadata?.name !== name) throw badRequest("name in URL does not match name in Binding object");
  validate(binding);
  const pod = storedObject(machinery, request);
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, name);
  requirePreconditions(binding, pod);
  const refuse = (cause: string): Error => conflict({ group: "", resource: "pods/binding" }, name, cause);
  if (pod.metadata.deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  const spec = pod["spec"] as PodSpec;
  if (spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${spec.nodeName}"`);
  if ((spec.schedulingGates?.length ?? 0) > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  if (request.dryRun) return success;
  const { nominatedNodeName: _nominated, ...status } = (pod["status"] ?? {}) as PodStatus;
  const bound = machinery.store.put(tableOf(machinery, request.definition), storageKey(request.namespace, name), {
    ...pod,
    metadata: { ...pod.metadata, ...boundMetadata(pod.metadata, binding) },
    spec: { ...spec, nodeName: binding.target.name ?? "" },
    status: { ...status, conditions: withScheduled(status.conditions ?? [], machinery.simulation.nowMs) },
  });
  carryManagers(bound, pod);
  return success;
}

/** A refused Binding is no Invalid: the errors come as they are, joined. */
function validate({ target }: Binding): void {
  const errors = new FieldErrors();
  const kind = target?.kind ?? "";
  if (kind !== "" && kind !== "Node") errors.notSupported(field("target", "kind"), kind, ["Node", "<empty>"]);
  if ((target?.name ?? "") === "") errors.required(field("target", "name"));
  if (errors.causes.length === 0) return;
  const texts = errors.causes.map((cause) => `${cause.field}: ${cause.message}`);
  throw otherFailure(500, "", aggregateText(texts));
}

/** The uid and version of a Binding are those that the pod must have; refused in the words of the storage. */
function requirePreconditions({ metadata: { uid, resourceVersion } = {} }: Binding, { metadata }: KubeObject): void {
  const refuse = (what: string, wanted: string, found: string | undefined): Error =>
    conflict(
      { group: "", resource: "pods" },
      metadata.name as string,
      `StorageError: invalid object, Code: 4, Key: /registry/pods/${metadata.namespace}/${metadata.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${found}`,
    );
  if (uid && uid !== metadata.uid) throw refuse("UID", uid, metadata.uid);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse("ResourceVersion", resourceVersion, metadata.resourceVersion);
  }
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
