// Admission: plugins in the API server's order, first those that change an object, after validation those that refuse it.

import { ApiError } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceRequest } from "../machinery.ts";

export interface AdmissionAttributes extends ResourceRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
}

export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
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

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  get names(): readonly string[] {
    return this.#plugins.map((plugin) => plugin.name);
  }

  mutate(attributes: AdmissionAttributes): KubeObject {
    let object = attributes.object;
    for (const plugin of this.#plugins) {
      if (plugin.mutate !== undefined)
        object = plugin.mutate(object === attributes.object ? attributes : { ...attributes, object });
    }
    return object;
  }

  validate(attributes: AdmissionAttributes): void {
    for (const plugin of this.#plugins) plugin.validate?.(attributes);
  }
}
