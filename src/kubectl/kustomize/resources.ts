// Lists of resources in their order: adding without doubles, finding by name.

import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { compileLabelSelector, type Labels } from "#cluster/api/labels.ts";
import { isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import {
  currentId,
  groupAndVersion,
  type Id,
  idAsGo,
  idText,
  isSameId,
  namespaceOf,
  originalId,
  previousIds,
  type Resource,
  scalarText,
} from "./resource.ts";

/** Throws KubectlError when an object of that name is there. */
export function appended(resources: readonly Resource[], more: readonly Resource[]): readonly Resource[] {
  const result = [...resources];
  for (const resource of more) {
    const id = currentId(resource);
    if (result.some((one) => isSameId(currentId(one), id)))
      throw new KubectlError(`may not add resource with an already registered id: ${idText(id)}`);
    result.push(resource);
  }
  return result;
}

/** Adds what a generator made, or changes what has its name by its `behavior`. */
export function absorbed(resources: readonly Resource[], made: Resource): readonly Resource[] {
  const id = currentId(made);
  const known = resources.filter((one) => isKnownAs(one, id));
  const [old] = known;
  const changes = made.behavior === "merge" || made.behavior === "replace";
  if (old === undefined) {
    if (changes) throw new KubectlError(`id ${idAsGo(id)} does not exist; cannot merge or replace`);
    return appended(resources, [made]);
  }
  if (known.length > 1) {
    const shown = known.map((one) => JSON.stringify(one.object)).join(" ");
    throw new KubectlError(`found multiple objects [${shown}] that could accept merge of ${idText(id)}`);
  }
  if (!changes) {
    const words = `can not use behavior: '${made.behavior}', behavior must be merge or replace`;
    throw new KubectlError(`id ${idAsGo(id)} exists; ${words}`);
  }
  return resources.with(resources.indexOf(old), overlaid(old, made));
}

function overlaid(old: Resource, made: Resource): Resource {
  let { object } = made;
  const merge = (path: readonly string[]): void => {
    const entries = { ...objectAt(old.object, ...path), ...objectAt(object, ...path) };
    object = withValue(object, path, Object.keys(entries).length === 0 ? undefined : entries);
  };
  merge(["metadata", "labels"]);
  merge(["metadata", "annotations"]);
  for (const field of ["name", "namespace"])
    object = withValue(object, ["metadata", field], valueAt(old.object, "metadata", field));
  if (made.behavior === "merge") {
    merge(["data"]);
    merge(["binaryData"]);
  }
  return { ...old, object, needsHash: old.needsHash && made.needsHash };
}

/** Whether an object has or had a name. */
export function isKnownAs(resource: Resource, id: Id): boolean {
  return isSameId(currentId(resource), id) || previousIds(resource).some((one) => isSameId(one, id));
}

/** The one object that has or had a name. Throws KubectlError. */
export function resourceById(resources: readonly Resource[], id: Id): Resource {
  const [found, ...more] = resources.filter((one) => isKnownAs(one, id));
  if (found !== undefined && more.length === 0) return found;
  const text = idText(id);
  const fault = found === undefined ? "no matches" : "multiple matches";
  throw new KubectlError(`${fault} for Id ${text}; failed to find unique target for patch ${text}`);
}

/** A regular expression that has to match the whole; an empty one matches all. */
export function wholeMatch(pattern: string): (text: string) => boolean {
  if (pattern === "") return () => true;
  const expression = goRegExp(`^(?:${pattern})$`);
  return (text) => expression.test(text);
}

/** Whether an object's group, version and kind are a selector's. */
export function kindMatcher(selector: JsonObject): (id: Pick<Id, "group" | "version" | "kind">) => boolean {
  const [group, version, kind] = ["group", "version", "kind"].map((field) => wholeMatch(textAt(selector, field)));
  return (id) => group?.(id.group) === true && version?.(id.version) === true && kind?.(id.kind) === true;
}

/** Whether labels and annotations are a selector's. Throws SelectorError. */
export function metadataMatcher(selector: JsonObject): (object: JsonObject) => boolean {
  const labels = compileLabelSelector(textAt(selector, "labelSelector"));
  const annotations = compileLabelSelector(textAt(selector, "annotationSelector"));
  return (object) =>
    labels(textsOf(objectAt(object, "metadata", "labels"))) && annotations(textsOf(objectAt(object, "metadata", "annotations")));
}

function textsOf(entries: JsonObject): Labels {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, isObject(value) ? "" : scalarText(value)]));
}

/** What a patch's `target` selects. Throws GoRegExpError, SelectorError. */
export function selected(resources: readonly Resource[], selector: JsonObject): readonly Resource[] {
  const isOfKind = kindMatcher(selector);
  const hasName = wholeMatch(textAt(selector, "name"));
  const isIn = wholeMatch(textAt(selector, "namespace"));
  const hasMetadata = metadataMatcher(selector);
  return resources.filter((resource) => {
    const ids = [originalId(resource), currentId(resource)];
    return (
      ids.some((id) => isIn(namespaceOf(id))) &&
      ids.some(({ name }) => hasName(name)) &&
      isOfKind({ ...groupAndVersion(resource.object), kind: textAt(resource.object, "kind") }) &&
      hasMetadata(resource.object)
    );
  });
}
