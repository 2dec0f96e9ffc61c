// Which Endpoints are mirrored, into which slices, and when these go.

import { describe, expect, it } from "vitest";
import type { EndpointSubset } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { startControlPlane } from "../control-plane.test-kit.ts";
import { endpointSliceMirroringController } from "./endpointslice-mirroring-controller.ts";

const key = { namespace: "default", name: "db" };
const subset: EndpointSubset = {
  addresses: [{ ip: "10.1.2.3", hostname: "db-0", nodeName: "node-1" }],
  notReadyAddresses: [{ ip: "10.1.2.4" }],
  ports: [{ name: "sql", port: 5432, protocol: "TCP", appProtocol: "postgres" }],
};

function start(subsets: readonly EndpointSubset[] = [subset], metadata: object = {}) {
  const plane = startControlPlane({ definitions: [endpointSliceMirroringController] });
  const { client } = plane;
  const spec = { ports: [{ name: "sql", port: 5432 }] };
  client.create(kinds.services, { metadata: key, spec });
  client.create(kinds.endpoints, { metadata: { ...key, ...metadata }, subsets });
  plane.settle();
  return {
    ...plane,
    slices: () => client.list(kinds.endpointSlices, { labelSelector: "kubernetes.io/service-name=db" }).items,
    endpoints: () => client.get(kinds.endpoints, key),
  };
}

describe("Endpoints made by hand", () => {
  it("[NET-090] [NET-092] are mirrored into slices that they own, with labels and annotations", () => {
    const annotations = { note: "mine", "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:00Z" };
    const { slices, endpoints } = start([subset], { labels: { team: "data" }, annotations });
    const [slice, more] = slices();
    expect(more).toBeUndefined();
    expect(slice?.metadata.name).toMatch(/^db-[a-z0-9]{5}$/);
    expect(slice).toMatchObject({
      metadata: {
        labels: {
          team: "data",
          "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
          "kubernetes.io/service-name": "db",
        },
        annotations: { note: "mine" },
        ownerReferences: [
          {
            apiVersion: "v1",
            kind: "Endpoints",
            name: "db",
            uid: endpoints().metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      addressType: "IPv4",
      ports: [{ name: "sql", port: 5432, protocol: "TCP", appProtocol: "postgres" }],
    });
    expect(slice?.metadata.annotations).toEqual({ note: "mine" });
    expect(slice?.endpoints).toEqual([
      { addresses: ["10.1.2.3"], conditions: { ready: true }, hostname: "db-0", nodeName: "node-1" },
      { addresses: ["10.1.2.4"], conditions: { ready: false } },
    ]);
  });

  it("[NET-090] have a slice for each set of ports and each family, which follow them", () => {
    const both = { addresses: [{ ip: "10.1.2.3" }, { ip: "fd00::3" }], ports: [{ port: 80 }] };
    const { client, settle, slices, endpoints } = start([subset, both]);
    const shapes = () =>
      slices()
        .map(({ addressType, ports, endpoints: found }) => [addressType, ports?.[0]?.port, found?.map((one) => one.addresses[0])])
        .sort((a, b) => String(a).localeCompare(String(b)));
    expect(shapes()).toEqual([
      ["IPv4", 5432, ["10.1.2.3", "10.1.2.4"]],
      ["IPv4", 80, ["10.1.2.3"]],
      ["IPv6", 80, ["fd00::3"]],
    ]);
    const names = slices().map(({ metadata }) => metadata.name);
    client.update(kinds.endpoints, { ...endpoints(), subsets: [{ addresses: [{ ip: "10.9.9.9" }], ports: [{ port: 90 }] }] });
    settle();
    expect(shapes()).toEqual([["IPv4", 90, ["10.9.9.9"]]]);
    expect(names).toContain(slices()[0]?.metadata.name);
    client.update(kinds.endpoints, { ...endpoints(), metadata: { ...endpoints().metadata, labels: { a: "b" } } });
    settle();
    expect(slices()[0]?.metadata.labels).toMatchObject({ a: "b" });
  });

  it("are mirrored again when somebody changes or removes a slice, and not written when all is well", () => {
    const { client, settle, slices } = start();
    const [slice] = slices();
    if (slice === undefined) throw new Error("no slice");
    client.update(kinds.endpointSlices, { ...slice, endpoints: [] });
    settle();
    expect(slices()[0]?.endpoints?.length).toBe(2);
    client.delete(kinds.endpointSlices, { namespace: "default", name: slice.metadata.name });
    settle();
    const before = slices();
    expect(before.length).toBe(1);
    const service = client.get(kinds.services, key);
    client.update(kinds.services, { ...service, metadata: { ...service.metadata, labels: { x: "y" } } });
    settle();
    expect(slices()).toEqual(before);
  });

  it("[NET-091] are not mirrored without a Service, for one with a selector, with the label or a leader's annotation; slices go", () => {
    const { client, settle, slices, endpoints } = start();
    const change = (labels: object, annotations: object) => {
      client.update(kinds.endpoints, {
        ...endpoints(),
        metadata: { ...endpoints().metadata, ...{ labels, annotations } } as never,
      });
      settle();
      return slices().length;
    };
    expect(change({}, {})).toBe(1);
    expect(change({ "endpointslice.kubernetes.io/skip-mirror": "true" }, {})).toBe(0);
    expect(change({}, {})).toBe(1);
    expect(change({}, { "control-plane.alpha.kubernetes.io/leader": "{}" })).toBe(0);
    expect(change({}, {})).toBe(1);
    client.patch(kinds.services, key, "merge", { spec: { selector: { app: "db" } } });
    settle();
    expect(slices().length).toBe(0);
    client.patch(kinds.services, key, "merge", { spec: { selector: null } });
    settle();
    expect(slices().length).toBe(1);
    client.delete(kinds.services, key);
    settle();
    expect(slices().length).toBe(0);
  });

  it("[NET-092] are mirrored up to a thousand addresses of a subset", () => {
    const addresses = Array.from({ length: 1_002 }, (_, index) => ({ ip: `10.1.${index >> 8}.${index & 255}` }));
    const { slices, eventsOf } = start([{ ...subset, addresses }]);
    expect(slices().map(({ endpoints }) => endpoints?.length)).toEqual([1_000]);
    expect(eventsOf("Endpoints")).toEqual([
      "TooManyAddressesToMirror A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped",
    ]);
  });
});
