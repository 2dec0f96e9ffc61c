// What the API server says of itself, against the documents that are published with the release's sources: discovery of every stable
// group version, and OpenAPI of version 2 (definitions and what can be done at each path).

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { docs } from "#cluster/api/generated/docs.ts";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";
import { exchange, json } from "#cluster/apiserver/http/http-call.test-kit.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { Simulation } from "#sim/simulation.ts";

export interface Documents {
  /** As `resources.json` has it: group versions, their resources. */
  readonly discovery: JsonObject;
  readonly openApi: JsonObject;
}

/** Of a server that has just started. */
export function ourDocuments(): Documents {
  const simulation = new Simulation({ startMs: Date.UTC(2026, 0, 1), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.docs = docs;
  server.start();
  const get = (path: string): JsonObject => json(exchange(server, "GET", path)) as JsonObject;
  const { groups } = get("/apis") as unknown as { readonly groups: readonly { readonly versions: readonly JsonObject[] }[] };
  const versions = ["v1", ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => String(groupVersion)))];
  const discovery = Object.fromEntries(
    versions.map((version) => [version, resourcesOf(get(`${version === "v1" ? "/api" : "/apis"}/${version}`))]),
  );
  return { discovery, openApi: get("/openapi/v2") };
}

function resourcesOf({ resources }: JsonObject): JsonObject {
  const entries = (resources as readonly JsonObject[]).map(({ name, singularName, ...rest }) => {
    return [name, singularName === "" ? rest : { ...rest, singular: singularName }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** False where something differs, which it prints. `release`: the folder of k8s.io/kubernetes. */
export function checkDocuments(ours: Documents, release: string): boolean {
  const facts = JSON.parse(readFileSync("src/upstream/resources.json", "utf8")) as JsonObject;
  const published = JSON.parse(readFileSync(join(release, "api", "openapi-spec", "swagger.json"), "utf8")) as JsonObject;
  const discovery = [...differences(facts, ours.discovery, [])];
  const openApi = [...differences(comparable(published), comparable(ours.openApi), [])];
  const used = new Set(openApi.map(reasonFor));
  const told = [
    ...discovery.map((one) => ["discovery", one] as const),
    ...openApi.filter((one) => reasonFor(one) === undefined).map((one) => ["OpenAPI", one] as const),
  ];
  for (const [document, { path, upstream, ours }] of told) {
    console.log(`oracle: ${document}: ${path.join(" > ")} is ${text(ours)}, upstream ${text(upstream)}`);
  }
  const unused = known.filter(({ reason }) => !used.has(reason));
  for (const { reason } of unused) console.log(`oracle: OpenAPI: nothing differs any more because of: ${reason}`);
  console.log(
    `oracle: discovery and OpenAPI compared with the published documents, ${told.length} places differ, and ${openApi.length - told.length + discovery.length} as is known`,
  );
  return told.length + unused.length === 0;
}

interface Difference {
  readonly path: readonly string[];
  readonly upstream: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
}

const unstable = /\.?v\d+(alpha|beta)\d+/;
const anyJson =
  /\.(CustomResourceSubresourceStatus|RawExtension|FieldsV1|JSON|JSONSchemaPropsOrArray|JSONSchemaPropsOrBool|JSONSchemaPropsOrStringArray)$/;

/** What differs and stays so. */
const known: readonly { readonly reason: string; readonly is: (difference: Difference) => boolean }[] = [
  {
    reason: "versions and groups that are not stable are not served",
    is: ({ path: [, name = ""], ours }) =>
      ours === undefined && (unstable.test(name) || /\/apis\/(internal\.apiserver|storagemigration)\.k8s\.io\/$/.test(name)),
  },
  {
    reason: "logs of the machine and OpenID discovery are not described",
    is: ({ path: [, name = ""], ours }) => ours === undefined && /^\/(\.well-known|logs|openid)\//.test(name),
  },
  {
    reason: "HEAD and OPTIONS of proxies are not described",
    is: ({ path: [, name = "", method = ""], ours }) =>
      ours === undefined && name.includes("/proxy") && ["head", "options"].includes(method),
  },
  {
    reason: "the parameter of a feature that is off",
    is: ({ path }) => path.at(-1) === "query shardSelector",
  },
  {
    reason: "the type of the version's answer is not in the client package",
    is: ({ path: [part, name] }) =>
      name === "/version/" || (part === "definitions" && name === "io.k8s.apimachinery.pkg.version.Info"),
  },
  {
    reason: "any JSON is an object without a definition of its own",
    is: ({ path: [part, name = "", ...rest], upstream, ours }) =>
      part === "definitions" &&
      (rest.length === 0
        ? anyJson.test(name)
        : (rest.at(-1) === "type" && ours === "object" && upstream === undefined) ||
          (rest.at(-1) === "$ref" && anyJson.test(String(upstream)))),
  },
  {
    reason: "types that nothing served refers to",
    is: ({ path: [part, name = "", ...rest], ours }) =>
      part === "definitions" && rest.length === 0 && ours === undefined && name.endsWith(".GroupResource"),
  },
  { reason: "unions are marks for generators", is: ({ path }) => path.at(-1) === "x-kubernetes-unions" },
  {
    reason: "options and watch events are of every group at once",
    is: ({ path: [, name = "", mark] }) => /\.(DeleteOptions|WatchEvent)$/.test(name) && mark === "x-kubernetes-group-version-kind",
  },
  {
    reason: "replacing is what every patch does without a strategy",
    is: ({ path, upstream }) => path.at(-1) === "x-kubernetes-patch-strategy" && upstream === "replace",
  },
  {
    reason: "the client package has no text for fields that refer to a type, or the type's",
    is: ({ path: [part], path, ours }) =>
      part === "definitions" &&
      path.at(-1) === "description" &&
      (ours === undefined || /^(IntOrString is a type|MicroTime is version|JSON represents|JSONSchemaPropsOr)/.test(String(ours))),
  },
];

function reasonFor(difference: Difference): string | undefined {
  return known.find(({ is }) => is(difference))?.reason;
}

/** Where two values differ. */
function* differences(
  upstream: JsonValue | undefined,
  ours: JsonValue | undefined,
  path: readonly string[],
): Generator<Difference> {
  if (isDeepStrictEqual(upstream, ours)) return;
  if (upstream === undefined || ours === undefined || !isObject(upstream) || !isObject(ours)) {
    yield { path, upstream, ours };
    return;
  }
  for (const key of new Set([...Object.keys(upstream), ...Object.keys(ours)]))
    yield* differences(upstream[key], ours[key], [...path, key]);
}

/** A document without what is said in words of its own, and in a form in which order and sharing make no difference. */
function comparable(document: JsonObject): JsonObject {
  const { paths, definitions, parameters } = document as { readonly [part: string]: { readonly [name: string]: JsonObject } };
  return {
    definitions: plain(definitions as JsonObject),
    paths: Object.fromEntries(
      Object.entries(paths ?? {}).map(([path, item]) => [path, operationsOf(item, parameters as JsonObject)]),
    ),
  };
}

function plain(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    if (key === "description" && typeof part === "string") return [key, part.replace(/\s+/g, " ").trim()];
    return [key, key === "required" && Array.isArray(part) ? [...part].sort() : plain(part)];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function operationsOf({ parameters = [], ...methods }: JsonObject, shared: JsonObject): JsonObject {
  const operations = Object.entries(methods as { readonly [method: string]: JsonObject }).map(([method, operation]) => {
    const { description: _, consumes: __, produces: ___, parameters: own = [], ...rest } = operation;
    return [method, { ...rest, parameters: parametersOf([...(parameters as JsonObject[]), ...(own as JsonObject[])], shared) }];
  });
  return Object.fromEntries(operations) as JsonObject;
}

function parametersOf(parameters: readonly JsonObject[], shared: JsonObject): JsonObject {
  const entries = parameters.map((parameter) => {
    const reference = parameter["$ref"];
    const whole =
      typeof reference === "string" ? (shared[reference.slice(reference.lastIndexOf("/") + 1)] as JsonObject) : parameter;
    const { description: _, ...rest } = whole;
    return [`${String(whole["in"])} ${String(whole["name"])}`, rest];
  });
  return Object.fromEntries(entries) as JsonObject;
}

function text(value: JsonValue | undefined): string {
  const written = value === undefined ? "not there" : JSON.stringify(value);
  return written.length > 200 ? `${written.slice(0, 200)}…` : written;
}
