// Lets clients speak protobuf to a handler that knows JSON: bodies are read before it; replies are written after it for
// clients that accept nothing else. Who accepts JSON too gets JSON.

import { badRequest } from "#cluster/api/errors.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import { readEnvelope, writeEnvelope } from "#cluster/api/protobuf/envelope.ts";
import { WireError, WireWriter, wireTypes } from "#cluster/api/protobuf/wire.ts";
import type { JsonObject } from "#cluster/api/wire.ts";
import { parseAccept } from "#cluster/apiserver/http/negotiation.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { BodyWriter, HttpHandler, HttpHeaders, HttpRequest, HttpResponder } from "#sim/http.ts";

const protobufType = "application/vnd.kubernetes.protobuf";

export function withProtobuf(handler: HttpHandler): HttpHandler {
  return (request, peer, responder) => {
    const onlyProtobuf = acceptsOnlyProtobuf(request.headers["accept"] ?? "");
    const hasProtobuf = (request.headers["content-type"] ?? "").startsWith(protobufType);
    if (!onlyProtobuf && !hasProtobuf) {
      handler(request, peer, responder);
      return;
    }
    const answer = onlyProtobuf ? protobufResponder(responder) : responder;
    try {
      const readable = hasProtobuf ? withJsonBody(request) : request;
      const headers = onlyProtobuf
        ? { ...readable.headers, accept: jsonAccept(readable.headers["accept"] ?? "") }
        : readable.headers;
      handler({ ...readable, headers }, peer, answer);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const { status } = badRequest(`the object provided is unrecognized: ${error.message}`);
      answer.reply(400, { "content-type": "application/json" }, encodeUtf8(jsonText(status)));
    }
  };
}

/** A body of an unknown kind stays as it is: the handler refuses its media type. */
function withJsonBody(request: HttpRequest): HttpRequest {
  if (request.body.length === 0) return withType(request, request.body);
  const object = readEnvelope(request.body);
  return object === undefined ? request : withType(request, encodeUtf8(jsonText(object)));
}

function withType(request: HttpRequest, body: Bytes): HttpRequest {
  return { ...request, headers: { ...request.headers, "content-type": "application/json" }, body };
}

function acceptsOnlyProtobuf(accept: string): boolean {
  if (!accept.includes(protobufType)) return false;
  const others = ["application/json", "application/yaml", "application/*", "*/*"];
  return parseAccept(accept).every(({ type, parameters }) => !others.includes(type) || parameters.has("as"));
}

function jsonAccept(accept: string): string {
  return accept.replaceAll(protobufType, "application/json");
}

function protobufResponder(responder: HttpResponder): HttpResponder {
  return {
    reply(status, headers, body) {
      const encoded = isJson(headers) && body.length > 0 ? encodeText(body) : undefined;
      if (encoded === undefined) responder.reply(status, headers, body);
      else responder.reply(status, { ...headers, "content-type": protobufType }, encoded);
    },
    stream(status, headers) {
      if (!isJson(headers)) return responder.stream(status, headers);
      return watchWriter(responder.stream(status, { ...headers, "content-type": `${protobufType};stream=watch` }));
    },
    upgrade: (headers) => responder.upgrade(headers),
  };
}

function isJson(headers: HttpHeaders): boolean {
  return (headers["content-type"] ?? "").startsWith("application/json");
}

function encodeText(body: Bytes): Bytes | undefined {
  return writeEnvelope(readJson(decodeUtf8(body)) as JsonObject);
}

/** Takes a JSON line an event, writes a WatchEvent with its length in four bytes before it. */
function watchWriter(writer: BodyWriter): BodyWriter {
  return {
    write(line) {
      const { type, object } = readJson(decodeUtf8(line)) as unknown as { readonly type: string; readonly object: JsonObject };
      const raw = new WireWriter();
      raw.tag(1, wireTypes.bytes);
      raw.bytes(writeEnvelope(object) ?? encodeUtf8(jsonText(object)));
      const event = new WireWriter();
      event.tag(1, wireTypes.bytes);
      event.text(type);
      event.tag(2, wireTypes.bytes);
      event.bytes(raw.finish());
      const content = event.finish();
      const frame = new Uint8Array(4 + content.length);
      new DataView(frame.buffer).setUint32(0, content.length);
      frame.set(content, 4);
      return writer.write(frame);
    },
    end: () => writer.end(),
    get onClose() {
      return writer.onClose;
    },
    set onClose(callback) {
      writer.onClose = callback;
    },
    get onDrain() {
      return writer.onDrain;
    },
    set onDrain(callback) {
      writer.onDrain = callback;
    },
  };
}
