// `patches:` of a kustomization: strategic merge patches and JSON patches, inline or from files.

import { GoRegExpError, goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { compileLabelSelector, type Labels } from "#cluster/api/labels.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import { applyMergePatch } from "#cluster/api/patch/merge-patch.ts";
import { applyStrategicMergePatch } from "#cluster/api/patch/strategic-apply.ts";
import { podSpecPaths } from "#cluster/api/pod-templates.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isArray, isObject, type JsonObject, objectAt, readDocuments, textAt, valueAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { kindOf, nameOf, type Resource, withObject } from "./resource.ts";

export interface PatchEntry {
  readonly text: string;
  readonly target: JsonObject | undefined;
}

function isTarget(resource: Resource, target: JsonObject): boolean {
  const { object, originalName } = resource;
  const matches = (field: string, ...values: readonly string[]): boolean => {
    const wanted = textAt(target, field);
    return wanted === "" || values.some((value) => goRegExp(`^(?:${wanted})$`).test(value));
  };
  const [version = "", group = ""] = textAt(object, "apiVersion").split("/").reverse();
  const selects = (field: string, values: JsonObject): boolean =>
    textAt(target, field) === "" || compileLabelSelector(textAt(target, field))(values as Labels);
  return (
    matches("kind", kindOf(resource)) &&
    matches("name", nameOf(resource), originalName) &&
    matches("namespace", textAt(object, "metadata", "namespace")) &&
    matches("group", group) &&
    matches("version", version) &&
    selects("labelSelector", objectAt(object, "metadata", "labels")) &&
    selects("annotationSelector", objectAt(object, "metadata", "annotations"))
  );
}

/** Kinds whose lists the generated schema knows how to merge. */
function isBuiltIn(resource: Resource): boolean {
  const group = textAt(resource.object, "apiVersion").split("/").reverse()[1] ?? "";
  return podSpecPaths[kindOf(resource)] !== undefined || !group.includes(".") || group.endsWith(".k8s.io");
}

function merged(resource: Resource, patch: JsonObject): Resource | undefined {
  if (textAt(patch, "$patch") === "delete") return undefined;
  // The patch's name says which object is meant; the object keeps the name it has by now.
  let body = patch;
  for (const field of ["name", "namespace"])
    body = withValue(body, ["metadata", field], valueAt(resource.object, "metadata", field));
  const result = isBuiltIn(resource)
    ? applyStrategicMergePatch(kindOf(resource), resource.object, body)
    : applyMergePatch(resource.object, body);
  return isObject(result) ? withObject(resource, result) : resource;
}

/** All objects after one patch. Throws KubectlError when it cannot be used. */
export function patched(resources: readonly Resource[], { text, target }: PatchEntry): readonly Resource[] {
  try {
    let current = resources;
    for (const document of readDocuments(text)) current = patchedBy(current, document, target);
    return current;
  } catch (error) {
    if (!(error instanceof PatchError || error instanceof GoRegExpError)) throw error;
    throw new KubectlError(error.message);
  }
}

function patchedBy(resources: readonly Resource[], document: JsonValue, target: JsonObject | undefined): readonly Resource[] {
  if (isArray(document)) {
    if (target === undefined) throw new KubectlError("must specify a target for JSON patch");
    return resources.map((one) => {
      if (!isTarget(one, target)) return one;
      const result = applyJsonPatch(one.object, document);
      return isObject(result) ? withObject(one, result) : one;
    });
  }
  if (!isObject(document)) throw new KubectlError("unable to parse SM or JSON patch from the given patch");
  const means = target ?? { kind: textAt(document, "kind"), name: textAt(document, "metadata", "name") };
  if (target === undefined && !resources.some((one) => isTarget(one, means))) {
    const [version = "", group = "[noGrp]"] = textAt(document, "apiVersion").split("/").reverse();
    const namespace = textAt(document, "metadata", "namespace") || "[noNs]";
    const id = `${textAt(document, "kind")}.${version}.${group}/${textAt(document, "metadata", "name")}.${namespace}`;
    throw new KubectlError(
      `no resource matches strategic merge patch ${JSON.stringify(id)}: no matches for Id ${id}; failed to find unique target for patch ${id}`,
    );
  }
  return resources.flatMap((one) => (isTarget(one, means) ? (merged(one, document) ?? []) : [one]));
}
