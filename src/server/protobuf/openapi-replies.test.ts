import { expect, it } from "vitest";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHandler, HttpPeer } from "#sim/http.ts";
import { withOpenApiProtobuf } from "./openapi-replies.ts";

const peer: HttpPeer = {
  address: { address: "127.0.0.1", port: 1 },
  local: { address: "127.0.0.1", port: 2 },
  certificate: undefined,
  secure: false,
};

it("writes a document once a version of it", () => {
  let document = encodeUtf8("");
  const publish = (title: string): void => {
    document = encodeUtf8(JSON.stringify({ swagger: "2.0", info: { title } }));
  };
  const handler: HttpHandler = (_request, _peer, responder) => responder.reply(200, {}, document);
  const served = withOpenApiProtobuf(handler);
  const get = (): Bytes => {
    let answer: Bytes = new Uint8Array();
    const refuse = (): never => {
      throw new Error("only whole replies are expected");
    };
    const headers = { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" };
    const responder = {
      reply: (_status: number, _headers: object, body: Bytes) => {
        answer = body;
      },
      stream: refuse,
      upgrade: refuse,
    };
    served({ method: "GET", target: "/openapi/v2?timeout=32s", headers, body: new Uint8Array() }, peer, responder);
    return answer;
  };
  publish("first");
  const first = get();
  expect(get()).toBe(first);
  publish("second");
  expect([get() === first, Buffer.from(get()).includes("second")]).toEqual([false, true]);
});
