import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "#cluster/api/errors.ts";
import type { Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { isReason } from "#cluster/client/retry.ts";
import { startControlPlane, type TestControlPlane } from "../control-plane.test-kit.ts";
import { serviceCidrController } from "./service-cidr-controller.ts";

const finalizer = "networking.k8s.io/service-cidr-finalizer";
const stillUsed = "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR";
const at = (name: string) => ({ namespace: "", name });

let world: TestControlPlane;

function range(name: string, ...cidrs: string[]): void {
  world.client.create(kinds.serviceCidrs, { metadata: { name }, spec: { cidrs } });
  world.simulation.advance(1_000);
}

function service(name: string, spec: Service["spec"] = {}): string | undefined {
  const metadata = { namespace: "default", name };
  return world.client.create(kinds.services, { metadata, spec: { ports: [{ port: 80 }], ...spec } }).spec?.clusterIP;
}

function remove(name: string, seconds = 1): void {
  world.client.delete(kinds.serviceCidrs, at(name));
  world.simulation.advance(seconds * 1_000);
}

const readiness = (name: string) =>
  world.client
    .get(kinds.serviceCidrs, at(name))
    .status?.conditions?.map(({ type, status, reason, message }) => [type, status, reason, message]);

const isThere = (name: string): boolean => {
  try {
    world.client.get(kinds.serviceCidrs, at(name));
    return true;
  } catch (error) {
    if (isReason(error, "NotFound")) return false;
    throw error;
  }
};

const going = [["Ready", "False", "Terminating", stillUsed]];

describe("the controller of ServiceCIDRs", () => {
  beforeEach(() => {
    world = startControlPlane({ definitions: [serviceCidrController], nodes: [] });
    world.simulation.advance(1_000);
  });

  it.each(["kubernetes", "extra"])("[NET-045] guards %s and says that it is ready", (name) => {
    if (name !== "kubernetes") range(name, "10.200.0.0/24");
    expect(world.client.get(kinds.serviceCidrs, at(name)).metadata.finalizers).toEqual([finalizer]);
    expect(readiness(name)).toEqual([["Ready", "True", "", "Kubernetes Service CIDR is ready"]]);
  });

  it("puts back what somebody takes away", () => {
    range("extra", "10.200.0.0/24");
    const { client, simulation } = world;
    const found = client.get(kinds.serviceCidrs, at("extra"));
    const bare = client.update(kinds.serviceCidrs, {
      ...found,
      metadata: { ...found.metadata, finalizers: ["example.com/other"] },
    });
    client.updateStatus(kinds.serviceCidrs, { ...bare, status: {} });
    simulation.advance(1_000);
    expect(client.get(kinds.serviceCidrs, at("extra")).metadata.finalizers).toEqual(["example.com/other", finalizer]);
    expect(readiness("extra")).toEqual([["Ready", "True", "", "Kubernetes Service CIDR is ready"]]);
  });

  it("lets an unused range go ten seconds later, so that all servers have heard of it", () => {
    range("extra", "10.200.0.0/24");
    remove("extra", 9);
    expect(isThere("extra")).toBe(true);
    expect(readiness("extra")).toEqual([["Ready", "True", "", "Kubernetes Service CIDR is ready"]]);
    world.simulation.advance(2_000);
    expect(isThere("extra")).toBe(false);
  });

  it("[NET-055] keeps a range while it has addresses, which is not given out any more, and lets it go with the last of them", () => {
    range("extra", "10.200.0.0/24");
    service("a", { clusterIP: "10.200.0.9" });
    remove("extra", 60);
    expect(readiness("extra")).toEqual(going);
    expect(() => service("b", { clusterIP: "10.200.0.10" })).toThrow(ApiError);
    world.client.delete(kinds.services, { namespace: "default", name: "a" });
    world.simulation.advance(1_000);
    expect(isThere("extra")).toBe(false);
  });

  it("counts addresses of Services only", () => {
    range("extra", "10.200.0.0/24");
    const spec = { parentRef: { group: "example.com", resource: "things", name: "a" } };
    world.client.create(kinds.ipAddresses, { metadata: { name: "10.200.0.9" }, spec });
    remove("extra", 11);
    expect(isThere("extra")).toBe(false);
  });

  it.each([
    ["the same range", "10.200.0.0/24"],
    ["a wider one", "10.200.0.0/16"],
    ["a narrower one that has all of them", "10.200.0.0/28"],
  ])("lets a range go whose addresses are covered: %s", (_title, cover) => {
    range("extra", "10.200.0.0/24");
    service("a", { clusterIP: "10.200.0.9" });
    remove("extra");
    expect(readiness("extra")).toEqual(going);
    range("cover", cover);
    world.simulation.advance(10_000);
    expect(isThere("extra")).toBe(false);
    // Its last word stays until it goes.
    remove("cover");
    expect(readiness("cover")).toEqual(going);
  });

  it.each([
    ["another range", "10.201.0.0/24"],
    ["one that has not this address", "10.200.0.32/28"],
    ["one whose first address it is, which nobody gets", "10.200.0.9/32"],
    ["one whose last address it is, which nobody gets", "10.200.0.8/31"],
  ])("is not misled by what covers nothing: %s", (_title, cover) => {
    range("extra", "10.200.0.0/24");
    service("a", { clusterIP: "10.200.0.9" });
    remove("extra");
    range("cover", cover);
    world.simulation.advance(30_000);
    expect(readiness("extra")).toEqual(going);
  });

  it("looks at both families of a range", () => {
    range("both", "10.200.0.0/24", "fd00:200::/112");
    range("six", "fd00:200::/64");
    service("a", { clusterIP: "10.200.0.9" });
    remove("both");
    expect(readiness("both")).toEqual(going);
    range("four", "10.200.0.0/16");
    world.simulation.advance(10_000);
    expect(isThere("both")).toBe(false);
  });

  it("takes no range for ready of which a status says something else", () => {
    range("extra", "10.200.0.0/24");
    world.manager.stop();
    const { client } = world;
    const found = client.get(kinds.serviceCidrs, at("extra"));
    const ready = { type: "Ready", status: "Unknown", reason: "", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" };
    client.updateStatus(kinds.serviceCidrs, { ...found, status: { conditions: [ready] } });
    expect(() => service("a", { clusterIP: "10.200.0.9" })).toThrow("the provided network does not match the current range");
  });
});
