// What the API server knows of one kind. Each kind is declared in a file of its own (`<group>/<plural>.ts`); a custom
// resource is a definition made at run time. Nothing else in the API server knows kinds.

import type { Shape } from "#cluster/api/apply/shape.ts";
import type { BuiltInType } from "#cluster/api/kinds.ts";
import { type JsonValue, type KubeObject, type ObjectMeta, qualifiedResource } from "#cluster/api/objects.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { FieldErrors } from "./field-errors.ts";
import { type NameRule, subdomainName } from "./name-rules.ts";

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** The verbs of an ordinary kind, in the order of discovery documents. */
export const allVerbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** A generated type as it passes through the pipeline: named, perhaps not stored yet. */
export type Typed<T> = Omit<T, "apiVersion" | "kind" | "metadata"> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
};

/** One column of a Table; priority 0 shows always, 1 with `-o wide`. */
export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly format?: string;
  readonly description: string;
  readonly priority?: number;
}

export type TableRowCondition = {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
};

type JsonFields = { readonly [field: string]: JsonValue };

export type TableCell = string | Int64 | boolean | null;

export interface TableContext {
  readonly nowMs: number;
}

/** Where a kind keeps what `kubectl scale` changes, as dotted paths. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** The selector's path; a label selector or a plain map. */
  readonly selector: string;
}

