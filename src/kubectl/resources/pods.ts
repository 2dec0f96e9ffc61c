// Pods that logs, exec and attach work on, and their containers.

import type { LabelSelector } from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatLabelSet, type Labels } from "#cluster/api/labels.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";

const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container";

/** The selector of the pods behind a workload or Service; throws for kinds without pods. */
export function podSelectorOf(object: JsonObject, verb: string): string {
  const kind = textAt(object, "kind");
  const selector = valueAt(object, "spec", "selector");
  if (kind === "Service" || kind === "ReplicationController") {
    if (isObject(selector) && Object.keys(selector).length > 0) return formatLabelSet(selector as Labels);
    const name = textAt(object, "metadata", "name");
    throw new KubectlError(`cannot ${verb} *v1.${kind}: invalid service '${name}': Service is defined without a selector`);
  }
  if (!["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"].includes(kind) || !isObject(selector)) {
    throw new KubectlError(`cannot ${verb} *v1.${kind}: selector for *v1.${kind} not implemented`);
  }
  return formatLabelSelector(selector as LabelSelector);
}

/** Higher is better for logs and exec: placed, running, ready. */
function rank(pod: JsonObject): number {
  const placed = textAt(pod, "spec", "nodeName") === "" ? 0 : 100;
  const phases: { readonly [phase: string]: number } = { Unknown: 10, Running: 20 };
  const ready = arrayAt(pod, "status", "conditions").some(
    (condition) => textAt(condition, "type") === "Ready" && textAt(condition, "status") === "True",
  );
  return placed + (phases[textAt(pod, "status", "phase")] ?? 0) + (ready ? 1 : 0);
}

/** The pods that a selector finds, best first; waits for one to appear, at most `timeoutMs`. */
export function* podsBySelector(
  context: Context,
  namespace: string,
  selector: string,
  timeoutMs: number,
): Sys<readonly JsonObject[]> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const list = yield* context.client().json({ method: "GET", path, query: { labelSelector: selector } });
  const items = arrayAt(list, "items").filter(isObject);
  if (items.length > 0) return [...items].sort((a, b) => rank(b) - rank(a));
  const found: JsonObject[] = [];
  const query = { labelSelector: selector, resourceVersion: textAt(list, "metadata", "resourceVersion"), watch: true };
  yield* context.client().watch(
    { method: "GET", path, query },
    function* (type, object) {
      if ((type === "ADDED" || type === "MODIFIED") && isObject(object)) found.push(object);
      return found.length === 0;
    },
    context.self.nowMs + timeoutMs,
  );
  if (found.length === 0) throw new KubectlError("timed out waiting for the condition");
  return found;
}

function namesIn(pod: JsonObject, field: string): readonly string[] {
  return arrayAt(pod, "spec", field).map((container) => textAt(container, "name"));
}

/** `a, b (ephem), c (init)` */
export function allContainerNames(pod: JsonObject): string {
  return [
    ...namesIn(pod, "containers"),
    ...namesIn(pod, "ephemeralContainers").map((name) => `${name} (ephem)`),
    ...namesIn(pod, "initContainers").map((name) => `${name} (init)`),
  ].join(", ");
}

/** All names in the order of their start. */
export function containerNames(pod: JsonObject): readonly string[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((field) => namesIn(pod, field));
}

export function findContainer(pod: JsonObject, name: string): JsonObject | undefined {
  return ["containers", "initContainers", "ephemeralContainers"]
    .flatMap((field) => arrayAt(pod, "spec", field))
    .filter(isObject)
    .find((container) => textAt(container, "name") === name);
}

export function isEphemeral(pod: JsonObject, container: string): boolean {
  return namesIn(pod, "ephemeralContainers").includes(container);
}

export function noSuchContainer(pod: JsonObject, name: string): KubectlError {
  const podName = textAt(pod, "metadata", "name");
  return new KubectlError(`container ${name} is not valid for pod ${podName} out of: ${allContainerNames(pod)}`);
}

export function annotatedContainer(pod: JsonObject): string {
  return textAt(objectAt(pod, "metadata", "annotations"), defaultContainerAnnotation);
}

/** `Defaulted container "a" out of: a, b`, when there is more than one. */
export function defaultedRemark(pod: JsonObject, name: string): string {
  if (containerNames(pod).length < 2) return "";
  return `Defaulted container ${JSON.stringify(name)} out of: ${allContainerNames(pod)}\n`;
}

/** The named container, the annotated one, or the first one with a remark when there are several. */
export function* containerOf(
  context: Context,
  pod: JsonObject,
  name: string,
  quiet: boolean,
  remark: (text: string) => Sys<void> = (text) => context.err(text),
): Sys<string> {
  const wanted = name === "" ? annotatedContainer(pod) : name;
  if (wanted !== "") {
    if (findContainer(pod, wanted) === undefined) throw noSuchContainer(pod, wanted);
    return wanted;
  }
  const [first = ""] = namesIn(pod, "containers");
  if (!quiet) yield* remark(defaultedRemark(pod, first));
  return first;
}
