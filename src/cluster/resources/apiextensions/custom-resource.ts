// The kind that one version of a CustomResourceDefinition defines, as the pipeline knows kinds.

import { type StructuralSchema, shapeOfCustomResource } from "#cluster/api/apply/shape.ts";
import { humanDuration } from "#cluster/api/duration.ts";
import { deepEqual } from "#cluster/api/equality.ts";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "#cluster/api/generated/types.ts";
import { JsonPath } from "#cluster/api/jsonpath/evaluate.ts";
import { JsonPathError } from "#cluster/api/jsonpath/parse.ts";
import type { JsonValue, KubeObject, Stored } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { ageCell, nameColumn } from "../columns.ts";
import {
  allVerbs,
  type Converter,
  type FieldReader,
  type ResourceDefinition,
  type SubresourceEntry,
  type TableCell,
  type TableColumn,
  type TableContext,
} from "../definition.ts";
import { FieldErrors, field, Path } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";
import { withFieldsOf } from "../strategy.ts";
import { coerce } from "./coercion.ts";
import { conditionOf } from "./crd-conditions.ts";
import { validateEmbedded } from "./embedded-resources.ts";
import { validateLists } from "./list-invariants.ts";
import { hasRules, validateRules } from "./rules.ts";
import { withDefaults } from "./structural-defaults.ts";
import type { Schema } from "./structural-schema.ts";
import { validateValue } from "./value-validation.ts";
import { defaultDeprecationWarning } from "./versions.ts";

export type Crd = Stored<CustomResourceDefinition>;
type Version = CustomResourceDefinitionVersion;

/** Verbs of a kind whose definition is going. */
const lastVerbs = allVerbs.filter((verb) => verb !== "create" && verb !== "patch" && verb !== "update");

/** `isTerminating`: the definition is being deleted; no new objects. `converter`: where a webhook converts. */
export function customResource(crd: Crd, version: Version, isTerminating: boolean, converter?: Converter): ResourceDefinition {
  const { group, scope, versions } = crd.spec;
  const names = crd.status?.acceptedNames ?? crd.spec.names;
  const schema = version.schema?.openAPIV3Schema as Schema | undefined;
  const hasStatus = version.subresources?.status !== undefined;
  const apiVersion = `${group}/${version.name}`;
  const storedVersion = `${group}/${versions.find(({ storage }) => storage)?.name ?? version.name}`;
  const validation = new Validation(version, schema);
  const columns = columnsOf(version.additionalPrinterColumns);
  const warning =
    version.deprecated === true ? (version.deprecationWarning ?? defaultDeprecationWarning(crd.spec, version.name)) : undefined;
  return {
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? asciiLowerCase(names.kind),
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: scope === "Namespaced",
    verbs: isTerminating ? lastVerbs : allVerbs,
    acceptsVerbs: allVerbs,
    servedSinceMs: tryParseTime(conditionOf(crd, "Established")?.lastTransitionTime ?? "") ?? 0,
    schemaType: undefined,
    shape: shapeOfCustomResource(schema as StructuralSchema | undefined),
    openApiSchema: schema,
    storage: `${crd.spec.names.plural}.${group}`,
    toStorage: (object) => (object.apiVersion === storedVersion ? object : { ...object, apiVersion: storedVersion }),
    fromStorage: (stored) => presentable(stored, apiVersion, schema, crd.spec.preserveUnknownFields === true),
    ...(converter === undefined ? {} : { converter }),
    coerce: (value) => coerce(value, schema, crd.spec.preserveUnknownFields === true),
    nameRule: subdomainName,
    updateNeedsResourceVersion: true,
    generationFields: [],
    ...(warning === undefined ? {} : { deprecation: warning }),
    ...(isTerminating ? { refusesCreate: "create not allowed while custom resource definition is terminating" } : {}),
    defaults: (object) => withDefaults(object as JsonObject, schema) as KubeObject,
    prepareForCreate: (object) => (hasStatus ? without(object, "status") : object),
    prepareForUpdate: (object, old) => withGeneration(hasStatus ? withFieldsOf(object, old, "status") : object, old),
    ...(hasStatus
      ? {
          prepareForStatusUpdate: (object: KubeObject, old: KubeObject) => {
            const { managedFields } = object.metadata;
            const metadata = managedFields === undefined ? old.metadata : { ...old.metadata, managedFields };
            return withFieldsOf({ ...old, metadata }, object, "status");
          },
          statusResetPaths: [["metadata"], ["spec"]],
        }
      : {}),
    subresources: subresourcesOf(version, names.kind),
    ...(version.subresources?.scale === undefined ? {} : { scale: scalePaths(version.subresources.scale) }),
    validate: (object, errors) => validation.create(object, errors),
    validateUpdate: (object, old, errors) => validation.update(object, old, errors),
    validateStatusUpdate: (object, old, errors) => validation.updateStatus(object, old, errors),
    warnings: finalizerWarnings,
    columns: [nameColumn, ...columns.map(({ column }) => column)],
    row: (object, context) => [object.metadata.name ?? "", ...columns.map(({ cell }) => cell(object, context))],
    selectableFields: selectableFieldsOf(version),
  };
}

