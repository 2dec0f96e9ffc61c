// POST to a subresource of an object, by name.

import { methodNotAllowed } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Machinery, ResourceRequest } from "../machinery.ts";
import { type Body, type Pipeline, readBody } from "../pipeline.ts";
import { bindPod } from "./binding.ts";
import { evictPod } from "./eviction.ts";
import { requestToken } from "./token.ts";

type Creator = (machinery: Machinery, request: ResourceRequest, body: JsonValue) => JsonValue;

const creators: { readonly [path: string]: Creator } = {
  "pods/binding": bindPod,
  "pods/eviction": evictPod,
  "serviceaccounts/token": requestToken,
};

/** Answers the subresource's own object (a Status, a TokenRequest). Throws ApiError. */
export function createSubresource(pipeline: Pipeline, request: ResourceRequest, body: Body<JsonValue>): JsonValue {
  const { group, plural } = request.definition;
  const create = group === "" ? creators[`${plural}/${request.subresource}`] : undefined;
  if (create === undefined) throw methodNotAllowed({ group, resource: plural }, "create");
  return pipeline.run("create", request, 201, () => create(pipeline.machinery, request, readBody(body)));
}
