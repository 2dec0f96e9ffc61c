// kubectl cordon and kubectl uncordon.

import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../../context.ts";
import { valueAt } from "../../documents.ts";
import { throwAll } from "../../errors.ts";
import { nameLines } from "../../printers/object-printer.ts";
import { type Info, type Selection, select } from "../../resources/selection.ts";
import { operationText, patchObject } from "../../resources/writing.ts";
import { dryRunOf } from "../write-options.ts";

/** The nodes that the arguments or the selector name. Throws usage errors; drain asks in the same way. */
export function* selectNodes(context: Context): Sys<Selection> {
  const { flags, args } = context;
  const selector = flags.text("selector");
  if (args.length === 0 && !flags.changed("selector")) {
    throw context.usageError(`USAGE: ${context.command.path} NODE [flags]`);
  }
  if (args.length > 0 && selector !== "") {
    throw context.usageError("error: cannot specify both a node name and a --selector option");
  }
  return yield* select(context, {
    args: selector === "" ? args.map((name) => (name.includes("/") ? name : `node/${name}`)) : ["nodes"],
    namespace: context.namespace().name,
    labelSelector: selector,
    continueOnError: true,
  });
}

/** Makes nodes unschedulable or schedulable and says so of each. */
export function* setUnschedulable(context: Context, nodes: readonly Info[], desired: boolean): Sys<void> {
  const dryRun = dryRunOf(context);
  const done = desired ? "cordoned" : "uncordoned";
  for (const info of nodes) {
    const print = (operation: string): string => nameLines(info.object ?? {}, operationText(operation, dryRun));
    if ((valueAt(info.object, "spec", "unschedulable") === true) === desired) {
      yield* context.out(print(`already ${done}`));
      continue;
    }
    const patch = { spec: { unschedulable: desired ? true : null } };
    if (dryRun !== "client") yield* patchObject(context, info, "strategic", patch, { dryRun });
    yield* context.out(print(done));
  }
}

function cordonCommand(path: "cordon" | "uncordon"): Command {
  return {
    path,
    *run(context) {
      const { infos, errors } = yield* selectNodes(context);
      yield* setUnschedulable(context, infos, path === "cordon");
      throwAll(errors);
    },
  };
}

export const cordon = cordonCommand("cordon");
export const uncordon = cordonCommand("uncordon");
