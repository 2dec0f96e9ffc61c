import { describe, expect, it } from "vitest";
import { docs as published } from "../generated/docs.ts";
import type { JsonObject, JsonValue } from "../wire.ts";
import { aggregatedDiscovery, apiGroupList } from "./discovery.ts";
import { openApiV2, openApiV3, openApiV3Index } from "./documents.ts";
import { groupWord, tagOf } from "./paths.ts";
import { apiResourceList } from "./resource-list.ts";
import type { ServedResource } from "./served.ts";

const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const deployments: ServedResource = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  singular: "deployment",
  kind: "Deployment",
  namespaced: true,
  shortNames: ["deploy"],
  categories: ["all"],
  verbs,
  subresources: [{ name: "scale", kind: "Scale", group: "autoscaling", version: "v1", verbs: ["get", "patch", "update"] }],
  typeName: "Deployment",
};
const pods: ServedResource = {
  ...deployments,
  group: "",
  plural: "pods",
  singular: "pod",
  kind: "Pod",
  shortNames: ["po"],
  subresources: [],
  typeName: "Pod",
};

describe("discovery", () => {
  it("[API-059] lists groups with their versions", () => {
    expect(apiGroupList([pods, deployments])).toEqual({
      kind: "APIGroupList",
      apiVersion: "v1",
      groups: [
        {
          name: "apps",
          versions: [{ groupVersion: "apps/v1", version: "v1" }],
          preferredVersion: { groupVersion: "apps/v1", version: "v1" },
        },
      ],
    });
  });

  it("[API-060] lists a group version's resources and subresources", () => {
    expect(apiResourceList([pods, deployments], "apps", "v1")).toMatchObject({
      kind: "APIResourceList",
      groupVersion: "apps/v1",
      resources: [
        {
          name: "deployments",
          singularName: "deployment",
          namespaced: true,
          kind: "Deployment",
          verbs,
          shortNames: ["deploy"],
          categories: ["all"],
        },
        {
          name: "deployments/scale",
          singularName: "",
          namespaced: true,
          group: "autoscaling",
          version: "v1",
          kind: "Scale",
          verbs: ["get", "patch", "update"],
        },
      ],
    });
    expect(apiResourceList([pods], "apps", "v1")).toBeUndefined();
  });

  it("[API-061] has the aggregated form", () => {
    expect(aggregatedDiscovery([pods, deployments], "/apis")).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: "apidiscovery.k8s.io/v2",
      items: [
        {
          metadata: { name: "apps" },
          versions: [
            {
              version: "v1",
              resources: [
                {
                  resource: "deployments",
                  scope: "Namespaced",
                  responseKind: { group: "apps", version: "v1", kind: "Deployment" },
                },
              ],
            },
          ],
        },
      ],
    });
  });
});

