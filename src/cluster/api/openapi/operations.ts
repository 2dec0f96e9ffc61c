// One operation of a path, in the form of either version of OpenAPI.

import type { JsonObject } from "../wire.ts";
import type { Dialect } from "./dialect.ts";
import type { Parameters } from "./parameters.ts";

export interface Operation {
  readonly id: string;
  readonly description: string;
  /** `apps_v1` */
  readonly tag: string;
  /** list, get, post, put, patch, delete, deletecollection, watch, watchlist, connect; absent for paths of no kind. */
  readonly action?: string;
  readonly kind?: JsonObject;
  /** Names of query parameters. */
  readonly query?: readonly string[];
  readonly body?: { readonly schema: JsonObject; readonly types: readonly string[]; readonly required: boolean };
  /** What comes back, by status; undefined for plain text. */
  readonly responses: { readonly [status: string]: JsonObject | undefined };
  readonly produces: readonly string[];
}

const objectTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
export const mediaTypes = {
  object: objectTypes,
  list: [...objectTypes, "application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"],
  patch: [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
  ],
  /** Custom resources take no strategic merge patch; clients choose what they send by this list. */
  customPatch: ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"],
  any: ["*/*"],
  log: ["text/plain", ...objectTypes],
} as const;

const statusTexts: { readonly [status: string]: string } = { 200: "OK", 201: "Created", 202: "Accepted", 401: "Unauthorized" };

export function operationObject(parameters: Parameters, operation: Operation): JsonObject {
  const { id, description, tag, action, kind, query = [], body, produces } = operation;
  const { dialect } = parameters;
  const asked = query.map((name) => parameters.query(name, action ?? ""));
  const all = dialect === "v2" && body !== undefined ? [parameters.body(body.schema, body.required), ...asked] : asked;
  return {
    description,
    operationId: id,
    tags: [tag],
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(dialect === "v2" ? { consumes: body?.types ?? mediaTypes.any, produces, schemes: ["https"] } : requestBody(body)),
    responses: responsesOf(dialect, operation),
    ...(action === undefined ? {} : { "x-kubernetes-action": action }),
    ...(kind === undefined ? {} : { "x-kubernetes-group-version-kind": kind }),
  };
}

function requestBody(body: Operation["body"]): JsonObject {
  if (body === undefined) return {};
  return { requestBody: { content: contentOf(body.types, body.schema), ...(body.required ? { required: true } : {}) } };
}

function contentOf(types: readonly string[], schema: JsonObject): JsonObject {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function responsesOf(dialect: Dialect, { responses, produces }: Operation): JsonObject {
  const entries = Object.entries(responses).map(([status, schema]) => {
    const description = statusTexts[status] ?? "";
    const answer = schema ?? { type: "string" };
    const content = dialect === "v2" ? { schema: answer } : { content: contentOf(produces, answer) };
    return [status, { description, ...content }] as const;
  });
  return { ...Object.fromEntries(entries), 401: { description: statusTexts[401] ?? "" } };
}
