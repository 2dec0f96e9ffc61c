// OpenAPI documents: one of version 3 for each group version, one of version 2 for all; enough for kubectl's explain,
// validation, server dry run and apply.

import { asciiUpperCase } from "#sim/ascii.ts";
import { goStruct } from "../go-types.ts";
import { compareBytes } from "../json-write.ts";
import { isKnownType } from "../schema.ts";
import type { JsonObject, JsonValue } from "../wire.ts";
import { publishedSchema } from "./custom-schemas.ts";
import type { Docs } from "./dialect.ts";
import { mediaTypes, operationObject } from "./operations.ts";
import { groupWord, type PathTypes, resourcePaths, tagOf } from "./paths.ts";
import { Definitions } from "./schemas.ts";
import type { ServedResource } from "./served.ts";
import { subresourceType } from "./subresource-types.ts";

/** GET /openapi/v3: where the documents are. `hashOf` gives the text that tells a document's versions apart. */
export function openApiV3Index(resources: readonly ServedResource[], hashOf: (path: string) => string): JsonObject {
  const entries = documentPaths(resources).map((path) => [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(path)}` }]);
  return { paths: Object.fromEntries(entries) };
}

/** `api`, `apis`, `version`, and of each group and group version `apis/apps`, `apis/apps/v1`. */
export function documentPaths(resources: readonly ServedResource[]): readonly string[] {
  const paths = new Set(["api", "apis", "version"]);
  for (const { group, version } of resources) {
    if (group !== "") paths.add(`apis/${group}`);
    paths.add(documentPath(group, version));
  }
  return [...paths].sort();
}

/** `api/v1`, `apis/apps/v1` */
function documentPath(group: string, version: string): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

/** GET /openapi/v3/<path>, for one of the paths that there are. */
export function openApiV3(resources: readonly ServedResource[], path: string, docs: Docs, version: string): JsonObject {
  const definitions = new Definitions("v3", docs, kindsByType(resources));
  const own = resources.filter((resource) => documentPath(resource.group, resource.version) === path);
  const paths = { ...rootPaths(path, definitions), ...pathsOf(own, definitions) };
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version },
    paths: sorted(paths),
    components: { schemas: definitions.all(), ...security.v3 },
    ...security.use,
  };
}

/** GET /openapi/v2 */
export function openApiV2(resources: readonly ServedResource[], docs: Docs, version: string): JsonObject {
  const definitions = new Definitions("v2", docs, kindsByType(resources));
  const roots = documentPaths(resources).map((path) => rootPaths(path, definitions));
  const paths = Object.assign({}, ...roots, pathsOf(resources, definitions)) as JsonObject;
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version },
    paths: sorted(paths),
    definitions: definitions.all(),
    parameters: definitions.parameters.all(),
    ...security.v2,
    ...security.use,
  };
}

const bearerToken = {
  BearerToken: { description: "Bearer Token authentication", type: "apiKey", name: "authorization", in: "header" },
};
const security = {
  v2: { securityDefinitions: bearerToken },
  v3: { securitySchemes: bearerToken },
  use: { security: [{ BearerToken: [] }] },
} as const;

function sorted(paths: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => compareBytes(a, b)));
}

/** The discovery path that a document begins with. */
function rootPaths(path: string, definitions: Definitions): JsonObject {
  const [prefix = "", group = "", version = ""] = path.startsWith("api/") ? ["apis", "", path.slice(4)] : path.split("/");
  const word = groupWord(group);
  const get = (id: string, tag: string, description: string, typeName: string): JsonObject => {
    const responses = { 200: typeName === "" ? undefined : definitions.reference(typeName) };
    return {
      [`/${path}/`]: {
        get: operationObject(definitions.parameters, { id, tag, description, responses, produces: mediaTypes.object }),
      },
    };
  };
  if (prefix === "version") return get("getCodeVersion", "version", "get the version information for this server", "");
  if (prefix === "api") return get("getCoreAPIVersions", "core", "get available API versions", "APIVersions");
  if (version !== "") {
    const id = `get${word}${asciiUpperCase(version.charAt(0))}${version.slice(1)}APIResources`;
    return get(id, tagOf(group, version), "get available resources", "APIResourceList");
  }
  if (group === "") return get("getAPIVersions", "apis", "get available API versions", "APIGroupList");
  return get(`get${word}APIGroup`, tagOf(group, "").slice(0, -1), "get information of a group", "APIGroup");
}

function kindsByType(resources: readonly ServedResource[]): ReadonlyMap<string, readonly JsonObject[]> {
  const kinds = new Map<string, readonly JsonObject[]>(
    metaKinds.map((kind) => [kind, [{ group: "", kind, version: "v1" }]] as const),
  );
  const add = (typeName: string | undefined, group: string, version: string, kind: string): void => {
    if (typeName !== undefined && !kinds.has(typeName)) kinds.set(typeName, [{ group, kind, version }]);
  };
  for (const { typeName, group, version, kind, subresources } of resources) {
    if (typeName === undefined) continue;
    add(typeName, group, version, kind);
    add(listType(typeName), group, version, `${kind}List`);
    for (const body of subresources) {
      const type = subresourceType(body.kind);
      if (body.group !== undefined && isKnownType(type)) add(type, body.group, body.version ?? version, body.kind);
    }
  }
  return kinds;
}

/** What discovery and deletions answer. */
const metaKinds = ["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"];

/** Lists have no group in their name where that of their items tells it from another group's. */
function listType(typeName: string): string | undefined {
  return [`${typeName}List`, `${goStruct(typeName).name}List`].find(isKnownType);
}

function pathsOf(resources: readonly ServedResource[], definitions: Definitions): JsonObject {
  const paths: { [path: string]: JsonValue } = {};
  for (const resource of resources) {
    Object.assign(paths, resourcePaths(resource, typesOf(resource, definitions), definitions.parameters));
  }
  return paths;
}

function typesOf(resource: ServedResource, definitions: Definitions): PathTypes {
  return {
    ...bodies(resource, definitions),
    reference: (name) => definitions.reference(name),
    get patch() {
      return definitions.add("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", { type: "object" });
    },
  };
}

function bodies(resource: ServedResource, definitions: Definitions): { readonly object: JsonObject; readonly list: JsonObject } {
  const { typeName } = resource;
  if (typeName === undefined) return customBodies(resource, definitions);
  const object = definitions.reference(typeName);
  const list = listType(typeName);
  return { object, list: list === undefined ? { type: "object" } : definitions.reference(list) };
}

const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

function customBodies(
  resource: ServedResource,
  definitions: Definitions,
): { readonly object: JsonObject; readonly list: JsonObject } {
  const { group, version, kind, plural, listKind = `${kind}List` } = resource;
  const prefix = `${group.split(".").reverse().join(".")}.${version}`;
  const object = customBody(
    `${prefix}.${kind}`,
    resource,
    { "x-kubernetes-group-version-kind": [{ group, kind, version }] },
    definitions,
  );
  const { apiVersion, kind: kindField } = definitions.objectProperties();
  const list = definitions.add(`${prefix}.${listKind}`, {
    description: `${listKind} is a list of ${kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: apiVersion ?? {},
      items: { description: `List of ${plural}. More info: ${conventions}`, type: "array", items: object },
      kind: kindField ?? {},
      metadata: definitions.listMetadata(),
    },
    "x-kubernetes-group-version-kind": [{ group, kind: listKind, version }],
  });
  return { object, list };
}

function customBody(name: string, resource: ServedResource, kinds: JsonObject, definitions: Definitions): JsonObject {
  const { schema } = resource;
  // Without a schema, too, fields would make clients take everything else for a mistake.
  const published =
    schema === undefined
      ? { type: "object" }
      : publishedSchema(schema as JsonObject, definitions.parameters.dialect, definitions.objectProperties());
  return definitions.add(name, { ...published, ...kinds });
}
