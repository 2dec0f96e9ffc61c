// kubectl rollout status: watches until the rollout is done.

import type { DaemonSet, Deployment, StatefulSet } from "#cluster/api/generated/types.ts";
import type { Int64, JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, textAt } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { daemonSetRollout, deploymentRollout, type RolloutState, statefulSetRollout } from "../../rollout/status.ts";

export const rolloutStatus: Command = {
  path: "rollout status",
  *run(context) {
    const { infos, errors } = yield* selectRollouts(context);
    const revision = context.flags.int64("revision");
    if (revision < 0) throw new KubectlError(`revision must be a positive integer: ${revision}`);
    for (const info of infos) yield* waitFor(context, info, revision);
    throwAll(errors);
    if (infos.length === 0) yield* context.err(`No resources found in ${context.namespace().name} namespace.\n`);
  },
};

/** The objects that a rollout command names. */
export function* selectRollouts(context: Context): Sys<{ readonly infos: readonly Info[]; readonly errors: readonly Error[] }> {
  if (context.args.length === 0 && context.flags.list("filename").length === 0 && context.flags.text("kustomize") === "") {
    throw new KubectlError("required resource not specified");
  }
  return yield* select(context, { ...selectionFromFlags(context), typeAloneSelectsAll: true, continueOnError: true, latest: true });
}

function* waitFor(context: Context, info: Info, revision: Int64): Sys<void> {
  const { mapping, namespace, name } = info;
  const stateOf = viewerFor(info);
  const path = pathOf(mapping, namespace);
  const fieldSelector = `metadata.name=${name}`;
  const client = context.client();
  const timeoutMs = context.flags.durationMs("timeout");
  const endMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : context.self.nowMs + timeoutMs;

  const list = yield* client.json({ method: "GET", path, query: { fieldSelector } });
  let resourceVersion = textAt(list, "metadata", "resourceVersion");
  const [first] = arrayAt(list, "items");
  const show = function* (object: JsonValue): Sys<boolean> {
    const { text, done } = stateOf(object, revision);
    yield* context.out(text);
    return done || !context.flags.bool("watch");
  };
  if (first !== undefined && (yield* show(first))) return;
  for (;;) {
    const left = endMs - context.self.nowMs;
    if (left <= 0) throw new KubectlError("timed out waiting for the condition");
    const end = yield* client.watch(
      {
        method: "GET",
        path,
        query: {
          fieldSelector,
          resourceVersion,
          watch: true,
          ...(left === Number.POSITIVE_INFINITY ? {} : { timeoutSeconds: Math.ceil(left / 1000) }),
        },
      },
      function* (type, object) {
        if (type === "DELETED") throw new KubectlError("object has been deleted");
        resourceVersion = textAt(object, "metadata", "resourceVersion");
        return !(yield* show(object));
      },
    );
    if (end === "stopped") return;
  }
}

function viewerFor({ mapping }: Info): (object: JsonValue, revision: Int64) => RolloutState {
  switch (`${mapping.kind}.${mapping.group}`) {
    case "Deployment.apps":
      return (object, revision) => deploymentRollout(object as Deployment, revision);
    case "DaemonSet.apps":
      return (object) => daemonSetRollout(object as DaemonSet);
    case "StatefulSet.apps":
      return (object) => statefulSetRollout(object as StatefulSet);
    default:
      throw new KubectlError(
        `no status viewer has been implemented for ${mapping.kind}${mapping.group === "" ? "" : `.${mapping.group}`}`,
      );
  }
}
