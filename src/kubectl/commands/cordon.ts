// kubectl cordon and kubectl uncordon.

import type { Command } from "../context.ts";
import { valueAt } from "../documents.ts";
import { throwAll } from "../errors.ts";
import { select } from "../resources/selection.ts";
import { operationText, patchObject } from "../resources/writing.ts";
import { dryRunOf } from "./write-options.ts";

function cordonCommand(path: "cordon" | "uncordon"): Command {
  const desired = path === "cordon";
  return {
    path,
    *run(context) {
      const { flags, args } = context;
      const selector = flags.text("selector");
      if (args.length === 0 && selector === "") throw context.usageError(`USAGE: ${path} NODE [flags]`);
      if (args.length > 0 && selector !== "")
        throw context.usageError("error: cannot specify both a node name and a --selector option");
      const dryRun = dryRunOf(context);
      const found = yield* select(context, {
        args: selector === "" ? args.map((name) => (name.includes("/") ? name : `node/${name}`)) : ["nodes"],
        namespace: context.namespace().name,
        labelSelector: selector,
        continueOnError: true,
      });
      for (const info of found.infos) {
        const label = `node/${info.name}`;
        if ((valueAt(info.object, "spec", "unschedulable") === true) === desired) {
          yield* context.out(`${label} ${operationText(`already ${path}ed`, dryRun)}\n`);
          continue;
        }
        const patch = { spec: { unschedulable: desired ? true : null } };
        if (dryRun !== "client") yield* patchObject(context, info, "strategic", patch, { dryRun });
        yield* context.out(`${label} ${operationText(`${path}ed`, dryRun)}\n`);
      }
      throwAll(found.errors);
    },
  };
}

export const cordon = cordonCommand("cordon");
export const uncordon = cordonCommand("uncordon");
