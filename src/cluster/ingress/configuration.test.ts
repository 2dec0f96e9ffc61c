// What of Ingresses, Services and Secrets comes into the configuration, and who has his way where two want the same.

import { describe, expect, it } from "vitest";
import type { Certificate } from "#sim/net.ts";
import { dynamicKey, reloadKey } from "./configuration.ts";
import { configurationOf, ingress, rules } from "./ingress.test-kit.ts";

const certificate = (name: string): Certificate => ({
  commonName: name,
  organizations: [],
  alternativeNames: [name],
  issuer: "ca",
  notBeforeMs: 0,
  notAfterMs: 1e12,
});

const tls = (hosts: readonly string[], secretName: string) => ({
  tls: [{ hosts: [...hosts], secretName }],
  rules: rules(Object.fromEntries(hosts.map((host) => [host, { "/": "one" }]))),
});

describe("upstreams", () => {
  it("[NET-220] have the ready endpoints of the Service's slices, none that is about to end", () => {
    const { configuration } = configurationOf([ingress("web", { rules: rules({ "foo.com": { "/": "two" } }) })]);
    expect(configuration.upstreams.get("default-two-80")?.endpoints).toEqual([{ address: "10.244.1.2", port: 8080 }]);
  });

  it("[NET-219] are empty where the Service is missing, has no such port, or nobody behind it", () => {
    const backend = (name: string, number: number) => ({ service: { name, port: { number } } });
    const paths = [backend("gone", 80), backend("one", 81), backend("two", 80)].map((each, index) => ({
      path: `/${index}`,
      pathType: "Prefix",
      backend: each,
    }));
    const { configuration, warnings } = configurationOf([ingress("web", { rules: [{ http: { paths } }] })], { empty: ["two"] });
    const sizes = [...configuration.upstreams].map(([name, { endpoints }]) => [name, endpoints.length]);
    expect(Object.fromEntries(sizes)).toEqual({
      "upstream-default-backend": 1,
      "default-gone-80": 0,
      "default-one-81": 0,
      "default-two-80": 0,
    });
    expect(warnings).toContain(
      'Error obtaining Endpoints for Service "default/gone": no object matching key "default/gone" in local store',
    );
    expect(warnings).toContain('Service "default/two" does not have any active Endpoint.');
  });

  it("a port may be named", () => {
    const backend = { service: { name: "one", port: { name: "http" } } };
    const { configuration } = configurationOf([ingress("web", { defaultBackend: backend })]);
    expect(configuration.upstreams.get("default-one-http")?.endpoints).toHaveLength(1);
  });
});

describe("servers", () => {
  it("[NET-217] the default backend of an Ingress with rules is for its hosts, of one without rules for everybody", () => {
    const defaultBackend = { service: { name: "three", port: { number: 80 } } };
    const withRules = configurationOf([ingress("web", { defaultBackend, rules: rules({ "foo.com": { "/foo": "one" } }) })]);
    const { servers } = withRules.configuration;
    expect(servers.get("foo.com")?.locations.find(({ path }) => path === "/")?.upstream).toBe("default-three-80");
    expect(servers.get("_")?.locations[0]?.upstream).toBe("upstream-default-backend");
    const alone = configurationOf([ingress("web", { defaultBackend })]).configuration;
    expect(alone.servers.get("_")?.locations[0]?.upstream).toBe("default-three-80");
  });

  it("the older of two Ingresses has its way", () => {
    const older = ingress("b", { rules: rules({ "foo.com": { "/": "one" } }) });
    const younger = ingress("a", { rules: rules({ "foo.com": { "/": "two", "/two": "two" } }) });
    const server = configurationOf([younger, older]).configuration.servers.get("foo.com");
    expect(server?.locations.find(({ path }) => path === "/")?.upstream).toBe("default-one-80");
    expect(server?.locations.find(({ path }) => path === "/two")?.upstream).toBe("default-two-80");
  });

  it("a backend that is no Service leaves its path to the default backend", () => {
    const backend = { resource: { apiGroup: "k8s.example.com", kind: "StorageBucket", name: "static" } };
    const paths = [{ path: "/icons", pathType: "Prefix", backend }];
    const server = configurationOf([ingress("web", { rules: [{ host: "foo.com", http: { paths } }] })]).configuration.servers.get(
      "foo.com",
    );
    expect(server?.locations.map(({ path }) => path)).toEqual(["/"]);
  });
});

