// kubectl rollout history: the revisions of a Deployment.

import type { Deployment } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Command } from "../context.ts";
import { asKind, type JsonObject } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter, nameLines } from "../printers/object-printer.ts";
import type { Info } from "../resources/selection.ts";
import { historyTable, revisionDetails, revisionsOf } from "../rollout/revisions.ts";
import { selectRollouts } from "./rollout-status.ts";

export const rolloutHistory: Command = {
  path: "rollout history",
  *run(context) {
    const { infos, errors } = yield* selectRollouts(context);
    const revision = context.flags.number("revision");
    if (revision < 0) throw new KubectlError(`revision must be a positive integer: ${revision}`);
    for (const info of infos) {
      const revisions = yield* revisionsOf(context.client(), deploymentOf(info, "history viewer"));
      if (context.flags.text("output") !== "") {
        const chosen = revision > 0 ? revisions.filter(({ number }) => number === revision) : revisions;
        if (revision > 0 && chosen.length === 0) throw new KubectlError("unable to find the specified revision");
        const printer = makeObjectPrinter(context, "");
        for (const { set } of chosen)
          yield* context.out(printer({ ...set, apiVersion: "apps/v1", kind: "ReplicaSet" } as JsonObject));
        continue;
      }
      const text = revision > 0 ? revisionDetails(revisions, revision) : historyTable(revisions);
      const heading = revision > 0 ? `with revision #${revision}` : "";
      yield* context.out(nameLines(info.object ?? {}, `${heading}\n${text}`).replace(/^(\S+)\n/, "$1 \n"));
    }
    throwAll(errors);
  },
};

/** Only Deployments keep their history in ReplicaSets; other kinds are refused as not there yet. */
export function deploymentOf(info: Info, what: string): Stored<Deployment> {
  const { kind, group } = info.mapping;
  if (kind === "Deployment" && group === "apps") return asKind(info.object);
  if (kind === "DaemonSet" || kind === "StatefulSet") {
    throw new KubectlError(`the ${what} for ${kind}s is not part of this release of the embedded kubectl`);
  }
  throw new KubectlError(`no ${what} has been implemented for ${JSON.stringify(group === "" ? kind : `${kind}.${group}`)}`);
}