function without(object: KubeObject, name: string): KubeObject {
  if (object[name] === undefined) return object;
  const { [name]: _dropped, ...rest } = object;
  return rest as KubeObject;
}

/** An object as this version shows it: without what its schema does not know now, with the defaults that it has now. */
function presentable(stored: KubeObject, apiVersion: string, schema: Schema | undefined, preserves: boolean): KubeObject {
  const { metadata, ...content } = stored;
  const coerced = coerce(content as JsonObject, schema, preserves).value;
  const filled = withDefaults(coerced, schema) as JsonObject;
  if (filled === content && stored.apiVersion === apiVersion) return stored;
  return { ...filled, apiVersion, kind: stored.kind, metadata };
}

/** Everything but metadata counts, the status too where it is not apart. */
function withGeneration(object: KubeObject, old: KubeObject): KubeObject {
  const { metadata, ...content } = object;
  const { metadata: oldMetadata, ...oldContent } = old;
  if (deepEqual(content, oldContent)) return object;
  return { ...object, metadata: { ...metadata, generation: Number(oldMetadata.generation ?? 0) + 1 } };
}

function subresourcesOf({ subresources }: Version, kind: string): readonly SubresourceEntry[] {
  const verbs = ["get", "patch", "update"];
  return [
    ...(subresources?.status === undefined ? [] : [{ name: "status", kind, verbs }]),
    ...(subresources?.scale === undefined ? [] : [{ name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs }]),
  ];
}

type Scale = NonNullable<NonNullable<Version["subresources"]>["scale"]>;

function scalePaths({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath = "",
}: Scale): NonNullable<ResourceDefinition["scale"]> {
  const plain = (path: string): string => path.replace(/^\./, "");
  return { specReplicas: plain(specReplicasPath), statusReplicas: plain(statusReplicasPath), selector: plain(labelSelectorPath) };
}

interface Column {
  readonly column: TableColumn;
  cell(object: KubeObject, context: TableContext): TableCell;
}

const ageOnly: readonly CustomResourceColumnDefinition[] = [
  {
    name: "Age",
    type: "date",
    description:
      "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata",
    jsonPath: ".metadata.creationTimestamp",
  },
];

function columnsOf(definitions: readonly CustomResourceColumnDefinition[] = []): readonly Column[] {
  return (definitions.length === 0 ? ageOnly : definitions).map(
    ({ name, type, format, description, priority, jsonPath }): Column => {
      const path = pathOf(jsonPath);
      return {
        column: {
          name,
          type: type as TableColumn["type"],
          ...(format === undefined ? {} : { format }),
          description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
          ...(priority === undefined ? {} : { priority }),
        },
        cell: (object, context) => {
          if (jsonPath === ".metadata.creationTimestamp" && type === "date") return ageCell(object, context);
          const found = path === undefined ? undefined : firstValue(path, object);
          return found === undefined ? null : cellOf(type, found, context);
        },
      };
    },
  );
}

