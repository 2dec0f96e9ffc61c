// kubectl apply view-last-applied and set-last-applied: the configuration that apply keeps in an annotation.

import { readJson } from "#cluster/api/json-text.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { Sys } from "#sim/program.ts";
import { configurationText, lastApplied, lastAppliedAnnotation } from "../../apply/last-applied.ts";
import type { Command, Context } from "../../context.ts";
import { type JsonObject, textAt, writeOrderedJson, writeYaml } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { makeObjectPrinter, unknownFormat } from "../../printers/object-printer.ts";
import { withRecord } from "../../resources/recording.ts";
import { fetchObject, type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { operationText, patchObject } from "../../resources/writing.ts";
import { editOne } from "../edit.ts";
import { dryRunOf } from "../write-options.ts";

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
      const value = readJson(text);
      if (output === "yaml") yield* context.out(writeYaml(value));
      else if (output === "json") yield* context.out(writeOrderedJson(value, 2));
      else throw context.usageError(`Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`);
    }
  },
};

const editHeading = `# Please edit the 'last-applied-configuration' annotations below.
# Lines beginning with a '#' will be ignored, and an empty file will abort the edit.
#
`;

/** Keeps the edited text as what was last applied. */
function* keepEdited(context: Context, info: Info, original: JsonObject, edited: JsonObject): Sys<undefined> {
  const text = `${writeCompactJson(withRecord(context, edited))}\n`;
  const changed = text !== `${writeCompactJson(original)}\n`;
  if (changed) yield* patchObject(context, info, "merge", { metadata: { annotations: { [lastAppliedAnnotation]: text } } });
  yield* context.out(makeObjectPrinter(context, changed ? "edited" : "skipped")(edited));
}

export const editLastApplied: Command = {
  path: "apply edit-last-applied",
  *run(context) {
    const output = context.flags.text("output");
    if (!["", "json", "yaml", "kyaml"].includes(output)) throw unknownFormat(output, ["json", "kyaml", "yaml"]);
    const { infos, errors } = yield* select(context, { ...selectionFromFlags(context), typeAloneSelectsAll: true, latest: true });
    throwAll(errors);
    const applied = infos.flatMap((info): readonly Info[] => {
      const object = lastApplied(info.object ?? {});
      return object === undefined ? [] : [{ ...info, object }];
    });
    const [only, ...more] = applied;
    if (only === undefined) {
      throw new KubectlError(
        "no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl apply set-last-applied --create-annotation`",
      );
    }
    if (more.length > 0)
      throw new KubectlError("editing several objects at once is not part of this release of the embedded kubectl");
    yield* editOne(context, only, { heading: editHeading, submit: keepEdited });
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
