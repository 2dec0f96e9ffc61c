// The kinds of the sample API server (k8s.io/sample-apiserver, pkg/apis/wardle): how they are written in each version, and what is wrong with one.

import { invalid } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ServedResource } from "#cluster/api/openapi/served.ts";

export const group = "wardle.example.com";

export type Fields = { readonly [field: string]: JsonValue };

/** As it is kept: what a Flunder refers to, or the names that a Fischer forbids, in no version's form. */
export interface Wardle {
  readonly metadata: Fields;
  readonly flunderReference?: string;
  readonly fischerReference?: string;
  readonly referenceType?: string;
  readonly disallowedFlunders?: readonly string[];
}

const shared = {
  group,
  shortNames: [],
  categories: [],
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: [],
};
const flunders = { ...shared, plural: "flunders", singular: "flunder", kind: "Flunder", namespaced: true };
const fischers = { ...shared, plural: "fischers", singular: "fischer", kind: "Fischer", namespaced: false };

/** In the order of preference of their versions. */
export const served: readonly ServedResource[] = [
  { ...flunders, version: "v1beta1" },
  { ...fischers, version: "v1alpha1" },
  { ...flunders, version: "v1alpha1" },
];

function textAt(object: JsonValue | undefined, field: string): string {
  const value = isFields(object) ? object[field] : undefined;
  return typeof value === "string" ? value : "";
}

export function isFields(value: JsonValue | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an object of a version, with its defaults. */
export function decode({ kind, version }: ServedResource, object: Fields, metadata: Fields): Wardle {
  const { spec, disallowedFlunders } = object;
  if (kind === "Fischer") {
    const names = Array.isArray(disallowedFlunders) ? disallowedFlunders.filter((name) => typeof name === "string") : [];
    return { metadata, disallowedFlunders: names };
  }
  if (version === "v1beta1")
    return {
      metadata,
      flunderReference: textAt(spec, "flunderReference"),
      fischerReference: textAt(spec, "fischerReference"),
      referenceType: textAt(spec, "referenceType"),
    };
  const reference = textAt(spec, "reference");
  const type = textAt(spec, "referenceType") || (reference === "" ? "" : "Flunder");
  return {
    metadata,
    flunderReference: type === "Flunder" ? reference : "",
    fischerReference: type === "Fischer" ? reference : "",
    referenceType: type,
  };
}

export function encode({ kind, version }: ServedResource, object: Wardle): Fields {
  const { metadata, flunderReference = "", fischerReference = "", referenceType = "", disallowedFlunders = [] } = object;
  const head = { kind, apiVersion: `${group}/${version}`, metadata };
  if (kind === "Fischer") return disallowedFlunders.length === 0 ? head : { ...head, disallowedFlunders };
  const reference = flunderReference || fischerReference;
  const spec = version === "v1beta1" ? { flunderReference, fischerReference, referenceType } : { reference, referenceType };
  return { ...head, spec: Object.fromEntries(Object.entries(spec).filter(([, text]) => text !== "")), status: {} };
}

/** Throws Invalid. */
export function validate({ kind }: ServedResource, object: Wardle, name: string): void {
  const { flunderReference = "", fischerReference = "", referenceType: type = "" } = object;
  const wrong = (field: string, value: string, detail: string) => ({
    reason: "FieldValueInvalid",
    message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
    field: `spec.${field}`,
  });
  const causes: ReturnType<typeof wrong>[] = [];
  if (kind === "Flunder") {
    if (flunderReference !== "" && fischerReference !== "")
      causes.push(wrong("fischerReference", fischerReference, "cannot be set with flunderReference at the same time"));
    else if (flunderReference !== "" && type !== "Flunder")
      causes.push(wrong("flunderReference", flunderReference, "cannot be set if referenceType is not Flunder"));
    else if (fischerReference !== "" && type !== "Fischer")
      causes.push(wrong("fischerReference", fischerReference, "cannot be set if referenceType is not Fischer"));
    else if (fischerReference === "" && type === "Fischer")
      causes.push(wrong("fischerReference", "", "cannot be empty if referenceType is Fischer"));
    else if (flunderReference === "" && type === "Flunder")
      causes.push(wrong("flunderReference", "", "cannot be empty if referenceType is Flunder"));
    if (type !== "" && type !== "Flunder" && type !== "Fischer")
      causes.push(wrong("referenceType", type, "must be Flunder or Fischer"));
  }
  if (causes.length > 0) throw invalid({ group, resource: kind }, name, causes);
}
