// POST to a subresource of an object, by name.

import { methodNotAllowed } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ResourceRequest } from "../machinery.ts";
import type { Pipeline } from "../pipeline.ts";
import { bindPod } from "./binding.ts";

/** Throws ApiError. */
export function createSubresource(pipeline: Pipeline, request: ResourceRequest, body: JsonValue): JsonValue {
  if (request.subresource === "binding")
    return pipeline.run("create", request, 201, () => bindPod(pipeline.machinery, request, body));
  throw methodNotAllowed({ group: request.definition.group, resource: request.definition.plural }, "create");
}
