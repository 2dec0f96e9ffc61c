// Services through the API: what is allocated, kept, shared and given back.

import { describe, expect, it } from "vitest";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { ipAddresses, serviceCidrs, services } from "#cluster/api/kinds.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { exchange, json } from "../http/http-call.test-kit.ts";
import { refusalOf, startServer } from "../test-server.test-kit.ts";

const key = { namespace: "default", name: "web" };
const ports = [{ port: 80 }];

function create(client: Client, spec: ServiceSpec, name = "web"): ServiceSpec {
  const made = client.create(services, {
    metadata: { namespace: "default", name },
    spec: { ports, selector: { app: "web" }, ...spec },
  });
  return made.spec ?? {};
}

function change(client: Client, spec: { readonly [field: string]: JsonValue }): ServiceSpec {
  return client.patch(services, key, "merge", { spec }).spec ?? {};
}

function recordOf(client: Client, name: string): unknown {
  try {
    return client.get(ipAddresses, { namespace: "", name }).spec?.parentRef;
  } catch {
    return undefined;
  }
}

describe("families of a Service's addresses", () => {
  it("[NET-002] are those of the cluster", () => {
    const { client } = startServer();
    const { clusterIP = "", ...spec } = create(client, { type: "LoadBalancer" });
    expect(spec).toMatchObject({
      clusterIPs: [clusterIP],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      externalTrafficPolicy: "Cluster",
      allocateLoadBalancerNodePorts: true,
    });
  });

  it("are both for a headless Service without selector, whose endpoints someone else writes", () => {
    const { client } = startServer();
    const spec = client.create(services, { metadata: key, spec: { clusterIP: "None" } }).spec;
    expect([spec?.clusterIPs, spec?.ipFamilies, spec?.ipFamilyPolicy]).toEqual([["None"], ["IPv4", "IPv6"], "RequireDualStack"]);
  });

  it.each([
    [
      { ipFamilyPolicy: "RequireDualStack" },
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [{ ipFamilies: ["IPv6"] }, 'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    [{ clusterIP: "fd00::7" }, 'spec.clusterIPs[0]: Invalid value: ["fd00::7"]: IPv6 is not configured on this cluster'],
    [
      { ipFamilies: ["IPv4", "IPv6"] },
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`,
    ],
  ])("are refused when the cluster has not got them: %j", (spec, message) => {
    const { client } = startServer();
    expect(refusalOf(() => create(client, spec as ServiceSpec))).toBe(`Service "web" is invalid: ${message}`);
  });

  it("may be preferred to be two", () => {
    const { client } = startServer();
    expect(create(client, { ipFamilyPolicy: "PreferDualStack" })).toMatchObject({
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "PreferDualStack",
    });
    expect(change(client, { sessionAffinity: "ClientIP" })).toMatchObject({
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "PreferDualStack",
    });
  });
});

describe("addresses of Services", () => {
  it("[NET-044] [NET-053] are IPAddress objects as long as they are in use", () => {
    const { client } = startServer();
    const { clusterIP = "" } = create(client, {});
    const { metadata, spec } = client.get(ipAddresses, { namespace: "", name: clusterIP });
    expect([metadata?.labels, spec]).toEqual([
      {
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
      { parentRef: { resource: "services", namespace: "default", name: "web" } },
    ]);
    client.delete(services, key);
    expect(recordOf(client, clusterIP)).toBeUndefined();
    expect(create(client, { clusterIP }).clusterIP).toBe(clusterIP);
  });

  it("are not taken where an IPAddress says that they are", () => {
    const { client } = startServer();
    const parentRef = { resource: "gateways", group: "example.com", name: "x" };
    client.create(ipAddresses, { metadata: { name: "10.96.0.9" }, spec: { parentRef } });
    expect(refusalOf(() => create(client, { clusterIP: "10.96.0.9" }))).toBe(
      'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.9"]: failed to allocate IP 10.96.0.9: provided IP is already allocated',
    );
  });

  it("[NET-060] are only tried by a dry run", () => {
    const { client } = startServer();
    const made = client.create(services, { metadata: key, spec: { ports, type: "NodePort" } }, { dryRun: true });
    const { clusterIP = "" } = made.spec ?? {};
    expect([clusterIP.startsWith("10."), (made.spec?.ports?.[0]?.nodePort ?? 0) >= 30_000]).toEqual([true, true]);
    expect(recordOf(client, clusterIP)).toBeUndefined();
  });

  it("[NET-046] [NET-047] come from the upper part of the range, then from the lower, and never are its ends", () => {
    const { client } = startServer({ serviceCidr: "10.96.0.0/26" });
    const given: string[] = [];
    for (let index = 0; index < 61; index += 1) given.push(create(client, {}, `web-${index}`).clusterIP ?? "");
    const hosts = given.map((address) => Number(address.split(".")[3]));
    expect(hosts.slice(0, 46).every((host) => host > 16)).toBe(true);
    expect([...hosts].sort((a, b) => a - b)).toEqual(Array.from({ length: 61 }, (_, index) => index + 2));
    // [NET-051]
    expect(refusalOf(() => create(client, {}, "last"))).toBe(
      "Internal error occurred: failed to allocate a serviceIP: range is full",
    );
  });

  it("[NET-048] [NET-049] are refused when they are taken or foreign", () => {
    const { client } = startServer();
    create(client, { clusterIP: "10.96.0.10" }, "a");
    const refused = (address: string, why: string) =>
      `Service "web" is invalid: spec.clusterIPs: Invalid value: ["${address}"]: failed to allocate IP ${address}: ${why}`;
    expect(refusalOf(() => create(client, { clusterIP: "10.96.0.10" }))).toBe(
      refused("10.96.0.10", "provided IP is already allocated"),
    );
    expect(refusalOf(() => create(client, { clusterIP: "192.168.1.1" }))).toBe(
      refused("192.168.1.1", "the provided network does not match the current range"),
    );
  });

  it("[NET-055] come from further ranges too, but not from those that go", () => {
    const { client } = startServer({ serviceCidr: "10.96.0.0/30" });
    const metadata = { name: "extra", finalizers: ["example.com/hold"] };
    client.create(serviceCidrs, { metadata, spec: { cidrs: ["10.200.0.0/24"] } });
    expect(create(client, { clusterIP: "10.200.0.9" }, "a").clusterIP).toBe("10.200.0.9");
    // The first range has two addresses, of which the server has one. Any range may be the next to give one.
    const given = Array.from({ length: 12 }, (_, index) => create(client, {}, `b-${index}`).clusterIP ?? "");
    expect(given.filter((address) => !address.startsWith("10.200.0."))).toEqual(["10.96.0.2"]);
    expect(given[0]).not.toBe("10.96.0.2");
    client.delete(serviceCidrs, { namespace: "", name: "extra" });
    expect(refusalOf(() => create(client, {}, "d"))).toBe("Internal error occurred: failed to allocate a serviceIP: range is full");
    expect(refusalOf(() => create(client, { clusterIP: "10.200.0.10" }, "d"))).toBe(
      'Service "d" is invalid: spec.clusterIPs: Invalid value: ["10.200.0.10"]: failed to allocate IP 10.200.0.10: the provided network does not match the current range',
    );
  });

  it("[NET-045] come from the ServiceCIDR that is there from the start", () => {
    const { client } = startServer();
    const { spec, status } = client.get(serviceCidrs, { namespace: "", name: "kubernetes" });
    // The server's words; the controller manager has others.
    expect([spec?.cidrs, status?.conditions]).toEqual([
      ["10.96.0.0/12"],
      [
        {
          type: "Ready",
          status: "True",
          reason: "",
          message: "Kubernetes default Service CIDR is ready",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    ]);
    expect(recordOf(client, "10.96.0.1")).toEqual({ resource: "services", namespace: "default", name: "kubernetes" });
  });
});

describe("node ports", () => {
  it("[NET-056] come from above 30085 as long as there are any", () => {
    const { client } = startServer();
    const ports = Array.from({ length: 200 }, (_, index) => ({ name: `p${index}`, port: index + 1 }));
    const given = (create(client, { type: "NodePort", ports }).ports ?? []).map(({ nodePort = 0 }) => nodePort);
    expect([Math.min(...given) > 30_085, Math.max(...given) < 32_768, new Set(given).size]).toEqual([true, true, 200]);
  });

  it("[NET-057] [NET-058] are refused when they are foreign or taken", () => {
    const { client } = startServer();
    const at = (nodePort: number): ServiceSpec => ({ type: "NodePort", ports: [{ port: 80, nodePort }] });
    create(client, at(30_007), "a");
    const refused = (port: number, why: string) =>
      `Service "web" is invalid: spec.ports[0].nodePort: Invalid value: ${port}: ${why}`;
    expect(refusalOf(() => create(client, at(8080)))).toBe(
      refused(8080, "provided port is not in the valid range. The range of valid ports is 30000-32767"),
    );
    expect(refusalOf(() => create(client, at(30_007)))).toBe(refused(30_007, "provided port is already allocated"));
  });

  it("[NET-059] are shared by ports of one number", () => {
    const { client } = startServer();
    const ports = [
      { name: "dns", port: 53, protocol: "UDP" },
      { name: "dns-tcp", port: 53, protocol: "TCP" },
    ];
    const given = create(client, { type: "NodePort", ports }).ports ?? [];
    expect(given[0]?.nodePort).toBe(given[1]?.nodePort);
  });

  it("[NET-032] go with the type that needs them, and come back to the pool", () => {
    const { client } = startServer();
    const before = create(client, { type: "NodePort", ports: [{ port: 80, nodePort: 30_100 }] });
    const plain = change(client, { type: "ClusterIP" });
    expect([plain.clusterIP, plain.ports, plain.externalTrafficPolicy]).toEqual([
      before.clusterIP,
      [{ port: 80, protocol: "TCP", targetPort: 80 }],
      undefined,
    ]);
    expect(create(client, { type: "NodePort", ports: [{ port: 80, nodePort: 30_100 }] }, "other").ports?.[0]?.nodePort).toBe(
      30_100,
    );
  });

  it("[NET-032] go with the address when a Service becomes a name", () => {
    const { client } = startServer();
    const { clusterIP = "" } = create(client, { type: "NodePort" });
    const { ports: _ports, selector: _selector, ...named } = change(client, { type: "ExternalName", externalName: "example.com" });
    expect(named).toEqual({
      type: "ExternalName",
      externalName: "example.com",
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
    });
    expect(recordOf(client, clusterIP)).toBeUndefined();
    expect(change(client, { type: "ClusterIP", externalName: null }).clusterIP).toMatch(/^10\./);
  });

  it("stay when a client sends the Service without them", () => {
    const { client } = startServer();
    const made = create(client, { type: "NodePort" });
    const updated = client.update(services, {
      ...client.get(services, key),
      spec: { type: "NodePort", selector: { app: "web" }, ports: [{ port: 8080 }] },
    });
    expect([updated.spec?.clusterIP, updated.spec?.ports?.[0]?.nodePort]).toEqual([made.clusterIP, made.ports?.[0]?.nodePort]);
  });

  it("are not given to a balancer that wants none, but respected", () => {
    const { client } = startServer();
    const spec = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false };
    const ports = [
      { name: "a", port: 80 },
      { name: "b", port: 81, nodePort: 30_200 },
    ];
    expect(create(client, { ...spec, ports }).ports?.map(({ nodePort }) => nodePort)).toEqual([undefined, 30_200]);
  });

  it("stay when a balancer no longer wants any, until they are left out", () => {
    const { client } = startServer();
    const sent = { ports: [{ port: 8080, nodePort: 30_201 }] };
    create(client, { type: "LoadBalancer", ...sent });
    expect(change(client, { allocateLoadBalancerNodePorts: false }).ports?.[0]?.nodePort).toBe(30_201);
    const without = { ports: [{ port: 8080 }] };
    expect(change(client, without).ports?.[0]?.nodePort).toBeUndefined();
    // The number is free again.
    expect(create(client, { type: "NodePort", ...sent }, "other").ports?.[0]?.nodePort).toBe(30_201);
    expect(change(client, { allocateLoadBalancerNodePorts: true }).ports?.[0]?.nodePort).toBeGreaterThanOrEqual(30_000);
  });

  it("come back to a balancer that wants them", () => {
    const { client } = startServer();
    create(client, { type: "LoadBalancer", ports: [{ port: 8080, nodePort: 30_202 }] });
    expect(change(client, { ports: [{ port: 8080 }] }).ports?.[0]?.nodePort).toBe(30_202);
  });
});

describe("balancers", () => {
  it("[NET-024] get a port for health checks when they need it", () => {
    const { client } = startServer();
    const local = create(client, { type: "LoadBalancer", externalTrafficPolicy: "Local" });
    expect((local.healthCheckNodePort ?? 0) >= 30_000).toBe(true);
    expect(change(client, { externalTrafficPolicy: "Cluster" }).healthCheckNodePort).toBeUndefined();
    const again = create(client, { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31_000 }, "other");
    expect(again.healthCheckNodePort).toBe(31_000);
    expect(
      refusalOf(() =>
        create(client, { type: "LoadBalancer", externalTrafficPolicy: "Local", healthCheckNodePort: 31_000 }, "third"),
      ),
    ).toBe("Internal error occurred: failed to allocate requested HealthCheck NodePort 31000: provided port is already allocated");
  });

  it("[NET-033] leave nothing behind", () => {
    const { client } = startServer();
    create(client, { type: "LoadBalancer", loadBalancerClass: "example.com/vip", externalTrafficPolicy: "Local" });
    const made = client.get(services, key);
    client.updateStatus(services, { ...made, status: { loadBalancer: { ingress: [{ ip: "192.0.2.9", ipMode: "VIP" }] } } });
    const plain = change(client, { type: "ClusterIP" });
    expect(Object.keys(plain).filter((name) => /Balancer|health|external/.test(name))).toEqual([]);
    expect(client.get(services, key).status).toEqual({ loadBalancer: {} });
  });
});

describe("Services over HTTP", () => {
  const path = "/api/v1/namespaces/default/services";
  const body = (spec: { readonly [field: string]: JsonValue }, metadata: { readonly [field: string]: JsonValue } = {}) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", ...metadata },
    spec,
  });

  it("[NET-035] are refused with all that is wrong", () => {
    const { server } = startServer();
    const reply = exchange(server, "POST", path, body({ type: "Foo", ports: [{ port: 0, targetPort: 80 }] }));
    expect(json(reply)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message:
        'Service "web" is invalid: [spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]',
      reason: "Invalid",
      details: {
        name: "web",
        kind: "Service",
        causes: [
          {
            reason: "FieldValueInvalid",
            message: "Invalid value: 0: must be between 1 and 65535, inclusive",
            field: "spec.ports[0].port",
          },
          {
            reason: "FieldValueNotSupported",
            message: 'Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
            field: "spec.type",
          },
        ],
      },
      code: 422,
    });
  });

  it("[NET-036] are refused with annotations that are no texts", () => {
    const { server } = startServer();
    const reply = exchange(server, "POST", path, body({ ports }, { annotations: { a: true } }));
    expect([reply.status, json(reply)["message"]]).toEqual([
      400,
      'Service in version "v1" cannot be handled as a Service: json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string',
    ]);
  });

  it("[NET-034] have ports that merge by number", () => {
    const { server } = startServer();
    exchange(
      server,
      "POST",
      path,
      body({
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81 },
        ],
      }),
    );
    const patch = { spec: { ports: [{ port: 81, name: "b", targetPort: 8081 }] } };
    const reply = exchange(server, "PATCH", `${path}/web`, patch, { "content-type": "application/strategic-merge-patch+json" });
    expect((json(reply)["spec"] as { readonly ports: JsonValue }).ports).toEqual([
      { name: "a", port: 80, protocol: "TCP", targetPort: 80 },
      { name: "b", port: 81, protocol: "TCP", targetPort: 8081 },
    ]);
  });

  it("warn in a header", () => {
    const { server } = startServer();
    const reply = exchange(server, "POST", path, body({ ports, externalIPs: ["198.51.100.7"] }));
    expect([reply.status, reply.headers["warning"]]).toEqual([
      201,
      '299 - "spec.externalIPs is deprecated and may no longer be implemented in some clusters"',
    ]);
  });

  it("are made by a PUT", () => {
    const { server } = startServer();
    expect(exchange(server, "PUT", `${path}/web`, body({ ports })).status).toBe(201);
  });
});