describe("[NET-221] certificates", () => {
  const shown = (spec: ReturnType<typeof tls>, certificates: { readonly [key: string]: Certificate }, host: string) => {
    const made = configurationOf([ingress("web", spec)], { certificates });
    return { name: made.configuration.servers.get(host)?.certificate?.commonName, warnings: made.warnings };
  };
  const fake = "Kubernetes Ingress Controller Fake Certificate";

  it("come from the Secret that names the host", () => {
    expect(shown(tls(["foo.com"], "foo-tls"), { "default/foo-tls": certificate("foo.com") }, "foo.com").name).toBe("foo.com");
  });

  it("a Secret of another namespace does not count", () => {
    const { name, warnings } = shown(tls(["foo.com"], "foo-tls"), { "other/foo-tls": certificate("foo.com") }, "foo.com");
    expect(name).toBe(fake);
    expect(warnings.at(-1)).toBe(
      'Error getting SSL certificate "default/foo-tls": local SSL certificate default/foo-tls was not found. Using default certificate',
    );
  });

  it("made out to somebody else they are not used", () => {
    const { name, warnings } = shown(tls(["foo.com"], "foo-tls"), { "default/foo-tls": certificate("bar.com") }, "foo.com");
    expect(name).toBe(fake);
    expect(warnings.join("\n")).toContain("x509: certificate is valid for bar.com, not foo.com");
  });

  it("those for a wildcard are good for its hosts", () => {
    expect(shown(tls(["a.foo.com"], "foo-tls"), { "default/foo-tls": certificate("*.foo.com") }, "a.foo.com").name).toBe(
      "*.foo.com",
    );
  });

  it("hosts without TLS have none", () => {
    const { configuration } = configurationOf([ingress("web", { rules: rules({ "foo.com": { "/": "one" } }) })]);
    expect(configuration.servers.get("foo.com")?.certificate).toBeUndefined();
    expect(configuration.servers.get("_")?.certificate?.commonName).toBe(fake);
  });
});

describe("canaries", () => {
  const annotations = { "nginx.ingress.kubernetes.io/canary": "true", "nginx.ingress.kubernetes.io/canary-weight": "30" };

  it("take a part of what another Ingress has at the same place", () => {
    const { configuration } = configurationOf([
      ingress("web", { rules: rules({ "foo.com": { "/": "one" } }) }),
      ingress("canary", { rules: rules({ "foo.com": { "/": "two" } }) }, annotations),
    ]);
    expect(configuration.upstreams.get("default-one-80")?.alternatives).toEqual(["default-two-80"]);
    expect(configuration.upstreams.get("default-two-80")?.canary?.weight).toBe(30);
  });

  it("alone they have nothing", () => {
    const { configuration, warnings } = configurationOf([
      ingress("canary", { rules: rules({ "foo.com": { "/": "two" } }) }, annotations),
    ]);
    expect([...configuration.servers.keys()]).toEqual(["_"]);
    expect(warnings).toContain("cannot merge alternative backend default-two-80 into hostname foo.com that does not exist");
  });
});

it("other endpoints are no reason to read it all anew", () => {
  const web = ingress("web", { rules: rules({ "foo.com": { "/": "one" } }) });
  const before = configurationOf([web]).configuration;
  const upstreams = new Map([...before.upstreams].map(([name, upstream]) => [name, { ...upstream, endpoints: [] }]));
  const after = { ...before, upstreams };
  expect(reloadKey(after)).toBe(reloadKey(before));
  expect(dynamicKey(after)).not.toBe(dynamicKey(before));
});
