// kubectl patch: a JSON, merge or strategic merge patch from the command line or a file.

import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { SysError } from "#sim/errors.ts";
import type { Command, Context } from "../context.ts";
import { DocumentError, readDocuments } from "../documents.ts";
import { KubectlError, throwAll } from "../errors.ts";
import { select, selectionFromFlags } from "../resources/selection.ts";
import { type PatchForm, patchObject, writingPrinter } from "../resources/writing.ts";
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
      throw new KubectlError(`unable to read patch file: open ${file}: ${error.message.toLowerCase()}`);
    }
  }
  if (text.trimStart().startsWith("{")) return text;
  try {
    return readDocuments(text)[0] ?? null;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new KubectlError(`unable to parse ${JSON.stringify(text)}: ${error.message}`);
  }
}

function formOf(context: Context): PatchForm {
  const given = context.flags.text("type");
  const form = types.find((type) => type === given.toLowerCase());
  if (form === undefined) throw new KubectlError(`--type must be one of [${types.join(" ")}], not ${JSON.stringify(given)}`);
  return form;
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
    if (flags.bool("local") || dryRun === "client") {
      throw new KubectlError("kubectl patch --local and --dry-run=client are not part of this release of the embedded kubectl");
    }
    const form = formOf(context);
    const body = readPatch(context);
    const subresource = flags.text("subresource");
    const found = yield* select(context, { ...selectionFromFlags(context), subresource, latest: true, continueOnError: true });
    const errors = [...found.errors];
    for (const info of found.infos) {
      try {
        const patched = yield* patchObject(context, info, form, body, { dryRun, subresource });
        const same = writeCompactJson(patched) === writeCompactJson(info.object ?? {});
        yield* context.out(writingPrinter(context, same ? "patched (no change)" : "patched")(patched));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        errors.push(error);
      }
    }
    throwAll(errors);
    if (found.infos.length === 0) throw new KubectlError("no objects passed to patch");
  },
};
