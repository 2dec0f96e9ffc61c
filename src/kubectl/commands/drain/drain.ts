// kubectl drain: cordons nodes and evicts (or deletes) their Pods until they are gone.

import { compileLabelSelector, SelectorError } from "#cluster/api/labels.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, isObject, type JsonObject, textAt } from "../../documents.ts";
import { AggregateFailure, ExitError, KubectlError, throwAll } from "../../errors.ts";
import { nameLines } from "../../printers/object-printer.ts";
import type { Info } from "../../resources/selection.ts";
import { operationText } from "../../resources/writing.ts";
import { dryRunOf } from "../write-options.ts";
import { selectNodes, setUnschedulable } from "./cordon.ts";
import { judgePods, type PodVerdict, problemsOf, warningsOf } from "./drain-filters.ts";
import { deletePods, evictPods } from "./drain-pods.ts";

export const drain: Command = {
  path: "drain",
  *run(context) {
    const dryRun = dryRunOf(context);
    checkPodSelector(context.flags.text("pod-selector"));
    const { infos, errors } = yield* selectNodes(context);
    throwAll(errors);
    yield* setUnschedulable(context, infos, true);
    const failed: { readonly node: string; readonly error: Error }[] = [];
    for (const info of infos) {
      try {
        yield* drainNode(context, info);
        yield* context.out(nameLines(info.object ?? {}, operationText("drained", dryRun)));
      } catch (error) {
        if (!isOwnError(error)) throw error;
        yield* context.err(
          `error: unable to drain node ${JSON.stringify(info.name)} due to error: ${error.message}, continuing command...\n`,
        );
        failed.push({ node: info.name, error });
      }
    }
    if (failed.length === 0) return;
    yield* context.err(`There are pending nodes to be drained:\n${failed.map(({ node }) => ` ${node}\n`).join("")}`);
    const reasons = failed.flatMap(({ error }) => (error instanceof AggregateFailure ? error.errors : [error]));
    throw new ExitError(1, reasons.map(({ message }) => message).join("\n"));
  },
};

function checkPodSelector(text: string): void {
  try {
    compileLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new KubectlError("--pod-selector=<pod_selector> must be a valid label selector");
  }
}

function* podsOn(context: Context, node: string): Sys<readonly PodVerdict[]> {
  const list = yield* context.client().json({
    method: "GET",
    path: "/api/v1/pods",
    query: { fieldSelector: `spec.nodeName=${node}`, labelSelector: context.flags.text("pod-selector") },
  });
  const pods = arrayAt(list, "items")
    .filter(isObject)
    .map((pod): JsonObject => ({ apiVersion: "v1", kind: "Pod", ...pod }));
  return yield* judgePods(context, pods);
}

function* drainNode(context: Context, node: Info): Sys<void> {
  const verdicts = yield* podsOn(context, node.name);
  throwAll(problemsOf(verdicts));
  const warnings = warningsOf(verdicts);
  if (warnings !== "") yield* context.err(`Warning: ${warnings}\n`);
  const pods = verdicts.filter(({ remove }) => remove).map(({ pod }) => pod);
  if (dryRunOf(context) === "client") {
    for (const pod of pods) {
      yield* context.out(`evicting pod ${textAt(pod, "metadata", "namespace")}/${textAt(pod, "metadata", "name")} (dry run)\n`);
    }
    return;
  }
  try {
    if (context.flags.bool("disable-eviction")) yield* deletePods(context, pods);
    else yield* evictPods(context, pods);
  } catch (error) {
    if (!isOwnError(error)) throw error;
    const pending = (yield* podsOn(context, node.name)).filter(({ remove }) => remove);
    if (pending.length > 0) {
      const names = pending.map(({ pod }) => `pod/${textAt(pod, "metadata", "name")}\n`).join("");
      yield* context.err(
        `There are pending pods in node ${JSON.stringify(node.name)} when an error occurred: ${error.message}\n${names}`,
      );
    }
    throw error;
  }
}
