// kubectl scale: writes the scale subresource.

import type { Sys } from "#sim/program.ts";
import { pathOf } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { valueAt, withValue } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { recordPatch } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { patchObject, requireFlags, writingPrinter } from "../resources/writing.ts";
import { dryRunOf, dryRunQuery } from "./write-options.ts";

function* scaleOne(context: Context, info: Info): Sys<number> {
  const { flags } = context;
  const replicas = flags.number("replicas");
  const wanted = flags.number("current-replicas");
  const version = flags.text("resource-version");
  const dryRun = dryRunOf(context);
  if (wanted === -1 && version === "") {
    const scale = yield* patchObject(context, info, "merge", { spec: { replicas } }, { subresource: "scale", dryRun });
    return Number(valueAt(scale, "spec", "replicas") ?? replicas);
  }
  const path = pathOf(info.mapping, info.namespace, info.name, "scale");
  const scale = yield* context.client().json({ method: "GET", path });
  const current = Number(valueAt(scale, "spec", "replicas") ?? 0);
  if (wanted !== -1 && current !== wanted) throw new KubectlError(`Expected replicas to be ${wanted}, was ${current}`);
  const found = valueAt(scale, "metadata", "resourceVersion");
  if (version !== "" && found !== version)
    throw new KubectlError(`Expected resource version to be ${version}, was ${String(found)}`);
  yield* context
    .client()
    .json({ method: "PUT", path, query: dryRunQuery(dryRun), body: withValue(scale, ["spec", "replicas"], replicas) });
  return replicas;
}

/** Polls each second until as many replicas exist as asked for. */
function* waitForReplicas(context: Context, info: Info): Sys<void> {
  const timeoutMs = context.flags.durationMs("timeout");
  const deadline = context.self.nowMs + timeoutMs;
  const path = pathOf(info.mapping, info.namespace, info.name, "scale");
  for (;;) {
    const scale = yield* context.client().json({ method: "GET", path });
    if (Number(valueAt(scale, "status", "replicas") ?? 0) === Number(valueAt(scale, "spec", "replicas") ?? 0)) return;
    if (context.self.nowMs >= deadline) {
      throw new KubectlError(`timed out waiting for ${JSON.stringify(info.name)} to be synced`);
    }
    yield* context.self.sleep(1000);
  }
}

export const scale: Command = {
  path: "scale",
  *run(context) {
    const { flags } = context;
    requireFlags(context, "replicas");
    if (flags.number("replicas") < 0) {
      throw new KubectlError("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
    }
    if (flags.number("current-replicas") < -1) {
      throw new KubectlError("The --current-replicas must specify an integer of -1 or greater");
    }
    const printer = writingPrinter(context, "scaled");
    const found = yield* select(context, {
      ...selectionFromFlags(context),
      all: false,
      typeAloneSelectsAll: flags.bool("all"),
      continueOnError: true,
    });
    if (flags.text("resource-version") !== "" && found.infos.length > 1) {
      throw new KubectlError("cannot use --resource-version with multiple resources");
    }
    if (found.infos.length === 0) {
      throwAll(found.errors);
      throw new KubectlError("no objects passed to scale");
    }
    for (const info of found.infos) {
      const local = dryRunOf(context) === "client";
      const replicas = local ? flags.number("replicas") : yield* scaleOne(context, info);
      if (!local && dryRunOf(context) === "none" && flags.durationMs("timeout") > 0) yield* waitForReplicas(context, info);
      const record = local ? undefined : recordPatch(context, info.object ?? {});
      if (record !== undefined) yield* patchObject(context, info, "merge", record, { dryRun: dryRunOf(context) });
      const builtIn = info.mapping.group === "apps" || info.mapping.group === "";
      yield* context.out(printer(builtIn ? withValue(info.object, ["spec", "replicas"], replicas) : (info.object ?? {})));
    }
    throwAll(found.errors);
  },
};
