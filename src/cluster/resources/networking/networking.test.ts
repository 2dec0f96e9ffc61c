import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { created, createFaults, createWarnings, rowOf, statusFaults, updateFaults } from "../strategy.test-kit.ts";
import { ingressClasses } from "./ingressclasses.ts";
import { ingresses } from "./ingresses.ts";
import { ipAddresses } from "./ipaddresses.ts";
import { networkPolicies } from "./networkpolicies.ts";
import { serviceCidrs } from "./servicecidrs.ts";

type Fields = { readonly [field: string]: JsonValue };

const service: Fields = { service: { name: "web", port: { number: 80 } } };
const rule = (path: Fields): Fields => ({
  spec: { rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: service, ...path }] } }] },
});
const host = (name: string): Fields => ({ spec: { rules: [{ host: name }] } });
const at = "spec.rules[0].http.paths[0]";

const ingressCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["[NET-201] nothing to do", { spec: {} }, ["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"]],
  [
    "[NET-202] no path type",
    { spec: { rules: [{ http: { paths: [{ path: "/", backend: service }] } }] } },
    [`${at}.pathType: Required value: pathType must be specified`],
  ],
  [
    "[NET-203] an unknown path type",
    rule({ pathType: "Regex" }),
    [`${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`],
  ],
  ["[NET-204] a relative path", rule({ path: "foo" }), [`${at}.path: Invalid value: "foo": must be an absolute path`]],
  [
    "[NET-204] a path that climbs",
    rule({ path: "/a//b/../c%2f/.." }),
    [
      `${at}.path: Invalid value: "/a//b/../c%2f/..": must not contain '//'`,
      `${at}.path: Invalid value: "/a//b/../c%2f/..": must not contain '/../'`,
      `${at}.path: Invalid value: "/a//b/../c%2f/..": must not contain '%2f'`,
      `${at}.path: Invalid value: "/a//b/../c%2f/..": cannot end with '/..'`,
    ],
  ],
  ["[NET-204] no path, as the controller likes", rule({ path: "", pathType: "ImplementationSpecific" }), []],
  [
    "[NET-205] two backends in one",
    rule({ backend: { ...service, resource: { kind: "Bucket", name: "x" } } }),
    [`${at}.backend: Invalid value: "": cannot set both resource and service backends`],
  ],
  ["[NET-205] no backend", rule({ backend: {} }), [`${at}.backend: Invalid value: "": resource or service backend is required`]],
  [
    "[NET-206] a port by name and number",
    rule({ backend: { service: { name: "web", port: { name: "http", number: 80 } } } }),
    [`${at}.backend: Invalid value: "": cannot set both port name & port number`],
  ],
  [
    "a backend without port",
    rule({ backend: { service: { name: "web" } } }),
    [`${at}.backend: Required value: port name or number is required`],
  ],
  [
    "[NET-207] an address as host",
    host("192.0.2.1"),
    ['spec.rules[0].host: Invalid value: "192.0.2.1": must be a DNS name, not an IP address'],
  ],
  [
    "[NET-207] a host with port",
    host("foo.com:80"),
    [
      `spec.rules[0].host: Invalid value: "foo.com:80": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  ],
  ["[NET-207] a wildcard", host("*.foo.com"), []],
  [
    "[NET-207] a wildcard in the middle",
    host("a.*.foo.com"),
    [
      `spec.rules[0].host: Invalid value: "a.*.foo.com": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  ],
  // v1.36 refuses only a class that differs from the annotation's.
  [
    "[NET-208] two classes",
    {
      metadata: { annotations: { "kubernetes.io/ingress.class": "nginx" } },
      spec: { defaultBackend: service, ingressClassName: "other" },
    },
    ['annotations.kubernetes.io/ingress.class: Invalid value: "nginx": must match `ingressClassName` when both are specified'],
  ],
  ["[NET-210] a backend that does not exist", rule({}), []],
];

describe("what an Ingress may not be", () => {
  it.each(ingressCases)("%s", (_title, fields, expected) => {
    expect(createFaults(ingresses, fields)).toEqual(expected);
  });

  it("[NET-208] is warned of its class in an annotation", () => {
    const metadata = { annotations: { "kubernetes.io/ingress.class": "nginx" } };
    expect(createWarnings(ingresses, { metadata, spec: { defaultBackend: service } })).toEqual([
      `annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`,
    ]);
  });

  it("has addresses in its status", () => {
    expect(statusFaults(ingresses, rule({}), { loadBalancer: { ingress: [{ ip: "x" }, { hostname: "192.0.2.1" }] } })).toEqual([
      'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'status.loadBalancer.ingress[1].hostname: Invalid value: "192.0.2.1": must be a DNS name, not an IP address',
    ]);
  });
});

