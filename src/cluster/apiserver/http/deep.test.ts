// Bodies that nest deeper, or grow larger, than anything of use.

import { describe, expect, it } from "vitest";
import { startServer } from "../test-server.test-kit.ts";
import { exchange, json } from "./http-call.test-kit.ts";

const maps = "/api/v1/namespaces/default/configmaps";

function nested(depth: number, open: string, close: string): string {
  return `{"metadata":{"name":"deep"},"data":{},"more":${open.repeat(depth)}1${close.repeat(depth)}}`;
}

describe("bodies that nest", () => {
  it.each([
    ["lists in JSON", nested(9_000, "[", "]"), "application/json"],
    ["objects in JSON", nested(9_000, '{"a":', "}"), "application/json"],
    ["lists in YAML", nested(9_000, "[", "]"), "application/yaml"],
    ["objects in YAML", nested(3_000, '{"a":', "}"), "application/yaml"],
  ])("9,000 deep are refused with 400: %s", (_, body, type) => {
    const { server } = startServer();
    const reply = exchange(server, "POST", maps, body, { "content-type": type });
    expect([reply.status, json(reply)["reason"]]).toEqual([400, "BadRequest"]);
    expect(json(reply)["message"]).toMatch(/exceeded max depth/);
  });

  it.each([
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/json-patch+json",
    "application/apply-patch+yaml",
  ])("9,000 deep are refused as %s too", (type) => {
    const { server } = startServer();
    exchange(server, "POST", maps, { metadata: { name: "deep" } });
    const query = type.startsWith("application/apply") ? "?fieldManager=test" : "";
    const reply = exchange(server, "PATCH", `${maps}/deep${query}`, nested(9_000, "[", "]"), { "content-type": type });
    expect([type, reply.status]).toEqual([type, 400]);
  });

  it("and a hundred deep are taken, unknown fields and all", () => {
    const { server } = startServer();
    expect(exchange(server, "POST", maps, nested(100, "[", "]")).status).toBe(201);
  });
});

describe("a JSON patch that doubles what it copies", () => {
  it("is refused before it has grown", () => {
    const { server } = startServer();
    exchange(server, "POST", maps, { metadata: { name: "large", annotations: { note: "x".repeat(1000) } } });
    const patch = Array.from({ length: 24 }, (_, index) => ({ op: "copy", from: "/metadata", path: `/metadata/copy${index}` }));
    const reply = exchange(server, "PATCH", `${maps}/large`, patch, { "content-type": "application/json-patch+json" });
    expect([reply.status, json(reply)["message"]]).toEqual([422, "the server rejected our request due to an error in our request"]);
  });
});
