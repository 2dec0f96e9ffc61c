// `--overrides` of run and expose: a patch that changes the object which the command has made before it is sent.

import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Context } from "../context.ts";
import { DocumentError, isObject, type JsonObject, readDocuments } from "../documents.ts";
import { KubectlError } from "../errors.ts";

/** The object as `--overrides` and `--override-type` change it; `typeName` is its type in the generated schema. */
export function overridden(context: Context, object: JsonObject, typeName: string): JsonObject {
  const text = context.flags.text("overrides");
  if (text === "") return object;
  const type = context.flags.text("override-type");
  const patch = patchOf(text);
  if (!isObject(patch) && type !== "json") throw new KubectlError("Invalid JSON Patch");
  try {
    const result = patched(object, patch, type, typeName);
    if (isObject(result)) return result;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new KubectlError(error.message);
  }
  throw new KubectlError("the overrides do not leave an object");
}

function patchOf(text: string): JsonValue {
  try {
    return readDocuments(text)[0] ?? null;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new KubectlError(`invalid JSON in --overrides: ${error.message}`);
  }
}

function patched(object: JsonObject, patch: JsonValue, type: string, typeName: string): JsonValue {
  if (type === "json") return applyJsonPatch(object, patch);
  if (type === "merge" || type === "") return applyMergePatch(object, patch);
  if (type !== "strategic") throw new KubectlError(`invalid override type: ${type}`);
  return applyStrategicMergePatch(typeName, object, isObject(patch) ? patch : {});
}
