// kubectl apply view-last-applied and set-last-applied: the configuration that apply keeps in an annotation.

import type { JsonValue } from "#cluster/api/wire.ts";
import { configurationText, lastAppliedAnnotation } from "../apply/last-applied.ts";
import type { Command } from "../context.ts";
import { type JsonObject, textAt, writeOrderedJson, writeYaml } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { fetchObject, type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { operationText, patchObject } from "../resources/writing.ts";
import { dryRunOf } from "./write-options.ts";

function annotationOf(object: JsonObject): string {
  return textAt(object, "metadata", "annotations", lastAppliedAnnotation);
}

export const viewLastApplied: Command = {
  path: "apply view-last-applied",
  *run(context) {
    const { flags } = context;
    const output = flags.text("output");
    const { infos } = yield* select(context, { ...selectionFromFlags(context), latest: true });
    const texts = infos.map((info) => {
      const text = annotationOf(info.object ?? {});
      if (text === "") throw new KubectlError(`no last-applied-configuration annotation found on resource: ${info.name}\n`);
      return text;
    });
    for (const text of texts) {
      const value = JSON.parse(text) as JsonValue;
      if (output === "yaml") yield* context.out(writeYaml(value));
      else if (output === "json") yield* context.out(writeOrderedJson(value, 2));
      else throw context.usageError(`Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`);
    }
  },
};

export const setLastApplied: Command = {
  path: "apply set-last-applied",
  *run(context) {
    const { flags } = context;
    const dryRun = dryRunOf(context);
    const { infos, errors } = yield* select(context, selectionFromFlags(context, []));
    throwAll(errors);
    const changes: { readonly info: Info; readonly live: JsonObject; readonly text: string }[] = [];
    for (const info of infos) {
      const text = configurationText(info.object ?? {});
      const live = yield* fetchObject(context, info);
      const present = annotationOf(live);
      if (present === "" && !flags.bool("create-annotation")) {
        throw new KubectlError(
          `no last-applied-configuration annotation found on resource: ${info.name}, to create the annotation, run the command with --create-annotation`,
        );
      }
      if (present === text) yield* context.out(`set-last-applied ${info.name}: no changes required.\n`);
      else changes.push({ info, live, text });
    }
    const print = makeObjectPrinter(context, operationText("configured", dryRun));
    for (const { info, live, text } of changes) {
      const patch = { metadata: { annotations: { [lastAppliedAnnotation]: text } } };
      const object = dryRun === "client" ? live : yield* patchObject(context, info, "merge", patch, { dryRun });
      yield* context.out(print(object));
    }
  },
};
