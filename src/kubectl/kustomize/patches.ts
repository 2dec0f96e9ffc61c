// `patches`, `patchesStrategicMerge` and `patchesJson6902`: strategic merge patches and JSON patches, inline or from files.

import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { type JsonValue, jsonKind } from "#cluster/api/wire.ts";
import {
  DocumentError,
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  readDocuments,
  textAt,
  valueAt,
  withValue,
  writeJson,
  writeYaml,
} from "../documents.ts";
import { KubectlError } from "../errors.ts";
import type { Loader } from "./loader.ts";
import { resourcesOf } from "./read.ts";
import { idText, kindOf, originalId, type Resource, withObject, withPrevious } from "./resource.ts";
import { appended, resourceById, selected } from "./resources.ts";
import { strategicallyMerged } from "./strategic-merge.ts";
import type { Transform } from "./transformers.ts";

/** Failures of reading a transformer's configuration, which is shown. */
export function configured<T>(name: string, configuration: JsonObject, configure: () => T): T {
  try {
    return configure();
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    const shown = `\`\n${writeYaml(withoutEmpty(configuration))}\``;
    throw new KubectlError(`trouble configuring builtin ${name} with config: ${shown}: ${error.message}`);
  }
}

/** Texts, numbers, flags and lists that say nothing are not shown. */
function withoutEmpty(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const isShown = (field: JsonValue): boolean => Boolean(field) && !(isArray(field) && field.length === 0);
  const fields = Object.entries(value).filter(([, field]) => isShown(field));
  return Object.fromEntries(fields.map(([name, field]): [string, JsonValue] => [name, withoutEmpty(field)]));
}

/** An entry of `patches`. Throws KubectlError. */
export function patchTransform(loader: Loader, entry: JsonObject): Transform {
  return configured("PatchTransformer", entry, () => {
    const inline = textAt(entry, "patch").trim();
    const path = textAt(entry, "path");
    if (inline === "" && path === "")
      throw new KubectlError(`must specify one of patch and path in\n${writeYaml(withoutEmpty(entry))}`);
    if (inline !== "" && path !== "")
      throw new KubectlError(`patch and path can't be set at the same time\n${writeYaml(withoutEmpty(entry))}`);
    const text = inline === "" ? patchFile(loader, path) : inline;
    const source = inline === "" ? `[path: ${JSON.stringify(path)}]` : `[patch: ${JSON.stringify(inline)}]`;
    const target = isObject(entry["target"]) ? entry["target"] : undefined;
    const operations = operationsOf(text);
    if (operations !== undefined) return jsonPatch(operations, target, source);
    return strategicPatches(objectsOf(text, source), target, objectAt(entry, "options"), source);
  });
}

function patchFile(loader: Loader, path: string): string {
  try {
    return loader.text(path);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`failed to get the patch file from path(${path}): ${error.message}`);
  }
}

