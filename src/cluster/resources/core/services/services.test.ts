import { describe, expect, it } from "vitest";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { FieldErrors } from "../../field-errors.ts";
import { created, createFaults, createWarnings, rowOf, statusFaults, updateFaults } from "../../strategy.test-kit.ts";
import { services } from "./services.ts";

type Fields = { readonly [field: string]: JsonValue };

const ports = [{ port: 80 }];
const web = (spec: Fields): Fields => ({ spec: { ports, selector: { app: "web" }, ...spec } });
const faults = (spec: Fields): readonly string[] => createFaults(services, web(spec));
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe("defaults of Services", () => {
  it("[NET-001] fills in type, affinity, protocol, target port and internal traffic policy", () => {
    expect(created(services, { spec: { ports } })["spec"]).toEqual({
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
    });
  });

  it("[NET-025] gives affinity by client its three hours", () => {
    expect(created(services, web({ sessionAffinity: "ClientIP" }))["spec"]).toMatchObject({
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
  });

  it("[NET-028] drops the affinity's settings when there is none", () => {
    const spec = created(services, web({ sessionAffinity: "None", sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }))[
      "spec"
    ];
    expect(spec).not.toHaveProperty("sessionAffinityConfig");
  });
});

describe("names of Services", () => {
  it.each([
    ["1web", []],
    ["Web", [label]],
    ["a.b", ["must not contain dots"]],
  ])("[NET-003] %s", (name, reasons) => {
    expect(services.nameRule(name, false)).toEqual(reasons);
  });

  it("[NET-004] may have 63 characters", () => {
    expect(services.nameRule("a".repeat(64), false)).toEqual(["must be no more than 63 characters"]);
  });
});

const cases: readonly (readonly [title: string, spec: Fields, faults: readonly string[]])[] = [
  [
    "[NET-005] several ports, one without name",
    { ports: [{ port: 80, name: "a" }, { port: 81 }] },
    ["spec.ports[1].name: Required value"],
  ],
  [
    "[NET-006] one name twice",
    {
      ports: [
        { port: 80, name: "http" },
        { port: 81, name: "http" },
      ],
    },
    ['spec.ports[1].name: Duplicate value: "http"'],
  ],
  [
    "[NET-007] one port twice",
    {
      ports: [
        { port: 80, name: "a" },
        { port: 80, name: "b" },
      ],
    },
    ['spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}'],
  ],
  [
    "[NET-008] a name that is no label",
    { ports: [{ port: 80, name: "123_abc" }] },
    [`spec.ports[0].name: Invalid value: "123_abc": ${label}`],
  ],
  [
    "[NET-009] a port that is too large",
    { ports: [{ port: 70_000, targetPort: 80 }] },
    ["spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive"],
  ],
  [
    "[NET-010] a target port that is no name",
    { ports: [{ port: 80, targetPort: "1234" }] },
    ['spec.ports[0].targetPort: Invalid value: "1234": must contain at least one letter (a-z)'],
  ],
  [
    "[NET-011] an unknown protocol",
    { ports: [{ port: 80, protocol: "ICMP" }] },
    ['spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
  ],
  ["[NET-012] no ports", { ports: [] }, ["spec.ports: Required value"]],
  ["[NET-012] no ports, headless", { ports: [], clusterIP: "None" }, []],
  [
    "[NET-013] an unknown type",
    { type: "Foo" },
    ['spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"'],
  ],
  [
    "[NET-014] a node port without need",
    { ports: [{ port: 80, nodePort: 30_007 }] },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    "[NET-015] headless with node ports",
    { type: "NodePort", clusterIP: "None" },
    [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`],
  ],
  [
    "[NET-015] headless with a balancer",
    { type: "LoadBalancer", clusterIP: "None" },
    [`spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services`],
  ],
  [
    "[NET-016] an external name with an address",
    { type: "ExternalName", clusterIP: "10.96.0.7", externalName: "example.com" },
    ["spec.clusterIPs: Forbidden: may not be set for ExternalName services"],
  ],
  ["[NET-016] an external name that is missing", { type: "ExternalName" }, ["spec.externalName: Required value"]],
  ["[NET-017] an external name with a final dot", { type: "ExternalName", externalName: "example.com." }, []],
  ["[NET-017] an external name that looks like an address", { type: "ExternalName", externalName: "192.0.2.1" }, []],
  // Upstream dropped the check of the kubelet's port long ago.
  ["[NET-018] the kubelet's port behind a balancer", { type: "LoadBalancer", ports: [{ port: 10_250 }] }, []],
  [
    "[NET-019] source ranges without balancer",
    { loadBalancerSourceRanges: ["10.0.0.0/8"] },
    ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
  [
    "[NET-020] allocation for a balancer without one",
    { allocateLoadBalancerNodePorts: true },
    ["spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
  [
    "[NET-021] a balancer's class without balancer",
    { loadBalancerClass: "example.com/vip" },
    ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  ],
  [
    "[NET-022] an external policy for what is not external",
    { externalTrafficPolicy: "Local" },
    ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
  ],
  [
    "[NET-023] a health check port without need",
    { type: "LoadBalancer", healthCheckNodePort: 31_000 },
    [
      "spec.healthCheckNodePort: Invalid value: 31000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
  ],
  [
    "[NET-025] an unknown affinity",
    { sessionAffinity: "Cookie" },
    ['spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"'],
  ],
  [
    "[NET-026] affinity for more than a day",
    { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } } },
    ["spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400"],
  ],
  [
    "[NET-029] an application protocol with two slashes",
    { ports: [{ port: 80, appProtocol: "a/b/c" }] },
    [
      `spec.ports[0].appProtocol: Invalid value: "a/b/c": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
  ],
  [
    "[NET-030] external addresses of the node itself",
    { externalIPs: ["127.0.0.1", "0.0.0.0", "169.254.1.1", "224.0.0.1", "nowhere", "198.51.100.7"] },
    [
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'spec.externalIPs[1]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
      'spec.externalIPs[2]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'spec.externalIPs[3]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      'spec.externalIPs[4]: Invalid value: "nowhere": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    "[NET-031] an unknown distribution",
    { trafficDistribution: "PreferFar" },
    [
      'spec.trafficDistribution: Unsupported value: "PreferFar": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
    ],
  ],
  [
    "[NET-043] addresses and ranges that programs read differently",
    { type: "LoadBalancer", externalIPs: ["010.0.0.1", "::ffff:1.2.3.4"], loadBalancerSourceRanges: ["192.168.0.5/24"] },
    [
      'spec.externalIPs[0]: Invalid value: "010.0.0.1": must not have leading 0s',
      'spec.externalIPs[1]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "192.168.0.5/24": must not have bits set beyond the prefix length',
    ],
  ],
  [
    "[NET-050] an address that is none",
    { clusterIP: "1.2.3" },
    ['spec.clusterIPs[0]: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
  ],
  [
    "families that are unknown, doubled, or not those of the addresses",
    { clusterIP: "fd00::1", ipFamilies: ["IPv4", "IPv4", "IPX"], ipFamilyPolicy: "Both" },
    [
      'spec.ipFamilies[1]: Duplicate value: "IPv4"',
      'spec.ipFamilies[2]: Unsupported value: "IPX": supported values: "IPv4", "IPv6"',
      'spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      'spec.clusterIPs[0]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[0]`',
    ],
  ],
  [
    "several faults, in upstream's order",
    { type: "Foo", sessionAffinity: "x", ports: [{ port: 0, protocol: "x" }] },
    [
      "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
      'spec.ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
      "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive",
      'spec.sessionAffinity: Unsupported value: "x": supported values: "ClientIP", "None"',
      'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  ],
];

describe("what a Service may not be", () => {
  it.each(cases)("%s", (_title, spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  it("[NET-027] has no settings of an affinity that it has not, however they come past the defaults", () => {
    const made = created(services, web({}));
    const spec = { ...(made["spec"] as Fields), sessionAffinityConfig: {} };
    const errors = new FieldErrors();
    services.validate?.({ ...made, spec } as KubeObject, errors);
    expect(errors.causes.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      "spec.sessionAffinityConfig: Forbidden: must not be set when session affinity is None",
    ]);
  });
});

describe("changes of a Service", () => {
  const update = (before: Fields, after: Fields): readonly string[] => updateFaults(services, web(before), web(after));
  const placed = { clusterIP: "10.96.0.7", clusterIPs: ["10.96.0.7"], ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" };

  it("[NET-052] keeps the address", () => {
    expect(update(placed, { ...placed, clusterIP: "10.96.0.8" })).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.8"]: may not change once set',
    ]);
  });

  it("[NET-021] keeps the balancer's class", () => {
    const balancer = { ...placed, type: "LoadBalancer" };
    expect(update({ ...balancer, loadBalancerClass: "a.io/x" }, { ...balancer, loadBalancerClass: "a.io/y" })).toEqual([
      'spec.loadBalancerClass: Invalid value: "a.io/y": may not change once set',
    ]);
  });

  it("[NET-024] keeps the health check's port", () => {
    const local = { ...placed, type: "LoadBalancer", externalTrafficPolicy: "Local" };
    expect(update({ ...local, healthCheckNodePort: 31_000 }, { ...local, healthCheckNodePort: 31_001 })).toEqual([
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    ]);
  });

  it("takes a second family only with its policy, and gives it back likewise", () => {
    const both = {
      ...placed,
      ipFamilies: ["IPv4", "IPv6"],
      clusterIPs: ["10.96.0.7", "fd00::7"],
      ipFamilyPolicy: "PreferDualStack",
    };
    expect(update(both, { ...placed, ipFamilyPolicy: "PreferDualStack" })).toEqual([
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary clusterIP`,
      `spec.ipFamilyPolicy: Invalid value: "PreferDualStack": must be set to 'SingleStack' when releasing the secondary ipFamily`,
    ]);
    expect(update(both, placed)).toEqual([]);
  });

  it("lets only balancers have ingress points", () => {
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } };
    expect(statusFaults(services, web({}), status)).toEqual([
      "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
    ]);
    expect(statusFaults(services, web({ type: "LoadBalancer" }), status)).toEqual([
      "status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set",
    ]);
  });
});

describe("warnings about Services", () => {
  const annotation = "service.kubernetes.io/topology-aware-hints";
  it.each([
    [
      "[NET-037] external addresses",
      web({ externalIPs: ["198.51.100.7"] }),
      ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"],
    ],
    [
      "[NET-040] external addresses of a headless Service",
      web({ clusterIP: "None", sessionAffinity: "None", externalIPs: ["198.51.100.7"] }),
      ["spec.externalIPs is ignored for headless services"],
    ],
    [
      "[NET-037] external addresses of an ExternalName",
      web({ type: "ExternalName", externalName: "example.com", externalIPs: ["198.51.100.7"] }),
      ['spec.externalIPs is ignored when spec.type is "ExternalName"'],
    ],
    [
      "[NET-039] an old name of a distribution",
      web({ trafficDistribution: "PreferClose" }),
      ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'],
    ],
    [
      "[NET-040] what headless Services ignore",
      web({ clusterIP: "None", loadBalancerIP: "192.0.2.1", sessionAffinity: "ClientIP" }),
      ["spec.loadBalancerIP is ignored for headless services", "spec.SessionAffinity is ignored for headless services"],
    ],
    ["[NET-040] headless without affinity", web({ clusterIP: "None" }), []],
    [
      "[NET-041] an external name of another type",
      web({ externalName: "example.com" }),
      ['spec.externalName is ignored when spec.type is not "ExternalName"'],
    ],
    [
      "[NET-042] an old annotation",
      { ...web({}), metadata: { annotations: { [annotation]: "auto" } } },
      [`annotation ${annotation} is deprecated, please use service.kubernetes.io/topology-mode instead`],
    ],
  ])("%s", (_title, fields, expected) => {
    expect(createWarnings(services, fields as Fields)).toEqual(expected);
  });
});

describe("[NET-425] rows of Services", () => {
  const row = (spec: Fields, ingress: readonly JsonValue[] = []) => {
    const cells = rowOf(services, { ...web(spec), status: { loadBalancer: { ingress } } });
    return [cells["Type"], cells["Cluster-IP"], cells["External-IP"], cells["Port(s)"], cells["Age"], cells["(Selector)"]];
  };

  it.each([
    [{ clusterIPs: ["10.96.0.7"] }, [], ["ClusterIP", "10.96.0.7", "<none>", "80/TCP", "10m", "app=web"]],
    [{ clusterIP: "None", ports: [] }, [], ["ClusterIP", "None", "<none>", "<none>", "10m", "app=web"]],
    [
      {
        type: "NodePort",
        clusterIPs: ["10.96.0.7"],
        ports: [
          { port: 80, nodePort: 30_007 },
          { port: 53, protocol: "UDP" },
        ],
      },
      [],
      ["NodePort", "10.96.0.7", "<none>", "80:30007/TCP,53/UDP", "10m", "app=web"],
    ],
    [
      { type: "LoadBalancer", clusterIPs: ["10.96.0.7"] },
      [],
      ["LoadBalancer", "10.96.0.7", "<pending>", "80/TCP", "10m", "app=web"],
    ],
    [
      { type: "LoadBalancer", clusterIPs: ["10.96.0.7"], externalIPs: ["198.51.100.7"] },
      [{ hostname: "lb.example.com" }, { ip: "192.0.2.9" }],
      ["LoadBalancer", "10.96.0.7", "192.0.2.9,lb.example.com,198.51.100.7", "80/TCP", "10m", "app=web"],
    ],
    [
      { type: "ExternalName", externalName: "example.com", ports: [] },
      [],
      ["ExternalName", "<none>", "example.com", "<none>", "10m", "app=web"],
    ],
  ])("%j", (spec, ingress, expected) => {
    expect(row(spec as Fields, ingress as readonly JsonValue[])).toEqual(expected);
  });
});
