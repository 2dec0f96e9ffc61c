// `replacements`: a field of one object is copied into fields of others.

import { DecodingError, decode } from "#cluster/api/go-fields.ts";
import { writeIndentedJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { plainValue } from "#cluster/api/yaml-scalars.ts";
import {
  arrayAt,
  DocumentError,
  isArray,
  isObject,
  type JsonObject,
  objectAt,
  readDocuments,
  textAt,
  valueAt,
  writeJson,
} from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { fresh, lookUp, matchSlots, parsedText, partsOfPath, Slot } from "./field-paths.ts";
import { replacementType } from "./kustomization.ts";
import type { Loader } from "./loader.ts";
import { nodeText } from "./node-text.ts";
import { configured } from "./patches.ts";
import {
  currentId,
  type Id,
  idText,
  isOfKind,
  namespaceOf,
  previousIds,
  type Resource,
  scalarText,
  withObject,
} from "./resource.ts";
import { kindMatcher, metadataMatcher, wholeMatch } from "./resources.ts";
import type { Transform } from "./transformers.ts";

const defaultPath = "metadata.name";

/** All of `replacements`, with those of files. Throws KubectlError. */
export function replacementTransform(loader: Loader, entries: readonly JsonValue[]): Transform {
  const all = configured("ReplacementTransformer", { Replacements: entries }, () =>
    entries.flatMap((entry): readonly JsonValue[] => {
      const path = textAt(entry, "path");
      if (path === "") return [entry];
      if (valueAt(entry, "source") !== undefined || arrayAt(entry, "targets").length > 0)
        throw new KubectlError("cannot specify both path and inline replacement");
      return replacementsOf(loader.text(path));
    }),
  );
  return (resources) => {
    let result = resources;
    for (const replacement of all) result = replaced(result, replacement);
    return result;
  };
}

function replacementsOf(content: string): readonly JsonValue[] {
  try {
    const [document = null] = readDocuments(content);
    if (isArray(document)) return document.map((one) => decode(replacementType, one).value);
    if (isObject(document)) return [decode(replacementType, document).value];
    const kinds: { readonly [type: string]: string } = { object: "invalid", boolean: "bool", string: "string" };
    const kind = kinds[typeof document] ?? "float64";
    throw new KubectlError(`unsupported replacement type encountered within replacement path: ${kind}`);
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof DecodingError)) throw error;
    throw new KubectlError(error.message);
  }
}

function replaced(resources: readonly Resource[], replacement: JsonValue): readonly Resource[] {
  const source = valueAt(replacement, "source");
  const sourceValue = valueAt(replacement, "sourceValue");
  const targets = valueAt(replacement, "targets");
  if ((source === undefined && sourceValue === undefined) || targets === undefined)
    throw new KubectlError("replacements must specify a source and at least one target");
  if (source !== undefined && sourceValue !== undefined)
    throw new KubectlError("value and resource selectors are mutually exclusive");
  const value = sourceValue ?? valueOfSource(resources, source as JsonObject);
  let result = resources;
  for (const target of arrayAt(replacement, "targets")) result = copied(result, value, target);
  return result;
}

function valueOfSource(resources: readonly Resource[], source: JsonObject): JsonValue {
  const [found, ...more] = resources.filter((one) => idsOf(one).some((id) => isSource(id, source)));
  if (more.length > 0) throw new KubectlError(`multiple matches for selector ${sourceText(source)}`);
  if (found === undefined) throw new KubectlError(`nothing selected by ${sourceText(source)}`);
  const path = textAt(source, "fieldPath") || defaultPath;
  let value: JsonValue | undefined;
  try {
    value = lookUp(found.object, partsOfPath(path));
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`error looking up replacement source: ${error.message}`);
  }
  if (value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0))
    throw new KubectlError(`fieldPath \`${path}\` is missing for replacement source ${idText(source)}`);
  return partOf(value, objectAt(source, "options"));
}

