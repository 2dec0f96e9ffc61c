// Which Pods of a node `kubectl drain` removes, leaves, or refuses to touch.

import { tryParseTime } from "#cluster/api/time.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, objectAt, textAt, valueAt } from "../../documents.ts";
import { isNotFound, KubectlError } from "../../errors.ts";

const messages = {
  daemonSetFatal: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)",
  daemonSetWarning: "ignoring DaemonSet-managed Pods",
  localStorageFatal: "Pods with local storage (use --delete-emptydir-data to override)",
  localStorageWarning: "deleting Pods with local storage",
  unmanagedFatal: "Pods that declare no controller (use --force to override)",
  unmanagedWarning: "deleting Pods that declare no controller",
} as const;

export interface PodVerdict {
  readonly pod: JsonObject;
  readonly remove: boolean;
  /** Of an error: why the Pod stops the drain. Of a warning: what is worth saying. */
  readonly error?: string;
  readonly warning?: string;
}

type Judgement = Omit<PodVerdict, "pod">;

const remove: Judgement = { remove: true };
const keep: Judgement = { remove: false };

/** Asks the filters in order; the first that keeps a Pod decides, else the last one's warning stays. */
export function* judgePods(context: Context, pods: readonly JsonObject[]): Sys<readonly PodVerdict[]> {
  const verdicts: PodVerdict[] = [];
  for (const pod of pods) {
    let judgement = isLongDeleted(context, pod) ? keep : yield* daemonSetFilter(context, pod);
    for (const filter of [mirrorFilter, localStorageFilter, unmanagedFilter]) {
      if (!judgement.remove) break;
      judgement = filter(context, pod);
    }
    verdicts.push({ pod, ...judgement });
  }
  return verdicts;
}

/** Whether a Pod should have been gone for longer than `--skip-wait-for-delete-timeout` says; nobody waits for it then. */
export function isLongDeleted({ flags, self }: Context, pod: JsonObject): boolean {
  const limit = flags.number("skip-wait-for-delete-timeout");
  const deletedMs = tryParseTime(textAt(pod, "metadata", "deletionTimestamp"));
  return limit > 0 && deletedMs !== undefined && Math.trunc((self.nowMs - deletedMs) / 1000) > limit;
}

function isFinished(pod: JsonObject): boolean {
  return ["Succeeded", "Failed"].includes(textAt(pod, "status", "phase"));
}

function controllerOf(pod: JsonObject): JsonObject | undefined {
  return arrayAt(pod, "metadata", "ownerReferences")
    .filter(isObject)
    .find((owner) => owner["controller"] === true);
}

function* daemonSetFilter(context: Context, pod: JsonObject): Sys<Judgement> {
  const controller = controllerOf(pod);
  if (controller === undefined || textAt(controller, "kind") !== "DaemonSet" || isFinished(pod)) return remove;
  const path = `/apis/apps/v1/namespaces/${textAt(pod, "metadata", "namespace")}/daemonsets/${textAt(controller, "name")}`;
  try {
    yield* context.client().json({ method: "GET", path });
  } catch (error) {
    if (!isOwnError(error)) throw error;
    if (isNotFound(error) && context.flags.bool("force")) return { remove: true, warning: error.message };
    return { remove: false, error: error.message };
  }
  return context.flags.bool("ignore-daemonsets")
    ? { remove: false, warning: messages.daemonSetWarning }
    : { remove: false, error: messages.daemonSetFatal };
}

function mirrorFilter(_context: Context, pod: JsonObject): Judgement {
  return "kubernetes.io/config.mirror" in objectAt(pod, "metadata", "annotations") ? keep : remove;
}

function localStorageFilter({ flags }: Context, pod: JsonObject): Judgement {
  const isLocal = arrayAt(pod, "spec", "volumes").some((volume) => valueAt(volume, "emptyDir") !== undefined);
  if (!isLocal || isFinished(pod)) return remove;
  return flags.bool("delete-emptydir-data")
    ? { remove: true, warning: messages.localStorageWarning }
    : { remove: false, error: messages.localStorageFatal };
}

function unmanagedFilter({ flags }: Context, pod: JsonObject): Judgement {
  if (isFinished(pod) || controllerOf(pod) !== undefined) return remove;
  return flags.bool("force")
    ? { remove: true, warning: messages.unmanagedWarning }
    : { remove: false, error: messages.unmanagedFatal };
}

function grouped(verdicts: readonly PodVerdict[], field: "error" | "warning"): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const verdict of verdicts) {
    const message = verdict[field];
    if (message === undefined) continue;
    const { pod } = verdict;
    const name = `${textAt(pod, "metadata", "namespace")}/${textAt(pod, "metadata", "name")}`;
    groups.set(message, [...(groups.get(message) ?? []), name]);
  }
  return [...groups].map(([message, names]) => `${message}: ${names.join(", ")}`);
}

export function warningsOf(verdicts: readonly PodVerdict[]): string {
  return grouped(verdicts, "warning").join("; ");
}

export function problemsOf(verdicts: readonly PodVerdict[]): readonly Error[] {
  return grouped(verdicts, "error").map((text) => new KubectlError(`cannot delete ${text}`));
}
