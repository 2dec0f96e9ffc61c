// Admission: plugins in the API server's order, first those that change an object, after validation those that refuse it.

import { ApiError, forbidden } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { ResourceRequest } from "../machinery.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface AdmissionAttributes extends ResourceRequest {
  readonly operation: AdmissionOperation;
  /** For a DELETE the object that goes; for a CONNECT the options (`PodExecOptions`). */
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
}

export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
  /** What it wants to see: a request that concerns no plugin costs nothing. */
  readonly operations: readonly AdmissionOperation[];
  /** The only (built-in) kinds that it wants to see; absent: all. */
  readonly kind?: string | readonly string[];
  /** Where operations and kinds do not tell enough: whether such requests concern it. Asked once, not at each request. */
  handles?(definition: ResourceDefinition, operation: AdmissionOperation, subresource: string): boolean;
  /** Answers the object as it should be; throws ApiError to refuse. */
  mutate?(attributes: AdmissionAttributes): KubeObject;
  /** Throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes): void;
}

/**
 * A refusal that may end by itself within a second: the default service account of a new namespace is still to be made.
 * Over HTTP the request waits for it, as in reality; in process it is a refusal like any other.
 */
export class NotAdmittedYet extends ApiError {}

/** The plugins that concern a subresource of a kind, by operation. */
interface Concerned {
  readonly mutating: { readonly [operation in AdmissionOperation]: readonly AdmissionPlugin[] };
  readonly validating: { readonly [operation in AdmissionOperation]: readonly AdmissionPlugin[] };
}

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];
  readonly #concerned = new WeakMap<ResourceDefinition, Map<string, Concerned>>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
    this.#mutating = plugins.filter((plugin) => plugin.mutate !== undefined);
    this.#validating = plugins.filter((plugin) => plugin.validate !== undefined);
  }

  get names(): readonly string[] {
    return this.#plugins.map((plugin) => plugin.name);
  }

  mutate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): KubeObject {
    const plugins = this.#concernedBy(request).mutating[operation];
    if (plugins.length === 0) return object;
    let attributes: AdmissionAttributes = { ...request, operation, object, old };
    for (const plugin of plugins) {
      const changed = plugin.mutate?.(attributes) ?? attributes.object;
      if (changed !== attributes.object) attributes = { ...attributes, object: changed };
    }
    return attributes.object;
  }

  validate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): void {
    const plugins = this.#concernedBy(request).validating[operation];
    if (plugins.length === 0) return;
    const attributes: AdmissionAttributes = { ...request, operation, object, old };
    for (const plugin of plugins) plugin.validate?.(attributes);
  }

  /** For operations that store nothing of their own: a DELETE, a CONNECT. */
  admit(request: ResourceRequest, operation: "DELETE" | "CONNECT", object: KubeObject): void {
    const old = operation === "DELETE" ? object : undefined;
    this.mutate(request, operation, object, old);
    this.validate(request, operation, object, old);
  }

  #concernedBy({ definition, subresource }: ResourceRequest): Concerned {
    let bySubresource = this.#concerned.get(definition);
    if (bySubresource === undefined) {
      bySubresource = new Map();
      this.#concerned.set(definition, bySubresource);
    }
    let concerned = bySubresource.get(subresource);
    if (concerned === undefined) {
      const own = (plugins: readonly AdmissionPlugin[]) => byOperation(plugins, definition, subresource);
      concerned = { mutating: own(this.#mutating), validating: own(this.#validating) };
      bySubresource.set(subresource, concerned);
    }
    return concerned;
  }
}

function byOperation(
  plugins: readonly AdmissionPlugin[],
  definition: ResourceDefinition,
  subresource: string,
): Concerned["mutating"] {
  const of = (operation: AdmissionOperation) => plugins.filter((plugin) => concerns(plugin, definition, operation, subresource));
  return { CREATE: of("CREATE"), UPDATE: of("UPDATE"), DELETE: of("DELETE"), CONNECT: of("CONNECT") };
}

function concerns(
  plugin: AdmissionPlugin,
  definition: ResourceDefinition,
  operation: AdmissionOperation,
  subresource: string,
): boolean {
  const { kind, operations } = plugin;
  if (!operations.includes(operation) || plugin.handles?.(definition, operation, subresource) === false) return false;
  if (kind === undefined) return true;
  // A custom kind may have the name of a built-in one.
  if (definition.schemaType === undefined) return false;
  return typeof kind === "string" ? kind === definition.kind : kind.includes(definition.kind);
}

/** A refusal as plugins word it: a name that is still to be made shows as its prefix (admission.NewForbidden). */
export function notAdmitted(attributes: AdmissionAttributes, cause: string): ApiError {
  const { definition, object } = attributes;
  const name = attributes.name || object.metadata.name || object.metadata.generateName || "Unknown";
  return forbidden({ group: definition.group, resource: definition.plural }, name, cause);
}

/** Several findings as one text, each once (an aggregate of Go errors). */
export function aggregateText(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] as string) : `[${unique.join(", ")}]`;
}

/** For plugins that look at objects alone, not at their subresources. */
export function ofObjects(_definition: ResourceDefinition, _operation: AdmissionOperation, subresource: string): boolean {
  return subresource === "";
}
