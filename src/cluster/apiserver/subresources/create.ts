// POST to a subresource of an object, by name.

import { badRequest, methodNotAllowed } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import { lateRequests } from "../late-requests.ts";
import type { Machinery } from "../machinery.ts";
import { type Body, type Pipeline, readBody } from "../pipeline.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { bindPod } from "./binding.ts";
import { requestToken } from "./token.ts";

type Creator = (machinery: Machinery, request: ResourceRequest, body: JsonValue) => JsonValue;

const creators: { readonly [path: string]: Creator } = {
  "pods/binding": bindPod,
  "pods/eviction": (machinery, request, body) => lateRequests.code.evictPod(machinery, request, body),
  "serviceaccounts/token": requestToken,
};

/** Answers the subresource's own object (a Status, a TokenRequest). `asked`: what is admitted, where it is another. Throws ApiError. */
export function createSubresource(pipeline: Pipeline, request: ResourceRequest, body: Body<JsonValue>, asked = request): JsonValue {
  const { group, plural } = request.definition;
  const create = group === "" ? creators[`${plural}/${request.subresource}`] : undefined;
  if (create === undefined) throw methodNotAllowed({ group, resource: plural }, "create");
  return pipeline.run("create", request, 201, () => create(pipeline.machinery, request, admitted(pipeline, asked, readBody(body))));
}

/** What goes to a subresource is admitted as a CREATE of its own object. */
function admitted(pipeline: Pipeline, request: ResourceRequest, body: JsonValue): JsonValue {
  const { admission } = pipeline.machinery;
  if (!isObject(body)) throw badRequest("the body of the request is not an object");
  request.audit?.requested(body);
  const metadata = isObject(body["metadata"]) ? (body["metadata"] as KubeObject["metadata"]) : {};
  const object: KubeObject = { apiVersion: "", kind: "", ...body, metadata };
  const changed = admission.mutate(request, "CREATE", object, undefined);
  admission.validate(request, "CREATE", changed, undefined);
  return changed === object ? body : (changed as JsonValue);
}