/** Names without a word about clusters: namespaces count as written. */
function idsOf(resource: Resource): readonly Id[] {
  return [{ ...currentId(resource), clusterScoped: false }, ...previousIds(resource)];
}

function isSource(id: Id, source: JsonObject): boolean {
  const [name, namespace] = [textAt(source, "name"), textAt(source, "namespace")];
  return (
    (name === "" || name === id.name) &&
    (namespace === "" || namespaceOf({ ...id, namespace }) === namespaceOf(id)) &&
    isOfKind(id, source)
  );
}

function sourceText(source: JsonObject): string {
  const options = objectAt(source, "options");
  const { delimiter = "", index = 0, create = false } = options;
  const path = textAt(source, "fieldPath");
  return [
    idText(source),
    ...(path === "" ? [] : [path]),
    ...(delimiter === "" && create !== true ? [] : [`${String(delimiter)}(${String(index)}), create=${String(create)}`]),
  ].join(":");
}

function partOf(value: JsonValue, options: JsonObject): JsonValue {
  const delimiter = textAt(options, "delimiter");
  if (delimiter === "") return value;
  if (typeof value === "object") throw new KubectlError("delimiter option can only be used with scalar nodes");
  const parts = scalarText(value).split(delimiter);
  const index = indexOf(options);
  const part = parts[index];
  if (part === undefined) throw new KubectlError(`options.index ${index} is out of bounds for value ${scalarText(value)}`);
  return part;
}

function indexOf(options: JsonObject): number {
  return Number(options["index"] ?? 0);
}

function copied(resources: readonly Resource[], value: JsonValue, target: JsonValue): readonly Resource[] {
  const select = valueAt(target, "select");
  if (!isObject(select)) throw new KubectlError("target must specify resources to select");
  const rejects = arrayAt(target, "reject").filter(isObject);
  const isSelected = idMatcher(select);
  const rejected = rejects.filter((one) => !isWithoutId(one)).map(idMatcher);
  const hasMetadata = metadataMatcher(select);
  const rejectedMetadata = rejects
    .filter((one) => textAt(one, "labelSelector") !== "" || textAt(one, "annotationSelector") !== "")
    .map(metadataMatcher);
  return resources.map((resource) => {
    const ids = idsOf(resource);
    if (!hasMetadata(resource.object) || rejectedMetadata.some((matches) => matches(resource.object))) return resource;
    if (rejected.some((matches) => ids.some(matches)) || !ids.some(isSelected)) return resource;
    return withObject(resource, withValueAt(resource.object, value, target));
  });
}

function idMatcher(selector: JsonObject): (id: Id) => boolean {
  const isOf = kindMatcher(selector);
  const hasName = wholeMatch(textAt(selector, "name"));
  const isIn = wholeMatch(textAt(selector, "namespace"));
  return (id) => isOf(id) && hasName(id.name) && isIn(id.namespace);
}

function isWithoutId(selector: JsonObject): boolean {
  return ["group", "version", "kind", "name", "namespace"].every((field) => textAt(selector, field) === "");
}

function withValueAt(object: JsonObject, value: JsonValue, target: JsonValue): JsonObject {
  const options = objectAt(target, "options");
  const holder = [structuredClone(object) as JsonValue];
  const root = new Slot(holder, 0);
  const given = arrayAt(target, "fieldPaths").map(String);
  for (const path of given.length === 0 ? [defaultPath] : given) {
    const create = options["create"] === true ? emptyLike(value) : undefined;
    const parts = partsOfPath(path);
    if (setInText(root, value, parts, create)) continue;
    for (const slot of slotsAt(root, path, parts, create)) slot.value = typed(slot.value, combined(slot.value, value, options));
  }
  return holder[0] as JsonObject;
}

/** What is made for a value where nothing is. */
function emptyLike(value: JsonValue): JsonValue {
  if (isArray(value)) return [];
  return isObject(value) ? {} : fresh;
}

