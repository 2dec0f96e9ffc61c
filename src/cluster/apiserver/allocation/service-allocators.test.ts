import { describe, expect, it } from "vitest";
import { services } from "#cluster/api/kinds.ts";
import { refusalOf, startServer } from "../test-server.test-kit.ts";

const web = { metadata: { name: "web", namespace: "default" }, spec: { ports: [{ port: 80 }], selector: { app: "web" } } };
const key = { namespace: "default", name: "web" };

describe("addresses of Services", () => {
  it("[API-005] gives the Service kubernetes the first address", () => {
    const { client } = startServer();
    const { metadata, spec } = client.get(services, { namespace: "default", name: "kubernetes" });
    expect([spec?.clusterIP, spec?.ports, metadata.labels, spec?.selector]).toEqual([
      "10.96.0.1",
      [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      { component: "apiserver", provider: "kubernetes" },
      undefined,
    ]);
  });

  it("[API-007] writes the Service kubernetes again within 10 s", () => {
    const { client, simulation } = startServer();
    client.delete(services, { namespace: "default", name: "kubernetes" });
    simulation.advance(10_000);
    expect(client.get(services, { namespace: "default", name: "kubernetes" }).spec?.clusterIP).toBe("10.96.0.1");
  });

  it("fills in what a Service of one line becomes", () => {
    const { client } = startServer();
    const { spec } = client.create(services, web);
    const { clusterIP = "", ...rest } = spec ?? {};
    expect(clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    expect(rest).toEqual({
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      selector: { app: "web" },
      sessionAffinity: "None",
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      clusterIPs: [clusterIP],
    });
  });

  it("refuses an address that is taken or outside of the range, and gives it back when its Service goes", () => {
    const { client } = startServer();
    const asked = (name: string, clusterIP: string) =>
      client.create(services, { ...web, metadata: { ...web.metadata, name }, spec: { ...web.spec, clusterIP } });
    asked("a", "10.96.0.10");
    expect(refusalOf(() => asked("b", "10.96.0.10"))).toBe(
      'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.10"]: failed to allocate IP 10.96.0.10: provided IP is already allocated',
    );
    expect(refusalOf(() => asked("b", "192.168.0.1"))).toMatch(
      /^Service "b" is invalid: spec\.clusterIPs: Invalid value: \["192\.168\.0\.1"\]/,
    );
    client.delete(services, { namespace: "default", name: "a" });
    expect(asked("b", "10.96.0.10").spec?.clusterIP).toBe("10.96.0.10");
  });

  it("keeps no address of a Service that was refused or only tried", () => {
    const { client } = startServer();
    const spec = { ...web.spec, clusterIP: "10.96.0.20" };
    refusalOf(() => client.create(services, { ...web, spec: { ...spec, type: "Wrong" } }));
    client.create(services, { ...web, spec }, { dryRun: true });
    expect(client.create(services, { ...web, spec }).spec?.clusterIP).toBe("10.96.0.20");
  });

  it("refuses to change an address", () => {
    const { client } = startServer();
    client.create(services, { ...web, spec: { ...web.spec, clusterIP: "10.96.0.30" } });
    expect(
      refusalOf(() => client.patch(services, key, "merge", { spec: { clusterIP: "10.96.0.31", clusterIPs: ["10.96.0.31"] } })),
    ).toBe('Service "web" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.0.31"]: may not change once set');
  });
});

describe("node ports", () => {
  const nodePort = (port: number) => ({ ...web, spec: { ...web.spec, type: "NodePort", ports: [{ port: 80, nodePort: port }] } });

  it("gives one of 30000-32767, keeps it, and takes it back", () => {
    const { client } = startServer();
    const given = client.create(services, { ...web, spec: { ...web.spec, type: "NodePort" } }).spec?.ports?.[0]?.nodePort ?? 0;
    expect(given >= 30_000 && given <= 32_767).toBe(true);
    client.patch(services, key, "merge", { metadata: { labels: { tier: "front" } } });
    expect(client.get(services, key).spec?.ports?.[0]?.nodePort).toBe(given);
    client.delete(services, key);
    expect(client.create(services, nodePort(given)).spec?.ports?.[0]?.nodePort).toBe(given);
  });

  it("refuses a port that is taken or out of range", () => {
    const { client } = startServer();
    expect(refusalOf(() => client.create(services, nodePort(80)))).toBe(
      'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    );
    client.create(services, { ...nodePort(30_080), metadata: { name: "other", namespace: "default" } });
    expect(refusalOf(() => client.create(services, nodePort(30_080)))).toBe(
      'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    );
  });
});