/** The operations of a JSON patch; undefined for what is none, also for a list in brackets that is not JSON. */
function operationsOf(text: string): readonly JsonValue[] | undefined {
  if (text.startsWith("[") && !isJson(text)) return undefined;
  try {
    const [document] = readDocuments(text);
    return isArray(document) && document.every(isObject) ? document : undefined;
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function objectsOf(text: string, source: string): readonly Resource[] {
  try {
    return resourcesOf(text);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`unable to parse SM or JSON patch from ${source}`);
  }
}

function jsonPatch(operations: readonly JsonValue[], target: JsonObject | undefined, source: string): Transform {
  return (resources) => {
    if (operations.length === 0) return resources;
    if (target === undefined) throw new KubectlError(`must specify a target for JSON patch ${source}`);
    return jsonPatched(resources, target, operations, true);
  };
}

function jsonPatched(
  resources: readonly Resource[],
  target: JsonObject,
  operations: readonly JsonValue[],
  remembersNames: boolean,
): readonly Resource[] {
  const targets = new Set(selected(resources, target));
  return resources.map((one) => {
    if (!targets.has(one)) return one;
    const result = applied(one.object, operations);
    return isObject(result) ? withObject(remembersNames ? withPrevious(one) : one, result) : one;
  });
}

function applied(object: JsonObject, operations: readonly JsonValue[]): JsonValue {
  try {
    return applyJsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new KubectlError(error.message);
  }
}

function strategicPatches(
  patches: readonly Resource[],
  target: JsonObject | undefined,
  options: JsonObject,
  source: string,
): Transform {
  return (resources) => {
    const [patch] = patches;
    if (patch === undefined) return resources;
    if (target === undefined) {
      let result = resources;
      for (const each of patches) result = patchedById(result, each, options);
      return result;
    }
    if (patches.length > 1) {
      const mistake = "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set `patches.target` field";
      throw new KubectlError(`${mistake}: ${source}`);
    }
    const targets = new Set(selected(resources, target));
    const kindFirst = (one: Resource): JsonObject => ({ ...patch.object, apiVersion: one.object["apiVersion"] ?? "" });
    return appended(
      [],
      resources.flatMap((one) => (targets.has(one) ? (patchedOne(one, kindFirst(one), options) ?? []) : [one])),
    );
  };
}

function patchedById(resources: readonly Resource[], patch: Resource, options: JsonObject): readonly Resource[] {
  const id = originalId(patch);
  try {
    const target = resourceById(resources, id);
    return resources.flatMap((one) => (one === target ? (patchedOne(one, patch.object, options) ?? []) : [one]));
  } catch (error) {
    if (!(error instanceof KubectlError) || !error.message.includes("failed to find unique target")) throw error;
    throw new KubectlError(`no resource matches strategic merge patch ${JSON.stringify(idText(id))}: ${error.message}`);
  }
}

/** The patch's name only says which object is meant, but when its options let it change that. */
function patchedOne(resource: Resource, patch: JsonObject, options: JsonObject): Resource | undefined {
  const [keepsName, keepsKind] = [options["allowNameChange"] !== true, options["allowKindChange"] !== true];
  let object = strategicallyMerged(resource.object, patch);
  if (object === undefined) return undefined;
  const restore = (...path: readonly string[]): void => {
    object = withValue(object, path, valueAt(resource.object, ...path));
  };
  if (keepsKind) object = { ...object, kind: kindOf(resource) };
  if (keepsName) restore("metadata", "name");
  restore("metadata", "namespace");
  return withObject(keepsName && keepsKind ? resource : withPrevious(resource), object);
}

/** `patchesStrategicMerge`. Throws KubectlError. */
export function strategicMergeTransform(loader: Loader, entries: readonly string[]): Transform {
  return configured("PatchStrategicMergeTransformer", { paths: entries }, () => {
    const patches = entries.flatMap((entry) => inlineOrFile(loader, entry));
    if (patches.length === 0) throw new KubectlError(`patch appears to be empty; files=[${entries.join(" ")}], Patch=`);
    return (resources) => {
      let result = resources;
      for (const patch of patches) {
        const target = resourceById(result, originalId(patch));
        result = result.flatMap((one) => (one === target ? (patchedOne(one, patch.object, {}) ?? []) : [one]));
      }
      return result;
    };
  });
}

function inlineOrFile(loader: Loader, entry: string): readonly Resource[] {
  try {
    return resourcesOf(entry);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    return resourcesOf(loader.text(entry));
  }
}

/** An entry of `patchesJson6902`. Throws KubectlError. */
export function json6902Transform(loader: Loader, entry: JsonObject): Transform {
  const { target, path = "", patch = "" } = entry;
  return configured("PatchJson6902Transformer", configurationOf(entry), () => {
    if (textAt(target, "name") === "") throw new KubectlError("must specify the target name");
    if (path === "" && patch === "") throw new KubectlError("empty file path and empty jsonOp");
    if (path !== "" && patch !== "") throw new KubectlError("must specify a file path or jsonOp, not both");
    const text = path === "" ? String(patch) : loader.text(String(path));
    if (text === "") throw new KubectlError(`patch file '${String(path)}' empty seems to be empty`);
    const operations = operationsOf(text);
    if (operations === undefined) throw new KubectlError(notAPatch(text));
    if (operations.length === 0) throw new KubectlError(`patch appears to be empty; file=${String(path)}, JsonOp=${text}`);
    return (resources) => jsonPatched(resources, objectAt(entry, "target"), operations, false);
  });
}

function notAPatch(text: string): string {
  try {
    const [document = null] = text.startsWith("[") ? [] : readDocuments(text);
    const shown = text.startsWith("[") ? text : writeJson(document);
    return `decoding ${shown}: json: cannot unmarshal ${jsonKind(document)} into Go value of type jsonpatch.Patch`;
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
}

function configurationOf({ patch, ...rest }: JsonObject): JsonObject {
  return patch === undefined ? rest : { ...rest, jsonOp: patch };
}
