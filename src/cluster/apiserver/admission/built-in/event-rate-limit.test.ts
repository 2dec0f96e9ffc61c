import { describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { Simulation } from "#sim/simulation.ts";
import { ApiServer } from "../../server.ts";
import { refusalOf, startServer } from "../../test-server.test-kit.ts";
import type { EventLimit } from "./event-rate-limit.ts";

function start(limits: readonly EventLimit[]) {
  const { simulation, client } = startServer({ enableAdmissionPlugins: ["EventRateLimit"], eventLimits: limits });
  let made = 0;
  const tell = (namespace: string, object = "web", component = "kubelet") => {
    made += 1;
    const involvedObject = { kind: "Pod", namespace, name: object };
    return client.create(kinds.events, { metadata: { namespace, name: `e${made}` }, involvedObject, source: { component } });
  };
  return { simulation, client, tell };
}

describe("EventRateLimit", () => {
  it("takes a token for each write and fills up again with time", () => {
    const { simulation, tell } = start([{ type: "Server", qps: 0.5, burst: 2 }]);
    tell("default");
    tell("default");
    expect(refusalOf(() => tell("default"))).toBe("Too many requests: limit reached on type Server for key ");
    simulation.run({ untilMs: simulation.nowMs + 1999 });
    expect(refusalOf(() => tell("default"))).toMatch(/^Too many requests/);
    simulation.run({ untilMs: simulation.nowMs + 2001 });
    tell("default");
  });

  it.each<[EventLimit["type"], string]>([
    ["Namespace", "default"],
    ["User", "admin"],
    ["SourceAndObject", "kubeletPoddefaultweb"],
  ])("keeps buckets by %s", (type, key) => {
    const { tell } = start([{ type, qps: 1, burst: 1 }]);
    tell("default");
    expect(refusalOf(() => tell("default"))).toBe(`Too many requests: limit reached on type ${type} for key ${key}`);
    if (type === "Namespace") tell("kube-system");
    if (type === "SourceAndObject") tell("default", "other");
  });

  it("forgets the bucket that was used longest ago", () => {
    const { tell } = start([{ type: "SourceAndObject", qps: 0.001, burst: 1, cacheSize: 2 }]);
    for (const name of ["a", "b", "c", "a"]) tell("default", name);
    expect(refusalOf(() => tell("default", "c"))).toMatch(/for key kubeletPoddefaultc$/);
  });

  it("leaves other kinds and dry runs alone", () => {
    const { client, tell } = start([{ type: "Server", qps: 0.001, burst: 1 }]);
    tell("default");
    client.create(kinds.configMaps, { metadata: { namespace: "default", name: "a" } });
    const involvedObject = { kind: "Pod", namespace: "default", name: "web" };
    client.create(kinds.events, { metadata: { namespace: "default", name: "dry" }, involvedObject }, { dryRun: true });
    expect(refusalOf(() => tell("default"))).toMatch(/^Too many requests/);
  });

  it.each<[EventLimit, string]>([
    [{ type: "User", qps: 0, burst: 1 }, "limits[0].qps: Invalid value: 0: must be positive"],
    [{ type: "User", qps: 1, burst: 0 }, "limits[0].burst: Invalid value: 0: must be positive"],
    [{ type: "User", qps: 1, burst: 1, cacheSize: -1 }, "limits[0].cacheSize: Invalid value: -1: must not be negative"],
  ])("does not start with %j", (limit, message) => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    const make = () => new ApiServer({ simulation, enableAdmissionPlugins: ["EventRateLimit"], eventLimits: [limit] });
    expect(make).toThrow(message);
  });
});
