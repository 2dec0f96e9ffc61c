// The documents of discovery that clients ask metrics-server itself for.

import type { JsonValue } from "#cluster/api/objects.ts";
import { aggregatedDiscovery, apiGroup, apiGroupList } from "#cluster/api/openapi/discovery.ts";
import { negotiateOutput, parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { escapedJson, replyValue } from "#cluster/apiserver/http/writing.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { type Call, served } from "./api.ts";
import { group } from "./group.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const documents: ReadonlyMap<string, JsonValue | undefined> = new Map([
  ["/apis", apiGroupList(served)],
  [`/apis/${group}`, apiGroup(served, group)],
]);

/** False for a path that is none of them. */
export function serveGroups({ request, responder, headers, query, path: asked }: Call): boolean {
  const path = asked.replace(/\/$/, "");
  const isAggregated = parseAccept(request.headers["accept"] ?? "").some(
    ({ parameters }) => parameters.get("as") === "APIGroupDiscoveryList" && parameters.get("v") === "v2",
  );
  if (path === "/apis" && isAggregated) {
    const text = `${escapedJson(aggregatedDiscovery(served, "/apis"), false)}\n`;
    responder.reply(200, { ...headers, "content-type": aggregatedType }, encodeUtf8(text));
    return true;
  }
  const document = documents.get(path);
  if (document === undefined) return false;
  replyValue(responder, 200, document, negotiateOutput(request.headers, query), headers);
  return true;
}
