// What the API keeps and no component of this cluster acts on: its maker is warned, and the page about the simulation lists it.

import type { Path } from "./field-errors.ts";

export interface Unsimulated {
  /** Names it in the page's words. */
  readonly id: string;
  /** Of the objects that it stands in; of `pods`, templates of Pods too. */
  readonly resource: string;
  /**
   * Fields below the object's spec, as `containers[].securityContext.procMount=Unmasked`: `[]` means each of a list, `=` these values and no
   * others (`|` between them). None: the whole kind.
   */
  readonly fields: readonly string[];
}

const inEachContainer = (field: string): readonly string[] =>
  ["containers", "initContainers", "ephemeralContainers"].map((list) => `${list}[].${field}`);

/** In the order in which they are listed. */
export const unsimulated: readonly Unsimulated[] = [
  { id: "networkPolicies", resource: "networkpolicies", fields: [] },
  { id: "autoscaling", resource: "horizontalpodautoscalers", fields: [] },
  { id: "devices", resource: "pods", fields: ["resourceClaims"] },
  { id: "blockDevices", resource: "pods", fields: inEachContainer("volumeDevices") },
  {
    id: "profiles",
    resource: "pods",
    fields: ["seccompProfile.type=Localhost", "appArmorProfile.type=Localhost"].flatMap((field) => [
      `securityContext.${field}`,
      ...inEachContainer(`securityContext.${field}`),
    ]),
  },
  { id: "kernelParameters", resource: "pods", fields: ["securityContext.sysctls"] },
  { id: "procMount", resource: "pods", fields: inEachContainer("securityContext.procMount=Unmasked") },
  { id: "groups", resource: "pods", fields: ["securityContext.supplementalGroupsPolicy=Strict"] },
  {
    id: "mountPropagation",
    resource: "pods",
    fields: inEachContainer("volumeMounts[].mountPropagation=HostToContainer|Bidirectional"),
  },
  { id: "mountOptions", resource: "persistentvolumes", fields: ["mountOptions"] },
  { id: "trafficDistribution", resource: "services", fields: ["trafficDistribution"] },
];

/** Warnings for an object's spec, which stands at `path`. */
export function unsimulatedWarnings(resource: string, spec: object, path: Path): readonly string[] {
  const rows = unsimulated.filter((row) => row.resource === resource);
  return rows.flatMap(({ fields }) => {
    const places = fields.length === 0 ? [`${resource}`] : fields.flatMap((field) => placesOf(field.split("."), spec, path));
    return places.map((place) => `${place}: accepted, but nothing in this simulated cluster acts on it`);
  });
}

/** Where a field is set. */
function placesOf([segment, ...rest]: readonly string[], within: unknown, path: Path): readonly string[] {
  if (segment === undefined) return [`${path}`];
  const [, name = "", isList, values] = /^(\w+)(\[\])?(?:=(.*))?$/.exec(segment) ?? [];
  const value = (within as { readonly [name: string]: unknown } | undefined)?.[name];
  const place = path.child(name);
  if (isEmpty(value) || (values !== undefined && !values.split("|").includes(String(value)))) return [];
  if (isList === undefined) return placesOf(rest, value, place);
  return (value as readonly unknown[]).flatMap((item, index) => placesOf(rest, item, place.index(index)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
