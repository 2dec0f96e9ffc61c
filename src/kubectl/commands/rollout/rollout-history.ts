// kubectl rollout history: the revisions of a workload.

import type { Command } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { makeObjectPrinter, namedPrinter, nameLines } from "../../printers/object-printer.ts";
import { historyTable, keepsRevisions, noRevisions, revisionDetails, revisionsOf } from "../../rollout/revisions.ts";
import { selectRollouts } from "./rollout-status.ts";

export const rolloutHistory: Command = {
  path: "rollout history",
  *run(context) {
    const { infos, errors } = yield* selectRollouts(context);
    const revision = context.flags.int64("revision");
    if (revision < 0) throw new KubectlError(`revision must be a positive integer: ${revision}`);
    const failures: Error[] = [];
    for (const info of infos) {
      const { kind } = info.mapping;
      if (!keepsRevisions(info)) {
        failures.push(noRevisions(info, "retrieving history", "history viewer"));
        continue;
      }
      const revisions = yield* revisionsOf(context.client(), info);
      if (context.flags.text("output") !== "") {
        const chosen = revision > 0 ? revisions.filter(({ number }) => number === revision) : revisions;
        if (revision > 0 && chosen.length === 0) throw new KubectlError("unable to find the specified revision");
        const printer = makeObjectPrinter(context, "");
        const keeperKind = kind === "Deployment" ? "ReplicaSet" : "ControllerRevision";
        for (const { keeper } of chosen)
          yield* context.out(printer({ ...keeper, apiVersion: "apps/v1", kind: keeperKind } as JsonObject));
        continue;
      }
      // --template alone is for the workload itself.
      const named = namedPrinter(context);
      if (named !== undefined) {
        yield* context.out(named(info.object ?? {}));
        continue;
      }
      const text = revision > 0 ? revisionDetails(revisions, revision) : historyTable(revisions);
      const heading = revision > 0 ? `with revision #${revision}` : "";
      yield* context.out(nameLines(info.object ?? {}, `${heading}\n${text}`).replace(/^(\S+)\n/, "$1 \n"));
    }
    throwAll([...failures, ...errors]);
  },
};