/** A subresource as discovery lists it; what it does is the API server's business. */
export interface SubresourceEntry {
  readonly name: string;
  readonly kind: string;
  /** Set when the body's kind belongs to another group version than the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** Reads one field of an object as field selectors see it; "" when absent. (A method type, so that kinds can be forgotten.) */
export type FieldReader<O> = { read(object: O): string }["read"];

/** What a write is made with, for kinds that record it. */
export interface WriteFacts {
  readonly nowMs: number;
  readonly user: UserInfo;
}

/**
 * Brings objects from one version of their kind into another by asking somebody: both throw what makes a request wait for the answers,
 * or refuses it. `answers` are those that the request has; absent for callers in process.
 */
export interface Converter {
  /** What objects are stored as: `example.com/v1`. */
  readonly storageVersion: string;
  /** Asks for all at once. */
  require(objects: readonly KubeObject[], apiVersion: string, answers: Map<string, unknown> | undefined): void;
  convert(object: KubeObject, apiVersion: string, answers: Map<string, unknown> | undefined): KubeObject;
}

/** Everything the API server knows of a kind. */
export interface ResourceDefinition<O extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  /** The kind of lists where it is not the kind with `List` behind it. */
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** Verbs that are answered though discovery does not list them (a kind whose definition is going); default `verbs`. */
  readonly acceptsVerbs?: readonly Verb[];
  /** Why no object can be made now. */
  readonly refusesCreate?: string;
  /** When the kind came to be served: what is created over HTTP in its first two seconds waits for two, as upstream. */
  readonly servedSinceMs?: number;
  /** The type's name in the generated schema; undefined for custom resources, which have the next three instead. */
  readonly schemaType: string | undefined;
  /** Reads a document as an object of the kind: drops and names unknown fields. Throws DecodeError. */
  coerce?(value: JsonFields): { readonly value: JsonFields; readonly unknownFields: readonly string[] };
  /** How server-side apply sees its fields. */
  readonly shape?: Shape;
  /** The schema that OpenAPI documents show. */
  readonly openApiSchema?: unknown;
  /** Kinds that share storage (events of two groups) name the same table; default `plural` or `plural.group`. */
  readonly storage?: string;
  /** Between this version's form and the stored one, where the kind is served in several. */
  toStorage?(object: O): KubeObject;
  fromStorage?(object: KubeObject): KubeObject;
  /** What comes before these two, where the versions of a custom kind differ in more than their name. */
  readonly converter?: Converter;
  /** The version that upstream encodes objects in for etcd, where that is one that is not served: discovery tells its hash. */
  readonly encodedVersion?: string;
  /** Objects go by themselves this long after their last write (events). */
  readonly timeToLiveMs?: number;
  /** A question that is answered and never stored (`apiserver/reviews.ts`); its only verb is create. */
  readonly isReview?: boolean;
  /** Stands for the options of a connection to the resource: objects without metadata. */
  readonly isOptions?: boolean;
  readonly subresources?: readonly SubresourceEntry[];
  readonly scale?: ScalePaths;
  readonly nameRule: NameRule;
  /** A create is that of a subresource of the object that the body names, of the same group and version (bindings). */
  readonly createdAs?: { readonly plural: string; readonly subresource: string };
  /** PUT of an object that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** PUT and PATCH without a resourceVersion are refused. */
  readonly updateNeedsResourceVersion?: boolean;
  /** A change of anything below these top-level fields raises metadata.generation, which starts at 1. */
  readonly generationFields?: readonly string[];
  /** The group that refusals of invalid objects name, where it is another. */
  readonly refusedAsGroup?: string;
  /** metadata.generation is absent before the first such change. */
  readonly startsWithoutGeneration?: boolean;
  /** Pods end with a grace period; others at once. */
  gracePeriod?(object: O, requestedSeconds: number | undefined): number;
  /** What every use of the kind is warned of. */
  readonly deprecation?: string;
  /** The release that serves it no longer, as metrics and the audit log name it: `1.37`. */
  readonly removedRelease?: string;
  /** DELETE answers the object even when it is gone (ReturnDeletedObject in its registry); others answer a Status. */
  readonly returnsDeleted?: boolean;
  /** What else changes when an object is marked for deletion (a namespace's phase). */
  prepareForDelete?(object: O): O;
  /** Something beside finalizers that keeps an object that is being deleted (a namespace's spec.finalizers). */
  holdsDeletion?(object: O): boolean;
  /** What becomes of dependents when a delete does not say: "Background" unless stated. */
  readonly defaultPropagation?: "Background" | "Orphan";
  /** What a delete is warned of that leaves this to the default. */
  readonly propagationWarning?: string;
  /** Fills in what the client left out; returns the same object when nothing was missing. */
  defaults?(object: O): O;
  /** The only top-level fields that `defaults` looks at: an update that leaves them as stored needs no defaults. */
  readonly defaultedFields?: readonly string[];
  /** What a create may not bring: resets status and the like. */
  prepareForCreate?(object: O, facts: WriteFacts): O;
  /** What an update may not change: takes those parts from the old object. */
  prepareForUpdate?(object: O, old: O): O;
  /** What a write of the object itself does not own, as paths; default the status where that is a subresource. */
  readonly resetPaths?: readonly (readonly string[])[];
  /** What an update of the status subresource puts back, as paths; default the spec. */
  readonly statusResetPaths?: readonly (readonly string[])[];
  /** What an update of the status subresource may not change. */
  prepareForStatusUpdate?(object: O, old: O, facts: WriteFacts): O;
  /** The same for other subresources that write the object (a namespace's finalize), by name. */
  readonly subresourceStrategies?: {
    readonly [subresource: string]: { prepare(object: O, old: O, facts: WriteFacts): O }["prepare"];
  };
  validate?(object: O, errors: FieldErrors): void;
  /** The kind's own rules leave the metadata of a new object to the general ones, which come only where those find nothing. */
  readonly judgesMetadataLast?: true;
  /** Called after `validate` found its own; the generic metadata rules are the pipeline's. */
  validateUpdate?(object: O, old: O, errors: FieldErrors): void;
  validateStatusUpdate?(object: O, old: O, errors: FieldErrors): void;
  /** In place of `validateUpdate` for subresources that write the object, by name. */
  readonly subresourceValidators?: {
    readonly [subresource: string]: { validate(object: O, old: O, errors: FieldErrors): void }["validate"];
  };
  /** Texts for `Warning` headers. */
  warnings?(object: O, old: O | undefined): readonly string[];
  readonly columns: readonly TableColumn[];
  /** The cells of one row, in the order of the columns. */
  row(object: O, context: TableContext): readonly TableCell[];
  /** How Tables of lists are sorted, where not by key. */
  rowOrder?(a: O, b: O): number;
  /** What a row says of an object that is done, for clients that hide such. */
  rowConditions?(object: O): readonly TableRowCondition[] | undefined;
  /** Fields that field selectors may name, beside metadata.name and metadata.namespace. */
  readonly selectableFields?: { readonly [path: string]: FieldReader<O> };
  /** Of those, the ones that watches are indexed by. */
  readonly indexedFields?: readonly string[];
}

/** What a kind's file says; names come from its type constant in `api/kinds.ts`. */
export type ResourceDeclaration<T> = Omit<
  ResourceDefinition<Typed<T> & KubeObject>,
  "group" | "version" | "plural" | "singular" | "kind" | "namespaced" | "verbs" | "schemaType" | "nameRule"
> & { readonly singular?: string; readonly verbs?: readonly Verb[]; readonly nameRule?: NameRule };

/** Declares a built-in kind. The pipeline hands its functions only objects of that kind, so their type may be forgotten. */
export function defineResource<T>(type: BuiltInType<T>, declaration: ResourceDeclaration<T>): ResourceDefinition {
  const definition: ResourceDefinition<Typed<T> & KubeObject> = {
    group: type.group,
    version: type.version,
    plural: type.plural,
    kind: type.kind,
    namespaced: type.namespaced,
    schemaType: type.typeName,
    singular: asciiLowerCase(type.kind),
    verbs: allVerbs,
    nameRule: subdomainName,
    storage: qualifiedResource(type),
    ...declaration,
  };
  return definition;
}
