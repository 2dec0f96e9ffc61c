// `kubectl run -i` and `--attach`: waits for the Pod, attaches, and ends with the container's exit code.

import { ApiError } from "#cluster/api/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { ResourceInfo } from "../../client/discovery.ts";
import type { Context } from "../../context.ts";
import { arrayAt, type JsonObject, textAt, valueAt } from "../../documents.ts";
import { ConnectionError, ExitError, KubectlError } from "../../errors.ts";
import { awaitCondition } from "../../resources/awaiting.ts";
import { containerOf } from "../../resources/pods.ts";
import type { Info } from "../../resources/selection.ts";
import { attachToPod } from "../attach.ts";
import { deleteInfos } from "../delete.ts";

/** One object that run has made. */
export interface Created {
  readonly mapping: ResourceInfo;
  readonly object: JsonObject;
}

const completedPhases = ["Succeeded", "Failed"];

function phaseOf(pod: JsonObject): string {
  return textAt(pod, "status", "phase");
}

function isReady(pod: JsonObject): boolean {
  const conditions = arrayAt(pod, "status", "conditions");
  return (
    phaseOf(pod) === "Running" &&
    conditions.some((condition) => textAt(condition, "type") === "Ready" && textAt(condition, "status") === "True")
  );
}

/** Attaches to a Pod just made. Throws ExitError with its exit code where its restart policy says that it ends. */
export function* attachToRunPod(context: Context, created: JsonObject): Sys<void> {
  const { flags } = context;
  const pod = yield* waitForPod(context, created, (live) => isReady(live) || completedPhases.includes(phaseOf(live)));
  if (completedPhases.includes(phaseOf(pod))) yield* copyLogs(context, pod);
  else yield* attachOrLogs(context, pod);
  const restart = flags.text("restart") || (flags.bool("stdin") ? "OnFailure" : "Always");
  if (flags.bool("leave-stdin-open") || restart === "Always") return;
  const wanted = restart === "Never" ? completedPhases : ["Succeeded"];
  endAs(yield* waitForPod(context, created, (live) => wanted.includes(phaseOf(live))));
}

function* attachOrLogs(context: Context, pod: JsonObject): Sys<void> {
  const { flags } = context;
  const name = textAt(pod, "metadata", "name");
  try {
    yield* copyLogs(context, pod);
  } catch (error) {
    if (!isFailure(error)) throw error;
    yield* context.err(`warning: couldn't fetch pre-attach logs: ${error.message}\n`);
  }
  try {
    yield* attachToPod(context, pod, "", { stdin: flags.bool("stdin"), tty: flags.bool("tty") });
  } catch (error) {
    if (!isFailure(error)) throw error;
    yield* context.err(`warning: couldn't attach to pod/${name}, falling back to streaming logs: ${error.message}\n`);
    yield* copyLogs(context, pod);
  }
}

function isFailure(error: unknown): error is Error {
  return error instanceof KubectlError || error instanceof ConnectionError || error instanceof ApiError;
}

function* waitForPod(context: Context, pod: JsonObject, isThere: (pod: JsonObject) => boolean): Sys<JsonObject> {
  const info = yield* infoOf(context, pod);
  const timeoutMs = context.flags.durationMs("pod-running-timeout");
  try {
    return yield* awaitCondition(context, info, isThere, { timeoutMs, deadlineMs: context.self.nowMs + timeoutMs });
  } catch (error) {
    if (error instanceof KubectlError) throw new KubectlError("timed out waiting for the condition");
    throw error;
  }
}

function* infoOf(context: Context, pod: JsonObject): Sys<Info> {
  const mapping = yield* context.discovery().require("pods");
  return {
    mapping,
    namespace: textAt(pod, "metadata", "namespace"),
    name: textAt(pod, "metadata", "name"),
    object: pod,
    source: "",
  };
}

/** What the container has written so far. */
function* copyLogs(context: Context, pod: JsonObject): Sys<void> {
  const container = yield* containerOf(context, pod, "", true);
  const namespace = textAt(pod, "metadata", "namespace");
  const path = `/api/v1/namespaces/${namespace}/pods/${textAt(pod, "metadata", "name")}/log`;
  yield* context.out(yield* context.client().text({ method: "GET", path, query: { container }, accept: "*/*" }));
}

function endAs(pod: JsonObject): void {
  if (phaseOf(pod) === "Succeeded") return;
  const label = `${textAt(pod, "metadata", "namespace")}/${textAt(pod, "metadata", "name")}`;
  const [status] = arrayAt(pod, "status", "containerStatuses");
  const terminated = valueAt(status, "state", "terminated");
  const code = valueAt(terminated, "exitCode");
  if (typeof code !== "number" || code === 0) {
    throw new KubectlError(`pod ${label} failed with unknown exit code`);
  }
  const message = textAt(terminated, "message");
  throw new ExitError(code, `pod ${label} terminated (${textAt(terminated, "reason")})${message === "" ? "" : `\n${message}`}`);
}

/** `--rm` */
export function* removeCreated(context: Context, created: readonly Created[]): Sys<void> {
  const infos = created.map(
    ({ mapping, object }): Info => ({
      mapping,
      namespace: textAt(object, "metadata", "namespace"),
      name: textAt(object, "metadata", "name"),
      object,
      source: "",
    }),
  );
  const plan = { propagation: "Background", graceSeconds: -1, dryRun: "none", quiet: context.flags.bool("quiet") } as const;
  yield* deleteInfos(context, infos, { ...plan, ignoreNotFound: true, wait: false }, []);
}
