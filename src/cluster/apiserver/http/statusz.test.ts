// /statusz as text and as an object.

import { describe, expect, it } from "vitest";
import { startServer } from "../test-server.test-kit.ts";
import { anonymousPeer, exchange, exchangeAs, json } from "./http-call.test-kit.ts";

const asked = (server: ReturnType<typeof startServer>["server"], accept?: string) =>
  exchange(server, "GET", "/statusz", undefined, accept === undefined ? {} : { accept });

describe("/statusz", () => {
  it("tells people since when, with which version and what else there is to see", () => {
    const { server, simulation } = startServer();
    simulation.advance(3_725_000);
    const reply = asked(server, "*/*");
    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    const [, title, warning, , started, up, go, binary, emulation, paths] = reply.text.split("\n");
    expect([title, warning?.slice(0, 46)]).toEqual(["kube-apiserver statusz", "Warning: This endpoint is not meant to be mach"]);
    expect(started).toMatch(/^Started(:|: |=| ) Thu Jan {2}1 00:00:00 UTC 2026$/);
    expect(up).toMatch(/^Up.{1,2} 1 hr 02 min 05 sec$/);
    expect([go, binary, emulation].map((line) => line?.replace(/(: |:|=| ) /, "|"))).toEqual([
      "Go version|go1.26.2",
      "Binary version|1.36.0",
      "Emulation version|1.36",
    ]);
    expect(paths).toMatch(/ \/healthz \/livez \/metrics \/readyz \/statusz \/version$/);
  });

  it("is an object for whoever asks for one, and nothing between", () => {
    const { server } = startServer();
    const object = asked(server, "application/json;v=v1beta1;g=config.k8s.io;as=Statusz");
    expect(json(object)).toMatchObject({ kind: "Statusz", apiVersion: "config.k8s.io/v1beta1", uptimeSeconds: 0 });
    const old = asked(server, "application/yaml;v=v1alpha1;g=config.k8s.io;as=Statusz");
    expect([old.text.includes("apiVersion: config.k8s.io/v1alpha1"), old.headers["warning"]]).toEqual([
      true,
      '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."',
    ]);
    expect(json(asked(server, "application/json"))).toMatchObject({
      code: 406,
      message: "only the following media types are accepted: application/json, application/yaml, text/plain",
    });
  });

  it("is for those who may read it", () => {
    const { server } = startServer();
    expect(exchangeAs(anonymousPeer, server, { method: "GET", target: "/statusz" }).status).toBe(403);
  });
});
