// kubectl patch: a JSON, merge or strategic merge patch from the command line or a file.

import { ApiError } from "#cluster/api/errors.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import { schemaTypeOf } from "../apply/three-way.ts";
import { groupVersion } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { DocumentError, isObject, type JsonObject, readDocuments } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { makeObjectPrinter } from "../printers/object-printer.ts";
import { recordPatch } from "../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";
import { contentTypes, type PatchForm, patchObject } from "../resources/writing.ts";
import { dryRunOf } from "./write-options.ts";

const types: readonly PatchForm[] = ["json", "merge", "strategic"];

/** JSON goes to the server as it is written; YAML is turned into JSON. */
function readPatch(context: Context): JsonValue | string {
  const { flags } = context;
  const file = flags.text("patch-file");
  let text = flags.text("patch");
  if (file !== "") {
    try {
      text = context.self.readText(file);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new KubectlError(`unable to read patch file: open ${file}: ${asciiLowerCase(error.message)}`);
    }
  }
  if (text.trimStart().startsWith("{")) return text;
  try {
    const value = readDocuments(text)[0] ?? null;
    return typeof value === "string" ? JSON.stringify(value) : value;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new KubectlError(`unable to parse ${JSON.stringify(text)}: ${error.message}`);
  }
}

function formOf(context: Context): PatchForm {
  const given = context.flags.text("type");
  const form = types.find((type) => type === asciiLowerCase(given));
  if (form === undefined) throw new KubectlError(`--type must be one of [${types.join(" ")}], not ${JSON.stringify(given)}`);
  return form;
}

/** Throws PatchError. */
function patched(form: PatchForm, kind: string, object: JsonObject, patch: JsonValue): JsonValue {
  if (form === "json") return applyJsonPatch(object, patch);
  if (form === "merge") return applyMergePatch(object, patch);
  return applyStrategicMergePatch(kind, object, isObject(patch) ? patch : {});
}

/** The object as the patch makes it, without asking the server. */
function patchedLocally({ mapping, object = {} }: Info, form: PatchForm, body: JsonValue | string): JsonObject {
  const patch = typeof body === "string" ? (readDocuments(body)[0] ?? null) : body;
  if (form === "strategic" && schemaTypeOf(groupVersion(mapping), mapping.kind) === undefined) {
    const kind = `${groupVersion(mapping)}, Kind=${mapping.kind}`;
    throw new KubectlError(`strategic merge patch is not supported for ${kind} locally, try --type merge`);
  }
  try {
    const result = patched(form, mapping.kind, object, patch);
    return isObject(result) ? result : {};
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new KubectlError(error.message);
  }
}

export const patch: Command = {
  path: "patch",
  *run(context) {
    const { flags } = context;
    if (flags.text("patch") !== "" && flags.text("patch-file") !== "") {
      throw new KubectlError("cannot specify --patch and --patch-file together");
    }
    if (flags.text("patch") === "" && flags.text("patch-file") === "") {
      throw new KubectlError("must specify --patch or --patch-file containing the contents of the patch");
    }
    const dryRun = dryRunOf(context);
    const local = flags.bool("local");
    // Unlike other commands, patch does not say that a run was dry.
    const printerFor = (operation: string) => makeObjectPrinter(context, operation);
    if (local && context.args.length > 0) throw new KubectlError("cannot specify --local and server resources");
    if (local && dryRun === "server") {
      throw new KubectlError("cannot specify --local and --dry-run=server - did you mean --dry-run=client?");
    }
    const form = formOf(context);
    const body = readPatch(context);
    const subresource = flags.text("subresource");
    const found = yield* select(context, {
      ...selectionFromFlags(context),
      subresource,
      local,
      continueOnError: true,
    });
    const errors = [...found.errors];
    for (const info of found.infos) {
      try {
        if (local || dryRun === "client") {
          yield* context.out(printerFor("patched")(patchedLocally(info, form, body)));
          continue;
        }
        let patched = yield* patchObject(context, info, form, body, { dryRun, subresource });
        const same = writeCompactJson(patched) === writeCompactJson(info.object ?? {});
        const record = recordPatch(context, patched);
        if (record !== undefined) patched = yield* patchObject(context, info, "merge", record, { dryRun, subresource });
        yield* context.out(printerFor(same ? "patched (no change)" : "patched")(patched));
      } catch (error) {
        if (!isOwnError(error)) throw error;
        const isUnknownForm = error instanceof ApiError && error.reason === "UnsupportedMediaType";
        const subject = `${contentTypes[form]} is not supported by ${groupVersion(info.mapping)}, Kind=${info.mapping.kind}`;
        errors.push(isUnknownForm ? new KubectlError(`${subject}: ${error.message}`) : error);
      }
    }
    throwAll(errors);
    if (found.infos.length === 0) throw new KubectlError("no objects passed to patch");
  },
};
