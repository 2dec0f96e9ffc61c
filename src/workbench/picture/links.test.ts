import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { Flow } from "#history/flow-log.ts";
import type { ClusterView, ServiceView } from "#lab/picture-view.ts";
import { layoutPicture } from "./layout.ts";
import { linksOf, waysOf } from "./links.ts";
import { countTraffic } from "./traffic-counts.ts";
import { clusterOf, layoutOptions, podView, serviceView } from "./views.test-kit.ts";

const service = (name: string, endpoints: readonly string[], change: Partial<ServiceView> = {}) =>
  serviceView(name, { endpoints, ...change });

function clusterWith(services: readonly ServiceView[]): ClusterView {
  const nodes = ["node-1", "node-2"].map((name, index) => ({
    name,
    address: `172.18.0.${3 + index}`,
    ready: true,
    unschedulable: false,
    zone: "",
    controlPlane: false,
  }));
  const pods = [podView("a", "node-1", { ip: "10.244.1.2" }), podView("b", "node-2", { ip: "10.244.2.2" })];
  return clusterOf({ nodes, pods, services });
}

const picture = (view: ClusterView) => layoutPicture(view, layoutOptions());
const terminal = "172.18.255.1";
const flow = (change: Partial<Flow>): Flow => ({
  from: terminal,
  asked: "10.96.0.7",
  port: 80,
  to: "10.244.1.2",
  count: 1,
  failed: 0,
  ...change,
});

describe("lines from Services to their endpoints", () => {
  it("go to each endpoint that is drawn", () => {
    const links = linksOf(picture(clusterWith([service("web", ["a", "b", "gone"])])), undefined);
    expect(links.map(({ uid }) => uid)).toEqual(["a", "b"]);
    for (const { path, end } of links) {
      expect(path).toMatch(/^M[\d.]+ [\d.]+C([\d.]+ ){5}[\d.]+$/u);
      expect(path.endsWith(` ${end.x} ${end.y}`)).toBe(true);
    }
  });

  it("are those of the Service that is pointed at where they are too many", () => {
    const view = clusterWith([service("web", Array<string>(70).fill("a")), service("db", ["b"])]);
    expect(linksOf(picture(view), undefined)).toEqual([]);
    const links = linksOf(picture(view), { kind: "service", namespace: "default", name: "db" });
    expect(links.map(({ uid }) => uid)).toEqual(["b"]);
  });
});

describe("ways of connections", () => {
  const node = { type: "NodePort", nodePorts: [30_080] };
  const view = clusterWith([service("web", ["a"], node), service("empty", [], { clusterIp: "10.96.0.8" })]);
  const ways = (...flows: readonly Flow[]) => waysOf(flows, view, picture(view));
  /** Start and end of a path. */
  const ends = (path: string) => [/^M[\d.]+ [\d.]+/u.exec(path)?.[0], /[\d.]+ [\d.]+$/u.exec(path)?.[0]];

  it("lead by the Service's plate to the Pod, from the terminal or a Pod", () => {
    const [fromTerminal, fromPod] = ways(flow({}), flow({ from: "10.244.2.2" }));
    const shown = picture(view);
    const [a, b] = shown.pods;
    const plate = shown.services[0];
    if (a === undefined || b === undefined || plate === undefined) throw new Error("nothing there");
    expect(ends(fromTerminal?.path ?? "")[1]).toBe(`${a.x} ${a.y - a.size / 2 - 2}`);
    expect(fromTerminal?.path).toContain(`${plate.x + plate.width / 2} ${plate.y}L`);
    expect(ends(fromPod?.path ?? "")[0]).toBe(`M${b.x} ${b.y}`);
    expect(ways(flow({ asked: "172.18.0.4", port: 30_080 }))[0]?.path).toBe(fromTerminal?.path);
  });

  it("end at the plate where nobody is behind it, and are marked as failed", () => {
    const [way] = ways(flow({ asked: "10.96.0.8", to: "", failed: 1 }));
    const plate = picture(view).services[1];
    expect(way).toMatchObject({ failed: true, x: (plate?.x ?? 0) + (plate?.width ?? 0) / 2, y: plate?.y });
  });

  it("go straight from Pod to Pod, and from a node's frame", () => {
    expect(ways(flow({ from: "10.244.2.2", asked: "10.244.1.2" }))[0]?.path).toMatch(/^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/u);
    expect(ways(flow({ from: "172.18.0.4" }))).toHaveLength(1);
  });

  it("come back to the Pod they started from where the Service chose it", () => {
    const [way] = ways(flow({ from: "10.244.1.2" }));
    const [a] = picture(view).pods;
    expect(ends(way?.path ?? "")).toEqual([`M${a?.x} ${a?.y}`, `${way?.x} ${way?.y}`]);
    expect(ways(flow({ from: "10.244.1.2", asked: "10.244.1.2" }))).toEqual([]);
  });

  it("are left out where they start or end outside of the picture", () => {
    expect(ways(flow({ asked: "10.96.0.99", to: "10.244.9.9" }))).toEqual([]);
    expect(waysOf([flow({})], clusterWith([]), picture(clusterWith([])))).toEqual([]);
  });
});

describe("counts of connections", () => {
  it("add up by Service until the lab begins anew", () => {
    const view = clusterWith([service("web", ["a"])]);
    const traffic = signal<readonly Flow[]>([]);
    const { services, close } = countTraffic({ traffic, cluster: signal(view) });
    traffic.value = [flow({ count: 3 }), flow({ to: "", failed: 1 }), flow({ asked: "10.96.0.99" })];
    traffic.value = [flow({})];
    expect([...services.value]).toEqual([["default/web", { count: 5, failed: 1 }]]);
    traffic.value = [];
    expect(services.value.size).toBe(0);
    close();
  });
});
