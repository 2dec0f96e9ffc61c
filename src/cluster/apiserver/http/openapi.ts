// OpenAPI: version 2 for everything at once, version 3 a document a group version, whose address carries its hash so that
// clients may keep it for a year (kube-openapi's handlers).

import { documentPaths, openApiV2, openApiV3, openApiV3Index } from "#cluster/api/openapi/documents.ts";
import { httpDate } from "#cluster/images/http-dates.ts";
import { noBytes } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { HttpCall } from "./call.ts";
import { replyDocument, type ServedDocuments, textHash } from "./documents.ts";
import { parseAccept } from "./negotiation.ts";
import { versionInfo } from "./version.ts";

const prefix = "/openapi/v3/";

export function serveOpenApi(call: HttpCall, served: ServedDocuments, path: string): boolean {
  const { docs } = call.server;
  const headers = { "content-type": "application/json", "last-modified": httpDate(served.sinceMs) };
  const hashOf = (of: string): string => groupHash(served, of);
  if (path === "/openapi/v3") {
    const index = served.document(path, () => openApiV3Index(served.resources, hashOf));
    replyDocument(call, index, headers);
    return true;
  }
  const isV2 = path === "/openapi/v2";
  if (!isV2 && !path.startsWith(prefix)) return false;
  if (!acceptsJson(call.request.headers)) {
    call.responder.reply(406, { ...call.headers, vary: "Accept" }, noBytes);
    return true;
  }
  if (isV2) {
    const document = served.document(path, () => openApiV2(served.resources, docs, versionInfo.gitVersion));
    replyDocument(call, document, { ...headers, vary: "Accept" });
    return true;
  }
  return serveGroup(call, served, path.slice(prefix.length), { ...headers, vary: "Accept" });
}

function serveGroup(call: HttpCall, served: ServedDocuments, path: string, headers: HttpHeaders): boolean {
  if (!documentPaths(served.resources).includes(path)) return false;
  const { docs, simulation } = call.server;
  const hash = groupHash(served, path);
  const asked = call.info.query.get("hash") ?? "";
  if (asked !== "" && asked !== hash) {
    call.responder.reply(301, { ...call.headers, location: `${prefix}${path}?hash=${hash}`, vary: "Accept" }, noBytes);
    return true;
  }
  const make = () => openApiV3(served.resources, path, docs, versionInfo.gitVersion);
  const document = served.document(`${prefix}${path}`, make, hash);
  const lasting = {
    "cache-control": "public, immutable",
    // Upstream prints the zone of the time that it has.
    expires: httpDate(simulation.nowMs + 365 * 86_400_000).replace("GMT", "UTC"),
  };
  replyDocument(call, document, asked === "" ? headers : { ...headers, ...lasting });
  return true;
}

/** Changes when the kinds of a group version or their schemas do. */
function groupHash(served: ServedDocuments, path: string): string {
  const own = served.resources.filter(
    ({ group, version }) => path === (group === "" ? `api/${version}` : `apis/${group}/${version}`),
  );
  return textHash(`${path} ${JSON.stringify(own)}`);
}

function acceptsJson(headers: HttpHeaders): boolean {
  const { accept = "" } = headers;
  const accepted = ["application/json", "application/*", "*/*"];
  return accept === "" || parseAccept(accept).some(({ type }) => accepted.includes(type));
}
