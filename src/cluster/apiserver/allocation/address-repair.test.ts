// Services and IPAddresses that do not fit one another, and what the API server makes of them.

import { beforeEach, describe, expect, it } from "vitest";
import type { ParentReference } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Client } from "#cluster/client/client.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { Simulation } from "#sim/simulation.ts";
import { refusalOf, startServer } from "../test-server.test-kit.ts";

const managed = { "ipaddress.kubernetes.io/ip-family": "IPv4", "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io" };
const parent = (name: string) => ({ resource: "services", namespace: "default", name });

let client: Client;
let simulation: Simulation;

const at = (name: string) => ({ namespace: "", name });

function service(name: string, clusterIP: string): void {
  client.create(kinds.services, { metadata: { namespace: "default", name }, spec: { clusterIP, ports: [{ port: 80 }] } });
  simulation.advance(1_000);
}

function address(name: string, parentRef: ParentReference, labels: { readonly [label: string]: string } = managed): void {
  client.create(kinds.ipAddresses, { metadata: { name, labels }, spec: { parentRef } });
}

/** The Service that an address names; undefined: there is no such address. */
function holder(name: string): string | undefined {
  try {
    return client.get(kinds.ipAddresses, at(name)).spec?.parentRef?.name;
  } catch (error) {
    if (isReason(error, "NotFound")) return undefined;
    throw error;
  }
}

const events = () =>
  client
    .list(kinds.events, { namespace: "default" })
    .items.filter(({ reportingComponent }) => reportingComponent === "ipallocator-repair-controller")
    .map(({ involvedObject, reason, message }) => `${involvedObject?.kind}/${involvedObject?.name} ${reason}: ${message}`);

describe("the repair of addresses", () => {
  beforeEach(() => {
    ({ client, simulation } = startServer());
    simulation.advance(1_000);
  });

  it("[NET-054] finds nothing to do where all is well", () => {
    service("a", "10.96.0.50");
    simulation.advance(600_000);
    expect([holder("10.96.0.50"), events()]).toEqual(["a", []]);
  });

  it("[NET-054] writes an address again that somebody took away, three minutes after the last look", () => {
    service("a", "10.96.0.50");
    client.delete(kinds.ipAddresses, at("10.96.0.50"));
    simulation.advance(177_000);
    expect(holder("10.96.0.50")).toBeUndefined();
    simulation.advance(2_000);
    const { metadata, spec } = client.get(kinds.ipAddresses, at("10.96.0.50"));
    expect([metadata?.labels, spec?.parentRef]).toEqual([managed, parent("a")]);
    expect(events()).toEqual(["Service/a ClusterIPNotAllocated: Cluster IP [IPv4]: 10.96.0.50 is not allocated; repairing"]);
  });

  it("[NET-054] does so at once when the Service is written", () => {
    service("a", "10.96.0.50");
    client.delete(kinds.ipAddresses, at("10.96.0.50"));
    client.patch(kinds.services, { namespace: "default", name: "a" }, "merge", { metadata: { labels: { tier: "web" } } });
    simulation.advance(1_000);
    expect(holder("10.96.0.50")).toBe("a");
  });

  it("[NET-054] tells of a second Service with the same address, which can be had while there is no IPAddress", () => {
    service("a", "10.96.0.50");
    expect(refusalOf(() => service("b", "10.96.0.50"))).toContain("provided IP is already allocated");
    client.delete(kinds.ipAddresses, at("10.96.0.50"));
    service("b", "10.96.0.50");
    simulation.advance(180_000);
    expect(holder("10.96.0.50")).toBe("b");
    const words = "was assigned to multiple services; please recreate service";
    expect(events()).toEqual([`Service/a ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.96.0.50 ${words}`]);
  });

  it.each([
    ["that names no Service", { group: "example.com", resource: "gateways", name: "x" }, managed],
    ["that names one that is not there", parent("gone"), managed],
    ["that nobody is said to manage", parent("a"), {}],
  ])("[NET-054] takes back an address %s", (_title, parentRef, labels) => {
    service("a", "10.96.0.50");
    client.delete(kinds.ipAddresses, at("10.96.0.50"));
    address("10.96.0.50", parentRef, labels);
    client.patch(kinds.services, { namespace: "default", name: "a" }, "merge", { metadata: { labels: { tier: "web" } } });
    simulation.advance(200_000);
    const { metadata, spec } = client.get(kinds.ipAddresses, at("10.96.0.50"));
    expect([metadata?.labels, spec?.parentRef]).toEqual([managed, parent("a")]);
  });

  it("[NET-054] deletes an address of a Service that does not come within a minute", () => {
    address("10.96.0.77", parent("gone"));
    simulation.advance(58_000);
    expect(holder("10.96.0.77")).toBe("gone");
    simulation.advance(3_000);
    expect(holder("10.96.0.77")).toBeUndefined();
    expect(events()).toEqual([
      "IPAddress/10.96.0.77 IPAddressNotAllocated: IPAddress: 10.96.0.77 for Service default/gone appears to have leaked: cleaning up",
    ]);
  });

  it("[NET-054] deletes an address whose Service has another one, and one that names no Service", () => {
    service("a", "10.96.0.50");
    address("10.96.0.77", parent("a"));
    address("10.96.0.78", { group: "example.com", resource: "gateways", name: "x" });
    simulation.advance(1_000);
    expect([holder("10.96.0.50"), holder("10.96.0.77"), holder("10.96.0.78")]).toEqual(["a", undefined, undefined]);
    expect(events()).toEqual([
      "IPAddress/10.96.0.77 IPAddressWrongReference: IPAddress: 10.96.0.77 for Service default/a has a wrong reference; cleaning up",
      "IPAddress/10.96.0.78 IPAddressNotAllocated: IPAddress 10.96.0.78 appears to have been modified, not referencing a Service &ParentReference{Group:example.com,Resource:gateways,Namespace:,Name:x,}: cleaning up",
    ]);
  });

  it("[NET-054] leaves alone what somebody else manages", () => {
    address("10.96.0.77", parent("gone"), { "ipaddress.kubernetes.io/managed-by": "example.com" });
    simulation.advance(400_000);
    expect([holder("10.96.0.77"), events()]).toEqual(["gone", []]);
  });

  it("[NET-054] tells of an address that no range has any more", () => {
    client.create(kinds.serviceCidrs, { metadata: { name: "extra" }, spec: { cidrs: ["10.200.0.0/24"] } });
    service("a", "10.200.0.9");
    client.delete(kinds.serviceCidrs, at("extra"));
    simulation.advance(180_000);
    expect(events()).toEqual([
      "Service/a ClusterIPOutOfRange: Cluster IP [IPv4]: 10.200.0.9 is not within any configured Service CIDR; please recreate service",
    ]);
  });
});
