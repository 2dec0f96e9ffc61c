// kubectl rollout restart, pause and resume: one strategic merge patch each.

import { ApiError } from "#cluster/api/errors.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { groupResource, pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { isObject, type JsonObject, textAt, valueAt } from "../../documents.ts";
import { KubectlError, throwList } from "../../errors.ts";
import { makeObjectPrinter } from "../../printers/object-printer.ts";
import type { Info } from "../../resources/selection.ts";
import { selectRollouts } from "./rollout-status.ts";

const restartedAnnotation = "kubectl.kubernetes.io/restartedAt";

/** What to send for an object; a text says why not. */
type Change = (info: Info, object: JsonObject, context: Context) => JsonValue | string;

function isPaused(object: JsonObject): boolean {
  return valueAt(object, "spec", "paused") === true;
}

const restartChange: Change = ({ mapping }, object, context) => {
  if (!["Deployment", "DaemonSet", "StatefulSet"].includes(mapping.kind)) return "restarting is not supported";
  if (isPaused(object)) return "can't restart paused deployment (run rollout resume first)";
  const now = formatTime(context.self.nowMs);
  if (textAt(object, "spec", "template", "metadata", "annotations", restartedAnnotation) === now) {
    throw new KubectlError(
      `failed to create patch for ${textAt(object, "metadata", "name")}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
    );
  }
  return { spec: { template: { metadata: { annotations: { [restartedAnnotation]: now } } } } };
};

const pauseChange: Change = ({ mapping }, object) => {
  if (mapping.kind !== "Deployment") return "pausing is not supported";
  return isPaused(object) ? "is already paused" : { spec: { paused: true } };
};

const resumeChange: Change = ({ mapping }, object) => {
  if (mapping.kind !== "Deployment") return "resuming is not supported";
  return isPaused(object) ? { spec: { paused: null } } : "is not paused";
};

function rolloutCommand(path: string, operation: string, change: Change): Command {
  return {
    path,
    *run(context) {
      const { infos, errors } = yield* selectRollouts(context);
      const failures: Error[] = [...errors];
      if (infos.length === 0 && failures.length === 0)
        yield* context.err(`No resources found in ${context.namespace().name} namespace.\n`);
      const printer = makeObjectPrinter(context, operation);
      for (const info of infos) {
        const body = change(info, info.object ?? {}, context);
        if (typeof body === "string") {
          failures.push(new KubectlError(`error: ${groupResource(info.mapping)} ${JSON.stringify(info.name)} ${body}`));
          continue;
        }
        try {
          const answer = yield* context.client().json({
            method: "PATCH",
            path: pathOf(info.mapping, info.namespace, info.name),
            query: { fieldManager: context.flags.text("field-manager") || "kubectl-rollout" },
            contentType: "application/strategic-merge-patch+json",
            body,
          });
          yield* context.out(printer(isObject(answer) ? answer : {}));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          failures.push(new KubectlError(`failed to patch: ${error.message}`));
        }
      }
      throwList(failures);
    },
  };
}

export const rolloutRestart = rolloutCommand("rollout restart", "restarted", restartChange);
export const rolloutPause = rolloutCommand("rollout pause", "paused", pauseChange);
export const rolloutResume = rolloutCommand("rollout resume", "resumed", resumeChange);