function slotsAt(root: Slot, path: string, parts: readonly string[], create: JsonValue | undefined): readonly Slot[] {
  const fault = `unable to find ${create === undefined ? "" : "or create "}field ${JSON.stringify(path)} in replacement target`;
  try {
    const slots = matchSlots(root, parts, create);
    if (slots.length > 0) return slots;
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`${fault}: ${error.message}`);
  }
  throw new KubectlError(fault);
}

/** With a delimiter, a part of what is there gives way: before all for an index below 0, behind all for one that is too large. */
function combined(old: JsonValue, value: JsonValue, options: JsonObject): JsonValue {
  const delimiter = textAt(options, "delimiter");
  if (delimiter === "") return value;
  if (typeof old === "object" && old !== null && old !== fresh)
    throw new KubectlError("delimiter option can only be used with scalar nodes");
  const parts = (old === fresh ? "" : scalarText(old)).split(delimiter);
  const index = indexOf(options);
  if (index < 0) parts.unshift(scalarText(value));
  else if (index >= parts.length) parts.push(scalarText(value));
  else parts[index] = scalarText(value);
  return parts.join(delimiter);
}

/** A scalar keeps the type of the field that it goes into. Throws KubectlError when it cannot. */
function typed(old: JsonValue, value: JsonValue): JsonValue {
  if (old === fresh) return typeof value === "object" ? "" : plainValue(scalarText(value));
  if (typeof old === "object" && old !== null) return structuredClone(value);
  const text = scalarText(value);
  if (typeof old === "string") return text;
  const next = plainValue(text);
  if (tagOf(next) === tagOf(old) || (tagOf(old) === "!!float" && tagOf(next) === "!!int")) return next;
  throw new KubectlError(`map[string]interface {}(nil): yaml: cannot decode ${tagOf(next)} \`${text}\` as a ${tagOf(old)}`);
}

function tagOf(value: JsonValue): string {
  if (value === null) return "!!null";
  if (typeof value === "string") return "!!str";
  if (typeof value === "boolean") return "!!bool";
  return Number.isInteger(value) || typeof value === "bigint" ? "!!int" : "!!float";
}

/** Sets a value within YAML or JSON that a field holds as text; false when the path leads into no such text. */
function setInText(root: Slot, value: JsonValue, parts: readonly string[], create: JsonValue | undefined): boolean {
  for (let length = 1; length < parts.length; length += 1) {
    const found = scalarSlot(root, parts.slice(0, length));
    if (found === undefined) continue;
    const text = scalarText(found.value);
    const parsed = parsedText(text);
    if (parsed === undefined) continue;
    const holder = [parsed];
    const slots = slotsWithin(new Slot(holder, 0), parts.slice(length), create);
    for (const slot of slots) slot.value = slot.value === null ? plainValue(scalarText(value)) : typed(slot.value, value);
    if (slots.length > 0) found.value = rewritten(text, holder[0] as JsonValue);
    return slots.length > 0;
  }
  return false;
}

function slotsWithin(root: Slot, parts: readonly string[], create: JsonValue | undefined): readonly Slot[] {
  try {
    return matchSlots(root, parts, create);
  } catch (error) {
    if (error instanceof KubectlError) return [];
    throw error;
  }
}

function scalarSlot(root: Slot, path: readonly string[]): Slot | undefined {
  try {
    const value = lookUp(root.value, path);
    if (value === undefined || typeof value === "object") return undefined;
    return matchSlots(root, path)[0];
  } catch (error) {
    if (error instanceof KubectlError) return undefined;
    throw error;
  }
}

/** JSON stays JSON, in lines if it was; all else is YAML. */
function rewritten(text: string, value: JsonValue): string {
  if (!/^\s*[{[]/.test(text)) return nodeText(value).trim();
  if (!text.includes("\n") || !text.includes("  ")) return writeJson(value);
  // Two blanks instead of four.
  return writeIndentedJson(value)
    .trimEnd()
    .replace(/^ +/gm, (blanks) => blanks.slice(blanks.length / 2));
}
