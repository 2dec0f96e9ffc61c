// GET /openapi/v2 in protobuf, for clients that ask for it first (kubectl does, for kinds it does not know): the handler's
// document, written once a version of it.

import { parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpRequest, HttpResponder } from "#sim/http.ts";
import { writeOpenApiV2 } from "./openapi-v2.ts";

/** What the reply is called, and the older name by which clients ask for it. */
const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const protobufTypes = [protobufType, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"];
const jsonTypes = ["application/json", "application/*", "*/*"];

export function withOpenApiProtobuf(handler: HttpHandler): HttpHandler {
  /** By the bytes of the JSON, which are the same object as long as the document is. */
  const written = new WeakMap<Bytes, Bytes>();
  const protobufOf = (json: Bytes): Bytes => {
    const known = written.get(json);
    if (known !== undefined) return known;
    const bytes = writeOpenApiV2(JSON.parse(decodeUtf8(json)));
    written.set(json, bytes);
    return bytes;
  };
  return (request, peer, responder) => {
    if (!asksForProtobuf(request)) {
      handler(request, peer, responder);
      return;
    }
    const asJson = { ...request, headers: { ...request.headers, accept: "application/json" } };
    handler(asJson, peer, documentResponder(responder, protobufOf));
  };
}

/** The best clause that can be served decides (kube-openapi's handler). */
function asksForProtobuf({ target, headers }: HttpRequest): boolean {
  if (target !== "/openapi/v2" && !target.startsWith("/openapi/v2?")) return false;
  const served = parseAccept(headers["accept"] ?? "").find(({ type }) => protobufTypes.includes(type) || jsonTypes.includes(type));
  return served !== undefined && protobufTypes.includes(served.type);
}

/** The ETag stays that of the JSON, as upstream's: the reply varies with Accept. */
function documentResponder(responder: HttpResponder, protobufOf: (json: Bytes) => Bytes): HttpResponder {
  return {
    ...responder,
    reply(status, headers, body) {
      if (status !== 200 || body.length === 0) responder.reply(status, headers, body);
      else responder.reply(status, { ...headers, "content-type": protobufType }, protobufOf(body));
    },
  };
}
