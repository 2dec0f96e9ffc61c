// Admission: plugins in the API server's order, first those that change an object, after validation those that refuse it.

import { type ApiError, forbidden } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { Reinvocation } from "./dynamic/reinvocation.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface AdmissionAttributes extends ResourceRequest {
  readonly operation: AdmissionOperation;
  /** For a DELETE the object that goes; for a CONNECT the options (`PodExecOptions`). */
  readonly object: KubeObject;
  readonly old: KubeObject | undefined;
  readonly reinvocation: Reinvocation;
}

export interface AdmissionPlugin {
  /** As in `--enable-admission-plugins`. */
  readonly name: string;
  /** What it wants to see: a request that concerns no plugin costs nothing. */
  readonly operations: readonly AdmissionOperation[];
  /** The only (built-in) kinds that it wants to see; absent: all. */
  readonly kind?: string | readonly string[];
  /** Whether it has nothing to do at present, whatever is asked. */
  isIdle?(): boolean;
  /** Which requests it wants to see, where that is not a matter of the kind. */
  concerns?(request: ResourceRequest): boolean;
  /** Where operations and kinds do not tell enough: whether such requests concern it. Asked once, not at each request. */
  handles?(definition: ResourceDefinition, operation: AdmissionOperation, subresource: string): boolean;
  /** Answers the object as it should be; throws ApiError to refuse. */
  mutate?(attributes: AdmissionAttributes): KubeObject;
  /** Throws ApiError to refuse. */
  validate?(attributes: AdmissionAttributes): void;
}

/** The plugins that are asked about an operation on a subresource of a kind, in their order. */
export interface AskedPlugins {
  readonly mutating: readonly { readonly name: string }[];
  readonly validating: readonly { readonly name: string }[];
}

interface Concerned extends AskedPlugins {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
}

export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];
  readonly #onAsked: (plugins: AskedPlugins) => void;
  /** By kind, then by operation and subresource: `CREATE/status`. */
  readonly #concerned = new WeakMap<ResourceDefinition, Map<string, Concerned>>();

  /** `onAsked` is told of every request that objects are admitted for. */
  constructor(plugins: readonly AdmissionPlugin[], onAsked: (plugins: AskedPlugins) => void = () => {}) {
    this.#plugins = plugins;
    this.#onAsked = onAsked;
    this.#mutating = plugins.filter((plugin) => plugin.mutate !== undefined);
    this.#validating = plugins.filter((plugin) => plugin.validate !== undefined);
  }

  /** All that are asked about anything. */
  get all(): AskedPlugins {
    return { mutating: this.#mutating, validating: this.#validating };
  }

  get names(): readonly string[] {
    return this.#plugins.map((plugin) => plugin.name);
  }

  mutate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): KubeObject {
    const concerned = this.#concernedBy(request, operation);
    this.#onAsked(concerned);
    const plugins = concerned.mutating;
    const first = firstActive(plugins, request, 0);
    if (first === plugins.length) return object;
    const reinvocation = new Reinvocation();
    const attributes: AdmissionAttributes = { ...request, operation, object, old, reinvocation };
    const admitted = mutateOnce(plugins, first, attributes);
    if (!reinvocation.isWanted) return admitted;
    reinvocation.isSecond = true;
    return mutateOnce(plugins, first, { ...attributes, object: admitted });
  }

  validate(request: ResourceRequest, operation: AdmissionOperation, object: KubeObject, old: KubeObject | undefined): void {
    const plugins = this.#concernedBy(request, operation).validating;
    let index = firstActive(plugins, request, 0);
    if (index === plugins.length) return;
    const attributes: AdmissionAttributes = { ...request, operation, object, old, reinvocation: firstRound };
    for (; index < plugins.length; index = firstActive(plugins, request, index + 1)) plugins[index]?.validate?.(attributes);
  }

  /** For operations that store nothing of their own: a DELETE, a CONNECT. */
  admit(request: ResourceRequest, operation: "DELETE" | "CONNECT", object: KubeObject): void {
    const old = operation === "DELETE" ? object : undefined;
    this.mutate(request, operation, object, old);
    this.validate(request, operation, object, old);
  }

  #concernedBy({ definition, subresource }: ResourceRequest, operation: AdmissionOperation): Concerned {
    let ofKind = this.#concerned.get(definition);
    if (ofKind === undefined) {
      ofKind = new Map();
      this.#concerned.set(definition, ofKind);
    }
    const key = subresource === "" ? operation : `${operation}/${subresource}`;
    let concerned = ofKind.get(key);
    if (concerned === undefined) {
      const own = (plugin: AdmissionPlugin): boolean => concerns(plugin, definition, operation, subresource);
      concerned = { mutating: this.#mutating.filter(own), validating: this.#validating.filter(own) };
      ofKind.set(key, concerned);
    }
    return concerned;
  }
}

const firstRound = new Reinvocation();

/** The place of the first plugin from `start` on that has something to do; the list's length when there is none. */
function firstActive(plugins: readonly AdmissionPlugin[], request: ResourceRequest, start: number): number {
  for (let index = start; index < plugins.length; index += 1) {
    const plugin = plugins[index] as AdmissionPlugin;
    if (plugin.isIdle?.() !== true && plugin.concerns?.(request) !== false) return index;
  }
  return plugins.length;
}

/** Each plugin sees the object as those before it have left it: `attributes` is the caller's alone and changes with it. */
function mutateOnce(plugins: readonly AdmissionPlugin[], start: number, attributes: Changing<AdmissionAttributes>): KubeObject {
  for (let index = start; index < plugins.length; index = firstActive(plugins, attributes, index + 1))
    attributes.object = plugins[index]?.mutate?.(attributes) ?? attributes.object;
  return attributes.object;
}

type Changing<T extends { readonly object: KubeObject }> = Omit<T, "object"> & { object: KubeObject };

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

/** For plugins that look at objects alone, not at their subresources. */
export function ofObjects(_definition: ResourceDefinition, _operation: AdmissionOperation, subresource: string): boolean {
  return subresource === "";
}
