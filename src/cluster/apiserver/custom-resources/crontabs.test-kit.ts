// For tests: a server with the CronTab definition of the Kubernetes documentation, and exchanges about it.

import type { JsonValue } from "#cluster/api/objects.ts";
import type { Simulation } from "#sim/simulation.ts";
import { exchange, json, type TestReply } from "../http/http-call.test-kit.ts";
import type { ApiServer } from "../server.ts";
import { startServer } from "../test-server.test-kit.ts";

export type Fields = { readonly [field: string]: JsonValue };

export const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const crontabs = "/apis/stable.example.com/v1/namespaces/default/crontabs";
export const merge = { "content-type": "application/merge-patch+json" };
export const apply = { "content-type": "application/apply-patch+yaml" };

/** A definition with one version of the given schema for spec (or for the whole with `root`). */
export function crontabCrd(spec: Fields, version: Fields = {}, root: Fields = {}): Fields {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "crontabs.stable.example.com" },
    spec: {
      group: "stable.example.com",
      scope: "Namespaced",
      names: { plural: "crontabs", singular: "crontab", kind: "CronTab", shortNames: ["ct"], categories: ["all"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", ...spec } }, ...root } },
          ...version,
        },
      ],
    },
  };
}

export const plainSpec: Fields = {
  properties: { cronSpec: { type: "string" }, image: { type: "string" }, replicas: { type: "integer", minimum: 1, maximum: 10 } },
};

export function crontab(spec: JsonValue, name = "my-crontab"): Fields {
  return { apiVersion: "stable.example.com/v1", kind: "CronTab", metadata: { name }, spec };
}

/** A server on which the definition is established and its first two seconds are over. */
export function serveCrd(crd: Fields): { readonly server: ApiServer; readonly simulation: Simulation } {
  const { server, simulation } = startServer();
  const created = exchange(server, "POST", crds, crd);
  if (created.status !== 201) throw new Error(created.text);
  simulation.run({ untilMs: simulation.nowMs + 3_000 });
  return { server, simulation };
}

export function messageOf(reply: TestReply): readonly [number, JsonValue | undefined] {
  return [reply.status, json(reply)["message"]];
}

export function create(server: ApiServer, spec: JsonValue, name?: string): TestReply {
  return exchange(server, "POST", crontabs, crontab(spec, name));
}
