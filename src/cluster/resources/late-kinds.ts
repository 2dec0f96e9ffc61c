// Kinds of which a cluster has no object until a client's program brings one, or only such as its own parts write. What the server knows
// of them beyond their names comes with those programs (`late-kind-code.ts`).

import type { BuiltInType } from "#cluster/api/kinds.ts";
import { qualifiedResource } from "#cluster/api/objects.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { Late } from "#sim/late.ts";
import { allVerbs, type ResourceDefinition } from "./definition.ts";

/** The whole definitions, in no order. */
export const lateKinds = new Late<readonly ResourceDefinition[]>("kinds");

/** What the server reads of all kinds as it starts and lists their objects. */
type Known =
  | "group"
  | "version"
  | "plural"
  | "singular"
  | "kind"
  | "namespaced"
  | "verbs"
  | "schemaType"
  | "storage"
  | "fromStorage";

/** What no kind has that comes late; events and custom kinds do, and those that are questions. */
type Absent =
  | "acceptsVerbs"
  | "coerce"
  | "converter"
  | "createdAs"
  | "indexedFields"
  | "isOptions"
  | "isReview"
  | "listKind"
  | "openApiSchema"
  | "refusesCreate"
  | "servedSinceMs"
  | "shape"
  | "timeToLiveMs";

type Fields = Exclude<keyof ResourceDefinition, Known | Absent>;

const fields: { readonly [field in Fields]: true } = {
  categories: true,
  columns: true,
  createOnUpdate: true,
  defaultedFields: true,
  defaultPropagation: true,
  defaults: true,
  deprecation: true,
  removedRelease: true,
  encodedVersion: true,
  generationFields: true,
  refusedAsGroup: true,
  startsWithoutGeneration: true,
  gracePeriod: true,
  holdsDeletion: true,
  judgesMetadataLast: true,
  nameRule: true,
  prepareForCreate: true,
  prepareForDelete: true,
  prepareForStatusUpdate: true,
  prepareForUpdate: true,
  propagationWarning: true,
  returnsDeleted: true,
  row: true,
  rowConditions: true,
  rowOrder: true,
  scale: true,
  selectableFields: true,
  shortNames: true,
  resetPaths: true,
  statusResetPaths: true,
  subresourceStrategies: true,
  subresources: true,
  subresourceValidators: true,
  toStorage: true,
  updateNeedsResourceVersion: true,
  validate: true,
  validateStatusUpdate: true,
  validateUpdate: true,
  warnings: true,
};

/**
 * A kind's names; all else is looked up in its whole definition when it is asked for. `storage`: it is stored in another version's form.
 * `early`: of kinds of which parts of a fresh cluster write objects, which need no judging, what is used of it until the whole is there.
 */
export function lateKind(type: BuiltInType<unknown>, storage?: string, early?: Partial<ResourceDefinition>): ResourceDefinition {
  const { group, version, plural, kind, namespaced, typeName } = type;
  let found: ResourceDefinition | undefined;
  const whole = (): ResourceDefinition => {
    found ??= lateKinds.code.find((one) => one.group === group && one.version === version && one.plural === plural);
    if (found === undefined) throw new Error(`${plural}.${version}.${group} is in no list of late kinds`);
    return found;
  };
  const names = {
    group,
    version,
    plural,
    kind,
    namespaced,
    schemaType: typeName,
    singular: asciiLowerCase(kind),
    verbs: allVerbs,
    storage: storage ?? qualifiedResource(type),
  };
  const properties: PropertyDescriptorMap = {};
  for (const field of Object.keys(fields) as Fields[])
    properties[field] = { get: () => (early === undefined || lateKinds.isThere ? whole() : early)[field], enumerable: true };
  if (storage !== undefined) properties["fromStorage"] = { get: () => whole().fromStorage, enumerable: true };
  return Object.defineProperties(names, properties) as ResourceDefinition;
}
