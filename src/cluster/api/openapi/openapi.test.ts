import { describe, expect, it } from "vitest";
import { aggregatedDiscovery, apiGroupList, apiResourceList } from "./discovery.ts";
import { openApiV2, openApiV3, openApiV3Index } from "./documents.ts";
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
      paths: {
        "api/v1": { serverRelativeURL: "/openapi/v3/api/v1?hash=H" },
        "apis/apps/v1": { serverRelativeURL: "/openapi/v3/apis/apps/v1?hash=H" },
      },
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

  it("refers only to what it defines", () => {
    const text = JSON.stringify(openApiV2([pods, deployments], {}, "v1.36.0"));
    const { definitions } = JSON.parse(text) as { definitions: { [name: string]: unknown } };
    const references = [...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map((match) => match[1] as string);
    expect(references.filter((name) => definitions[name] === undefined)).toEqual([]);
  });
});
