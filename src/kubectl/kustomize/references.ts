// Names by which objects refer to each other: they follow when names and namespaces have been changed.

import type { JsonValue } from "#cluster/api/wire.ts";
import { arrayAt, isArray, isObject, type JsonObject, textAt, valueAt, writeYaml } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { type FieldSpec, withField } from "./field-specs.ts";
import { references } from "./reference-fields.ts";
import {
  annotated,
  currentId,
  idText,
  isOfKind,
  type KindSpec,
  kindOf,
  nameOf,
  namespaceOf,
  noNamespace,
  originalId,
  previousIds,
  type Resource,
  scalarText,
} from "./resource.ts";

/** All objects, each with its references brought up to date. Throws KubectlError when one could mean several objects. */
export function withReferences(resources: readonly Resource[]): readonly Resource[] {
  return resources.map((referrer) => {
    const candidates = reachable(resources, referrer);
    let next = referrer;
    for (const { to, fields } of references) {
      for (const field of fields) {
        if (isOfKind(originalId(referrer), field)) next = new Referrer(next, field, to, candidates).updated();
      }
    }
    return next;
  });
}

/** Objects that one can name: of its own namespace, of none, and of the namespaces of a RoleBinding's ServiceAccounts. */
function reachable(resources: readonly Resource[], referrer: Resource): readonly Resource[] {
  const own = currentId(referrer);
  if (own.clusterScoped) return resources;
  const subjects = kindOf(referrer) === "RoleBinding" ? arrayAt(referrer.object, "subjects") : [];
  const namespaces = subjects
    .filter((subject) => textAt(subject, "kind") === "ServiceAccount")
    .map((subject) => textAt(subject, "namespace"));
  return resources.filter((one) => {
    const id = currentId(one);
    return id.clusterScoped || namespaceOf(id) === namespaceOf(own) || namespaces.includes(id.namespace);
  });
}

class Referrer {
  readonly #resource: Resource;
  readonly #field: FieldSpec;
  readonly #to: KindSpec;
  readonly #candidates: readonly Resource[];

  constructor(resource: Resource, field: FieldSpec, to: KindSpec, candidates: readonly Resource[]) {
    this.#resource = resource;
    this.#field = field;
    this.#to = to;
    this.#candidates = candidates;
  }

  updated(): Resource {
    try {
      return withField(this.#resource, { path: this.#field.path }, (value) => this.#followed(value));
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      const where = `updating name reference in '${this.#field.path}' field of '${idText(currentId(this.#resource))}'`;
      throw new KubectlError(`${where}: ${error.message}`);
    }
  }

  #followed(value: JsonValue): JsonValue {
    if (value === null) return null;
    if (isArray(value)) return value.map((item) => (isArray(item) ? item : this.#followed(item)));
    return isObject(value) ? this.#map(value) : this.#name(value);
  }

  #name(value: JsonValue): JsonValue {
    const found = this.#find(scalarText(value), this.#candidates, (one) => nameOf(one));
    return found === undefined ? value : nameOf(found);
  }

  /** A reference with a namespace of its own, such as a subject. */
  #map(value: JsonObject): JsonObject {
    if (value["name"] === undefined) throw new KubectlError("path config error; no 'name' field in node");
    const candidates = this.#inNamespaceOf(value);
    const namespace = (one: Resource): string => scalarText(valueAt(one.object, "metadata", "namespace"));
    const found = this.#find(scalarText(value["name"]), candidates, (one) => JSON.stringify([nameOf(one), namespace(one)]));
    if (found === undefined) return value;
    return { ...value, name: nameOf(found), ...(namespace(found) === "" ? {} : { namespace: namespace(found) }) };
  }

  #inNamespaceOf({ namespace }: JsonObject): readonly Resource[] {
    if (namespace === undefined) return this.#candidates;
    const isIn = (id: ReturnType<typeof currentId>): boolean =>
      namespaceOf(id) === scalarText(namespace) && namespaceOf(id) !== noNamespace;
    const originally = this.#candidates.filter((one) => isIn(originalId(one)));
    return originally.length > 0 ? originally : this.#candidates.filter((one) => isIn(currentId(one)));
  }

  /** The object that was called so. When several were, prefixes and suffixes tell which; `identity` says whether they differ at all. */
  #find(name: string, candidates: readonly Resource[], identity: (one: Resource) => string): Resource | undefined {
    const own = currentId(this.#resource);
    const roleRef = this.#roleRef();
    let left = candidates.filter((one) => {
      const before = previousIds(one);
      const id = currentId(one);
      return (
        before.some((old) => old.name === name) &&
        before.some((old) => isOfKind(old, this.#to)) &&
        (roleRef === undefined || before.some((old) => isOfKind(old, roleRef))) &&
        (own.clusterScoped || id.clusterScoped || id.kind === "ServiceAccount" || namespaceOf(id) === namespaceOf(own))
      );
    });
    if (left.length > 1 || left.length === 0) {
      left = left.filter((one) => this.#hasSameAffixes(one, true));
      if (left.length > 1) left = left.filter((one) => this.#hasSameAffixes(one, false));
    }
    const [first] = left;
    if (first === undefined || left.every((one) => identity(one) === identity(first))) return first;
    throw new KubectlError(
      `found multiple possible referrals: ${left.map((one) => idText(currentId(one))).join(", ")}\n${this.#details(left)}`,
    );
  }

  #roleRef(): KindSpec | undefined {
    const ref = valueAt(this.#resource.object, "roleRef");
    if (!this.#field.path.endsWith("roleRef/name") || valueAt(ref, "apiGroup") === undefined) return undefined;
    return valueAt(ref, "kind") === undefined ? undefined : { group: textAt(ref, "apiGroup"), kind: textAt(ref, "kind") };
  }

  #hasSameAffixes(other: Resource, allowsNone: boolean): boolean {
    return (["prefixes", "suffixes"] as const).every((affixes) => {
      const [own, theirs] = [this.#resource[affixes], other[affixes]];
      if (allowsNone && (own.length === 0 || theirs.length === 0)) return true;
      const length = Math.min(own.length, theirs.length);
      if (length === 0 && own.length !== theirs.length) return false;
      return Array.from({ length }, (_, index) => -1 - index).every((index) => own.at(index) === theirs.at(index));
    });
  }

  #details(candidates: readonly Resource[]): string {
    const possible = candidates.map((one, index) => `--- possible referral ${index}:\n${writeYaml(annotated(one))}\n`);
    return `\n**** Too many possible referral targets to referrer:\n${writeYaml(annotated(this.#resource))}\n${possible.join("")}`;
  }
}
