// How `kubectl drain` gets rid of Pods: evictions that a disruption budget may refuse and that are tried again, or deletions; then
// it waits until the Pods are gone.

import { formatGoDuration } from "#cluster/api/duration.ts";
import { ApiError } from "#cluster/api/errors.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Context } from "../../context.ts";
import { isObject, type JsonObject, textAt } from "../../documents.ts";
import { isNotFound, KubectlError, throwAll } from "../../errors.ts";
import { nameLines } from "../../printers/object-printer.ts";
import { operationText } from "../../resources/writing.ts";
import { dryRunOf } from "../write-options.ts";
import { isLongDeleted } from "./drain-filters.ts";

const pollMs = 1000;
const retryMs = 5000;

interface Task {
  readonly pod: JsonObject;
  readonly namespace: string;
  readonly name: string;
  /** When to try (again), or to look whether it is gone. */
  nextMs: number;
  isEvicted: boolean;
}

function taskFor(context: Context, pod: JsonObject): Task {
  const namespace = textAt(pod, "metadata", "namespace");
  return { pod, namespace, name: textAt(pod, "metadata", "name"), nextMs: context.self.nowMs, isEvicted: false };
}

function podPath({ namespace, name }: Task): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

function deleteOptions(context: Context): JsonObject {
  const grace = context.flags.number("grace-period");
  return {
    ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}),
    ...(dryRunOf(context) === "server" ? { dryRun: ["All"] } : {}),
  };
}

function deadlineOf(context: Context): number {
  const timeoutMs = context.flags.durationMs("timeout");
  return timeoutMs === 0 ? Number.POSITIVE_INFINITY : context.self.nowMs + timeoutMs;
}

/** Throws what could not be evicted, once every other Pod is gone. */
export function* evictPods(context: Context, pods: readonly JsonObject[]): Sys<void> {
  const deadlineMs = deadlineOf(context);
  const failures: Error[] = [];
  let tasks: readonly Task[] = pods.map((pod) => taskFor(context, pod));
  while (tasks.length > 0) {
    const left: Task[] = [];
    for (const task of tasks) {
      if (task.nextMs > context.self.nowMs) {
        left.push(task);
        continue;
      }
      try {
        if (!(yield* step(context, task, deadlineMs))) left.push(task);
      } catch (error) {
        if (!isOwnError(error)) throw error;
        failures.push(error);
      }
    }
    tasks = left;
    if (tasks.length > 0) {
      yield* context.self.sleep(Math.max(0, Math.min(...tasks.map(({ nextMs }) => nextMs)) - context.self.nowMs));
    }
  }
  throwAll(failures);
}

/** One attempt at one Pod; true when it is done with. */
function* step(context: Context, task: Task, deadlineMs: number): Sys<boolean> {
  if (task.isEvicted) return yield* isGone(context, task, "evicted", deadlineMs);
  const dryRun = dryRunOf(context);
  yield* context.out(`${operationText(`evicting pod ${task.namespace}/${task.name}`, dryRun)}\n`);
  const subject = `pods/${JSON.stringify(task.name)} -n ${JSON.stringify(task.namespace)}`;
  if (context.self.nowMs >= deadlineMs) {
    const timeout = formatGoDuration(context.flags.durationMs("timeout"));
    throw new KubectlError(`error when evicting ${subject}: global timeout reached: ${timeout}`);
  }
  try {
    yield* evict(context, task);
  } catch (error) {
    if (isNotFound(error)) return true;
    if (!(error instanceof ApiError)) throw error;
    if (error.reason !== "TooManyRequests") throw new KubectlError(`error when evicting ${subject}: ${error.message}`);
    yield* context.err(`error when evicting ${subject} (will retry after 5s): ${error.message}\n`);
    task.nextMs = context.self.nowMs + retryMs;
    return false;
  }
  if (dryRun === "server") return true;
  task.isEvicted = true;
  return yield* isGone(context, task, "evicted", deadlineMs);
}

function* evict(context: Context, task: Task): Sys<void> {
  const body: JsonObject = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: task.name, namespace: task.namespace },
    deleteOptions: deleteOptions(context),
  };
  yield* context.client().json({ method: "POST", path: `${podPath(task)}/eviction`, body });
}

/** Looks for the Pod; when it is gone (or another of its name is there) says what became of it. */
function* isGone(context: Context, task: Task, operation: string, deadlineMs: number): Sys<boolean> {
  try {
    const live = yield* context.client().json({ method: "GET", path: podPath(task) });
    if (textAt(live, "metadata", "uid") === textAt(task.pod, "metadata", "uid")) {
      if (isObject(live) && isLongDeleted(context, live)) {
        const limit = context.flags.number("skip-wait-for-delete-timeout");
        yield* context.out(`pod ${JSON.stringify(task.name)} has DeletionTimestamp older than ${limit} seconds, skipping\n`);
        return true;
      }
      if (context.self.nowMs >= deadlineMs) {
        throw new KubectlError(
          `error when waiting for pod ${JSON.stringify(task.name)} in namespace ${JSON.stringify(task.namespace)} to terminate: context deadline exceeded`,
        );
      }
      task.nextMs = context.self.nowMs + pollMs;
      return false;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  yield* context.out(nameLines(task.pod, operationText(operation, dryRunOf(context))));
  return true;
}

/** Deletes without asking disruption budgets. */
export function* deletePods(context: Context, pods: readonly JsonObject[]): Sys<void> {
  const deadlineMs = deadlineOf(context);
  let tasks: readonly Task[] = pods.map((pod) => taskFor(context, pod));
  for (const task of tasks) {
    try {
      const body = { apiVersion: "v1", kind: "DeleteOptions", ...deleteOptions(context) };
      yield* context.client().json({ method: "DELETE", path: podPath(task), body });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  if (dryRunOf(context) === "server") return;
  while (tasks.length > 0) {
    const left: Task[] = [];
    for (const task of tasks) if (!(yield* isGone(context, task, "deleted", deadlineMs))) left.push(task);
    tasks = left;
    if (tasks.length > 0) yield* context.self.sleep(pollMs);
  }
}
