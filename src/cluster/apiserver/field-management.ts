// managedFields: who set what. The bookkeeping compares every write with what was there before it, which costs more than
// the write; so a write only notes what it was (a lineage), and the entries are worked out when someone outside reads the
// object. Components that write in process neither see nor need them.

import { type Shape, ShapeError, shapeOfCustomResource, shapeOfType } from "#cluster/api/apply/shape.ts";
import { trackUpdate } from "#cluster/api/apply/track-update.ts";
import { emptyObjectOf } from "#cluster/api/emptiness.ts";
import type { ManagedFieldsEntry } from "#cluster/api/generated/types.ts";
import { groupVersionOf, type KubeObject } from "#cluster/api/objects.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** One write whose bookkeeping is still to be done. */
interface Lineage {
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly manager: string;
  readonly timeMs: number;
  /** The stored object before; undefined for a create. */
  readonly before: KubeObject | undefined;
  /** What the client sent, with defaults, before admission: what it comes to own. */
  readonly after: KubeObject;
  /** Writes that have piled up, this one included. */
  readonly depth: number;
}

/**
 * More writes than this do not pile up: further ones of the same writer count as one write with the last (a heartbeat
 * changes the same fields each time), those of another make the entries be worked out.
 */
const maxDepth = 12;

class Given {
  constructor(object: KubeObject) {
    // biome-ignore lint/correctness/noConstructorReturn: the object itself gets the private field of the class below.
    return object;
  }
}

/**
 * The lineage of a stored object, kept on it in private fields that nobody sees or copies. A WeakMap would do the same, but
 * with an entry for every object the collector spends more time on the map than the server on its requests.
 */
class Pending extends Given {
  #lineage: Lineage | undefined;
  /** What the server made the object of, without a client's write. */
  #origin: KubeObject | undefined;

  static of(object: KubeObject): Lineage | undefined {
    return #lineage in object ? object.#lineage : undefined;
  }

  static originOf(object: KubeObject): KubeObject | undefined {
    return #origin in object ? object.#origin : undefined;
  }

  static set(object: KubeObject, lineage: Lineage | undefined): void {
    const pending: object = #lineage in object ? object : new Pending(object);
    if (#lineage in pending) pending.#lineage = lineage;
  }

  static setOrigin(object: KubeObject, origin: KubeObject): void {
    const pending: object = #origin in object ? object : new Pending(object);
    if (#origin in pending) pending.#origin = origin;
  }
}

const resolved = new WeakMap<KubeObject, KubeObject>();

/** Notes that `request` wrote `stored`, having asked for `after`, over `before`. */
export function noteWrite(
  { simulation }: { readonly simulation: Simulation },
  request: Pick<ResourceRequest, "definition" | "subresource" | "fieldManager">,
  before: KubeObject | undefined,
  after: KubeObject,
  stored: KubeObject,
): void {
  const { definition, subresource, fieldManager: manager } = request;
  const previous = before === undefined ? undefined : Pending.of(before);
  let depth = 1;
  let since = before;
  if (previous !== undefined) {
    const isSameWriter = previous.manager === manager && previous.subresource === subresource && previous.definition === definition;
    if (previous.depth < maxDepth) depth = previous.depth + 1;
    else if (isSameWriter) {
      depth = previous.depth;
      since = previous.before;
    } else managed(before as KubeObject);
  }
  const timeMs = simulation.nowMs;
  Pending.set(stored, { definition, subresource, manager, timeMs, before: since, after, depth });
  // Written in the form of another version: every other form takes its managers from this one.
  const kept = Pending.originOf(stored);
  if (kept !== undefined) Pending.setOrigin(kept, stored);
}

/** Notes that `made` is `origin` after a change by the server itself: the managers stay the same. */
export function carryManagers(made: KubeObject, origin: KubeObject): void {
  if (made !== origin) Pending.setOrigin(made, origin);
}

/** An object as clients outside see it: with its managedFields. */
export function managed(object: KubeObject): KubeObject {
  const known = resolved.get(object);
  if (known !== undefined) return known;
  const entries = entriesOf(object);
  const result = withEntries(object, entries);
  resolved.set(object, result);
  Pending.set(object, undefined);
  return result;
}

function withEntries(object: KubeObject, entries: readonly ManagedFieldsEntry[] | undefined): KubeObject {
  if (entries === object.metadata.managedFields) return object;
  const { managedFields: _old, ...metadata } = object.metadata;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries } };
}

/** Goes back to the last object whose entries are known, then forward over the writes since. */
function entriesOf(object: KubeObject): readonly ManagedFieldsEntry[] | undefined {
  const writes: Lineage[] = [];
  let current: KubeObject | undefined = object;
  let entries: readonly ManagedFieldsEntry[] | undefined;
  while (current !== undefined) {
    const known: KubeObject | undefined = resolved.get(current);
    const lineage: Lineage | undefined = Pending.of(current);
    const origin: KubeObject | undefined = Pending.originOf(current);
    if (known !== undefined || (lineage === undefined && origin === undefined)) {
      entries = (known ?? current).metadata.managedFields;
      break;
    }
    if (lineage !== undefined) writes.push(lineage);
    current = lineage === undefined ? origin : lineage.before;
  }
  for (const write of writes.reverse()) entries = entriesAfter(write, entries);
  return entries;
}

function entriesAfter(
  write: Lineage,
  entries: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  try {
    return tracked(write, entries);
  } catch (error) {
    // As upstream: what cannot be compared by its keys has no owners.
    if (error instanceof ShapeError) return undefined;
    throw error;
  }
}

function tracked(write: Lineage, entries: readonly ManagedFieldsEntry[] | undefined): readonly ManagedFieldsEntry[] | undefined {
  const { definition, subresource, before, after, manager, timeMs: nowMs } = write;
  const object = trackUpdate({
    shape: shapeOfKind(definition),
    before: before === undefined ? emptyOf(definition) : withEntries(before, entries),
    after,
    manager,
    apiVersion: groupVersionOf(definition),
    ...(subresource === "" ? {} : { subresource }),
    ignoredPaths: ignoredPathsOf(definition, subresource),
    nowMs,
  });
  return object.metadata.managedFields;
}

/** How server-side apply sees a kind's fields. */
export function shapeOfKind({ schemaType, shape }: ResourceDefinition): Shape {
  return schemaType === undefined ? (shape ?? shapeOfCustomResource(undefined)) : shapeOfType(schemaType);
}

const statusOnly: readonly (readonly string[])[] = [["status"]];
const specOnly: readonly (readonly string[])[] = [["spec"]];
const nothing: readonly (readonly string[])[] = [];

/** What a request cannot set, and so nobody comes to own by it: the kind's strategy puts it back. */
export function ignoredPathsOf(definition: ResourceDefinition, subresource: string): readonly (readonly string[])[] {
  if (definition.prepareForStatusUpdate === undefined) return nothing;
  if (subresource === "") return definition.resetPaths ?? statusOnly;
  return subresource === "status" ? (definition.statusResetPaths ?? specOnly) : nothing;
}

/** What a create is compared with. */
export function emptyOf({ schemaType }: ResourceDefinition): JsonObject {
  return schemaType === undefined ? {} : emptyObjectOf(schemaType, "written");
}