describe("OpenAPI", () => {
  const docs = { Deployment: { "": "Deployment enables declarative updates for Pods and ReplicaSets." } };

  it("[API-070] says where the documents of version 3 are", () => {
    expect(openApiV3Index([pods, deployments], () => "H")).toEqual({
      paths: Object.fromEntries(
        ["api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "version"].map((path) => [
          path,
          { serverRelativeURL: `/openapi/v3/${path}?hash=H` },
        ]),
      ),
    });
  });

  it("carries kinds, merge keys and documentation", () => {
    const document = openApiV3([pods, deployments], "apis/apps/v1", docs, "v1.36.0") as {
      components: { schemas: { [name: string]: { [key: string]: unknown; properties?: { [field: string]: unknown } } } };
    };
    const { schemas } = document.components;
    expect(schemas["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
      description: docs.Deployment[""],
      "x-kubernetes-group-version-kind": [{ group: "apps", kind: "Deployment", version: "v1" }],
      properties: { spec: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec" }] } },
    });
    expect(schemas["io.k8s.api.core.v1.Container"]?.properties?.ports).toEqual({
      type: "array",
      items: { default: {}, allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.ContainerPort" }] },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
      "x-kubernetes-patch-merge-key": "containerPort",
      "x-kubernetes-patch-strategy": "merge",
    });
  });

  it("names every operation as the published documents do", () => {
    const log = { name: "log", kind: "Pod", verbs: ["get"] };
    const exec = { name: "exec", kind: "PodExecOptions", verbs: ["create", "get"] };
    const proxy = { name: "proxy", kind: "PodProxyOptions", verbs: ["get"] };
    const eviction = { name: "eviction", kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] };
    const served = [{ ...pods, subresources: [log, exec, proxy, eviction] }, deployments];
    const { paths } = openApiV2(served, {}, "v1.36.0") as {
      paths: { [path: string]: { [method: string]: { operationId?: string; "x-kubernetes-action"?: string } } };
    };
    const names = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId, "x-kubernetes-action": action = "" }]) =>
        operationId === undefined ? [] : [`${method} ${path} ${action} ${operationId}`],
      ),
    );
    expect(
      names.filter((name) => /apps/.test(name) && !/watch/.test(name)).map((name) => name.replace("/apis/apps/v1", "")),
    ).toEqual([
      "get /apis/apps/  getAppsAPIGroup",
      "get /  getAppsV1APIResources",
      "get /deployments list listAppsV1DeploymentForAllNamespaces",
      "get /namespaces/{namespace}/deployments list listAppsV1NamespacedDeployment",
      "post /namespaces/{namespace}/deployments post createAppsV1NamespacedDeployment",
      "delete /namespaces/{namespace}/deployments deletecollection deleteAppsV1CollectionNamespacedDeployment",
      "get /namespaces/{namespace}/deployments/{name} get readAppsV1NamespacedDeployment",
      "put /namespaces/{namespace}/deployments/{name} put replaceAppsV1NamespacedDeployment",
      "patch /namespaces/{namespace}/deployments/{name} patch patchAppsV1NamespacedDeployment",
      "delete /namespaces/{namespace}/deployments/{name} delete deleteAppsV1NamespacedDeployment",
      "get /namespaces/{namespace}/deployments/{name}/scale get readAppsV1NamespacedDeploymentScale",
      "put /namespaces/{namespace}/deployments/{name}/scale put replaceAppsV1NamespacedDeploymentScale",
      "patch /namespaces/{namespace}/deployments/{name}/scale patch patchAppsV1NamespacedDeploymentScale",
    ]);
    expect(names.filter((name) => /pods\/\{name\}\//.test(name)).map((name) => name.split("/").at(-1))).toEqual([
      "eviction post createCoreV1NamespacedPodEviction",
      "exec connect connectCoreV1GetNamespacedPodExec",
      "exec connect connectCoreV1PostNamespacedPodExec",
      "log get readCoreV1NamespacedPodLog",
      "proxy connect connectCoreV1GetNamespacedPodProxy",
      "{path} connect connectCoreV1GetNamespacedPodProxyWithPath",
    ]);
    expect(names.filter((name) => /watch/.test(name) && /pods/.test(name)).map((name) => name.split(" ").at(-1))).toEqual([
      "watchCoreV1NamespacedPodList",
      "watchCoreV1NamespacedPod",
      "watchCoreV1PodListForAllNamespaces",
    ]);
  });

  it.each([
    ["", "core_v1", "Core"],
    ["apps", "apps_v1", "Apps"],
    ["rbac.authorization.k8s.io", "rbacAuthorization_v1", "RbacAuthorization"],
    ["flowcontrol.apiserver.k8s.io", "flowcontrolApiserver_v1", "FlowcontrolApiserver"],
    ["stable.example.com", "stableExampleCom_v1", "StableExampleCom"],
  ])("tags the group %j as %s", (group, tag, word) => {
    expect([tagOf(group, "v1"), groupWord(group)]).toEqual([tag, word]);
  });

  it("says in version 3 what is sent and what comes back", () => {
    const { paths } = openApiV3([deployments], "apis/apps/v1", {}, "v1.36.0") as {
      paths: { [path: string]: { [method: string]: { [key: string]: unknown } } };
    };
    const reference = { $ref: "#/components/schemas/io.k8s.api.apps.v1.Deployment" };
    const types = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
    const content = Object.fromEntries(types.map((type) => [type, { schema: reference }]));
    expect(paths["/apis/apps/v1/namespaces/{namespace}/deployments"]?.["post"]).toEqual({
      description: "create a Deployment",
      operationId: "createAppsV1NamespacedDeployment",
      tags: ["apps_v1"],
      parameters: ["dryRun", "fieldManager", "fieldValidation"].map((name) => ({
        in: "query",
        name,
        schema: { type: "string", uniqueItems: true },
      })),
      requestBody: { content, required: true },
      responses: {
        200: { description: "OK", content },
        201: { description: "Created", content },
        202: { description: "Accepted", content },
        401: { description: "Unauthorized" },
      },
      "x-kubernetes-action": "post",
      "x-kubernetes-group-version-kind": { group: "apps", kind: "Deployment", version: "v1" },
    });
  });

  it("offers strategic merge patches of built-in kinds only: kubectl apply chooses by it", () => {
    const { typeName: _typeName, ...rest } = deployments;
    const widgets: ServedResource = { ...rest, group: "example.com", plural: "widgets", kind: "Widget", subresources: [] };
    const { paths } = openApiV2([deployments, widgets], {}, "v1.36.0") as {
      paths: { [path: string]: { patch: { consumes: readonly string[] } } };
    };
    const all = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"];
    const consumes = (path: string) => paths[path]?.patch.consumes.map((type) => type.replace("application/", ""));
    expect(consumes("/apis/apps/v1/namespaces/{namespace}/deployments/{name}")).toEqual(all);
    expect(consumes("/apis/example.com/v1/namespaces/{namespace}/widgets/{name}")).toEqual([all[0], all[1], all[3]]);
  });

  // The names are those of the published swagger.json: a hash of each parameter's words.
  it("[API-069] has in version 2 what operations share once, with its documentation", () => {
    const { parameters, paths } = openApiV2([pods], published, "v1.36.0") as {
      parameters: JsonObject;
      paths: { [path: string]: { readonly parameters: JsonValue; readonly delete: { readonly parameters: JsonValue } } };
    };
    const watch = published["parameters "]?.["watch"];
    expect(parameters["watch-XNNPZGbK"]).toEqual({
      uniqueItems: true,
      type: "boolean",
      description: watch,
      name: "watch",
      in: "query",
    });
    expect(Object.keys(parameters)).toEqual(
      expect.arrayContaining(["body-2Y1dVQaQ", "body-78PwaGsr", "fieldManager-7c6nTn1T", "namespace-vgWSWtn3"]),
    );
    const pod = paths["/api/v1/namespaces/{namespace}/pods/{name}"];
    expect(pod?.parameters).toEqual([
      { uniqueItems: true, type: "string", description: "name of the Pod", name: "name", in: "path", required: true },
      { $ref: "#/parameters/namespace-vgWSWtn3" },
      { $ref: "#/parameters/pretty-tJGM1-ng" },
    ]);
    // Older clients look for dryRun in the operation itself.
    expect(pod?.delete.parameters).toMatchObject([{ $ref: "#/parameters/body-2Y1dVQaQ" }, { name: "dryRun" }, {}, {}, {}, {}]);
  });

  it("refers only to what it defines", () => {
    const text = JSON.stringify(openApiV2([pods, deployments], {}, "v1.36.0"));
    const document = JSON.parse(text) as { [collection: string]: { [name: string]: unknown } };
    const references = [...text.matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g)];
    expect(references.filter(([, collection = "", name = ""]) => document[collection]?.[name] === undefined)).toEqual([]);
  });

  it("describes the metadata of custom resources and of their lists as those of any object", () => {
    const { typeName: _, ...builtIn } = pods;
    const boats: ServedResource = {
      ...builtIn,
      group: "sea.io",
      plural: "boats",
      singular: "boat",
      kind: "Boat",
      schema: { type: "object" },
    };
    const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
    const metadata = { description: `Standard object's metadata. More info: ${conventions}#metadata` };
    const listMetadata = { description: `Standard list metadata. More info: ${conventions}#types-kinds` };
    const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
    expect(openApiV3([boats], "apis/sea.io/v1", {}, "v1.36.0")).toMatchObject({
      components: {
        schemas: {
          "io.sea.v1.Boat": {
            properties: { metadata: { ...metadata, allOf: [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }] } },
          },
          "io.sea.v1.BoatList": {
            properties: { metadata: { ...listMetadata, allOf: [{ $ref: `#/components/schemas/${meta}.ListMeta` }] } },
          },
        },
      },
    });
    expect(openApiV2([boats], {}, "v1.36.0")).toMatchObject({
      definitions: {
        "io.sea.v1.Boat": { properties: { metadata: { ...metadata, $ref: `#/definitions/${meta}.ObjectMeta` } } },
      },
    });
  });
});
