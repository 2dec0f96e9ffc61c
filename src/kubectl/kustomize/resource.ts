// One object on its way through kustomizations, and the names by which it is and was known.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { isObject, type JsonObject, textAt, valueAt, withValue } from "../documents.ts";
import { isClusterScoped } from "./kinds.ts";

/** What names an object. `namespace` is as written, of earlier names as it counts (see `namespaceOf`). */
export interface Id {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly clusterScoped: boolean;
}

export interface Resource {
  readonly object: JsonObject;
  /** Names that it had before, the oldest first. */
  readonly previous: readonly Pick<Id, "kind" | "name" | "namespace">[];
  /** As they were added, one for each kustomization on the way. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Generated: what it does to an object of the same name. */
  readonly behavior?: "create" | "merge" | "replace" | "unspecified";
  /** Generated: the name gets a hash of the content in the end. */
  readonly needsHash: boolean;
  /** Why it cannot be written, which is found out last. */
  readonly fault?: string;
}

export function resourceOf(object: JsonObject, fault?: string): Resource {
  return { ...(fault === undefined ? {} : { fault }), object, previous: [], prefixes: [], suffixes: [], needsHash: false };
}

export function kindOf({ object }: Resource): string {
  return textAt(object, "kind");
}

export function nameOf({ object }: Resource): string {
  return scalarText(valueAt(object, "metadata", "name"));
}

/** A scalar as YAML text holds it; "" for what is none. */
export function scalarText(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

export function groupAndVersion(object: JsonValue): { readonly group: string; readonly version: string } {
  const [version = "", group = ""] = textAt(object, "apiVersion")
    .split(/\/(.*)/s, 2)
    .reverse();
  return textAt(object, "apiVersion").includes("/") ? { group, version } : { group: "", version: textAt(object, "apiVersion") };
}

export function withObject(resource: Resource, object: JsonObject): Resource {
  return object === resource.object ? resource : { ...resource, object };
}

export function renamed(resource: Resource, name: string): Resource {
  return withObject(resource, withValue(resource.object, ["metadata", "name"], name));
}

export function idOfObject(object: JsonObject): Id {
  return {
    ...groupAndVersion(object),
    kind: textAt(object, "kind"),
    name: scalarText(valueAt(object, "metadata", "name")),
    namespace: scalarText(valueAt(object, "metadata", "namespace")),
    clusterScoped: isClusterScoped(textAt(object, "apiVersion"), textAt(object, "kind")),
  };
}

/** What an object is called now. */
export function currentId({ object }: Resource): Id {
  return idOfObject(object);
}

/** What it was called, the oldest first. */
export function previousIds({ object, previous }: Resource): readonly Id[] {
  const version = groupAndVersion(object);
  return previous.map((names) => ({ ...version, ...names, clusterScoped: false }));
}

/** What it was called first. */
export function originalId(resource: Resource): Id {
  return previousIds(resource)[0] ?? currentId(resource);
}

export const noNamespace = "_non_namespaceable_";

/** The namespace as it counts: `default` when none is said. */
export function namespaceOf({ clusterScoped, namespace }: Id): string {
  if (clusterScoped) return noNamespace;
  return namespace === "" ? "default" : namespace;
}

/** Remembers the name that it has now, before it is changed. */
export function withPrevious(resource: Resource): Resource {
  const id = currentId(resource);
  return { ...resource, previous: [...resource.previous, { kind: id.kind, name: id.name, namespace: namespaceOf(id) }] };
}

export function isSameId(a: Id, b: Id): boolean {
  return isSameKind(a, b) && a.name === b.name && namespaceOf(a) === namespaceOf(b);
}

function isSameKind(a: Id, b: Id): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}

/** Group, version and kind; what is not given is any. */
export interface KindSpec {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

export function isOfKind(id: KindSpec, { group = "", version = "", kind = "" }: KindSpec): boolean {
  return (group === "" || id.group === group) && (version === "" || id.version === version) && (kind === "" || id.kind === kind);
}

/** `ConfigMap.v1.[noGrp]` */
export function kindText({ group = "", version = "", kind = "" }: KindSpec): string {
  return `${kind || "[noKind]"}.${version || "[noVer]"}.${group || "[noGrp]"}`;
}

/** `ConfigMap.v1.[noGrp]/settings.[noNs]` */
export function idText(id: KindSpec & { readonly name?: string; readonly namespace?: string }): string {
  return `${kindText(id)}/${id.name || "[noName]"}.${id.namespace || "[noNs]"}`;
}

/** An identity as Go prints it with %#v. */
export function idAsGo({ group, version, kind, name, namespace, clusterScoped }: Id): string {
  const [g, v, k, n, ns] = [group, version, kind, name, namespace].map((text) => JSON.stringify(text));
  return `resid.ResId{Gvk:resid.Gvk{Group:${g}, Version:${v}, Kind:${k}, isClusterScoped:${clusterScoped}}, Name:${n}, Namespace:${ns}}`;
}

/** The object with the notes that kustomize keeps in annotations; some errors show them. */
export function annotated({ object, previous, prefixes, suffixes, behavior, needsHash }: Resource): JsonObject {
  const notes: { [name: string]: string } = {};
  const note = (name: string, texts: readonly string[]): void => {
    if (texts.length > 0) notes[`internal.config.kubernetes.io/${name}`] = texts.join(",");
  };
  note("generatorBehavior", behavior === undefined ? [] : [behavior]);
  note("needsHashSuffix", needsHash ? ["enabled"] : []);
  note("prefixes", prefixes);
  note("suffixes", suffixes);
  for (const field of ["kind", "name", "namespace"] as const)
    note(
      `previous${asciiUpperCase(field.charAt(0))}${field.slice(1)}s`,
      previous.map((one) => one[field]),
    );
  if (Object.keys(notes).length === 0) return object;
  const own = valueAt(object, "metadata", "annotations");
  return withValue(object, ["metadata", "annotations"], { ...(isObject(own) ? own : {}), ...notes });
}
