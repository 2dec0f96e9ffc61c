// Which objects of a table a list, watch or deletecollection is about: namespace, label selector, field selector.

import { badRequest } from "#cluster/api/errors.ts";
import { compileFieldSelector, type FieldRequirement, parseFieldSelector, requiredFieldValue } from "#cluster/api/fields.ts";
import { compileLabelSelector } from "#cluster/api/labels.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { WatchInterest } from "#cluster/storage/watch-hub.ts";
import { wordsOf } from "#sim/errors.ts";

export interface Selection {
  readonly namespace: string;
  /** True of every object in the namespace: lists can be counted without looking. */
  readonly selectsAll: boolean;
  matches(object: KubeObject): boolean;
  /** The one field that narrows the search most, where the storage is indexed by it. */
  readonly interest: WatchInterest | undefined;
}

export interface SelectionOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** 400 for selectors that do not parse and for fields that the kind cannot be selected by. */
export function selectionOf(definition: ResourceDefinition, options: SelectionOptions): Selection {
  const namespace = options.namespace ?? "";
  const byLabels = options.labelSelector ? parsed(() => compileLabelSelector(options.labelSelector as string)) : undefined;
  const requirements = options.fieldSelector ? parsed(() => parseFieldSelector(options.fieldSelector as string)) : [];
  for (const { field } of requirements) requireSelectable(definition, field);
  const byFields = requirements.length === 0 ? undefined : compileFieldSelector(requirements, fieldReader(definition));
  return {
    namespace,
    selectsAll: byLabels === undefined && byFields === undefined,
    matches: (object) =>
      (namespace === "" || object.metadata.namespace === namespace) &&
      (byLabels === undefined || byLabels(object.metadata.labels)) &&
      (byFields === undefined || byFields(object)),
    interest: interestOf(definition, requirements, namespace),
  };
}

/** Reads a selectable field of an object. */
export function fieldReader(definition: ResourceDefinition): (object: KubeObject, field: string) => string {
  return (object, field) => {
    if (field === "metadata.name") return object.metadata.name ?? "";
    if (field === "metadata.namespace") return object.metadata.namespace ?? "";
    return definition.selectableFields?.[field]?.(object) ?? "";
  };
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw badRequest(wordsOf(error));
  }
}

/** Kinds with fields of their own say it shortly; the others name the two fields that every kind has. */
function requireSelectable(definition: ResourceDefinition, field: string): void {
  if (field === "metadata.name" || (field === "metadata.namespace" && definition.namespaced)) return;
  const own = definition.selectableFields;
  if (own !== undefined && Object.hasOwn(own, field)) return;
  throw badRequest(
    own !== undefined
      ? `field label not supported: ${field}`
      : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

function interestOf(
  definition: ResourceDefinition,
  requirements: readonly FieldRequirement[],
  namespace: string,
): WatchInterest | undefined {
  for (const field of ["metadata.name", ...(definition.indexedFields ?? [])]) {
    const value = requiredFieldValue(requirements, field);
    if (value !== undefined) return { field, value };
  }
  return namespace === "" ? undefined : { field: "metadata.namespace", value: namespace };
}
