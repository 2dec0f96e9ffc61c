import { describe, expect, it } from "vitest";
import type { KubeObject } from "#cluster/api/objects.ts";
import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { Registry } from "./registry.ts";
import { unsimulated, unsimulatedWarnings } from "./unsimulated.ts";

const end = ": accepted, but nothing in this simulated cluster acts on it";
const { all: kinds } = new Registry();

const written = unsimulated.flatMap(({ id, fields }) =>
  Object.entries(fields).flatMap(([resource, paths]) => paths.map((path) => [id, resource, path] as const)),
);

/** What stands at a path of a kind, by the generated schema; throws for a field that the type does not have. */
function typeAt(typeName: string, path: string): TypeSchema {
  let type: TypeSchema = { kind: "object", name: typeName };
  for (const segment of path.split(".")) {
    const [, name = "", isList, values] = /^(\w+)(\[\])?(=.*)?$/.exec(segment) ?? [];
    const found: TypeSchema | undefined = type.kind === "object" ? fieldsOf(type.name).get(name)?.type : undefined;
    if (found === undefined) throw new Error(`${path}: no field ${name} in ${JSON.stringify(type)}`);
    if (isList !== undefined && found.kind !== "list") throw new Error(`${path}: ${name} is no list`);
    if (values !== undefined && found.kind !== "string") throw new Error(`${path}: ${name} is no text`);
    type = isList !== undefined && found.kind === "list" ? found.of : found;
  }
  return type;
}

function warningsOf(plural: string, parts: object, old?: object): readonly string[] {
  const kind = kinds.find((each) => each.plural === plural);
  if (kind === undefined) throw new Error(`no kind ${plural}`);
  const objectOf = (own: object): KubeObject => ({ apiVersion: "v1", kind: kind.kind, metadata: { name: "x" }, ...own });
  return unsimulatedWarnings(kind, objectOf(parts), old === undefined ? undefined : objectOf(old));
}

describe("fields that nothing acts on", () => {
  it.each(written)("%s: %s has the field %s", (_id, resource, path) => {
    const types = kinds.filter(({ plural }) => plural === resource).map(({ schemaType }) => schemaType ?? "");
    expect(types).not.toEqual([]);
    for (const type of types) expect(() => typeAt(type, path)).not.toThrow();
  });

  it.each<[string, string, object, readonly string[]]>([
    ["nothing of the kind", "pods", { containers: [{ name: "a", securityContext: { procMount: "Default" } }] }, []],
    ["an empty list", "pods", { securityContext: { sysctls: [] }, containers: [] }, []],
    ["a list", "pods", { securityContext: { sysctls: [{ name: "a", value: "b" }] } }, ["spec.securityContext.sysctls"]],
    [
      "a value in some containers",
      "pods",
      {
        initContainers: [{ securityContext: { seccompProfile: { type: "Localhost" } } }],
        containers: [
          { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
          { securityContext: { procMount: "Unmasked" } },
        ],
      },
      ["spec.initContainers[0].securityContext.seccompProfile.type", "spec.containers[1].securityContext.procMount"],
    ],
  ])("are told where they are set: %s", (_case, resource, spec, places) => {
    expect(warningsOf(resource, { spec })).toEqual(places.map((place) => `${place}${end}`));
  });

  it.each([
    ["replicationcontrollers", "spec.template", (template: object) => ({ spec: { template } })],
    ["deployments", "spec.template", (template: object) => ({ spec: { template } })],
    ["replicasets", "spec.template", (template: object) => ({ spec: { template } })],
    ["statefulsets", "spec.template", (template: object) => ({ spec: { template } })],
    ["daemonsets", "spec.template", (template: object) => ({ spec: { template } })],
    ["jobs", "spec.template", (template: object) => ({ spec: { template } })],
    ["cronjobs", "spec.jobTemplate.spec.template", (template: object) => ({ spec: { jobTemplate: { spec: { template } } } })],
    ["podtemplates", "template", (template: object) => ({ template })],
  ])("are found in the template of %s", (resource, place, around) => {
    const template = { spec: { securityContext: { sysctls: [{ name: "a", value: "b" }] } } };
    expect(warningsOf(resource, around(template))).toEqual([`${place}.spec.securityContext.sysctls${end}`]);
  });

  it("are told of again only by an update that changes more than names, labels and the status", () => {
    const spec = { resourceClaims: [{ name: "gpu" }] };
    expect(warningsOf("pods", { spec, status: {} }, { spec: { ...spec } })).toEqual([]);
    expect(warningsOf("pods", { spec }, { spec: { ...spec, hostname: "a" } })).toEqual([`spec.resourceClaims${end}`]);
  });

  it("are named once each", () => {
    const ids = unsimulated.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
