// What the API keeps and no component of this cluster acts on: its maker is warned, and the page about the simulation lists it.

import { deepEqual } from "#cluster/api/equality.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { podPlaceIn } from "#cluster/api/pod-templates.ts";
import { field, Path } from "./field-errors.ts";

export interface Unsimulated {
  /** Names it in the page's words. */
  readonly id: string;
  /**
   * By resource (of `pods`, templates of Pods too): fields of the object, as `spec.containers[].securityContext.procMount=Unmasked`. `[]` means
   * each of a list, `=` these values and no others (`|` between them).
   */
  readonly fields: { readonly [resource: string]: readonly string[] };
}

const inEachContainer = (name: string): readonly string[] =>
  ["containers", "initContainers", "ephemeralContainers"].map((list) => `spec.${list}[].${name}`);

/** In the order in which they are listed. */
export const unsimulated: readonly Unsimulated[] = [
  { id: "devices", fields: { pods: ["spec.resourceClaims"] } },
  { id: "blockDevices", fields: { pods: inEachContainer("volumeDevices") } },
  {
    id: "profiles",
    fields: {
      pods: ["seccompProfile.type=Localhost", "appArmorProfile.type=Localhost"].flatMap((name) => [
        `spec.securityContext.${name}`,
        ...inEachContainer(`securityContext.${name}`),
      ]),
    },
  },
  { id: "kernelParameters", fields: { pods: ["spec.securityContext.sysctls"] } },
  { id: "procMount", fields: { pods: inEachContainer("securityContext.procMount=Unmasked") } },
];

/** Of a built-in kind. */
interface Kind {
  readonly plural: string;
  readonly kind: string;
}

/** What the maker of an object is warned of; of an update, if it changes more than what all objects have. */
export function unsimulatedWarnings({ plural, kind }: Kind, object: KubeObject, old: KubeObject | undefined): readonly string[] {
  if (old !== undefined && deepEqual(ownParts(object), ownParts(old))) return [];
  const template = podPlaceIn(kind);
  const places = unsimulated.flatMap(({ fields }) => {
    const ofPods = template === undefined ? [] : (fields["pods"] ?? []);
    const own = plural === "pods" ? undefined : fields[plural];
    return [
      ...(own ?? []).flatMap((name) => placesOf(name.split("."), object, new Path(""))),
      ...ofPods.flatMap((name) => placesOf(name.split("."), valueAt(object, template ?? []), field(...(template ?? [])))),
    ];
  });
  return places.map((place) => `${place}: accepted, but nothing in this simulated cluster acts on it`);
}

function ownParts({ metadata: _metadata, status: _status, ...parts }: KubeObject): object {
  return parts;
}

function valueAt(object: unknown, names: readonly string[]): unknown {
  return names.reduce((within, name) => (within as { readonly [name: string]: unknown } | undefined)?.[name], object);
}

/** Where a field is set. */
function placesOf([segment, ...rest]: readonly string[], within: unknown, path: Path): readonly string[] {
  if (segment === undefined) return [`${path}`];
  const [, name = "", isList, values] = /^(\w+)(\[\])?(?:=(.*))?$/.exec(segment) ?? [];
  const value = valueAt(within, [name]);
  const place = path.child(name);
  if (isEmpty(value) || (values !== undefined && !values.split("|").includes(String(value)))) return [];
  if (isList === undefined) return placesOf(rest, value, place);
  return (value as readonly unknown[]).flatMap((item, index) => placesOf(rest, item, place.index(index)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
