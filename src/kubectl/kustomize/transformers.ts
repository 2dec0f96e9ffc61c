// What a kustomization does to all its objects: namespace, prefix and suffix, labels, annotations, images, replicas.

import { goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { arrayAt, isArray, isObject, type JsonObject, objectAt, textAt, valueAt, withValue, writeJson } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { type FieldSpec, mergedSpecs, specsFor, withEntry, withField } from "./field-specs.ts";
import { allLabels, annotationFields, ownLabels, templateLabels } from "./labels.ts";
import { wrongNode } from "./node-text.ts";
import {
  annotated,
  currentId,
  isOfKind,
  isSameId,
  kindOf,
  kindText,
  nameOf,
  originalId,
  previousIds,
  type Resource,
  renamed,
  withObject,
  withPrevious,
} from "./resource.ts";

type Resources = readonly Resource[];
export type Transform = (resources: Resources) => Resources;

const namespaceFields: readonly FieldSpec[] = [
  { path: "spec/service/namespace", kind: "APIService", group: "apiregistration.k8s.io", create: true },
  {
    path: "spec/conversion/webhook/clientConfig/service/namespace",
    kind: "CustomResourceDefinition",
    group: "apiextensions.k8s.io",
  },
];

/** `namespace`: also of what names the namespace in other fields. Throws KubectlError when two objects fall on one name. */
export function inNamespace(namespace: string): Transform {
  return (resources) => {
    let result = resources;
    for (const [index, resource] of resources.entries()) {
      const next = moved(withPrevious(resource), namespace);
      result = result.with(index, next);
      const id = currentId(next);
      const same = result.filter((one) => isSameId(currentId(one), id));
      if (same.length === 1) continue;
      const shown = same.map((one) => writeJson(annotated(one))).join(" ");
      throw new KubectlError(`namespace transformation produces ID conflict: [${shown}]`);
    }
    return result;
  };
}

function moved(resource: Resource, namespace: string): Resource {
  const { clusterScoped, kind } = currentId(resource);
  let next = resource;
  if (!clusterScoped) next = withObject(next, withValue(next.object, ["metadata", "namespace"], namespace));
  if (kind === "Namespace" && textAt(next.object, "apiVersion") === "v1") next = renamed(next, namespace);
  if (kind === "RoleBinding" || kind === "ClusterRoleBinding") {
    const subjects = arrayAt(next.object, "subjects").map((one) =>
      isObject(one) && textAt(one, "name") === "default" ? { ...one, namespace } : one,
    );
    if (subjects.length > 0) next = withObject(next, withValue(next.object, ["subjects"], subjects));
  }
  for (const spec of namespaceFields) next = withField(next, spec, () => namespace, "text");
  return next;
}

const neverRenamed = [
  { kind: "CustomResourceDefinition" },
  { kind: "APIService", group: "apiregistration.k8s.io" },
  { kind: "Namespace" },
];

/** `namePrefix` */
export function withPrefix(prefix: string): Transform {
  return renaming((resource) => renamed({ ...resource, prefixes: [...resource.prefixes, prefix] }, `${prefix}${nameOf(resource)}`));
}

/** `nameSuffix` */
export function withSuffix(suffix: string): Transform {
  return renaming((resource) => renamed({ ...resource, suffixes: [...resource.suffixes, suffix] }, `${nameOf(resource)}${suffix}`));
}

function renaming(rename: (resource: Resource) => Resource): Transform {
  return (resources) =>
    resources.map((resource) =>
      neverRenamed.some((spec) => isOfKind(originalId(resource), spec)) ? resource : rename(withPrevious(resource)),
    );
}

/** `labels` and `commonLabels`. Throws KubectlError. */
export function labelTransforms(kustomization: JsonObject): readonly Transform[] {
  const rules = arrayAt(kustomization, "labels").map((rule): Transform => {
    const specs = labelFields(rule);
    return withEntries(specs, objectAt(rule, "pairs"));
  });
  return [...rules, withEntries(allLabels, objectAt(kustomization, "commonLabels"))];
}

function labelFields(rule: JsonValue): readonly FieldSpec[] {
  const own = arrayAt(rule, "fields") as unknown as readonly FieldSpec[];
  try {
    if (valueAt(rule, "includeSelectors") === true) return mergedSpecs(own, allLabels);
    const specs = valueAt(rule, "includeTemplates") === true ? mergedSpecs(own, templateLabels) : own;
    return mergedSpecs(specs, [ownLabels]);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`failed to merge labels: ${error.message}`);
  }
}

