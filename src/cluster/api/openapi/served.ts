// What discovery and OpenAPI documents are made of: a plain list of the served resources.

/** A subresource as discovery lists it. */
export interface ServedSubresource {
  /** `status`, `scale`, `log`. */
  readonly name: string;
  /** The kind of its body: the resource's own, `Scale`, `Eviction`. */
  readonly kind: string;
  /** Where that kind is of another group version than the resource. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** A delete answers the object, not a Status. */
  readonly returnsDeleted?: boolean;
  /** The group version that its objects are stored in, where that is another. */
  readonly storedAs?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The type in the generated schema; absent for custom resources. */
  readonly typeName?: string;
  /** Of custom resources: the structural schema. */
  readonly schema?: unknown;
  /** Of custom resources: the kind of their lists. */
  readonly listKind?: string;
}
