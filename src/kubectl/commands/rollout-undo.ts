// kubectl rollout undo: puts an earlier revision's template back.

import type { JsonValue } from "#cluster/api/wire.ts";
import { lastAppliedAnnotation } from "../apply/last-applied.ts";
import { pathOf } from "../client/discovery.ts";
import type { Command } from "../context.ts";
import { isSameTemplate } from "../deployments.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { revisionsOf, rollbackAnnotations, rollbackTarget, templateText } from "../rollout/revisions.ts";
import { deploymentOf } from "./rollout-history.ts";
import { selectRollouts } from "./rollout-status.ts";
import { dryRunOf, dryRunQuery } from "./write-options.ts";

const hashLabel = "pod-template-hash";

export const rolloutUndo: Command = {
  path: "rollout undo",
  *run(context) {
    const dryRun = dryRunOf(context);
    const { infos, errors } = yield* selectRollouts(context);
    const wanted = context.flags.number("to-revision");
    for (const info of infos) {
      const deployment = deploymentOf(info, "rollbacker");
      if (deployment.metadata.annotations?.[lastAppliedAnnotation] !== undefined) {
        yield* context.err(
          `Warning: resource ${info.mapping.plural}/${info.name} was previously managed with 'kubectl apply'. Rolling back will not update the ${lastAppliedAnnotation} annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.\n`,
        );
      }
      const { set, number } = rollbackTarget(yield* revisionsOf(context.client(), deployment), info.name, wanted);
      const { labels: withHash, ...metadata } = set.spec?.template?.metadata ?? {};
      const { [hashLabel]: _hash, ...labels } = withHash ?? {};
      const template = { ...set.spec?.template, metadata: { ...metadata, labels } };
      const print = (result: string): string => makeObjectPrinter(context, result)(info.object ?? {});
      if (dryRun === "client") {
        yield* context.out(print(templateText(set.spec?.template ?? {})));
        continue;
      }
      if (deployment.spec?.paused === true) {
        throw new KubectlError(
          "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
        );
      }
      if (isSameTemplate(template, deployment.spec?.template)) {
        yield* context.out(print(`skipped rollback (current template already matches revision ${wanted === 0 ? 0 : number})`));
        continue;
      }
      const body = [
        { op: "replace", path: "/spec/template", value: template },
        { op: "replace", path: "/metadata/annotations", value: rollbackAnnotations(deployment, set) },
      ] as JsonValue;
      yield* context.client().json({
        method: "PATCH",
        path: pathOf(info.mapping, info.namespace, info.name),
        query: dryRunQuery(dryRun),
        contentType: "application/json-patch+json",
        body,
      });
      yield* context.out(print("rolled back"));
    }
    throwAll(errors);
  },
};