/** `commonAnnotations` */
export function withAnnotations(annotations: JsonObject): Transform {
  return withEntries(annotationFields, annotations);
}

function withEntries(specs: readonly FieldSpec[], entries: JsonObject): Transform {
  const keys = Object.keys(entries).sort();
  return (resources) =>
    resources.map((resource) => {
      let next = resource;
      for (const key of keys)
        for (const spec of specs) next = withField(next, spec, (map) => withEntry(map, key, entries[key] as JsonValue), "map");
      return next;
    });
}

const scalable = specsFor("Deployment StatefulSet ReplicaSet ReplicationController", "spec/replicas", true);

/** An entry of `replicas`. Throws KubectlError when nothing is called so. */
export function withReplicas(entry: JsonValue): Transform {
  const name = textAt(entry, "name");
  const count = valueAt(entry, "count") ?? 0;
  return (resources) => {
    let found = false;
    const result = resources.map((resource) => {
      const ids = [...previousIds(resource), currentId(resource)].filter((id) => id.name === name);
      const spec = scalable.find((one) => ids.some((id) => isOfKind(id, { kind: one.kind ?? "" })));
      if (spec === undefined) return resource;
      found = true;
      return withField(resource, spec, () => count, "text");
    });
    if (found) return result;
    const kinds = scalable.map(kindText).join(" ");
    throw new KubectlError(`resource with name ${name} does not match a config with the following GVK [${kinds}]`);
  };
}

const imageFields: readonly FieldSpec[] = ["spec", "spec/template/spec"].flatMap((spec) =>
  ["containers[]/image", "initContainers[]/image", "volumes[]/image/reference"].map((field) => ({ path: `${spec}/${field}` })),
);

/** An entry of `images`: for containers wherever they are, then again for the known places. */
export function withImage(entry: JsonValue): Transform {
  const change = (image: JsonValue): JsonValue => {
    if (typeof image === "object" && image !== null) throw new KubectlError(wrongNode("ScalarNode", image));
    return typeof image === "string" ? changedImage(image, entry) : image;
  };
  return (resources) =>
    resources.map((resource) => {
      if (kindOf(resource) === "CustomResourceDefinition") return resource;
      let next = withObject(resource, withContainerImages(resource.object, change) as JsonObject);
      for (const spec of imageFields) next = withField(next, spec, change);
      return next;
    });
}

function withContainerImages(value: JsonValue, change: (image: JsonValue) => JsonValue): JsonValue {
  if (isArray(value)) return value.map((item) => withContainerImages(item, change));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]): [string, JsonValue] => {
    const inner = withContainerImages(field, change);
    if ((name !== "containers" && name !== "initContainers") || !isArray(inner)) return [name, inner];
    return [name, inner.map((one) => (isObject(one) && "image" in one ? { ...one, image: change(one["image"] ?? null) } : one))];
  });
  return Object.fromEntries(fields);
}

function changedImage(image: string, entry: JsonValue): string {
  const wanted = goRegExp(`^${textAt(entry, "name")}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  if (!wanted.test(image)) return image;
  const old = partsOfImage(image);
  const newTag = textAt(entry, "newTag");
  const newDigest = textAt(entry, "digest");
  const suffix = textAt(entry, "tagSuffix");
  let { tag, digest } = old;
  if (newTag !== "" || newDigest !== "") [tag, digest] = [newTag, newDigest];
  else if (suffix !== "") [tag, digest] = [`${tag}${suffix}`, ""];
  const name = textAt(entry, "newName") || old.name;
  return `${name}${tag === "" ? "" : `:${tag}`}${digest === "" ? "" : `@${digest}`}`;
}

/** A port of the registry is part of the name. */
function partsOfImage(image: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const slash = Math.max(0, image.indexOf("/"));
  const [, name = "", tag = "", digest = ""] = /^([^:@]*)(?::([^@]*))?(?:@(.*))?$/s.exec(image.slice(slash)) ?? [];
  return { name: image.slice(0, slash) + name, tag, digest };
}