function pathOf(jsonPath: string): JsonPath | undefined {
  try {
    return new JsonPath(`{${jsonPath}}`, { allowMissingKeys: true });
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function firstValue(path: JsonPath, object: KubeObject): JsonValue | undefined {
  try {
    return path.find(object as JsonValue)[0]?.[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(type: string, value: JsonValue, context: TableContext): TableCell {
  switch (type) {
    case "string":
      return value === null ? "<nil>" : printed(value);
    case "integer":
      if (typeof value === "bigint") return value;
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    default: {
      if (typeof value !== "string") return null;
      const ms = tryParseTime(value);
      return ms === undefined ? "<invalid>" : humanDuration(context.nowMs - ms);
    }
  }
}

function printed(value: JsonValue): string {
  return typeof value === "string" ? value : new JsonPath("{@}").print(value);
}

function selectableFieldsOf({ selectableFields = [] }: Version): { readonly [path: string]: FieldReader<KubeObject> } {
  const readers: { [path: string]: FieldReader<KubeObject> } = {};
  for (const { jsonPath } of selectableFields) {
    const path = pathOf(jsonPath);
    readers[jsonPath.replace(/^\./, "")] = (object) => {
      const value = path === undefined ? undefined : firstValue(path, object);
      return value === undefined || value === null ? "" : String(value);
    };
  }
  return readers;
}

const standardFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** New finalizers without a domain are warned of. */
function finalizerWarnings(object: KubeObject, old: KubeObject | undefined): readonly string[] {
  const known = new Set(old?.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((finalizer) => !known.has(finalizer)).sort();
  return added.flatMap((finalizer) => {
    if (finalizer.includes("/") || standardFinalizers.has(finalizer)) return [];
    const path = finalizer.includes(".") ? " including a path (/)" : "";
    return [
      `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
    ];
  });
}

const unnamed = new Path("<nil>");
const maxInt32 = 2_147_483_647;
/** Faults that make rules meaningless. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** In the order of the registry's strategy (apiextensions-apiserver, pkg/registry/customresource). */
class Validation {
  readonly #schema: Schema;
  readonly #hasRules: boolean;
  readonly #scale: Scale | undefined;

  constructor(version: Version, schema: Schema | undefined) {
    this.#schema = schema ?? {};
    this.#hasRules = hasRules(schema);
    this.#scale = version.subresources?.scale;
  }

  create(object: KubeObject, errors: FieldErrors): void {
    const value = object as JsonObject;
    validateValue(value, this.#schema, "", undefined, errors);
    this.#scaleSpec(value, errors);
    this.#scaleStatus(value, errors);
    validateEmbedded(value, this.#schema, field(), errors);
    validateLists(value, this.#schema, field(), errors);
    this.#rules(value, undefined, errors);
  }

  update(object: KubeObject, old: KubeObject, errors: FieldErrors): void {
    const [value, before] = [object as JsonObject, old as JsonObject];
    validateValue(value, this.#schema, "", { value: before }, errors);
    this.#scaleSpec(value, errors);
    this.#scaleStatus(value, errors);
    validateEmbedded(value, this.#schema, field(), errors);
    this.#lists(value, before, errors);
    this.#rules(value, before, errors);
  }

  updateStatus(object: KubeObject, old: KubeObject, errors: FieldErrors): void {
    const [value, before] = [object as JsonObject, old as JsonObject];
    const schema = this.#schema.properties?.["status"];
    if (value["status"] !== undefined && schema !== undefined) {
      const status = before["status"];
      validateValue(value["status"], schema, "status", status === undefined ? undefined : { value: status }, errors);
    }
    this.#scaleStatus(value, errors);
    this.#lists(value, before, errors);
    this.#rules(value, before, errors);
  }

  /** Lists that were wrong may stay wrong. */
  #lists(value: JsonObject, before: JsonObject, errors: FieldErrors): void {
    const [found, old] = [new FieldErrors(), new FieldErrors()];
    validateLists(value, this.#schema, field(), found);
    if (found.isEmpty) return;
    validateLists(before, this.#schema, field(), old);
    if (old.isEmpty) errors.causes.push(...found.causes);
  }

  #rules(value: JsonObject, before: JsonObject | undefined, errors: FieldErrors): void {
    if (!this.#hasRules) return;
    if (errors.causes.some(({ reason }) => blocking.has(reason ?? ""))) {
      const detail =
        "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
      errors.invalid(unnamed, null, detail);
      return;
    }
    validateRules(value, this.#schema, before === undefined ? undefined : { value: before }, errors);
  }

  #scaleSpec(value: JsonObject, errors: FieldErrors): void {
    if (this.#scale !== undefined) validateReplicas(value, this.#scale.specReplicasPath, errors);
  }

  #scaleStatus(value: JsonObject, errors: FieldErrors): void {
    if (this.#scale !== undefined) validateReplicas(value, this.#scale.statusReplicasPath, errors);
  }
}

function validateReplicas(value: JsonObject, path: string, errors: FieldErrors): void {
  let found: JsonValue | undefined = value;
  for (const name of path.replace(/^\./, "").split(".")) {
    found = isObject(found) ? found[name] : undefined;
  }
  if (typeof found !== "number" && typeof found !== "bigint") return;
  const at = new Path(path);
  if (found < 0) errors.invalid(at, found, "should be a non-negative integer");
  else if (found > maxInt32) errors.invalid(at, found, `should be less than or equal to ${maxInt32}`);
}