describe("[NET-225] rows of Ingresses", () => {
  const row = (spec: Fields, ingress: readonly JsonValue[] = []) =>
    rowOf(ingresses, { spec, status: { loadBalancer: { ingress } } });
  const hosts = (...names: readonly string[]) => names.map((name) => ({ host: name }));

  it.each([
    [{ defaultBackend: service }, [], { Class: "<none>", Hosts: "*", Address: "", Ports: "80" }],
    [
      { ingressClassName: "nginx", rules: hosts("a", "b"), tls: [{ hosts: ["a"] }] },
      [{ ip: "192.0.2.9" }],
      { Class: "nginx", Hosts: "a,b", Address: "192.0.2.9", Ports: "80, 443" },
    ],
    [{ rules: hosts("a", "b", "c", "d", "e") }, [], { Class: "<none>", Hosts: "a,b,c + 2 more...", Address: "", Ports: "80" }],
  ])("%j", (spec, ingress, expected) => {
    expect(row(spec as Fields, ingress as readonly JsonValue[])).toEqual({ Name: "web", Age: "10m", ...expected });
  });
});

describe("[NET-214] IngressClasses", () => {
  const faults = (spec: Fields): readonly string[] => createFaults(ingressClasses, { spec });
  const parameters = { kind: "Config", name: "x" };

  it.each([
    [{}, ["spec.controller: Required value"]],
    [{ controller: "nginx" }, ['spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")']],
    [{ controller: `acme.io/${"x".repeat(250)}` }, ["spec.controller: Too long: may not be more than 250 bytes"]],
    [
      { controller: "acme.io/x", parameters: { ...parameters, scope: "Namespace" } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      { controller: "acme.io/x", parameters: { ...parameters, namespace: "a" } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [{ controller: "acme.io/x", parameters }, []],
  ])("%j", (spec, expected) => {
    expect(faults(spec as Fields)).toEqual(expected);
  });

  it("keep their controller", () => {
    expect(updateFaults(ingressClasses, { spec: { controller: "a.io/x" } }, { spec: { controller: "a.io/y" } })).toEqual([
      'spec.controller: Invalid value: "a.io/y": field is immutable',
    ]);
  });

  it("[NET-434] show controller and parameters", () => {
    const spec = { controller: "a.io/x", parameters: { apiGroup: "a.io", kind: "Config", name: "x" } };
    expect(rowOf(ingressClasses, { spec })).toEqual({
      Name: "web",
      Controller: "a.io/x",
      Parameters: "Config.a.io/x",
      Age: "10m",
    });
  });
});

const policy = (spec: Fields): Fields => ({ spec: { podSelector: {}, ...spec } });
const from = (peer: Fields): Fields => policy({ ingress: [{ from: [peer] }] });
const port = (fields: Fields): Fields => policy({ ingress: [{ ports: [fields] }] });
const peerAt = "spec.ingress[0].from[0]";
const portAt = "spec.ingress[0].ports[0]";

describe("NetworkPolicies", () => {
  it("[NET-226] concern what they have rules for", () => {
    expect(created(networkPolicies, policy({}))["spec"]).toEqual({ podSelector: {}, policyTypes: ["Ingress"] });
    expect(created(networkPolicies, policy({ egress: [{ ports: [{ port: 53 }] }] }))["spec"]).toEqual({
      podSelector: {},
      egress: [{ ports: [{ port: 53, protocol: "TCP" }] }],
      policyTypes: ["Ingress", "Egress"],
    });
  });

  it.each([
    [
      "[NET-227] a block beside a selector",
      from({ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }),
      [`${peerAt}: Forbidden: may not specify both ipBlock and another peer`],
    ],
    ["[NET-227] no peer", from({}), [`${peerAt}: Required value: must specify a peer`]],
    [
      "[NET-228] an exception outside",
      from({ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16", "11.0.0.0/16", "10.0.0.0/8"] } }),
      [
        `${peerAt}.ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
        `${peerAt}.ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
      ],
    ],
    [
      "[NET-228] no range",
      from({ ipBlock: { cidr: "10.0.0.0" } }),
      [`${peerAt}.ipBlock.cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`],
    ],
    [
      "[NET-229] an end without beginning",
      port({ endPort: 90 }),
      [`${portAt}.endPort: Invalid value: 90: may not be specified when \`port\` is not specified`],
    ],
    [
      "[NET-229] an end of a name",
      port({ port: "http", endPort: 90 }),
      [`${portAt}.endPort: Invalid value: 90: may not be specified when \`port\` is non-numeric`],
    ],
    [
      "[NET-229] an end before the beginning",
      port({ port: 80, endPort: 70 }),
      [`${portAt}.endPort: Invalid value: 80: must be greater than or equal to \`port\``],
    ],
    [
      "an unknown protocol",
      port({ port: 80, protocol: "ICMP" }),
      [`${portAt}.protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"`],
    ],
    [
      "an unknown type",
      policy({ policyTypes: ["Both"] }),
      ['spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"'],
    ],
  ])("%s", (_title, fields, expected) => {
    expect(createFaults(networkPolicies, fields)).toEqual(expected);
  });

  it("[NET-243] show their selector", () => {
    expect(rowOf(networkPolicies, policy({}))).toEqual({ Name: "web", "Pod-Selector": "<none>", Age: "10m" });
    const selector = { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "In", values: ["a", "b"] }] };
    expect(rowOf(networkPolicies, policy({ podSelector: selector }))["Pod-Selector"]).toBe("app=web,tier in (a,b)");
  });
});

describe("addresses and ranges of Services", () => {
  const parentRef = { resource: "services", namespace: "default", name: "web" };

  it.each([
    ["10.96.0.1", []],
    ["010.96.0.1", ["must not have leading 0s"]],
    ["FD00::1", ['must be in canonical form ("fd00::1")']],
    ["web", ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]],
  ])("an IPAddress is called %s", (name, reasons) => {
    expect(ipAddresses.nameRule(name, false)).toEqual(reasons);
  });

  it("an IPAddress has a parent, for good", () => {
    expect(createFaults(ipAddresses, { spec: {} })).toEqual(["spec.parentRef: Required value"]);
    expect(updateFaults(ipAddresses, { spec: { parentRef } }, { spec: { parentRef: { ...parentRef, name: "x" } } })).toEqual([
      'spec.parentRef: Invalid value: {"Resource":"services","Namespace":"default","Name":"x"}: field is immutable',
    ]);
  });

  it.each([
    [[], ["spec.cidrs: Required value: at least one CIDR required"]],
    [
      ["10.0.0.0/8", "10.0.0.0/8", "10.0.0.0/8"],
      ['spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/8","10.0.0.0/8","10.0.0.0/8"]}: may only hold up to 2 values'],
    ],
    [
      ["10.0.0.0/8", "11.0.0.0/8"],
      [
        'spec.cidrs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
    [
      ["10.0.0.0/8", "2001:DB8::/64"],
      ['spec.cidrs[1]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")'],
    ],
  ])("a ServiceCIDR of %j", (cidrs, expected) => {
    expect(createFaults(serviceCidrs, { spec: { cidrs } })).toEqual(expected);
  });

  it.each([
    [["10.1.0.0/24"], ["10.2.0.0/24"], ['spec.cidrs[0]: Invalid value: "10.2.0.0/24": field is immutable']],
    [["10.1.0.0/24"], [], ["spec.cidrs: Invalid value: []: field is immutable"]],
    [["10.1.0.0/24"], ["10.1.0.0/24", "fd00::/64"], []],
    [
      ["10.1.0.0/24"],
      ["10.1.0.0/24", "10.2.0.0/24"],
      [
        'spec.cidrs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
    [["10.1.0.0/24"], ["fd00::/64", "10.1.0.0/24"], ['spec.cidrs[0]: Invalid value: "fd00::/64": field is immutable']],
    [["10.1.0.0/24", "fd00::/64"], ["10.1.0.0/24"], ['spec.cidrs: Invalid value: ["10.1.0.0/24"]: field is immutable']],
    [["10.1.0.0/24", "fd00::/64"], ["10.1.0.0/24", "fd01::/64"], ['spec.cidrs[1]: Invalid value: "fd01::/64": field is immutable']],
  ])("a ServiceCIDR of %j becomes one of %j", (former, cidrs, expected) => {
    expect(updateFaults(serviceCidrs, { spec: { cidrs: former } }, { spec: { cidrs } })).toEqual(expected);
  });

  it("[NET-434] show whose they are", () => {
    // Upstream's table has no column for the age that its rows carry.
    expect(rowOf(ipAddresses, { metadata: { name: "10.96.0.7" }, spec: { parentRef } })).toEqual({
      Name: "10.96.0.7",
      ParentRef: "services/default/web",
    });
    expect(rowOf(serviceCidrs, { spec: { cidrs: ["10.96.0.0/12", "fd00::/112"] } })).toEqual({
      Name: "web",
      CIDRs: "10.96.0.0/12,fd00::/112",
      Age: "10m",
    });
  });
});
