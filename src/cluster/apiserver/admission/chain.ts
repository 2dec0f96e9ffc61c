// Admission: plugins in the API server's order, first those that change an object, after validation those that refuse it.

import { ApiError } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceRequest } from "../machinery.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface AdmissionAttributes extends ResourceRequest {
  readonly operation: AdmissionOperation;
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
}

export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
  /** What it wants to see: a request that concerns no plugin costs nothing. */
  readonly operations: readonly AdmissionOperation[];
  /** The only kind that it wants to see; absent: all. */
  readonly kind?: string;
  /** Which requests it wants to see, where that is not a matter of the kind. */
  concerns?(request: ResourceRequest): boolean;
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

type PluginsByOperation = { readonly [operation in AdmissionOperation]: readonly AdmissionPlugin[] };

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #mutating: PluginsByOperation;
  readonly #validating: PluginsByOperation;

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
    this.#mutating = byOperation(plugins.filter((plugin) => plugin.mutate !== undefined));
    this.#validating = byOperation(plugins.filter((plugin) => plugin.validate !== undefined));
  }

  get names(): readonly string[] {
    return this.#plugins.map((plugin) => plugin.name);
  }

  mutate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): KubeObject {
    let admitted = object;
    for (const plugin of this.#mutating[operation]) {
      if (plugin.mutate !== undefined && concerns(plugin, request))
        admitted = plugin.mutate({ ...request, operation, object: admitted, old });
    }
    return admitted;
  }

  validate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): void {
    for (const plugin of this.#validating[operation]) {
      if (concerns(plugin, request)) plugin.validate?.({ ...request, operation, object, old });
    }
  }
}

function byOperation(plugins: readonly AdmissionPlugin[]): PluginsByOperation {
  const of = (operation: AdmissionOperation) => plugins.filter((plugin) => plugin.operations.includes(operation));
  return { CREATE: of("CREATE"), UPDATE: of("UPDATE"), DELETE: of("DELETE"), CONNECT: of("CONNECT") };
}

function concerns(plugin: AdmissionPlugin, request: ResourceRequest): boolean {
  const { kind } = plugin;
  return (kind === undefined || kind === request.definition.kind) && plugin.concerns?.(request) !== false;
}
