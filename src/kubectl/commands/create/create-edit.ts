// kubectl create --edit: each object of the manifests goes through the editor before it is created; what is not changed is not.

import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { withLastApplied } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Context } from "../../context.ts";
import { isObject, type JsonObject, textAt } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { withRecord } from "../../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { withoutVersion, writingPrinter } from "../../resources/writing.ts";
import { editHeading, editOne, requireEditFormat } from "../edit.ts";
import { fieldValidationOf } from "../write-options.ts";

export function* createEdited(context: Context): Sys<void> {
  requireEditFormat(context);
  const { infos, errors } = yield* select(context, { ...selectionFromFlags(context, []), continueOnError: true });
  const failures: Error[] = [...errors];
  for (const info of infos) {
    try {
      yield* editOne(context, info, { heading: editHeading, submit, keepsRefused: true });
    } catch (error) {
      if (!isOwnError(error)) throw error;
      failures.push(error);
    }
  }
  throwAll(failures);
}

function* submit(context: Context, info: Info, _original: JsonObject, edited: JsonObject): Sys<undefined> {
  const object = withRecord(context, context.flags.bool("save-config") ? withLastApplied(edited) : edited);
  const mapping = yield* context.discovery().forKind(textAt(object, "apiVersion"), textAt(object, "kind"));
  if (mapping === undefined) throw new KubectlError(`no matches for kind ${JSON.stringify(textAt(object, "kind"))}`);
  const answer = yield* context.client().json({
    method: "POST",
    path: pathOf(mapping, info.namespace),
    query: { fieldManager: context.flags.text("field-manager"), fieldValidation: fieldValidationOf(context) },
    body: withoutVersion(object),
  });
  yield* context.out(writingPrinter(context, "created")(isObject(answer) ? answer : object));
  return undefined;
}
