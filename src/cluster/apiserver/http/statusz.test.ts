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
    expect([title, warning?.slice(0, 46)]).toEqual(["apiserver statusz", "Warning: This endpoint is not meant to be mach"]);
    expect(started).toMatch(/^Started(:|: |=| ) Thu Jan {2}1 00:00:00 UTC 2026$/);
    expect(up).toMatch(/^Up.{1,2} 1 hr 02 min 05 sec$/);
    expect([go, binary, emulation].map((line) => line?.replace(/(: |:|=| ) /, "|"))).toEqual([
      "Go version|go1.26.2",
      "Binary version|1.36.0",
      "Emulation version|1.36",
    ]);
    expect(paths).toMatch(/ \/flagz \/healthz \/livez \/metrics \/readyz \/statusz \/version$/);
  });

  it("is an object for whoever asks for one, and nothing between", () => {
    const { server } = startServer();
    const object = asked(server, "application/json;v=v1beta1;g=config.k8s.io;as=Statusz");
    expect(object.headers["content-type"]).toBe("application/json;g=config.k8s.io;v=v1beta1;as=Statusz");
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

describe("/flagz", () => {
  const flags = "application/json;v=v1beta1;g=config.k8s.io;as=Flagz";

  it("tells all flags, those that were given as they were", () => {
    const { server } = startServer();
    server.argv = ["kube-apiserver", "--advertise-address=172.18.0.2", "--authorization-mode=Node,RBAC", "--event-ttl=90m"];
    const reply = exchange(server, "GET", "/flagz", undefined, { accept: flags });
    expect(json(reply)).toMatchObject({
      kind: "Flagz",
      metadata: { name: "apiserver" },
      flags: {
        "advertise-address": "172.18.0.2",
        "authorization-mode": "[Node,RBAC]",
        "event-ttl": "1h30m0s",
        "external-hostname": "172.18.0.2",
        "max-requests-inflight": "400",
      },
    });
    expect(Object.keys(json(reply)["flags"] as object)).toHaveLength(177);
    const text = exchange(server, "GET", "/flagz").text;
    expect(text).toMatch(/^\napiserver flagz\nWarning: .*\nadmission-control(:|: |=| )\[\]\nadmission-control-config-file/);
    expect(exchange(server, "GET", "/flagz", undefined, { accept: "application/json" }).status).toBe(406);
  });
});

describe("/debug", () => {
  it("has an index of profiles, says which are not simulated, and none without profiling", () => {
    const { server } = startServer();
    const get = (path: string) => exchange(server, "GET", `/debug/${path}`);
    expect([get("pprof").status, get("pprof").headers["location"]]).toEqual([302, "/debug/pprof/"]);
    expect(get("pprof/").text).toContain("<tr><td>0</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>");
    expect(["cmdline", "nope"].map((name) => get(`pprof/${name}`).text)).toEqual(["Unknown profile\n", "Unknown profile\n"]);
    expect([get("pprof/heap").status, get("pprof/goroutine?debug=2").text]).toEqual([
      501,
      "goroutine: not simulated: there are no goroutines of a Go program here\n",
    ]);
    expect(get("pprof/heap?seconds=x").status).toBe(400);
    expect(get("flags/v").status).toBe(406);
    server.argv = ["kube-apiserver", "--profiling=false"];
    expect([get("pprof/").status, get("flags/v").status]).toEqual([404, 404]);
  });
});
