// OpenAPI documents: one of version 3 for each group version, one of version 2 for all; enough for kubectl's explain,
// validation, server dry run and apply.

import { isKnownType } from "../schema.ts";
import type { JsonValue } from "../wire.ts";
import { Definitions, type Dialect, type Docs, type JsonObject } from "./schemas.ts";
import { groupVersionsOf, type ServedResource } from "./served.ts";

/** GET /openapi/v3: where the documents are. `hashOf` gives the text that tells a document's versions apart. */
export function openApiV3Index(resources: readonly ServedResource[], hashOf: (path: string) => string): JsonObject {
  const paths = groupVersionsOf(resources).map((groupVersion) => documentPath(groupVersion));
  const entries = paths.map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(path)}` }] as const);
  return { paths: Object.fromEntries(entries) };
}

/** `api/v1`, `apis/apps/v1` */
function documentPath(groupVersion: string): string {
  return groupVersion.includes("/") ? `apis/${groupVersion}` : `api/${groupVersion}`;
}

/** GET /openapi/v3/<path>; undefined when nothing is served there. */
export function openApiV3(resources: readonly ServedResource[], path: string, docs: Docs, version: string): JsonObject | undefined {
  const own = resources.filter(({ group, version: own }) => documentPath(group === "" ? own : `${group}/${own}`) === path);
  if (own.length === 0) return undefined;
  const definitions = new Definitions("v3", docs, kindsByType(resources));
  const paths = pathsOf(own, definitions, "v3");
  definitions.reference("DeleteOptions");
  definitions.reference("Status");
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version },
    paths,
    components: { schemas: definitions.all() },
  };
}

/** GET /openapi/v2 */
export function openApiV2(resources: readonly ServedResource[], docs: Docs, version: string): JsonObject {
  const definitions = new Definitions("v2", docs, kindsByType(resources));
  const paths = pathsOf(resources, definitions, "v2");
  definitions.reference("DeleteOptions");
  definitions.reference("Status");
  return { swagger: "2.0", info: { title: "Kubernetes", version }, paths, definitions: definitions.all() };
}

function kindsByType(resources: readonly ServedResource[]): ReadonlyMap<string, readonly JsonObject[]> {
  const kinds = new Map<string, readonly JsonObject[]>();
  for (const { typeName, group, version, kind } of resources) {
    if (typeName === undefined || kinds.has(typeName)) continue;
    kinds.set(typeName, [{ group, kind, version }]);
    if (isKnownType(`${typeName}List`)) kinds.set(`${typeName}List`, [{ group, kind: `${kind}List`, version }]);
  }
  return kinds;
}

function pathsOf(resources: readonly ServedResource[], definitions: Definitions, dialect: Dialect): JsonObject {
  const paths: { [path: string]: JsonValue } = {};
  for (const resource of resources) {
    const { group, version, plural, namespaced } = resource;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
    const body = bodyReference(resource, definitions);
    paths[collection] = operations(resource, body, dialect, { get: "list", post: "create", delete: "deletecollection" });
    paths[`${collection}/{name}`] = operations(resource, body, dialect, {
      get: "get",
      put: "update",
      patch: "patch",
      delete: "delete",
    });
  }
  return paths;
}

function bodyReference(resource: ServedResource, definitions: Definitions): JsonObject {
  const { typeName, group, version, kind } = resource;
  if (typeName !== undefined) {
    if (isKnownType(`${typeName}List`)) definitions.reference(`${typeName}List`);
    return definitions.reference(typeName);
  }
  const name = `${group.split(".").reverse().join(".")}.${version}.${kind}`;
  const kinds = { "x-kubernetes-group-version-kind": [{ group, kind, version }] };
  const reference = customBody(name, resource, kinds, definitions);
  const listKind = resource.listKind ?? `${kind}List`;
  const { apiVersion, kind: kindField } = definitions.objectProperties();
  definitions.add(name.replace(/[^.]*$/, listKind), {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: apiVersion ?? {},
      items: { description: `List of ${resource.plural}. More info: ${conventions}`, type: "array", items: reference },
      kind: kindField ?? {},
      metadata: definitions.reference("ListMeta"),
    },
    "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
  });
  return reference;
}

function customBody(name: string, resource: ServedResource, kinds: JsonObject, definitions: Definitions): JsonObject {
  // With properties clients would take everything else for a mistake.
  if (resource.schema === undefined) return definitions.add(name, { type: "object", ...kinds });
  const schema = resource.schema as { readonly [key: string]: JsonValue };
  const properties = (schema.properties ?? {}) as JsonObject;
  return definitions.add(name, {
    ...schema,
    properties: {
      ...properties,
      ...definitions.objectProperties(),
    },
    ...kinds,
  });
}

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];

/** The operations of a path by HTTP method, where the resource has the verb. */
function operations(
  resource: ServedResource,
  body: JsonObject,
  dialect: Dialect,
  verbs: { readonly [method: string]: string },
): JsonObject {
  const { group, version, kind } = resource;
  const result: { [method: string]: JsonValue } = {};
  for (const [method, verb] of Object.entries(verbs)) {
    if (!resource.verbs.includes(verb)) continue;
    const isWrite = verb === "create" || verb === "update" || verb === "patch";
    const names = isWrite ? writeParameters : verb.startsWith("delete") ? ["dryRun"] : [];
    result[method] = {
      parameters: [
        ...names.map((name) => queryParameter(name, dialect)),
        ...(isWrite && dialect === "v2" ? [{ in: "body", name: "body", required: true, schema: body }] : []),
      ],
      responses: {
        200:
          dialect === "v2"
            ? { description: "OK", schema: body }
            : { description: "OK", content: { "application/json": { schema: body } } },
      },
      "x-kubernetes-action": verb === "create" ? "post" : verb === "update" ? "put" : verb,
      "x-kubernetes-group-version-kind": { group, kind, version },
    };
  }
  return result;
}

function queryParameter(name: string, dialect: Dialect): JsonObject {
  const type = { type: "string", uniqueItems: true };
  return dialect === "v2" ? { in: "query", name, ...type } : { in: "query", name, schema: type };
}
