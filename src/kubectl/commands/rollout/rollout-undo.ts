// kubectl rollout undo: puts an earlier revision's template back.

import type { ControllerRevision, Deployment } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Int64, JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import { lastAppliedAnnotation } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { isSameTemplate } from "../../deployments.ts";
import { asKind, textAt } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { makeObjectPrinter } from "../../printers/object-printer.ts";
import type { Info } from "../../resources/selection.ts";
import { operationText } from "../../resources/writing.ts";
import {
  keepsRevisions,
  noRevisions,
  type Revision,
  revisionsOf,
  rollbackAnnotations,
  rollbackTarget,
  templateText,
} from "../../rollout/revisions.ts";
import { dryRunOf, dryRunQuery } from "../write-options.ts";
import { selectRollouts } from "./rollout-status.ts";

const hashLabel = "pod-template-hash";

export const rolloutUndo: Command = {
  path: "rollout undo",
  *run(context) {
    const dryRun = dryRunOf(context);
    const { infos, errors } = yield* selectRollouts(context);
    const wanted = context.flags.int64("to-revision");
    const failures: Error[] = [];
    for (const info of infos) {
      const { plural } = info.mapping;
      if (!keepsRevisions(info)) {
        failures.push(noRevisions(info, "retrieving rollbacker", "rollbacker"));
        continue;
      }
      if (textAt(info.object, "metadata", "annotations", lastAppliedAnnotation) !== "") {
        yield* context.err(
          `Warning: resource ${plural}/${info.name} was previously managed with 'kubectl apply'. Rolling back will not update the ${lastAppliedAnnotation} annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.\n`,
        );
      }
      const target = rollbackTarget(yield* revisionsOf(context.client(), info), info, wanted);
      const result = dryRun === "client" ? previewOf(info, target) : yield* rollBack(context, info, target, wanted);
      yield* context.out(makeObjectPrinter(context, operationText(result, dryRun))(info.object ?? {}));
    }
    throwAll([...failures, ...errors]);
  },
};

/** What --dry-run=client says. */
function previewOf({ mapping }: Info, { template }: Revision): string {
  return mapping.kind === "Deployment" ? templateText(template) : `will roll back to ${templateText(template)}`;
}

/** Puts the template back; what to say of it. */
function* rollBack(context: Context, info: Info, target: Revision, wanted: Int64): Sys<string> {
  const object = asKind<Stored<Deployment>>(info.object);
  if (object.spec?.paused === true) {
    throw new KubectlError("you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again");
  }
  if (isSameTemplate(target.template, object.spec?.template)) {
    return `skipped rollback (current template already matches revision ${wanted === 0 ? 0 : target.number})`;
  }
  const isDeployment = info.mapping.kind === "Deployment";
  const body = isDeployment ? deploymentPatch(object, target) : (asKind<ControllerRevision>(target.keeper).data as JsonValue);
  yield* context.client().json({
    method: "PATCH",
    path: pathOf(info.mapping, info.namespace, info.name),
    query: dryRunQuery(dryRunOf(context)),
    contentType: isDeployment ? "application/json-patch+json" : "application/strategic-merge-patch+json",
    body,
  });
  return "rolled back";
}

function deploymentPatch(deployment: Stored<Deployment>, target: Revision): JsonValue {
  const { labels: withHash, ...metadata } = target.template.metadata ?? {};
  const { [hashLabel]: _hash, ...labels } = withHash ?? {};
  return [
    { op: "replace", path: "/spec/template", value: { ...target.template, metadata: { ...metadata, labels } } },
    { op: "replace", path: "/metadata/annotations", value: rollbackAnnotations(deployment, target) },
  ] as JsonValue;
}
